import { type DomainName, isDomainName, parseDomainName } from '../kernel/domain-name.ts';
import { Fault } from '../kernel/faults.ts';

export interface GlobalId {
  readonly typename: string;
  /** What the type calls the thing: a domain's name, an operation's id. */
  readonly key: string;
}

/** The opaque id of a thing: its type and its key in base64url. */
export const globalId = (typename: string, key: string): string =>
  Buffer.from(`${typename}:${key}`).toString('base64url');

/** What an id names; null when it is none of ours. */
export function readGlobalId(id: string): GlobalId | null {
  const text = Buffer.from(id, 'base64url').toString();
  const at = text.indexOf(':');
  const typename = text.slice(0, at);
  const key = text.slice(at + 1);
  // Encoding it again shows whether all of `id` was read, and nothing beside it.
  return at > 0 && /^[A-Z]\w*$/.test(typename) && globalId(typename, key) === id
    ? { typename, key }
    : null;
}

/** The domain that a key names; null when no id of ours has such a key, so that nobody need be asked about it. */
export const domainOfKey = (key: string): DomainName | null =>
  isDomainName(key) && parseDomainName(key) === key ? (key as DomainName) : null;

/** @throws Fault `INVALID_INPUT` for text that is no id of this graph. */
export function parseGlobalId(id: string): GlobalId {
  const parsed = readGlobalId(id);
  if (!parsed) {
    throw new Fault('INVALID_INPUT', {
      message: `"${id.slice(0, 40)}" is not an id of this graph; pass one that a field "id" gave.`,
    });
  }
  return parsed;
}
