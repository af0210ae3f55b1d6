type Leave = (reason: unknown) => void;

const leavesOf = Symbol('leaves');

/**
 * Who waits for what beside a signal. One listener for all of them: a listener costs as much as a small read. They stand at
 * the signal itself: a table of signals would hold what hangs on each until the slow collection of garbage.
 */
type Watched = AbortSignal & { [leavesOf]?: Set<Leave> };

/** What the work comes to. @throws the reason of the signal when that is aborted first; the work itself goes on. */
export function unlessAborted<T>(work: Promise<T>, signal: Watched | undefined): Promise<T> {
  if (!signal) return work;
  const leaves = signal[leavesOf] ?? listenTo(signal);
  return new Promise((resolve, reject) => {
    if (signal.aborted) reject(signal.reason);
    leaves.add(reject);
    work.then(
      (value) => {
        leaves.delete(reject);
        resolve(value);
      },
      (error) => {
        leaves.delete(reject);
        reject(error);
      },
    );
  });
}

function listenTo(signal: Watched): Set<Leave> {
  const leaves = new Set<Leave>();
  signal[leavesOf] = leaves;
  const leaveAll = () => {
    for (const leave of leaves) leave(signal.reason);
  };
  signal.addEventListener('abort', leaveAll, { once: true });
  return leaves;
}
