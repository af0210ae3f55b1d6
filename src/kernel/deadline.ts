/**
 * The time that a piece of work may take. To be disposed when that has ended: a timer that goes on holds all that listens
 * to its signal, though nobody needs it any more.
 */
export interface Deadline extends Disposable {
  readonly signal: AbortSignal;
}

/** `startTimer` calls back once, and hands back what stops it. */
export function createDeadline(
  startTimer: (ring: () => void) => () => void,
  abort?: AbortSignal,
): Deadline {
  const over = new AbortController();
  const leave = () => over.abort(abort?.reason);
  if (abort?.aborted) leave();
  abort?.addEventListener('abort', leave, { once: true });
  const stopTimer = startTimer(() =>
    over.abort(new DOMException('The time is over.', 'TimeoutError')),
  );
  return {
    signal: over.signal,
    [Symbol.dispose]() {
      stopTimer();
      abort?.removeEventListener('abort', leave);
    },
  };
}
