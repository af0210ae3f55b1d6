import type { Clock } from './clock.ts';

/** Does something again and again, `everyMs` after it was done before, until it is closed; closing lets it end. */
export function repeat(
  clock: Pick<Clock, 'wait'>,
  everyMs: number,
  work: () => void | Promise<void>,
): { close(): Promise<void> } {
  const stop = new AbortController();
  const run = async () => {
    while (!stop.signal.aborted) {
      await clock.wait(everyMs, stop.signal);
      await work();
    }
  };
  const running = run().catch((error: unknown) => {
    if (!stop.signal.aborted) throw error;
  });
  return {
    async close() {
      stop.abort();
      await running;
    },
  };
}
