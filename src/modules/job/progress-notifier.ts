import { createPolledStreams } from '../../kernel/polled-streams.ts';
import type { Clock } from '../../lib/clock.ts';
import type { JobCount } from '../../persistence/job-items.ts';
import type { JobStore } from '../../persistence/job-store.ts';
import type { Journal } from '../../persistence/journal.ts';
import {
  changedSince,
  type FollowedJob,
  newFollowedJob,
  type ReadItem,
  readChanges,
} from './followed-job.ts';

export type { JobRecord } from '../../persistence/job-record.ts';

export type ProgressNotifier = ReturnType<typeof createProgressNotifier>;

interface ProgressNotifierDeps {
  readonly journal: Pick<Journal, 'byLines'> & {
    readonly jobs: Pick<JobStore, 'states' | 'itemsAt'>;
  };
  readonly account: string;
  readonly clock: Pick<Clock, 'now' | 'wait' | 'monotonicMs'>;
}

/** How the clients of a job see it. All of them share the view of one revision. */
interface ProgressView<View, Update> {
  readonly viewOf: (counts: readonly JobCount[]) => View;
  readonly updateOf: (view: View, changed: readonly ReadItem[]) => Update;
  /** Whether a job with these counts changes no more. */
  readonly isLast: (counts: readonly JobCount[]) => boolean;
}

/** A job is read at most four times a second. */
const minMs = 250;

/** Notifies subscribers of the progress of jobs, whichever replica works on them. One read per change serves all of them. */
export function createProgressNotifier({ journal, account, clock }: ProgressNotifierDeps) {
  const followed = new Map<string, FollowedJob>();
  /** The jobs whose change is reported, and that are read as soon as `minMs` permits. */
  const checks = new Set<string>();
  /** One read at a time, so that no older state follows a newer one. */
  let reading: Promise<void> = Promise.resolve();

  const remainingMs = ({ readAtMs }: FollowedJob): number =>
    readAtMs === null ? 0 : readAtMs + minMs - clock.monotonicMs();

  const streams = createPolledStreams<FollowedJob>({
    clock,
    async read(ids) {
      const jobs = ids.map((id) => followed.get(id) ?? newFollowedJob(id));
      const due = jobs.filter((job) => remainingMs(job) <= 0);
      for (const job of jobs) followed.set(job.id, job);
      for (const job of due) job.readAtMs = clock.monotonicMs();
      const read = reading.then(() => readChanges({ journal, account, clock }, due));
      reading = read.catch(() => undefined);
      await read;
      return new Map(jobs.filter(({ revision }) => revision > 0).map((job) => [job.id, job]));
    },
    forget: (id) => followed.delete(id),
  });

  return {
    /**
     * Yields the job now, and then with the items that changed since the value before, until its end. A subscriber that does
     * not read gets all changes with its next value.
     */
    progress<View, Update>(jobId: string, view: ProgressView<View, Update>) {
      const known = followed.get(jobId);
      // The first value is read after the call, although another subscriber has one of the last 250 ms.
      if (known) known.readAtMs = null;
      let sent: number | null = null;
      let isSending = false;
      return streams.open<Update>(jobId, (job, { send, end }) => {
        if (!job || isSending || job.revision === sent) return;
        job.view ??= view.viewOf(job.counts);
        const changed = sent === null ? [] : changedSince(job, sent);
        sent = job.revision;
        isSending = true;
        void send(view.updateOf(job.view as View, changed)).then(() => {
          isSending = false;
        });
        if (view.isLast(job.counts)) end();
      });
    },
    /** Reads the progress of a job that was changed, without waiting for the next poll. */
    async check(jobId: string): Promise<void> {
      if (checks.has(jobId)) return;
      checks.add(jobId);
      for (let job = followed.get(jobId); job; job = followed.get(jobId)) {
        const ms = remainingMs(job);
        if (ms <= 0) break;
        // A timer is exact to a millisecond.
        await clock.wait(Math.ceil(ms));
      }
      checks.delete(jobId);
      await streams.check(jobId);
    },
    close: streams.close,
  };
}
