/** The opaque id of an object: its type and its key in base64url. */
export const globalId = (typename: string, key: string): string =>
  Buffer.from(`${typename}:${key}`).toString('base64url');
