import { addAbortListener } from 'node:events';
import type { Clock } from './clock.ts';

type Reject = (reason: unknown) => void;

const waits = Symbol('waits of raceAbort');

/**
 * The waits beside a signal, which share one listener. A page of 50 domains waits 200 times, and to remove one of 200
 * listeners takes time in proportion to their number. They are stored at the signal, since entries of a WeakMap slow down
 * each garbage collection.
 */
function waitsOf(signal: AbortSignal & { [waits]?: Set<Reject> }): Set<Reject> {
  const known = signal[waits];
  if (known) return known;
  const all = new Set<Reject>();
  const rejectAll = () => {
    for (const reject of all) reject(signal.reason);
  };
  signal.addEventListener('abort', rejectAll, { once: true });
  signal[waits] = all;
  return all;
}

/** Resolves to the result of `work`; rejects with the signal's reason when it aborts first. The work itself goes on. */
export function raceAbort<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return work;
  const all = waitsOf(signal);
  return new Promise((resolve, reject) => {
    if (signal.aborted) reject(signal.reason);
    all.add(reject);
    work.then(
      (value) => {
        all.delete(reject);
        resolve(value);
      },
      (error) => {
        all.delete(reject);
        reject(error);
      },
    );
  });
}

/** Resolves to the result of `work`, or to `late` after `ms`; the work itself goes on. */
export async function withTimeout<T, Late>(
  clock: Pick<Clock, 'deadline'>,
  ms: number,
  work: Promise<T>,
  late: Late,
): Promise<T | Late> {
  using deadline = clock.deadline(ms);
  try {
    return await raceAbort(work, deadline.signal);
  } catch (error) {
    if (deadline.signal.aborted && error === deadline.signal.reason) return late;
    throw error;
  }
}

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

/** A first-in, first-out queue of callers. */
export class WaitQueue {
  readonly #waiting = new Set<() => void>();

  get size(): number {
    return this.#waiting.size;
  }

  /** Resolves when `wakeNext` reaches this caller; rejects with the signal's reason when it aborts first. */
  async wait(signal: AbortSignal): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#waiting.add(resolve);
    using _listener = addAbortListener(signal, () => {
      this.#waiting.delete(resolve);
      reject(signal.reason);
    });
    await promise;
  }

  /** Removes the oldest caller and resolves its wait; false when the queue is empty. */
  wakeNext(): boolean {
    const [next] = this.#waiting;
    if (!next) return false;
    this.#waiting.delete(next);
    next();
    return true;
  }
}
