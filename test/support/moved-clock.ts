import { systemClock } from '../../src/lib/system.ts';

/** Real time plus the seconds that a test adds. */
export function createMovedClock() {
  let offsetMs = 0;
  let wallMs = 0;
  const onWait = new Set<(ms: number) => void>();
  return {
    ...systemClock,
    now: () => new Date(systemClock.now().getTime() + offsetMs + wallMs),
    monotonicMs: () => systemClock.monotonicMs() + offsetMs,
    wait: (ms: number, signal?: AbortSignal) => {
      for (const seen of onWait) seen(ms);
      return systemClock.wait(ms, signal);
    },
    advance: (seconds: number) => {
      offsetMs += seconds * 1000;
    },
    /** Sets the wall time alone. */
    setWall: (seconds: number) => {
      wallMs += seconds * 1000;
    },
    /** Resolves at the end of the second sweep from now: a reconciler waits for `everyMs` after each sweep. */
    sweeps: (everyMs: number) =>
      new Promise<void>((resolve) => {
        let ended = 0;
        const seen = (ms: number) => {
          if (ms === everyMs) ended += 1;
          // The first one may have begun before.
          if (ended < 2) return;
          onWait.delete(seen);
          resolve();
        };
        onWait.add(seen);
      }),
  };
}
