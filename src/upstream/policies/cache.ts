import type { Clock } from '../../lib/clock.ts';
import type { CacheRevision } from '../../lib/lazy.ts';

interface TtlCacheOptions {
  readonly clock: Pick<Clock, 'monotonicMs'>;
  /** An entry is fresh for this long; 0 disables the cache. */
  readonly maxAgeMs: number;
  /** A stale entry may be returned until this age while a refresh runs; default `maxAgeMs`. */
  readonly staleMs?: number;
  /** An entry may be returned until this age when the refresh fails; default `staleMs`. */
  readonly lastResortMs?: number;
  /** Advanced when an entry is invalidated, or replaced while it is fresh. */
  readonly revision: CacheRevision;
  /** The oldest entries are evicted, half of this count at a time. */
  readonly maxEntries: number;
}

interface CacheHit<Value> {
  readonly value: Value;
  readonly ageMs: number;
  /** How long the entry stays fresh; 0 or negative when it is stale. */
  readonly leftMs: number;
  readonly freshness: 'fresh' | 'stale' | 'last-resort';
}

export type TtlCache<Value> = ReturnType<typeof createTtlCache<Value>>;

/** A cache in the memory of the process, with a time to live. */
export function createTtlCache<Value>({
  clock,
  maxAgeMs,
  staleMs = maxAgeMs,
  lastResortMs = staleMs,
  revision,
  maxEntries,
}: TtlCacheOptions) {
  // Two generations: an LRU list takes three times as long to store an entry, which is lost when the entry is never read.
  let newer = new Map<string, { readonly value: Value; readonly atMs: number }>();
  let older: typeof newer = new Map();
  const find = (key: string) => newer.get(key) ?? older.get(key);
  let invalidations = 0;

  return {
    /** Null for a missing entry, and for one that is too old for any use. */
    get(key: string): CacheHit<Value> | null {
      const entry = find(key);
      if (!entry) return null;
      const ageMs = clock.monotonicMs() - entry.atMs;
      if (ageMs >= lastResortMs) return null;
      const freshness = ageMs < maxAgeMs ? 'fresh' : ageMs < staleMs ? 'stale' : 'last-resort';
      return { value: entry.value, ageMs, leftMs: maxAgeMs - ageMs, freshness };
    },
    /**
     * Returns the function that stores the reply to a call. It must be called before the call is sent: a reply
     * is not stored when any entry was invalidated in the meantime.
     */
    beginStore() {
      const before = invalidations;
      const atMs = clock.monotonicMs();
      return (key: string, value: Value): void => {
        if (maxAgeMs === 0 || before !== invalidations) return;
        const replaced = find(key);
        // A response that was built from an expired entry has expired too.
        if (replaced && clock.monotonicMs() - replaced.atMs < maxAgeMs) revision.increment();
        if (newer.size >= maxEntries / 2) {
          older = newer;
          newer = new Map();
        }
        newer.set(key, { value, atMs });
      };
    },
    invalidate(key: string): void {
      invalidations += 1;
      revision.increment();
      newer.delete(key);
      older.delete(key);
    },
  };
}
