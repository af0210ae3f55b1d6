import { createHash } from 'node:crypto';

const digestOf = (text: string) =>
  createHash('sha256').update(text).digest('base64url').slice(0, 32);

/**
 * The names of what one account shares. An account is a login and a key is a caller's text, so both stand as their digest:
 * no name can pass for another one. The braces keep what belongs together on one server of a cluster.
 */
export const keysOf = (account: string) => {
  const prefix = `reseller-graph:{${digestOf(account)}}`;
  return {
    events: `${prefix}:events`,
    turns: (api: string) => `${prefix}:turns:${api}`,
    rate: (key: string) => `${prefix}:rate:${digestOf(key)}`,
    answer: (key: string) => `${prefix}:answer:${digestOf(key)}`,
    asking: (key: string) => `${prefix}:asking:${digestOf(key)}`,
  };
};

export type Keys = ReturnType<typeof keysOf>;
