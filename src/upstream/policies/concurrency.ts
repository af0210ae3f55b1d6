export interface ConcurrencyLimit {
  /** Waits for a place, first come first served; rejects with the signal's reason when that is aborted first. */
  enter(signal: AbortSignal): Promise<void>;
  /** Gives the place to whoever waits longest. Every `enter` that resolved needs one. */
  leave(): void;
}

/** At most `places` attempts at a time at one upstream; the others wait, and their deadline runs. */
export function createConcurrencyLimit(places: number): ConcurrencyLimit {
  let free = places;
  const waiting = new Set<() => void>();
  return {
    async enter(signal) {
      signal.throwIfAborted();
      if (free > 0) {
        free -= 1;
        return;
      }
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const giveUp = () => {
        waiting.delete(resolve);
        reject(signal.reason);
      };
      waiting.add(resolve);
      signal.addEventListener('abort', giveUp, { once: true });
      try {
        await promise;
      } finally {
        signal.removeEventListener('abort', giveUp);
      }
    },
    leave() {
      const [next] = waiting;
      if (!next) {
        free += 1;
        return;
      }
      waiting.delete(next);
      next();
    },
  };
}
