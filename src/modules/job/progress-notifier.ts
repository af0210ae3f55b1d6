import { createPolledStreams } from '../../kernel/polled-streams.ts';
import type { Clock } from '../../lib/clock.ts';
import type { JobCount, JobStore } from '../../persistence/job-store.ts';

export type { JobFilter, JobRecord } from '../../persistence/job-store.ts';

export type ProgressNotifier = ReturnType<typeof createProgressNotifier>;

/** Notifies subscribers of the progress of jobs, whichever replica works on them. */
export function createProgressNotifier({
  jobs,
  clock,
}: {
  readonly jobs: Pick<JobStore, 'counts'>;
  readonly clock: Pick<Clock, 'wait'>;
}) {
  const streams = createPolledStreams<readonly JobCount[]>({
    clock,
    read: async (ids) => Map.groupBy(await jobs.counts(ids), ({ jobId }) => jobId),
  });
  return {
    /** Yields the counts now and after each change, and ends when `isLast` returns true for them. */
    progress: (jobId: string, isLast: (counts: readonly JobCount[]) => boolean) => {
      let sent = '';
      return streams.open<readonly JobCount[]>(jobId, (counts = [], { send, end }) => {
        const now = JSON.stringify(counts.toSorted((a, b) => (textOf(a) < textOf(b) ? -1 : 1)));
        if (now !== sent) void send(counts);
        sent = now;
        if (isLast(counts)) end();
      });
    },
    /** Reads the progress of a job that was changed, without waiting for the next poll. */
    check: streams.check,
    close: streams.close,
  };
}

const textOf = (count: JobCount): string => JSON.stringify(count);
