/** Whoever waits, in the order in which they came; whoever is called is taken out by who calls. */
export type Line = Set<() => void>;

/** Waits until it is called; rejects with the signal's reason when that is aborted first. */
export async function standIn(line: Line, signal: AbortSignal): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const giveUp = () => {
    line.delete(resolve);
    reject(signal.reason);
  };
  line.add(resolve);
  signal.addEventListener('abort', giveUp, { once: true });
  try {
    await promise;
  } finally {
    signal.removeEventListener('abort', giveUp);
  }
}

/** Calls whoever waits longest; false when nobody does. */
export function callNext(line: Line): boolean {
  const [next] = line;
  if (!next) return false;
  line.delete(next);
  next();
  return true;
}
