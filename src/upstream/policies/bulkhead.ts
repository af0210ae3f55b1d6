import { createConcurrencyLimit } from './concurrency.ts';

/** One place in so many is kept for what is urgent. */
const keptOneIn = 8;

/**
 * At most `places` attempts at a time. Some of them are kept for writes and for reads that money waits for, so that no
 * number of slow reads can take them all.
 */
export function createBulkhead(places: number) {
  const all = createConcurrencyLimit(places);
  // Reads stand in line for these first, so few of them are ever in the line for all.
  const ofReads = createConcurrencyLimit(Math.max(1, places - Math.ceil(places / keptOneIn)));
  return {
    /** Waits for a place; rejects with the signal's reason when that is aborted first. */
    async enter(isUrgent: boolean, signal: AbortSignal): Promise<void> {
      if (isUrgent) return all.enter(signal);
      await ofReads.enter(signal);
      try {
        await all.enter(signal);
      } catch (error) {
        ofReads.leave();
        throw error;
      }
    },
    /** Every `enter` that resolved needs one. */
    leave(isUrgent: boolean): void {
      all.leave();
      if (!isUrgent) ofReads.leave();
    },
  };
}
