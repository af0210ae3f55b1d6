import { z } from 'zod';
import { parseTld } from '../kernel/domain-name.ts';
import { type Money, money } from '../kernel/money.ts';
import type { SpendLimits } from '../kernel/spend-limits.ts';
import { areDifferent, json, ruled } from './formats.ts';

/** Eleven digits and four: the journal adds amounts up in ten-thousandths, which must stay exact. */
const amountOfMoney = /^\d{1,11}(?:\.\d{1,4})? [A-Za-z]{2,10}$/;

const moneyText = z
  .string()
  .regex(amountOfMoney)
  .transform((text): Money => {
    // The pattern has one blank.
    const [amount, currency] = text.split(' ') as [string, string];
    return money(amount, currency);
  });

const moneyList = ruled(
  'a list such as ["50 USD", "900.50 TRY"] with each currency once',
  z.array(moneyText).refine((all) => areDifferent(all.map(({ currency }) => currency))),
);

const threshold = z
  .string()
  .regex(/^\s*[A-Za-z]{2,10}:\d{1,11}(?:\.\d{1,4})?\s*$/)
  .transform((text): Money => {
    // The pattern has one colon.
    const [currency, amount] = text.split(':') as [string, string];
    return money(amount, currency);
  });

const thresholdList = z
  .array(threshold)
  .refine((all) => areDifferent(all.map(({ currency }) => currency)));

/** An amount for each currency, such as `USD:100,EUR:50.50`, and the default. */
export const thresholds = {
  default: 'none',
  schema: z
    .string()
    .transform((text, context): readonly Money[] => {
      const read = thresholdList.safeParse(text.split(','));
      if (read.success) return read.data;
      context.addIssue('amounts such as "USD:100,EUR:50.50" with each currency once');
      return z.NEVER;
    })
    .default([]),
};

const tld = z.string().transform(parseTld).pipe(z.string());

const members = {
  perCall: moneyList.exactOptional(),
  perDay: moneyList.exactOptional(),
  perHour: ruled('a whole number from 0 to 1000000', z.int().min(0).max(1_000_000)).exactOptional(),
  tlds: ruled('a list of TLDs such as ["com", "co.uk"]', z.array(tld)).exactOptional(),
  longestPeriod: ruled(
    'a whole number of years from 0 to 100',
    z.int().min(0).max(100),
  ).exactOptional(),
};

export const limitsObject: z.ZodType<SpendLimits> = z.strictObject(
  members,
  `an object with only ${Object.keys(members).join(', ')}`,
);

export const spendLimits = json(
  'limits such as {"perCall":["50 USD"],"perDay":["500 USD"],"perHour":20}',
  limitsObject,
);
