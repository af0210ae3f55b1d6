import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { parseTld } from '../kernel/domain-name.ts';
import { dayMs } from '../kernel/instant.ts';
import { currencyCode, Decimal } from '../kernel/money.ts';
import { type PriceRules, priceOperations } from '../kernel/price-rules.ts';
import { decodeText } from '../lib/decode-text.ts';
import { parseJson } from '../lib/json.ts';
import { fileProblem } from '../lib/private-files.ts';
import { ruled, ruleOf } from './formats.ts';
import sandboxPrices from './sandbox-prices.json' with { type: 'json' };

/** A file, the built-in prices of the embedded sandbox, or null for the costs of the registrar. */
export type PriceSource = { readonly file: string } | 'sandbox' | null;

/** The source that PRICES_FILE selects. */
export function priceSourceOf(file: string | undefined, hasEmbeddedSandbox: boolean): PriceSource {
  if (file === 'none') return null;
  if (file !== undefined) return { file };
  return hasEmbeddedSandbox ? 'sandbox' : null;
}

/** PRICES_FILE cannot be used; the message is one sentence. */
export class PriceFileError extends Error {
  override readonly name = 'PriceFileError';
}

const decimal = (rule: string, isAllowed: (value: Decimal) => boolean) =>
  ruled(
    rule,
    z
      .union([z.string(), z.number().transform(String)])
      .transform((text) => Decimal.tryParse(text))
      .refine((value) => value !== null && isAllowed(value))
      .transform((value) => value as Decimal),
  );

const isPositive = (value: Decimal) => value.compare(Decimal.zero) > 0;
const minusHundred = Decimal.parse('-100');

const currency = ruled(
  'three letters of a currency, such as "USD"',
  z
    .string()
    .regex(/^[A-Za-z]{2,3}$/)
    .transform(currencyCode)
    .refine((code) => code.length === 3),
);

const amountOf = (rule: string, isAllowed: (value: Decimal) => boolean) =>
  z.strictObject(
    { amount: decimal(rule, isAllowed), currency },
    'an object with "amount" and "currency"',
  );

const tld = ruled(
  '"*" or a TLD, such as "com"',
  z
    .string()
    .transform((text) => (text === '*' ? text : parseTld(text)))
    .refine((name) => name !== null)
    .transform((name) => name as string),
);

const rounding = ruled(
  'an ending such as "x.99", or a step such as "0.05"',
  z.string().transform((text, context) => {
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
      premium: z.boolean().optional(),
      margin: decimal(
        'a number of per cent above -100',
        (value) => value.compare(minusHundred) > 0,
      ).optional(),
      plus: amountOf('a decimal number', () => true).optional(),
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
  }));

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

const unitMs = { m: 60_000, h: 3_600_000, d: dayMs } as const;

const age = ruled(
  'a number of minutes, hours or days, such as "7d"',
  z
    .string()
    .regex(/^[1-9]\d{0,5}[mhd]$/)
    .transform((text) => Number(text.slice(0, -1)) * unitMs[text.slice(-1) as keyof typeof unitMs]),
);

const priceRules = z
  .strictObject(
    {
      rules: z.array(rule).max(maxRules, `at most ${maxRules} rules`),
      rates: z.array(rate).default([]),
      maxRateAge: age.default(7 * dayMs),
    },
    'one object with "rules" and, for several currencies, "rates"',
  )
  .refine(
    ({ rates }) => new Set(rates.map(({ from, to }) => `${from} ${to}`)).size === rates.length,
    'an object with one rate for each pair of currencies',
  );

/** The text of the file. @throws PriceFileError */
export function readPricesText(file: string): string {
  try {
    return decodeText(readFileSync(file));
  } catch (error) {
    throw new PriceFileError(`The price file "${file}" cannot be read: ${fileProblem(error)}.`);
  }
}

/** @throws PriceFileError */
export function parsePrices(text: string): PriceRules {
  const read = priceRules.safeParse(parseJson(text));
  if (!read.success) {
    throw new PriceFileError(`The price file must be corrected: ${ruleOf(read.error)}.`);
  }
  const { rules, rates, maxRateAge: maxRateAgeMs } = read.data;
  return { rules, rates, maxRateAgeMs };
}

/** @throws PriceFileError */
export const readPrices = (source: NonNullable<PriceSource>): PriceRules =>
  parsePrices(source === 'sandbox' ? JSON.stringify(sandboxPrices) : readPricesText(source.file));
