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
