import type { Clock } from './clock.ts';
import { raceAbort } from './race-abort.ts';

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
