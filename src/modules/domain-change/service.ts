import { Fault, invalidInput } from '../../kernel/faults.ts';
import { lazy } from '../../lib/lazy.ts';
import type { JobCount, JobPage, JobPosition, JobRecord } from '../../persistence/job-store.ts';
import type { TenantDeps } from '../deps.ts';
import { attempt } from '../mutation/checks.ts';
import { readJournalPage } from '../purchase/journal-page.ts';
import { visibleTo } from '../purchase/service.ts';
import { type ChangeOutcome, optionsOf } from './change.ts';
import {
  type ChangeItem,
  type ChangeJob,
  finishedAtOf,
  isJobVisibleTo,
  isRunning,
  pageOf,
  progressOf,
  stateOfJob,
  toItem,
} from './change-job.ts';
import { type ChangeDomainsInput, type CreateJobDeps, createJob } from './create-job.ts';
import { type PreviewInput, previewChange } from './preview.ts';

export interface DomainChangeDeps extends CreateJobDeps, Pick<TenantDeps, 'jobProgress'> {}

export interface CreatedChange {
  readonly job: ChangeJob | null;
  readonly replayed: boolean;
}

export interface CancelledChange {
  readonly job: ChangeJob | null;
  /** Domains. */
  readonly cancelled: number;
}

export interface RetriedChange {
  readonly job: ChangeJob | null;
  /** Domains. */
  readonly retried: number;
}

export type ChangeJobFilter = Omit<JobPage['filter'], 'kind'>;

/** The outcomes after which a domain can be tried again. */
const retryable: readonly ChangeOutcome[] = ['FAILED', 'UNKNOWN', 'CANCELLED'];

/** The jobs of an account that change domains. A job that the caller must not see does not exist for it. */
export function createDomainChangeService(deps: DomainChangeDeps) {
  const { journal, account, caller, clock } = deps;
  const { jobs } = journal;
  const visible = (job: JobRecord | null) =>
    job?.kind === 'CHANGE' && isJobVisibleTo(caller, job) ? job : null;

  const readItems = async (id: string): Promise<readonly ChangeItem[]> =>
    (await jobs.items([id])).map(toItem);

  const toJob = (job: JobRecord, counts: readonly JobCount[]): ChangeJob => ({
    job,
    progress: progressOf(counts),
    items: lazy(() => readItems(job.id)),
  });

  const one = async (found: JobRecord | null): Promise<ChangeJob | null> => {
    const job = visible(found);
    return job && toJob(job, await jobs.counts([job.id]));
  };
  const byId = async (id: string) => one(await jobs.byId(account, id));

  /** The id of a job, for a change of it. @throws Fault `NOT_FOUND` */
  const existing = async (id: string): Promise<string> => {
    const job = visible(await jobs.byId(account, id));
    if (job) return job.id;
    throw new Fault('NOT_FOUND', { message: 'There is no such job.', path: ['input', 'id'] });
  };

  return {
    ...{ finishedAtOf, pageOf, byId },
    changeOf: ({ job }: ChangeJob) => optionsOf(job).change,
    stateOf: ({ progress }: ChangeJob) => stateOfJob(progress),
    byKey: async (key: string) => one(await jobs.byKey(account, 'CHANGE', key)),
    preview: (input: PreviewInput) => previewChange(deps, input),

    async create(input: ChangeDomainsInput) {
      const { errors, job, replayed = false } = await attempt(() => createJob(deps, input));
      return { job: await one(job ?? null), replayed, errors };
    },

    /** Ends the domains that were not sent. A domain that is being changed is not cancelled. */
    cancel: (requested: string) =>
      attempt<CancelledChange>(async () => {
        const id = await existing(requested);
        const result = { outcome: 'CANCELLED' satisfies ChangeOutcome, details: '{}' };
        const cancelled = await jobs.endWaiting(account, id, clock.now(), result);
        if (cancelled === 0) throw nothingToCancel;
        void deps.jobProgress.check(id);
        return { cancelled, job: await byId(id) };
      }),

    /** Starts the domains again that were not changed, or whose outcome is unknown. */
    retry: (requested: string) =>
      attempt<RetriedChange>(async () => {
        const id = await existing(requested);
        const retried = await jobs.restart(account, id, retryable, clock.now());
        if (retried === 0) throw nothingToRetry;
        deps.startJobs();
        return { retried, job: await byId(id) };
      }),

    /** Yields the job now and after each change of a domain, and ends with its end. Null for no job. */
    async *progress(id: string): AsyncGenerator<ChangeJob | null> {
      const job = visible(await jobs.byId(account, id));
      if (!job) return yield null;
      const isLast = (counts: readonly JobCount[]) => !isRunning(counts);
      for await (const counts of deps.jobProgress.progress(id, isLast)) yield toJob(job, counts);
    },

    /** A page of jobs, newest first, and whether other pages precede and follow it. */
    async list({
      filter: requested,
      ...page
    }: Omit<JobPage, 'filter'> & { filter: ChangeJobFilter }) {
      if (requested.caller !== undefined && !caller.scopes.has('ops')) {
        throw new Fault('FORBIDDEN', { message: 'The filter `caller` needs the scope `ops`.' });
      }
      const filter = { ...requested, ...visibleTo(caller), kind: 'CHANGE' as const };
      const listed = await readJournalPage<JobRecord, JobPosition>(
        {
          list: (place) => jobs.list(account, { filter, ...place }),
          count: () => jobs.count(account, filter),
          positionOf: ({ createdAt, id }) => ({ createdAt, id }),
        },
        page,
      );
      const counts = await jobs.counts(listed.items.map(({ id }) => id));
      const byJob = Map.groupBy(counts, ({ jobId }) => jobId);
      return { ...listed, items: listed.items.map((job) => toJob(job, byJob.get(job.id) ?? [])) };
    },
  };
}

const nothingToCancel = invalidInput(
  'No domain of this job can be cancelled: each is being changed or has ended.',
  { path: ['input', 'id'] },
);

const nothingToRetry = invalidInput('No domain of this job is FAILED, UNKNOWN or CANCELLED.', {
  path: ['input', 'id'],
});
