/** Calls that wait until they are released, so that a test can end the gateway at that point. */
export interface Holdings {
  /** Resolves at the next `release`; rejects with the signal's reason when that is aborted first. */
  hold(signal: AbortSignal): Promise<void>;
  /** Releases all calls and returns their number. */
  release(): number;
  count(): number;
}

export function createHoldings(): Holdings {
  const held = new Set<() => void>();
  return {
    hold(signal) {
      signal.throwIfAborted();
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const abort = () => {
        held.delete(resolve);
        reject(signal.reason);
      };
      signal.addEventListener('abort', abort, { once: true });
      held.add(resolve);
      return promise.finally(() => signal.removeEventListener('abort', abort));
    },
    release() {
      const released = held.size;
      for (const resume of held) resume();
      held.clear();
      return released;
    },
    count: () => held.size,
  };
}
