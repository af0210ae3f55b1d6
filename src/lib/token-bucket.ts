import { LRUCache } from 'lru-cache';
import type { Clock } from './clock.ts';

/** A bucket holds up to `capacity` tokens and refills by `perSecond`. */
export interface Rate {
  readonly capacity: number;
  readonly perSecond: number;
}

interface Taken {
  readonly granted: boolean;
  /** Milliseconds until the tokens are available; 0 when they were granted from the bucket. */
  readonly waitMs: number;
  /** Tokens left in the bucket; negative while it is in debt. */
  readonly remaining: number;
}

/** Token buckets by key, each full at first. */
export interface TokenBuckets {
  /**
   * Takes `cost` tokens, or none when the bucket holds less; a cost above the capacity needs a full bucket.
   *
   * With `mayBorrow` the tokens are always granted and the bucket goes into debt: the caller waits `waitMs` before it acts.
   */
  take(key: string, cost: number, rate: Rate, mayBorrow?: boolean): Promise<Taken>;
}

interface Bucket {
  readonly tokens: number;
  readonly atMs: number;
}

/** A bucket that is dropped from memory was idle, and is full again. */
const maxBuckets = 20_000;

/** Buckets in the memory of the process. `shared-state/token-buckets.ts` has the same algorithm for Valkey. */
export function createTokenBuckets(clock: Pick<Clock, 'monotonicMs'>): TokenBuckets {
  const buckets = new LRUCache<string, Bucket>({ max: maxBuckets });
  return {
    async take(key, cost, rate, mayBorrow = false) {
      const { capacity, perSecond } = rate;
      const nowMs = clock.monotonicMs();
      const bucket = buckets.get(key) ?? { tokens: capacity, atMs: nowMs };
      const filled = bucket.tokens + ((nowMs - bucket.atMs) * perSecond) / 1_000;
      const tokens = Math.min(capacity, Math.max(mayBorrow ? -capacity : 0, filled));
      const needed = Math.min(cost, capacity);
      const granted = mayBorrow || tokens >= needed;
      const remaining = granted ? tokens - needed : tokens;
      buckets.set(key, { tokens: remaining, atMs: nowMs });
      const waitMs = Math.max(0, ((needed - tokens) * 1_000) / perSecond);
      return { granted, waitMs, remaining };
    },
  };
}
