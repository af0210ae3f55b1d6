import type { Clock } from './clock.ts';
import { unlessAborted } from './unless-aborted.ts';

/** What the work comes to; `late` when the time is over first, and then the work itself goes on. */
export async function inTime<T, Late>(
  clock: Pick<Clock, 'deadline'>,
  ms: number,
  work: Promise<T>,
  late: Late,
): Promise<T | Late> {
  using deadline = clock.deadline(ms);
  try {
    return await unlessAborted(work, deadline.signal);
  } catch (error) {
    if (deadline.signal.aborted && error === deadline.signal.reason) return late;
    throw error;
  }
}
