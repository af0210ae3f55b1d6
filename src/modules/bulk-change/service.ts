import { invalidInput } from '../../kernel/faults.ts';
import { memoize } from '../../lib/lazy.ts';
import type { TenantDeps } from '../deps.ts';
import type { ReadItem } from '../job/followed-job.ts';
import type { JobReads } from '../job/reads.ts';
import { type CountedJob, createJobService } from '../job/service.ts';
import { asPayload } from '../mutation/checks.ts';
import { type ChangeOutcome, optionsOf } from './change.ts';
import {
  type ChangeItem,
  type ChangeItemPage,
  finishedAtOf,
  pageOf,
  progressOf,
  stateOfJob,
  toItem,
} from './change-job.ts';
import { type ChangeDomainsInput, type CreateJobDeps, createJob } from './create-job.ts';
import { type PreviewInput, previewChange } from './preview.ts';

interface DomainChangeDeps extends CreateJobDeps, Pick<TenantDeps, 'jobProgress'> {
  readonly jobReads: JobReads;
}

export interface CreatedChange {
  readonly job: CountedJob | null;
  readonly replayed: boolean;
}

export interface CancelledChange {
  readonly job: CountedJob | null;
  /** Domains. */
  readonly cancelled: number;
}

export interface RetriedChange {
  readonly job: CountedJob | null;
  /** Domains. */
  readonly retried: number;
}

/** The outcomes after which a domain can be tried again. */
const retryable: readonly ChangeOutcome[] = ['FAILED', 'UNKNOWN', 'CANCELLED'];

/** The followers of a job share its items. */
const itemOf = memoize(({ item }: ReadItem) => toItem(item));

/** The jobs of an account that change domains. */
export function createDomainChangeService(deps: DomainChangeDeps) {
  const { byId, byKey, list, progress, ...jobs } = createJobService<ChangeItem>(deps, {
    kind: 'CHANGE',
    noun: 'job',
    nothingToCancel: 'No domain of this job can be cancelled: each is being changed or has ended.',
    isRunning: (counts) => stateOfJob(progressOf(counts)) === 'RUNNING',
    itemOf,
  });

  return {
    byId,
    byKey,
    list,
    progress,
    pageOf: (job: CountedJob, page: ChangeItemPage) => pageOf(deps.jobReads, job, page),
    progressOf: async ({ counts }: CountedJob) => progressOf(await counts()),
    finishedAtOf: async ({ counts }: CountedJob) => finishedAtOf(await counts()),
    stateOf: async ({ counts }: CountedJob) => stateOfJob(progressOf(await counts())),
    changeOf: ({ job }: CountedJob) => optionsOf(job).change,
    preview: (input: PreviewInput) => previewChange(deps, input),

    async create(input: ChangeDomainsInput) {
      const { errors, job, replayed = false } = await asPayload(() => createJob(deps, input));
      return { job: jobs.visibleJob(job ?? null), replayed, errors };
    },
    cancel: (id: string) =>
      asPayload<CancelledChange>(async () => ({
        cancelled: await jobs.cancel(id),
        job: await byId(id),
      })),

    /** Starts the domains again that were not changed, or whose outcome is unknown. */
    retry: (id: string) =>
      asPayload<RetriedChange>(async () => {
        const retried = await jobs.restart(id, retryable);
        if (retried === 0) throw nothingToRetry;
        deps.startJobs();
        return { retried, job: await byId(id) };
      }),
  };
}

const nothingToRetry = invalidInput('No domain of this job is FAILED, UNKNOWN or CANCELLED.', {
  path: ['input', 'id'],
});
