import { onceOf } from './once-of.ts';

type Leave = (reason: unknown) => void;

/** Who waits for what beside a signal. One listener for all of them: a listener costs as much as a small read. */
const leavesOf = onceOf((signal: AbortSignal): Set<Leave> => {
  const leaves = new Set<Leave>();
  const leaveAll = () => {
    for (const leave of leaves) leave(signal.reason);
  };
  signal.addEventListener('abort', leaveAll, { once: true });
  return leaves;
});

/** What the work comes to. @throws the reason of the signal when that is aborted first; the work itself goes on. */
export function unlessAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return work;
  const leaves = leavesOf(signal);
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
