import { hash } from 'node:crypto';
import type { Randomness } from '../lib/clock.ts';
import type { TokenBuckets } from '../lib/token-bucket.ts';
import { Connection, type ConnectionOptions } from './connection.ts';
import { createEvents } from './events.ts';
import { createSharedTokenBuckets } from './token-buckets.ts';

/** An account is a login, and a bucket is text of a client: a digest shows neither, and cannot collide with another name. */
const digestOf = (text: string) => hash('sha256', text, 'base64url').slice(0, 32);

export type SharedState = Awaited<ReturnType<typeof openSharedState>>;

/**
 * The state that replicas share over Valkey or Redis. Without a reachable server each replica uses its own state, which costs
 * more upstream calls and is never wrong.
 */
export async function openSharedState({
  randomness,
  ...options
}: ConnectionOptions & { readonly randomness: Randomness }) {
  const connection = await Connection.open(options);
  const replica = randomness.uuid();
  return {
    /** The state of one account; call it once per account. */
    of(account: string) {
      // The braces put all keys of an account on one server of a cluster.
      const prefix = `reseller-graph:{${digestOf(account)}}`;
      const bucketKey = (bucket: string) => `${prefix}:bucket:${digestOf(bucket)}`;
      return {
        ...createEvents(connection, `${prefix}:events`, replica),
        /** `local` is used while the server is unreachable. */
        buckets: (local: TokenBuckets): TokenBuckets =>
          createSharedTokenBuckets(connection, bucketKey, local),
      };
    },
    close: (): void => connection.close(),
  };
}
