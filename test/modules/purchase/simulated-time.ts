import { type Clock, createDeadline } from '../../../src/lib/clock.ts';

export const secondMs = 1_000;
export const minuteMs = 60 * secondMs;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;

/** All work that waits for neither time nor the upstream has ended. */
export const quiescence = () => new Promise<void>((resolve) => setImmediate(resolve));

/** A clock that only the test advances. Its wall time can be set without any time passing. */
export function createSimulatedTime() {
  let wallMs = Date.UTC(2026, 0, 31, 12);
  let monotonicMs = 7 * dayMs;
  const timers = new Set<{ readonly dueMs: number; readonly ring: () => void }>();
  const start = (ms: number, ring: () => void) => {
    const timer = { dueMs: monotonicMs + ms, ring };
    timers.add(timer);
    return () => void timers.delete(timer);
  };
  const clock: Clock = {
    now: () => new Date(wallMs),
    monotonicMs: () => monotonicMs,
    wait: (ms, signal) =>
      new Promise((resolve, reject) => {
        signal?.throwIfAborted();
        const stop = start(ms, resolve);
        signal?.addEventListener('abort', () => {
          stop();
          reject(signal.reason);
        });
      }),
    deadline: (ms, abort) => createDeadline((ring) => start(ms, ring), abort),
  };
  const advance = (ms: number) => {
    wallMs += ms;
    monotonicMs += ms;
  };
  return {
    clock,
    /** Advances time without timers, as during a call. */
    advance,
    /** Sets the wall clock forwards or backwards. */
    set: (byMs: number) => {
      wallMs += byMs;
    },
    /** Lets time pass, and runs what waits for it. */
    async pass(ms: number): Promise<void> {
      const endMs = monotonicMs + ms;
      for (;;) {
        await quiescence();
        const [next] = [...timers].sort((a, b) => a.dueMs - b.dueMs);
        if (!next || next.dueMs > endMs) break;
        timers.delete(next);
        advance(Math.max(0, next.dueMs - monotonicMs));
        next.ring();
      }
      advance(endMs - monotonicMs);
    },
    /** The waits that have not ended, in milliseconds from now. */
    waits: () => [...timers].map(({ dueMs }) => dueMs - monotonicMs),
  };
}
