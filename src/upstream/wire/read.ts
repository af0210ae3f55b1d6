import { type DomainName, tryParseDomainName } from '../../kernel/domain-name.ts';
import { Fault, type FieldResult } from '../../kernel/faults.ts';
import { tryParseInstant } from '../../kernel/instant.ts';
import { currencyCode, Decimal, type Money, money } from '../../kernel/money.ts';

// The kinds of values that both APIs send, with their quirks.

/** Reads one kind of value; undefined for any other value. Not a zod schema, which takes ten times as long per value. */
export type Read<T> = (value: unknown) => T | undefined;

/** Reads one field: a value that `read` does not accept becomes a Fault. `what` names the field; its value is never shown. */
export const field =
  <T>(what: string, read: Read<T>) =>
  (value: unknown): FieldResult<T> => {
    const known = read(value);
    return known === undefined ? unreadable(what) : known;
  };

export const unreadable = (what: string) =>
  new Fault('UPSTREAM_PROTOCOL', {
    message: `The registrar returned an invalid value for ${what}.`,
    executed: 'NO',
  });

interface FieldRow {
  /** The name of the member in the reply. */
  readonly wire: string;
  readonly read: Read<unknown>;
  /** The name of the field in a fault; default `wire`. */
  readonly label?: string;
}

type FieldResults<Table> = {
  readonly [Name in keyof Table]: Table[Name] extends { readonly read: Read<infer T> }
    ? FieldResult<T>
    : never;
};

/** Reads the fields of an object by a table; each field fails alone. */
export function fieldsOf<Table extends Readonly<Record<string, FieldRow>>>(
  table: Table,
): (members: Members) => FieldResults<Table> {
  const fields = Object.entries(table).map(
    ([name, { wire, read, label = wire }]) => [name, wire, field(label, read)] as const,
  );
  return (members) => {
    const results: Record<string, unknown> = {};
    for (const [name, wire, read] of fields) results[name] = read(members[wire]);
    return results as FieldResults<Table>;
  };
}

/** The success mark of the Domain API. */
export const isOk = (result: unknown): boolean =>
  typeof result === 'string' && result.trim().toUpperCase() === 'OK';

export type Members = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Required text; a number is read as its digits. */
export const text: Read<string> = (value) => {
  if (typeof value === 'string') return value;
  return Number.isFinite(value) ? String(value) : undefined;
};

/** The upstream sends `""`, or blanks, for a value that it does not have. */
const isBlank = (value: unknown): boolean => typeof value === 'string' && value.trim() === '';

/** Reads `""` as null is read. */
export const blankAsNull =
  <T>(read: Read<T>): Read<T> =>
  (value) =>
    read(isBlank(value) ? null : value);

/** Null for null and absent. */
export const optional =
  <T>(read: Read<T>): Read<T | null> =>
  (value) =>
    value === undefined || value === null ? null : read(value);

/** Null for `""` only: absent and null are invalid. */
export const orBlank =
  <T>(read: Read<T>): Read<T | null> =>
  (value) =>
    isBlank(value) ? null : read(value);

/** Optional text: absent, null and `""` are null. */
export const optionalText = blankAsNull(optional(text));

/** A boolean, or `"true"` or `"false"` in any case, as in domain details. */
export const flag: Read<boolean> = (value) => {
  if (typeof value === 'boolean') return value;
  const word = typeof value === 'string' ? value.trim().toLowerCase() : '';
  return word === 'true' ? true : word === 'false' ? false : undefined;
};

/** An integer as a number or as digits; 32 bits, as in GraphQL. */
export const integer: Read<number> = (value) => {
  const isDigits = typeof value === 'string' && /^-?\d{1,10}$/.test(value);
  const number = isDigits ? Number(value) : value;
  return typeof number === 'number' && (number | 0) === number ? number : undefined;
};

/** A numeric id of the upstream; 0, `""`, null and absent are null, and an id of more than 32 bits. */
export const upstreamId: Read<number | null> = blankAsNull(
  optional((value) => {
    const isWhole = Number.isInteger(value) || (typeof value === 'string' && /^-?\d+$/.test(value));
    return integer(value) || (isWhole ? null : undefined);
  }),
);

/** ISO 8601 in UTC: details omit the zone, registrations send `Z` (the same instant was observed in both forms). */
export const instant: Read<Date> = (value) =>
  typeof value === 'string' ? (tryParseInstant(value) ?? undefined) : undefined;

/** The items of a list. PHP encodes a list with gaps as an object whose keys are numbers; JavaScript has them in their order. */
export const itemsOf: Read<readonly unknown[]> = (value) => {
  if (Array.isArray(value)) return value;
  const keys = isObject(value) ? Object.keys(value) : [];
  const isList = keys.length > 0 && keys.every((key) => /^\d+$/.test(key));
  return isList ? Object.values(value as Members) : undefined;
};

