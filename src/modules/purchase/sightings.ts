import type { Clock } from '../../lib/clock.ts';
import type { PurchaseRecord } from '../../persistence/purchase-record.ts';

/** The observations of an open purchase by this process, in milliseconds of its monotonic clock. */
export interface Sighting {
  /** When this process first saw it in its state, claimed or sent. */
  readonly sinceMs: number;
  /** When the first of the latest unbroken sequence of reads that do not find the domain began; null without one. */
  absentSinceMs: number | null;
}

/** Milliseconds after which the first of such reads expires. Longer than a transfer is followed, which is two weeks. */
const maxWaitMs = 15 * 24 * 60 * 60_000;

export type Sightings = ReturnType<typeof createSightings>;

/**
 * How long this process has known each open purchase, by its monotonic clock.
 *
 * The times in the journal come from wall clocks, which jump and differ between machines. A failure is therefore concluded only
 * by a process that itself has waited long enough. A new process starts to wait from zero.
 */
export function createSightings(clock: Pick<Clock, 'monotonicMs'>) {
  const claimed = new Map<string, Sighting>();
  const sent = new Map<string, Sighting>();
  /** When a transfer was first read as rejected, cancelled or lost. */
  const failures = new Map<string, number>();
  return {
    /**
     * Whether two reads of this process, at least `apartMs` apart, showed that a transfer failed or is lost. One read may be
     * stale, and show how an earlier transfer of the domain ended.
     */
    confirmsFailure(id: string, readAtMs: number, apartMs: number): boolean {
      for (const [other, sinceMs] of failures) {
        if (readAtMs - sinceMs > maxWaitMs) failures.delete(other);
      }
      const sinceMs = failures.get(id) ?? readAtMs;
      failures.set(id, sinceMs);
      return readAtMs - sinceMs >= apartMs;
    },
    /** Call it when a read shows that the transfer did not fail, or when its failure is recorded. */
    forgetFailure: (id: string): void => void failures.delete(id),
    /** Records the first sight of the purchase, and returns its observations. */
    see({ id, state }: PurchaseRecord): Sighting {
      const sightings = state === 'CLAIMED' ? claimed : sent;
      const sighting = sightings.get(id) ?? { sinceMs: clock.monotonicMs(), absentSinceMs: null };
      sightings.set(id, sighting);
      return sighting;
    },
    /** Removes all purchases but these. */
    retain(ids: ReadonlySet<string>): void {
      for (const sightings of [claimed, sent]) {
        for (const id of sightings.keys()) if (!ids.has(id)) sightings.delete(id);
      }
    },
  };
}
