import { z } from 'zod';
import { type DomainName, parseDomainName } from '../kernel/domain-name.ts';
import { Fault } from '../kernel/faults.ts';
import { parseInstant } from '../kernel/instant.ts';
import type { Leaf } from '../kernel/leaf.ts';
import { type Money, money } from '../kernel/money.ts';
import { isRawJson } from '../kernel/raw-json.ts';

// The kinds of value that both APIs send, each with its quirk, its source and our reading of it, once.

/** Whatever is there, or nothing: zod asks for the member itself unless told otherwise. */
export const anything = z.unknown().optional();

/**
 * Makes one member of a reply fail alone: what does not fit `schema` becomes a Fault in its place.
 *
 * `what` names the member in the sentence; the value itself is never shown.
 */
export const leaf = <Schema extends z.ZodType>(what: string, schema: Schema) =>
  anything.transform((value): Leaf<z.output<Schema>> => {
    const result = schema.safeParse(value);
    return result.success ? result.data : unreadable(what);
  });

export const unreadable = (what: string) =>
  new Fault('UPSTREAM_PROTOCOL', {
    message: `The service sent a value for ${what} that cannot be read.`,
    executed: 'NO',
  });

/** The success mark of the Domain API. */
export const ok = z.string().refine((text) => text.trim().toUpperCase() === 'OK');

/** Text that must be there; a number is taken as its digits. */
export const text = z.union([z.string(), z.number().transform(String)]);

/** Text that may be missing: absent, null and `""` are all null. */
export const optionalText = text
  .nullish()
  .transform((value) =>
    value === undefined || value === null || value.trim() === '' ? null : value,
  );

/** `"true"` or `"false"` as text in any case, which is how details send a flag; a real boolean is taken too. */
export const flag = z.union([
  z.boolean(),
  z
    .string()
    .transform((value) => value.trim().toLowerCase())
    .pipe(z.enum(['true', 'false']))
    .transform((value) => value === 'true'),
]);

const integerText = z
  .string()
  .regex(/^-?\d{1,10}$/)
  .transform(Number);

/** An integer as a number or as digits. */
export const integer = z.union([z.number(), integerText]).pipe(z.int32());

/** The service's own number for a thing: 0, `""`, null and absent all mean that it names none. */
export const upstreamId = z
  .union([z.literal('').transform(() => null), integer])
  .nullish()
  .transform((value) => (value === undefined || value === 0 ? null : value));

/** ISO 8601; details leave the zone out, registrations send `Z`, and both are UTC (one instant was seen both ways). */
export const instant = z.string().transform((value, context): Date => {
  try {
    return parseInstant(value);
  } catch {
    context.addIssue({ code: 'custom', message: 'not an instant' });
    return z.NEVER;
  }
});

/** Longer numbers may have lost digits when they were parsed. */
const exactDigits = 16;

/** A decimal as text, which is what is specified, or as a number short enough to be exact; null for anything else. */
function decimalOf(value: unknown): string | null {
  if (typeof value === 'string') return value;
  const digits = typeof value === 'number' ? String(value) : '';
  return digits !== '' && digits.length <= exactDigits ? digits : null;
}

/** Amount and currency from two members of one object. */
export const readMoney = (amount: unknown, currency: unknown, what: string): Leaf<Money> => {
  const digits = decimalOf(amount);
  if (digits === null || typeof currency !== 'string' || currency.trim() === '') {
    return unreadable(what);
  }
  try {
    return money(digits, currency);
  } catch {
    return unreadable(what);
  }
};

/**
 * A number that we send exactly: `JSON.rawJSON` of its digits, or a number that is exact by itself.
 *
 * A `Decimal` would go out as text, hence the check.
 */
export const rawNumber = z.custom<unknown>((value) =>
  typeof value === 'number' ? Number.isFinite(value) : isRawJson(value),
);

/** A name in any spelling; null when it is none, so that the caller can leave the row out and say so. */
export const domainName = anything.transform((value): DomainName | null => {
  try {
    return parseDomainName(typeof value === 'string' ? value : '');
  } catch {
    return null;
  }
});

/** An object; the service sends an empty one as `[]`, and sometimes as null or not at all. */
export const map = z
  .union([
    z.array(z.unknown()).length(0),
    z.null(),
    z.undefined(),
    z.record(z.string(), z.unknown()),
  ])
  .optional()
  .transform(
    (value): Record<string, unknown> =>
      value && !Array.isArray(value) ? (value as Record<string, unknown>) : {},
  );

export interface KeyValue {
  readonly key: string;
  readonly value: string;
}

/** `Additional`: `[]` when empty, an object of text pairs when not. Values that are no text are written as JSON. */
export const keyValues = map.transform((pairs): readonly KeyValue[] =>
  Object.entries(pairs).map(([key, value]) => ({
    key,
    value: typeof value === 'string' ? value : JSON.stringify(value),
  })),
);