/** A list; one invalid item makes the whole list invalid. */
export const list =
  <T>(read: Read<T>): Read<readonly T[]> =>
  (value) => {
    const listed = itemsOf(value);
    if (!listed) return undefined;
    const items: T[] = [];
    for (const one of listed) {
      const item = read(one);
      if (item === undefined) return undefined;
      items.push(item);
    }
    return items;
  };

/** The items of a list that can be read. Invalid when there are others only; null and `""` are places without an item. */
export const readableItems =
  <T>(read: Read<T>): Read<readonly T[]> =>
  (value) => {
    const listed = itemsOf(value);
    if (!listed) return undefined;
    const items: T[] = [];
    let isEmpty = true;
    for (const one of listed) {
      if (one === null || isBlank(one)) continue;
      isEmpty = false;
      const item = read(one);
      if (item !== undefined) items.push(item);
    }
    return items.length > 0 || isEmpty ? items : undefined;
  };

/** Text, and no number. */
export const plainText: Read<string> = (value) => (typeof value === 'string' ? value : undefined);

/** An absolute http or https URL without credentials; another scheme could run as script in a client. */
export const httpUrl: Read<string> = (value) => {
  const url = typeof value === 'string' ? URL.parse(value) : null;
  const isHttp = url?.protocol === 'https:' || url?.protocol === 'http:';
  return url && isHttp && !url.username && !url.password ? url.href : undefined;
};

/** A longer number may have lost digits in `JSON.parse`. */
const exactDigits = 16;

/** A decimal as text, as specified, or as a number that is short enough to be exact; null otherwise. */
function decimalOf(value: unknown): string | null {
  if (typeof value === 'string') return value;
  const digits = typeof value === 'number' ? String(value) : '';
  return digits !== '' && digits.length <= exactDigits ? digits : null;
}

/** Three letters, as each code of ISO 4217 has; not `$` or a name. */
const isCurrency = (text: string): boolean => /^[A-Z]{3}$/.test(currencyCode(text));

/** An amount and its currency, which are two members of one object. */
export const readMoney = (amount: unknown, currency: unknown, what: string): FieldResult<Money> => {
  const digits = decimalOf(amount);
  if (digits === null || typeof currency !== 'string' || !isCurrency(currency)) {
    return unreadable(what);
  }
  try {
    return money(digits, currency);
  } catch {
    return unreadable(what);
  }
};

/** A price, which is never negative: `-1` stands for "not sold". A balance may be negative. */
export const readPrice: typeof readMoney = (amount, currency, what) => {
  const price = readMoney(amount, currency, what);
  return price instanceof Fault || !price.amount.isNegative ? price : unreadable(what);
};

/** Whether an amount was not sent. */
export const isAbsent = (value: unknown): boolean =>
  value === undefined || value === null || value === '';

/** Whether an amount is zero, which an upstream sends in place of a price that it does not have. */
export const isZero = (amount: unknown): boolean =>
  Decimal.tryParse(decimalOf(amount) ?? '')?.equals(Decimal.zero) ?? false;

/** A domain name in any spelling; null for an invalid one. */
export const domainName = (value: unknown): DomainName | null =>
  typeof value === 'string' ? tryParseDomainName(value) : null;

/** The result of `map` for every empty map. */
export const noMembers: Members = {};

/** An object; the upstream sends an empty one as `[]`, null or not at all. */
export const map: Read<Members> = (value) => {
  if (value === undefined || value === null) return noMembers;
  if (Array.isArray(value)) return value.length === 0 ? noMembers : undefined;
  return typeof value === 'object' ? (value as Members) : undefined;
};

/** A map by number. PHP encodes one whose keys are 0, 1, … in this order as a list. */
export const numberedMap: Read<Members> = (value) =>
  Array.isArray(value) ? { ...value } : map(value);

export const mapOf =
  <T>(read: (members: Members) => T | undefined): Read<T> =>
  (value) => {
    const members = map(value);
    return members && read(members);
  };

export const objectOf =
  <T>(read: (members: Members) => T | undefined): Read<T> =>
  (value) =>
    isObject(value) ? read(value) : undefined;

/** A successful reply of the Domain API, read by its members. */
export const succeeded = <T>(read: (members: Members) => T | undefined): Read<T> =>
  objectOf((members) => (isOk(members.result) ? read(members) : undefined));

export interface KeyValue {
  readonly key: string;
  readonly value: string;
}

/** `Additional`: `[]` or an object of text. Values that are no text become JSON. */
export const keyValues = mapOf((pairs): readonly KeyValue[] =>
  Object.entries(pairs).map(([key, value]) => ({
    key,
    value: typeof value === 'string' ? value : JSON.stringify(value),
  })),
);
