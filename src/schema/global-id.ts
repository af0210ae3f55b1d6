import { type DomainName, isDomainName, parseDomainName } from '../kernel/domain-name.ts';
import { invalidInput } from '../kernel/faults.ts';
import { globalId } from '../kernel/global-id.ts';

export { globalId };

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
