import type { Caller } from './caller.ts';
import { type DomainName, isDomainName, parseDomainName } from './domain-name.ts';
import { invalidInput } from './faults.ts';

/** The opaque id of an object: its type and its key in base64url. */
export const globalId = (typename: string, key: string): string =>
  Buffer.from(`${typename}:${key}`).toString('base64url');

interface GlobalId {
  readonly typename: string;
  /** The key within the type: a domain's name, a purchase's id. */
  readonly key: string;
}

/** The type and key in an id; null when the id is malformed. */
export function readGlobalId(id: string): GlobalId | null {
  const text = Buffer.from(id, 'base64url').toString();
  const at = text.indexOf(':');
  const typename = text.slice(0, at);
  const key = text.slice(at + 1);
  // The decoder ignores invalid characters. Encoding the result again finds them.
  return at > 0 && /^[A-Z]\w*$/.test(typename) && globalId(typename, key) === id
    ? { typename, key }
    : null;
}

/** The key in an id of this type; null for any other id. */
export function keyOfId(typename: string, id: string): string | null {
  const named = readGlobalId(id);
  return named?.typename === typename ? named.key : null;
}

/** A stored object by the key in its id, or by its idempotency key. */
export type Lookup = { readonly id: string } | { readonly key: string };

export const lookupPath = (by: Lookup | null) => ['input', by && 'key' in by ? 'key' : 'id'];

/** The domain of a key; null when the key is not a normalised domain name, which needs no upstream call. */
export const domainOfKey = (key: string): DomainName | null =>
  isDomainName(key) && parseDomainName(key) === key ? (key as DomainName) : null;

/** @throws Fault `INVALID_INPUT` for a malformed id. */
export function parseGlobalId(id: string): GlobalId {
  const parsed = readGlobalId(id);
  if (parsed) return parsed;
  throw invalidInput(
    `"${id.slice(0, 40)}" is not an id of this graph; pass the value of a field "id".`,
  );
}

/** Neither customers nor keys have it. */
const afterCustomer = '\u001f';

/** The key in the journal, where callers that are bound to different customers have keys of their own. */
export const storedKey = ({ customer }: Pick<Caller, 'customer'>, key: string): string =>
  customer === null ? key : `${customer}${afterCustomer}${key}`;

/** The key as its client knows it. */
export const shownKey = (stored: string): string => stored.slice(stored.indexOf(afterCustomer) + 1);

/** The sort key of an item, which its cursor encodes. Its parts are compared as text, in order. */
export type Position = readonly string[];

export const cursorText = (position: Position): string =>
  Buffer.from(JSON.stringify(position)).toString('base64url');
