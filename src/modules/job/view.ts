import type { JobCount } from '../../persistence/job-items.ts';

/** Derived from the states of the items. HELD: those that have not ended are held. */
export type JobState = 'HELD' | 'RUNNING' | 'SUCCEEDED' | 'PARTIAL' | 'FAILED' | 'STOPPED';

/** The number of items in each state. */
export type JobProgress<ItemState extends string> = Readonly<Record<ItemState, number>>;

/** States of the items of every job. An item that ended in any other state succeeded. */
type CommonState = 'FAILED' | 'UNKNOWN' | 'CANCELLED';

export type JobView<ItemState extends string> = ReturnType<typeof createJobView<ItemState>>;

/** Sums up the items of the jobs of one kind. `states` is each state of an item: an OPEN item has not ended. */
export function createJobView<ItemState extends string>(
  states: Readonly<Record<ItemState | CommonState, 'OPEN' | 'ENDED'>>,
  stateOf: (count: JobCount) => ItemState | CommonState,
) {
  type Progress = JobProgress<ItemState | CommonState>;
  const all = Object.keys(states) as (ItemState | CommonState)[];
  const open = all.filter((state) => states[state] === 'OPEN');
  const sumOf = (progress: Progress, of: typeof all) =>
    of.reduce((sum, state) => sum + progress[state], 0);

  const progressOf = (counts: readonly JobCount[]): Progress => {
    const progress = Object.fromEntries(all.map((state) => [state, 0])) as Record<
      ItemState | CommonState,
      number
    >;
    for (const count of counts) progress[stateOf(count)] += count.amount;
    return progress;
  };
  const jobState = (progress: Progress): JobState => {
    if (sumOf(progress, open) > 0) return 'RUNNING';
    if (progress.CANCELLED > 0) return 'STOPPED';
    if (progress.FAILED + progress.UNKNOWN === 0) return 'SUCCEEDED';
    return progress.FAILED === sumOf(progress, all) ? 'FAILED' : 'PARTIAL';
  };
  return {
    progressOf,
    jobState,
    stateOf: (counts: readonly JobCount[]): JobState =>
      counts.some(({ state }) => state === 'HELD') ? 'HELD' : jobState(progressOf(counts)),
    /** When the last item ended; null while the job is running or waits. */
    finishedAtOf(counts: readonly JobCount[]): Date | null {
      if (jobState(progressOf(counts)) === 'RUNNING') return null;
      return new Date(Math.max(...counts.map(({ endedAt }) => endedAt?.getTime() ?? 0)));
    },
  };
}
