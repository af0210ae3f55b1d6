import { z } from 'zod';
import { parseTld } from '../kernel/domain-name.ts';
import { type Money, money } from '../kernel/money.ts';
import type { SpendLimits } from '../kernel/spend-limits.ts';
import { areDifferent, json } from './formats.ts';

/** The rule of each member, which completes `"<member>" is …`. */
const rules: Readonly<Record<string, string>> = {
  perCall: 'a list such as ["50 USD", "900.50 TRY"] with each currency once',
  perDay: 'a list such as ["500 USD", "9000 TRY"] with each currency once',
  perHour: 'a whole number from 0 to 1000000',
  tlds: 'a list of TLDs such as ["com", "co.uk"]',
  longestPeriod: 'a whole number of years from 0 to 100',
};

/** Eleven digits and four: the journal adds amounts up in ten-thousandths, which must stay exact. */
const amountOfMoney = /^(\d{1,11}(?:\.\d{1,4})?) ([A-Za-z]{2,10})$/;

const moneyText = z
  .string()
  .regex(amountOfMoney)
  .transform((text): Money => {
    const [, amount = '', currency = ''] = amountOfMoney.exec(text) ?? [];
    return money(amount, currency);
  });

const moneyList = z
  .array(moneyText)
  .refine((entries) => areDifferent(entries.map(({ currency }) => currency)));

const tld = z.string().transform(parseTld).pipe(z.string());

/** Limits in JSON. */
export const limitsObject: z.ZodType<SpendLimits> = z.strictObject({
  perCall: moneyList.exactOptional(),
  perDay: moneyList.exactOptional(),
  perHour: z.int().min(0).max(1_000_000).exactOptional(),
  tlds: z.array(tld).exactOptional(),
  longestPeriod: z.int().min(0).max(100).exactOptional(),
});

/** The text of SPEND_LIMITS. */
export const spendLimits = json(
  'limits such as {"perCall":["50 USD"],"perDay":["500 USD"],"perHour":20}',
  limitsObject,
  limitsRuleOf,
);

/** Completes "limits such as …, where …". `path` leads from the limits to the invalid value. */
export function limitsRuleOf({ path, code, ...issue }: z.core.$ZodIssue): string {
  if (code === 'unrecognized_keys' && 'keys' in issue) {
    return `"${issue.keys[0]}" is none of ${Object.keys(rules).join(', ')}`;
  }
  const member = String(path[0]);
  return member in rules ? `"${member}" is ${rules[member]}` : 'everything is in one object';
}
