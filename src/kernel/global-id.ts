/** The opaque id of an object: its type and its key in base64url. */
export const globalId = (typename: string, key: string): string =>
  Buffer.from(`${typename}:${key}`).toString('base64url');

/** A stored object by the key in its id, or by its idempotency key. */
export type Lookup = { readonly id: string } | { readonly key: string };
