import { type Clock, createDeadline } from '../../src/lib/clock.ts';

interface Timer {
  readonly atMs: number;
  readonly end: () => void;
}

/** Ends after everything that is due now, except for timers. */
export const endOfTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** A clock that stands still except in `pass`, which ends the waits and deadlines that become due, in their order. */
export function simulatedClock() {
  let nowMs = 50_000;
  const timers = new Set<Timer>();
  const startTimer = (ms: number, end: () => void) => {
    const timer = { atMs: nowMs + ms, end };
    timers.add(timer);
    return () => void timers.delete(timer);
  };
  const clock: Clock = {
    now: () => new Date(Date.UTC(2026, 0, 31, 12) + nowMs),
    monotonicMs: () => nowMs,
    wait: (ms, signal) =>
      new Promise((resolve, reject) => {
        signal?.throwIfAborted();
        const stop = startTimer(ms, resolve);
        signal?.addEventListener('abort', () => {
          stop();
          reject(signal.reason);
        });
      }),
    deadline: (ms, abort) => createDeadline((end) => startTimer(ms, end), abort),
  };
  async function pass(ms: number): Promise<void> {
    const endMs = nowMs + ms;
    for (;;) {
      await endOfTurn();
      const [next] = [...timers].toSorted((a, b) => a.atMs - b.atMs);
      if (!next || next.atMs > endMs) break;
      timers.delete(next);
      nowMs = next.atMs;
      next.end();
    }
    nowMs = endMs;
  }
  return { clock, pass };
}
