import { z } from 'zod';
import { type DomainName, parseDomainName } from '../kernel/domain-name.ts';
import { Fault } from '../kernel/faults.ts';
import { parseInstant } from '../kernel/instant.ts';
import type { Leaf } from '../kernel/leaf.ts';
import { type Money, money } from '../kernel/money.ts';
import { isRawJson } from '../kernel/raw-json.ts';

// The kinds of value that both APIs send, each with its quirk, its source and our reading of it, once.

/**
 * Reads one kind of value; undefined for what is none. A function and no schema: a page of a list is thousands of values,
 * a schema takes ten times as long for each, and leaves what it made to the slow collection of garbage.
 */
export type Read<T> = (value: unknown) => T | undefined;

/**
 * Makes one member of a reply fail alone: what does not fit becomes a Fault in its place.
 *
 * `what` names the member in the sentence; the value itself is never shown.
 */
export const leaf =
  <T>(what: string, read: Read<T>) =>
  (value: unknown): Leaf<T> => {
    const known = read(value);
    return known === undefined ? unreadable(what) : known;
  };

export const unreadable = (what: string) =>
  new Fault('UPSTREAM_PROTOCOL', {
    message: `The service sent a value for ${what} that cannot be read.`,
    executed: 'NO',
  });

/** The success mark of the Domain API. */
export const isOk = (result: unknown): boolean =>
  typeof result === 'string' && result.trim().toUpperCase() === 'OK';

export type Members = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Text that must be there; a number is taken as its digits. */
export const text: Read<string> = (value) => {
  if (typeof value === 'string') return value;
  return Number.isFinite(value) ? String(value) : undefined;
};

/** Text that may be missing: absent, null and `""` are all null. */
export const optionalText: Read<string | null> = (value) => {
  if (value === undefined || value === null) return null;
  const known = text(value);
  return known?.trim() === '' ? null : known;
};

/** `"true"` or `"false"` as text in any case, which is how details send a flag; a real boolean is taken too. */
export const flag: Read<boolean> = (value) => {
  if (typeof value === 'boolean') return value;
  const word = typeof value === 'string' ? value.trim().toLowerCase() : '';
  return word === 'true' ? true : word === 'false' ? false : undefined;
};

/** An integer as a number or as digits; 32 bits, which is what the graph can tell. */
export const integer: Read<number> = (value) => {
  const isDigits = typeof value === 'string' && /^-?\d{1,10}$/.test(value);
  const number = isDigits ? Number(value) : value;
  return typeof number === 'number' && (number | 0) === number ? number : undefined;
};

/** The service's own number for a thing: 0, `""`, null and absent all mean that it names none. */
export const upstreamId: Read<number | null> = (value) => {
  if (value === undefined || value === null || value === '') return null;
  const number = integer(value);
  return number === 0 ? null : number;
};

/** ISO 8601; details leave the zone out, registrations send `Z`, and both are UTC (one instant was seen both ways). */
export const instant: Read<Date> = (value) => {
  try {
    return typeof value === 'string' ? parseInstant(value) : undefined;
  } catch {
    return undefined;
  }
};

/** Null for null and what is absent. */
export const optional =
  <T>(read: Read<T>): Read<T | null> =>
  (value) =>
    value === undefined || value === null ? null : read(value);

/** All items, or none when one of them cannot be read. */
export const list =
  <T>(read: Read<T>): Read<readonly T[]> =>
  (value) => {
    if (!Array.isArray(value)) return undefined;
    const items: T[] = [];
    for (const one of value) {
      const item = read(one);
      if (item === undefined) return undefined;
      items.push(item);
    }
    return items;
  };

/** Text that is sent as text. */
export const plainText: Read<string> = (value) => (typeof value === 'string' ? value : undefined);

/** An absolute http or https address without credentials; other schemes could run as script in a client. */
export const httpUrl: Read<string> = (value) => {
  const url = typeof value === 'string' ? URL.parse(value) : null;
  const isHttp = url?.protocol === 'https:' || url?.protocol === 'http:';
  return url && isHttp && !url.username && !url.password ? url.href : undefined;
};

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
export const domainName = (value: unknown): DomainName | null => {
  try {
    return typeof value === 'string' ? parseDomainName(value) : null;
  } catch {
    return null;
  }
};

/** What every empty map is read as. */
export const noMembers: Members = {};

/** An object; the service sends an empty one as `[]`, and sometimes as null or not at all. */
export const map: Read<Members> = (value) => {
  if (value === undefined || value === null) return noMembers;
  if (Array.isArray(value)) return value.length === 0 ? noMembers : undefined;
  return typeof value === 'object' ? (value as Members) : undefined;
};

/** The members of a map by name, also of one that was parsed as entries. */
export const entriesOf: Read<Iterable<readonly [string, unknown]>> = (value) => {
  if (value instanceof Map) return value;
  const members = map(value);
  return members && Object.entries(members);
};

/** The members of a map, read as one. */
export const mapOf =
  <T>(read: (members: Members) => T | undefined): Read<T> =>
  (value) => {
    const members = map(value);
    return members && read(members);
  };

/** The members of what must be an object. */
export const objectOf =
  <T>(read: (members: Members) => T | undefined): Read<T> =>
  (value) =>
    isObject(value) ? read(value) : undefined;

/** The members of a reply of the Domain API that says it succeeded. */
export const succeeded = <T>(read: (members: Members) => T | undefined): Read<T> =>
  objectOf((members) => (isOk(members.result) ? read(members) : undefined));

export interface KeyValue {
  readonly key: string;
  readonly value: string;
}

/** `Additional`: `[]` when empty, an object of text pairs when not. Values that are no text are written as JSON. */
export const keyValues = mapOf((pairs): readonly KeyValue[] =>
  Object.entries(pairs).map(([key, value]) => ({
    key,
    value: typeof value === 'string' ? value : JSON.stringify(value),
  })),
);
