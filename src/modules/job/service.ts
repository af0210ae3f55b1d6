import type { Caller } from '../../kernel/caller.ts';
import { Fault, invalidInput } from '../../kernel/faults.ts';
import { type Lookup, lookupPath, storedKey } from '../../kernel/ids.ts';
import { isVisibleTo, visibleFilter } from '../../kernel/visibility.ts';
import type { Clock } from '../../lib/clock.ts';
import { type FilteredPage, readStoredPage, type TimePlace } from '../../lib/pages.ts';
import type { JobCount } from '../../persistence/job-items.ts';
import type { JobOutcome, JobRecord } from '../../persistence/job-record.ts';
import type { JobFilter } from '../../persistence/job-store.ts';
import type { Journal } from '../../persistence/journal.ts';
import type { ReadItem } from './followed-job.ts';
import { cancelHold, isHeldJob } from './held-job.ts';
import type { Holds } from './holds.ts';
import type { ProgressNotifier } from './progress-notifier.ts';
import type { JobReads } from './reads.ts';
import type { JobView } from './view.ts';

interface JobDeps {
  readonly journal: Pick<Journal, 'jobs'>;
  readonly holds: readonly Pick<Holds, 'cancel'>[];
  readonly account: string;
  readonly clock: Pick<Clock, 'now'>;
  readonly jobProgress: ProgressNotifier;
  readonly caller: Caller;
  readonly jobReads: JobReads;
}

/** A job whose items are counted when they are needed. */
export interface CountedJob {
  readonly job: JobRecord;
  readonly counts: () => Promise<readonly JobCount[]>;
}

/** A page of the jobs of one kind. */
export type JobListPage = FilteredPage<TimePlace<'createdAt'>, Omit<JobFilter, 'kind'>>;

/** The progress of a job. */
export interface JobUpdate<Item> {
  readonly job: CountedJob;
  /** The items that changed since the update before; empty in the first. */
  readonly changed: readonly Item[];
}

/** How clients see the jobs of one kind. */
interface JobKindOptions<Item, ItemState extends string> {
  readonly kind: string;
  /** The word for a job in messages. */
  readonly noun: string;
  /** The message when no item of a job can be cancelled. */
  readonly nothingToCancel: string;
  readonly view: JobView<ItemState>;
  readonly itemOf: (read: ReadItem) => Item;
}

/** The jobs of one kind in an account. A job that the caller must not see does not exist for it. */
export function createJobService<Item, ItemState extends string>(
  deps: JobDeps,
  options: JobKindOptions<Item, ItemState>,
) {
  const { journal, account, caller, clock, jobProgress, jobReads, holds } = deps;
  const { jobs } = journal;
  const { kind, noun, view, itemOf } = options;

  const visible = (job: JobRecord | null) =>
    job?.kind === kind && isVisibleTo(caller, job) ? job : null;

  const counted = (job: JobRecord): CountedJob => ({ job, counts: () => jobReads.counts(job.id) });
  const visibleJob = (found: JobRecord | null): CountedJob | null => {
    const job = visible(found);
    return job && counted(job);
  };
  const byId = async (id: string) => visibleJob(await jobs.byId(account, id));

  /** Null for a lookup that names nothing. */
  const find = async (by: Lookup | null): Promise<CountedJob | null> => {
    if (!by) return null;
    return 'key' in by
      ? visibleJob(await jobs.byKey(account, kind, storedKey(caller, by.key)))
      : byId(by.id);
  };

  /** A job, for a change of it. @throws Fault `NOT_FOUND` */
  const existing = async (by: Lookup | null): Promise<CountedJob> => {
    const found = await find(by);
    if (found) return found;
    throw new Fault('NOT_FOUND', { message: `There is no such ${noun}.`, path: lookupPath(by) });
  };

  return {
    visibleJob,
    byId,
    find,
    /** The same for many, with one read of the journal. Null for an id that is null. With `ofAll` also those of other callers. */
    async storedById(id: string | null, ofAll = false) {
      const found = id ? await jobReads.byId(id) : null;
      return ofAll && found?.kind === kind ? counted(found) : visibleJob(found);
    },
    progressOf: async ({ counts }: CountedJob) => view.progressOf(await counts()),
    stateOf: async ({ counts }: CountedJob) => view.stateOf(await counts()),
    finishedAtOf: async ({ counts }: CountedJob) => view.finishedAtOf(await counts()),

    /** Ends the items that were not sent, and returns their number. An item that is being sent is not cancelled. */
    async cancel(by: Lookup | null): Promise<number> {
      const { job } = await existing(by);
      const { id } = job;
      const result = { outcome: 'CANCELLED', details: '{}' };
      const cancelled = await jobs.endWaiting(account, id, clock.now(), result);
      if (isHeldJob(job)) await cancelHold(holds, id);
      if (cancelled === 0) throw invalidInput(options.nothingToCancel, { path: lookupPath(by) });
      void jobProgress.check(id);
      return cancelled;
    },

    /** Starts the items with these outcomes again, and returns their number. */
    restart: async (by: Lookup | null, outcomes: readonly JobOutcome[]): Promise<number> =>
      jobs.restart(account, (await existing(by)).job.id, outcomes, clock.now()),

    /** Yields the job now and after each change of an item, and ends with its end. @throws Fault `NOT_FOUND` */
    async progress(id: string): Promise<AsyncIterable<JobUpdate<Item>>> {
      const job = (await byId(id))?.job;
      if (!job) {
        throw new Fault('NOT_FOUND', { message: `This gateway has no such ${noun}.` });
      }
      return jobProgress.progress(id, {
        viewOf: (counts) => ({ job, counts: async () => counts }),
        updateOf: (now, changed) => ({ job: now, changed: changed.map(itemOf) }),
        isLast: (counts) => view.jobState(view.progressOf(counts)) !== 'RUNNING',
      });
    },

    /** A page of jobs, newest first. */
    async list({ filter = {}, ...page }: JobListPage) {
      const listed = await readStoredPage(jobs, account, {
        ...page,
        filter: { ...visibleFilter(caller, filter), kind },
      });
      return { ...listed, items: listed.items.map(counted) };
    },
  };
}
