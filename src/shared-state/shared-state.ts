import type { Randomness } from '../lib/clock.ts';
import type { TokenBuckets } from '../lib/token-bucket.ts';
import { Connection, type ConnectionOptions } from './connection.ts';
import { createEvents } from './events.ts';
import { keysOf } from './keys.ts';
import { createSharedTokenBuckets } from './token-buckets.ts';

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
      const keys = keysOf(account);
      return {
        ...createEvents(connection, keys, replica),
        /** `local` is used while the server is unreachable. */
        buckets: (local: TokenBuckets): TokenBuckets =>
          createSharedTokenBuckets(connection, keys, local),
      };
    },
    close: (): void => connection.close(),
  };
}
