/** Time, injected so that tests and the simulation control it. */
export interface Clock {
  now(): Date;
  /** Milliseconds that never run backwards, to measure durations. */
  monotonicMs(): number;
  /** Resolves after `ms`; 0 is the end of this turn of the event loop. Rejects with the signal's reason when it aborts first. */
  wait(ms: number, signal?: AbortSignal): Promise<void>;
  /** Its signal aborts after `ms` with a `TimeoutError`, or with the reason of `abort` when that aborts first. */
  deadline(ms: number, abort?: AbortSignal): Deadline;
}

/** The clocks of two gateways differ by less than this. */
export const clockToleranceMs = 60 * 60_000;

/** A time limit. Dispose it when the work has ended: the timer references every listener of the signal. */
interface Deadline extends Disposable {
  readonly signal: AbortSignal;
}

/** Randomness, injected like time. */
export interface Randomness {
  uuid(): string;
  /** At least 0, less than 1. */
  fraction(): number;
}

/**
 * A controller that aborts with `parent` too, which may be absent. `AbortSignal.any` does the same with weak references, which slow
 * down each garbage collection. Dispose it when the work has ended.
 */
export function childController(parent: AbortSignal | undefined): AbortController & Disposable {
  const controller = new AbortController();
  const onAbort = () => controller.abort(parent?.reason);
  if (parent?.aborted) onAbort();
  parent?.addEventListener('abort', onAbort, { once: true });
  return Object.assign(controller, {
    [Symbol.dispose]: () => parent?.removeEventListener('abort', onAbort),
  });
}

/** `startTimer` starts a timer that calls back once, and returns a function that stops it. */
export function createDeadline(
  startTimer: (onEnd: () => void) => () => void,
  abort?: AbortSignal,
): Deadline {
  const controller = childController(abort);
  const stopTimer = startTimer(() =>
    controller.abort(new DOMException('The deadline has passed.', 'TimeoutError')),
  );
  return {
    signal: controller.signal,
    [Symbol.dispose]() {
      stopTimer();
      controller[Symbol.dispose]();
    },
  };
}
