import { invalidInput } from '../../kernel/faults.ts';
import type { Lookup } from '../../kernel/global-id.ts';
import { memoize } from '../../lib/lazy.ts';
import type { ReadItem } from '../job/followed-job.ts';
import type { ProgressNotifier } from '../job/progress-notifier.ts';
import type { JobReads } from '../job/reads.ts';
import { type CountedJob, createJobService, lookupPath } from '../job/service.ts';
import { asPayload } from '../mutation/checks.ts';
import { type ChangeOutcome, optionsOf } from './change.ts';
import { type ChangeItemPage, changeView, pageOf, toItem } from './change-job.ts';
import { type ChangeDomainsInput, type CreateJobDeps, createJob } from './create-job.ts';
import { previewChange } from './preview.ts';
import type { SelectionInput } from './select-domains.ts';

interface BulkChangeDeps extends CreateJobDeps {
  readonly jobProgress: ProgressNotifier;
  readonly jobReads: JobReads;
}

export interface CreatedChange {
  readonly bulkChange: CountedJob | null;
  readonly replayed: boolean;
}

export interface CancelledChange {
  readonly bulkChange: CountedJob | null;
  /** Domains. */
  readonly cancelled: number;
}

export interface RetriedChange {
  readonly bulkChange: CountedJob | null;
  /** Domains. */
  readonly retried: number;
}

/** The outcomes after which a domain can be tried again. */
const retryable: readonly ChangeOutcome[] = ['FAILED', 'UNKNOWN', 'CANCELLED'];

/** The followers of a job share its items. */
const itemOf = memoize(({ item }: ReadItem) => toItem(item));

/** The jobs of an account that change domains. */
export function createBulkChangeService(deps: BulkChangeDeps) {
  const { visibleJob, cancel, restart, ...jobs } = createJobService(deps, {
    kind: 'CHANGE',
    noun: 'bulk change',
    nothingToCancel:
      'No domain of this bulk change can be cancelled: each is being changed or has ended.',
    view: changeView,
    itemOf,
  });

  return {
    ...jobs,
    pageOf: (job: CountedJob, page: ChangeItemPage) => pageOf(deps.jobReads, job, page),
    changeOf: ({ job }: CountedJob) => optionsOf(job).change,
    preview: (input: SelectionInput) => previewChange(deps, input),

    async create(input: ChangeDomainsInput) {
      const { errors, job, replayed = false } = await asPayload(() => createJob(deps, input));
      return { bulkChange: visibleJob(job ?? null), replayed, errors };
    },
    cancel: (by: Lookup | null) =>
      asPayload<CancelledChange>(async () => ({
        cancelled: await cancel(by),
        bulkChange: await jobs.find(by),
      })),

    /** Starts the domains again that were not changed, or whose outcome is unknown. */
    retry: (by: Lookup | null) =>
      asPayload<RetriedChange>(async () => {
        const retried = await restart(by, retryable);
        if (retried === 0) throw nothingToRetry.with({ path: lookupPath(by) });
        deps.startJobs();
        return { retried, bulkChange: await jobs.find(by) };
      }),
  };
}

const nothingToRetry = invalidInput(
  'No domain of this bulk change is FAILED, UNKNOWN or CANCELLED.',
);
