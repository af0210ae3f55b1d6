import { z } from 'zod';
import { ruled, ruleOf } from '../../config/formats.ts';
import {
  amountOf,
  currency,
  decimal,
  duration,
  invalidRuleFile,
  isPositive,
  isWhole,
  readRuleText,
  ruleJson,
} from '../../config/rule-file.ts';
import { parseTld } from '../../kernel/domain-name.ts';
import { dayMs } from '../../kernel/instant.ts';
import { Decimal, isWholeCurrency, priceOperations } from '../../kernel/money.ts';
import { systemClock } from '../../lib/system.ts';
import sandboxPrices from './sandbox-prices.json' with { type: 'json' };
import type { PriceFile } from './settings.ts';

const minusHundred = Decimal.parse('-100');

const tld = ruled(
  '"*" or a TLD, such as "com"',
  z
    .string()
    .transform((text) => (text === '*' ? text : parseTld(text)))
    .refine((name) => name !== null)
    .transform((name) => name as string),
);

/** `step`: to the nearest multiple, halves up. `ending`: up to the next amount with this fraction. */
type Rounding = { readonly step: Decimal } | { readonly ending: Decimal };

const rounding = ruled(
  'an ending such as "x.99", or a step such as "0.05"',
  z.string().transform((text, context): Rounding => {
    const ending = /^x(\.\d{1,4})$/.exec(text)?.[1];
    if (ending !== undefined) return { ending: Decimal.parse(`0${ending}`) };
    const step = Decimal.tryParse(text);
    if (step && isPositive(step)) return { step };
    context.addIssue({ code: 'custom' });
    return z.NEVER;
  }),
);

const maxRules = 10_000;
const maxYears = 100;

/** How a retail price is computed from a cost. A condition that is absent matches everything. */
const rule = z
  .strictObject(
    {
      tlds: z.array(tld).min(1).optional(),
      operations: z
        .array(z.enum(priceOperations, `one of ${priceOperations.join(', ')}`))
        .min(1)
        .optional(),
      periods: z
        .array(ruled('a whole number of years', z.int().min(0).max(maxYears)))
        .min(1)
        .optional(),
      /** A name whose premium status is unknown is neither. */
      premium: z.boolean().optional(),
      margin: decimal(
        'a number of per cent above -100',
        (value) => value.compare(minusHundred) > 0,
      ).optional(),
      /** Added after the margin. */
      plus: amountOf('a decimal number', () => true).optional(),
      /** The whole price of the period. */
      fixed: amountOf('a decimal number of at least 0', (value) => !value.isNegative).optional(),
      rounding: rounding.optional(),
      currency: currency.optional(),
      belowCost: z.boolean().optional(),
    },
    'an object with the members of a rule, and nothing else',
  )
  .refine(
    ({ margin, plus, fixed }) => margin !== undefined || plus !== undefined || fixed !== undefined,
    'an object with "margin", "plus" or "fixed"',
  )
  .refine(
    ({ margin, plus, fixed }) =>
      fixed === undefined || (margin === undefined && plus === undefined),
    'an object without "margin" and "plus", because it has "fixed"',
  )
  .refine(
    (one) =>
      new Set([one.plus?.currency, one.fixed?.currency, one.currency].filter(Boolean)).size <= 1,
    'an object whose amounts are in its "currency"',
  )
  .transform(({ currency: named, ...one }) => ({
    ...one,
    currency: named ?? one.fixed?.currency ?? one.plus?.currency,
  }))
  .refine(
    ({ currency, fixed, rounding }) =>
      currency === undefined ||
      !isWholeCurrency(currency) ||
      [fixed?.amount, ...Object.values(rounding ?? {})].every((one) => !one || isWhole(one)),
    'an object whose "fixed" and "rounding" are whole numbers, because its currency has no fractions',
  );

const rate = z
  .strictObject(
    {
      from: currency,
      to: currency,
      rate: decimal('a decimal number above 0', isPositive),
      asOf: ruled(
        'a date, such as "2026-11-01", or a time in UTC',
        z.union([z.iso.date(), z.iso.datetime()]).transform((text) => new Date(text).toISOString()),
      ),
    },
    'an object with "from", "to", "rate" and "asOf"',
  )
  .refine(({ from, to }) => from !== to, 'a rate between two currencies');

const priceRules = z
  .strictObject(
    {
      rules: z.array(rule).max(maxRules, `at most ${maxRules} rules`),
      rates: z.array(rate).default([]),
      maxRateAge: duration.default(7 * dayMs),
    },
    'one object with "rules" and, for several currencies, "rates"',
  )
  .refine(
    ({ rates }) => new Set(rates.map(({ from, to }) => `${from} ${to}`)).size === rates.length,
    'an object with one rate for each pair of currencies',
  );

const what = 'price file';

/** The text of the file. @throws RuleFileError */
export const readPricesText = (file: string): string => readRuleText(what, file);

/** The content of PRICES_FILE. The first rule that matches counts. A rate that is older than `maxRateAgeMs` is not used. */
export type PriceRules = ReturnType<typeof parsePrices>;

/** @throws RuleFileError */
export function parsePrices(text: string, now = systemClock.now()) {
  const read = priceRules.safeParse(ruleJson(what, text));
  if (!read.success) throw invalidRuleFile(what, [ruleOf(read.error)]);
  const { rules, rates, maxRateAge: maxRateAgeMs } = read.data;
  // In another time zone the day may be the next one. A later rate would never be too old.
  const late = rates.findIndex(({ asOf }) => Date.parse(asOf) - now.getTime() > dayMs);
  if (late >= 0) {
    const rule = `"rates".[${late}]."asOf" is more than a day in the future; write the day of the rate`;
    throw invalidRuleFile(what, [rule]);
  }
  return { rules, rates, maxRateAgeMs };
}

/** @throws RuleFileError */
export const readPrices = (source: PriceFile): PriceRules =>
  parsePrices(source === 'sandbox' ? JSON.stringify(sandboxPrices) : readPricesText(source.file));
