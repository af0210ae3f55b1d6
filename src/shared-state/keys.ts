import { createHash } from 'node:crypto';

const digestOf = (text: string) =>
  createHash('sha256').update(text).digest('base64url').slice(0, 32);

/**
 * The key names of one account. Account and bucket key are digests: an account is a login, a bucket key is text of a client,
 * and a digest cannot collide with another name. The braces put all keys of an account on one server of a cluster.
 */
export const keysOf = (account: string) => {
  const prefix = `reseller-graph:{${digestOf(account)}}`;
  return {
    events: `${prefix}:events`,
    bucket: (key: string) => `${prefix}:bucket:${digestOf(key)}`,
  };
};

export type Keys = ReturnType<typeof keysOf>;
