import type { Clock } from '../../kernel/clock.ts';
import type { PurchaseRecord } from '../../persistence/store.ts';

/** What this process has seen of an open purchase, in milliseconds of its monotonic clock. */
export interface Sight {
  /** When it was first seen here, as claimed or as sent. */
  readonly sinceMs: number;
  /** When the first read of an unbroken row of those that did not find the domain began; null without one. */
  absentSinceMs: number | null;
}

/** Milliseconds after which the second read of a failed transfer counts as the first one again. */
const longestWaitMs = 24 * 60 * 60_000;

export type Watch = ReturnType<typeof createWatch>;

/**
 * How long this process has known of each open purchase, by a clock that nobody can set.
 *
 * The times in the journal come from clocks that jump and that differ between machines, so no "no" is built on them:
 * who tells one has itself waited all the time that it takes. A new process begins to wait anew.
 */
export function createWatch(clock: Pick<Clock, 'monotonicMs'>) {
  const claimed = new Map<string, Sight>();
  const sent = new Map<string, Sight>();
  /** When a transfer was first read as rejected or cancelled. */
  const failures = new Map<string, number>();
  return {
    /**
     * Whether two reads of this process, at least `apartMs` apart, showed that a transfer failed or is lost. One read may be
     * stale, and show how an earlier transfer of the domain ended.
     */
    confirmsFailure(id: string, lookedAtMs: number, apartMs: number): boolean {
      for (const [other, sinceMs] of failures) {
        if (lookedAtMs - sinceMs > longestWaitMs) failures.delete(other);
      }
      const sinceMs = failures.get(id) ?? lookedAtMs;
      failures.set(id, sinceMs);
      return lookedAtMs - sinceMs >= apartMs;
    },
    /** A read showed that the transfer did not fail, or its failure was recorded. */
    forgetFailure: (id: string): void => void failures.delete(id),
    /** The purchase as this process knows it, from now on if not before. */
    see({ id, state }: PurchaseRecord): Sight {
      const sights = state === 'CLAIMED' ? claimed : sent;
      const sight = sights.get(id) ?? { sinceMs: clock.monotonicMs(), absentSinceMs: null };
      sights.set(id, sight);
      return sight;
    },
    /** Forgets every other purchase. */
    keepOnly(ids: ReadonlySet<string>): void {
      for (const sights of [claimed, sent]) {
        for (const id of sights.keys()) if (!ids.has(id)) sights.delete(id);
      }
    },
  };
}
