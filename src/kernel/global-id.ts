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

/** The path of the lookup in the input of a mutation. */
export const lookupPath = (by: Lookup | null) => ['input', by && 'key' in by ? 'key' : 'id'];
