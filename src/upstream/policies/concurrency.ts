import { callNext, type Line, standIn } from './stand-in-line.ts';

export interface ConcurrencyLimit {
  /** Waits for a place, first come first served; rejects with the signal's reason when that is aborted first. */
  enter(signal: AbortSignal): Promise<void>;
  /** Gives the place to whoever waits longest. Every `enter` that resolved needs one. */
  leave(): void;
}

/** At most `places` attempts at a time at one upstream; the others wait, and their deadline runs. */
export function createConcurrencyLimit(places: number): ConcurrencyLimit {
  let free = places;
  const waiting: Line = new Set();
  return {
    async enter(signal) {
      signal.throwIfAborted();
      if (free > 0) {
        free -= 1;
        return;
      }
      await standIn(waiting, signal);
    },
    leave() {
      if (!callNext(waiting)) free += 1;
    },
  };
}
