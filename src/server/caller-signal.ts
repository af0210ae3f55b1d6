/**
 * Aborted once the caller hung up, with the reason of the request's own signal.
 *
 * Yoga's signal is a stand-in: after somebody has listened to an `AbortSignal.any` over it, it never says `aborted`.
 */
export function callerSignal({ signal }: Request): AbortSignal {
  const hungUp = new AbortController();
  const abort = () => hungUp.abort(signal.reason);
  if (signal.aborted) abort();
  else signal.addEventListener('abort', abort, { once: true });
  return hungUp.signal;
}
