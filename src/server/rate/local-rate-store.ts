import type { Clock } from '../../kernel/clock.ts';
import type { RateStore } from '../../kernel/rate-store.ts';
import { Recent } from '../../kernel/recent.ts';

interface Bucket {
  tokens: number;
  atMs: number;
}

/** Buckets that are remembered; one that was not used for long is full again anyway. */
const mostBuckets = 20_000;

/** The buckets of one process. */
export function createLocalRateStore({ monotonicMs }: Pick<Clock, 'monotonicMs'>): RateStore {
  const buckets = new Recent<string, Bucket>(mostBuckets);
  return {
    async take(key, cost, { capacity, perSecond }) {
      const nowMs = monotonicMs();
      const bucket = buckets.get(key) ?? { tokens: capacity, atMs: nowMs };
      const filled = bucket.tokens + ((nowMs - bucket.atMs) / 1000) * perSecond;
      const tokens = Math.min(capacity, filled);
      const needed = Math.min(cost, capacity);
      const granted = tokens >= needed;
      const remaining = granted ? tokens - needed : tokens;
      buckets.set(key, { tokens: remaining, atMs: nowMs });
      const waitMs = granted ? 0 : Math.ceil(((needed - tokens) / perSecond) * 1000);
      return { granted, waitMs, remaining };
    },
  };
}
