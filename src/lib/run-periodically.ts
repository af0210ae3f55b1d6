import type { Clock } from './clock.ts';

/** Runs `work` every `everyMs`, measured from the end of the last run. `close` waits for a run in progress. */
export function runPeriodically(
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
