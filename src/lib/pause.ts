import type { Clock } from './clock.ts';

/** The pauses of a loop that polls for work. `wake` ends a pause, also the next one when it is called during the work. */
export function createPause(clock: Pick<Clock, 'wait'>, stop: AbortSignal) {
  let isWoken = false;
  let end = (): void => undefined;
  return {
    /** The loop polls now, which finds all work that was reported before. */
    begin(): void {
      isWoken = false;
    },
    wake(): void {
      isWoken = true;
      end();
    },
    /** Rejects with the reason of `stop` when that aborts. */
    async wait(ms: number): Promise<void> {
      if (isWoken) return;
      const woken = new AbortController();
      end = () => woken.abort();
      await clock
        .wait(ms, AbortSignal.any([stop, woken.signal]))
        .catch(() => stop.throwIfAborted());
    },
  };
}
