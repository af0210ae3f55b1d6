import { type Clock, createDeadline } from '../../src/lib/clock.ts';

export const secondMs = 1_000;
export const minuteMs = 60 * secondMs;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;

/** Resolves when everything that waits neither for time nor for a socket has ended. */
export const endOfTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Whether `work` has settled, at each call. */
export function settlementOf(work: Promise<unknown>): () => boolean {
  let isSettled = false;
  const onEnd = () => {
    isSettled = true;
  };
  work.then(onEnd, onEnd);
  return () => isSettled;
}

/** Settles like `work`. Rejects when `work` is pending after 1,000 turns, so that a test without timers fails at once. */
export async function withinTurns<T>(work: Promise<T>): Promise<T> {
  const isSettled = settlementOf(work);
  for (let turns = 0; turns < 1_000 && !isSettled(); turns += 1) await endOfTurn();
  if (!isSettled()) throw new Error('It is still pending.');
  return work;
}

/** A clock that only the test advances. Its wall time can be set without any time passing. */
export function createSimulatedClock(start = new Date('2026-01-31T12:00:00Z')) {
  let wallMs = start.getTime();
  let monotonicMs = 7 * dayMs;
  const timers = new Set<{ readonly atMs: number; readonly onEnd: () => void }>();

  const startTimer = (ms: number, onEnd: () => void) => {
    const timer = { atMs: monotonicMs + ms, onEnd };
    timers.add(timer);
    return () => void timers.delete(timer);
  };
  const clock: Clock = {
    now: () => new Date(wallMs),
    monotonicMs: () => monotonicMs,
    wait: (ms, signal) =>
      new Promise((resolve, reject) => {
        signal?.throwIfAborted();
        const onAbort = () => {
          stop();
          reject(signal?.reason);
        };
        const stop = startTimer(ms, () => {
          signal?.removeEventListener('abort', onAbort);
          resolve();
        });
        signal?.addEventListener('abort', onAbort, { once: true });
      }),
    deadline: (ms, abort) => createDeadline((onEnd) => startTimer(ms, onEnd), abort),
  };

  /** Advances time without its timers, as a call does that takes `ms`. */
  const advance = (ms: number) => {
    wallMs += ms;
    monotonicMs += ms;
  };
  /** Ends the next timer that is due at `endMs`; returns whether there was one. */
  const passToNextTimer = (endMs = Infinity): boolean => {
    const [next] = [...timers].toSorted((a, b) => a.atMs - b.atMs);
    if (!next || next.atMs > endMs) return false;
    timers.delete(next);
    advance(Math.max(0, next.atMs - monotonicMs));
    next.onEnd();
    return true;
  };

  return {
    clock,
    advance,
    passToNextTimer,
    /** Sets the wall time forwards or backwards. */
    setWall(byMs: number): void {
      wallMs += byMs;
    },
    /** Lets time pass, and everything happen that is due in that time, in its order. */
    async pass(ms: number, untilIdle = endOfTurn): Promise<void> {
      const endMs = monotonicMs + ms;
      do await untilIdle();
      while (passToNextTimer(endMs));
      advance(Math.max(0, endMs - monotonicMs));
    },
    /** The waits that have not ended, in milliseconds from now. */
    waits: () => [...timers].map(({ atMs }) => atMs - monotonicMs),
  };
}
