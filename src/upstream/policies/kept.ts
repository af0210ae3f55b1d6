import type { Clock } from '../../kernel/clock.ts';
import { Recent } from '../../kernel/recent.ts';
import type { Revision } from '../../kernel/revision.ts';

interface KeptOptions {
  readonly clock: Pick<Clock, 'monotonicMs'>;
  /** Younger than this an answer may serve again; 0 keeps nothing. */
  readonly maxAgeMs: number;
  /** So long an answer may serve while a newer one is being asked for; default `maxAgeMs`. */
  readonly staleMs?: number;
  /** So long an answer may serve when a newer one can't be had; default `staleMs`. */
  readonly lastResortMs?: number;
  /** Advanced when an answer is replaced or cleared. */
  readonly revision: Revision;
  /** Entries at most; those that were not used for long go first. */
  readonly most: number;
}

export interface KeptValue<Value> {
  readonly value: Value;
  readonly ageMs: number;
  /** So long it is fresh; none or less once it is stale. */
  readonly leftMs: number;
  readonly freshness: 'fresh' | 'stale' | 'last-resort';
}

/** Answers that are kept for a time, in the memory of the process. */
export function createKept<Value>({
  clock,
  maxAgeMs,
  staleMs = maxAgeMs,
  lastResortMs = staleMs,
  revision,
  most,
}: KeptOptions) {
  const entries = new Recent<string, { readonly value: Value; readonly atMs: number }>(most);
  let clearings = 0;

  return {
    /** Null for what is not there, or too old for anything. */
    get(key: string): KeptValue<Value> | null {
      const entry = entries.get(key);
      if (!entry) return null;
      const ageMs = clock.monotonicMs() - entry.atMs;
      if (ageMs >= lastResortMs) return null;
      const freshness = ageMs < maxAgeMs ? 'fresh' : ageMs < staleMs ? 'stale' : 'last-resort';
      return { value: entry.value, ageMs, leftMs: maxAgeMs - ageMs, freshness };
    },
    /**
     * To be taken before the upstream is asked: an answer that was under way while anything was cleared is not kept. One
     * that was old already when this was taken comes with its age.
     */
    ask() {
      const asked = clearings;
      const atMs = clock.monotonicMs();
      return (key: string, value: Value, ageMs = 0): void => {
        if (maxAgeMs === 0 || asked !== clearings) return;
        if (entries.get(key)) revision.advance();
        entries.set(key, { value, atMs: atMs - ageMs });
      };
    },
    clear(key: string): void {
      clearings += 1;
      revision.advance();
      entries.delete(key);
    },
  };
}
