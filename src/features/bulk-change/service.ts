import { invalidInput } from '../../kernel/faults.ts';
import { type Lookup, lookupPath } from '../../kernel/ids.ts';
import { memoize } from '../../lib/lazy.ts';
import type { ReadItem } from '../../modules/job/followed-job.ts';
import { isHeldJob, refusalOf } from '../../modules/job/held-job.ts';
import type { Holds } from '../../modules/job/holds.ts';
import type { ProgressNotifier } from '../../modules/job/progress-notifier.ts';
import type { JobReads } from '../../modules/job/reads.ts';
import { type CountedJob, createJobService } from '../../modules/job/service.ts';
import { asPayload } from '../../modules/mutation/checks.ts';
import { type ChangeOutcome, optionsOf } from './change.ts';
import { type ChangeItemPage, changeView, pageOf, toItem } from './change-job.ts';
import {
  type ChangeDomainsInput,
  type CreateJobDeps,
  createJob,
  neededHold,
} from './create-job.ts';
import { previewChange } from './preview.ts';
import type { SelectionInput } from './select-domains.ts';

interface BulkChangeDeps extends CreateJobDeps {
  readonly jobProgress: ProgressNotifier;
  readonly jobReads: JobReads;
  readonly holds: readonly Holds[];
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
        await assertMayRetry(deps, await jobs.find(by));
        const retried = await restart(by, retryable);
        if (retried === 0) throw nothingToRetry.with({ path: lookupPath(by) });
        deps.startJobs();
        return { retried, bulkChange: await jobs.find(by) };
      }),
  };
}

/** A retry has the input of its job, which the decision was about. @throws Fault for one that may not be sent */
async function assertMayRetry(deps: BulkChangeDeps, found: CountedJob | null): Promise<void> {
  if (!found) return;
  const { job, counts } = found;
  if (isHeldJob(job)) {
    const refusal = await refusalOf(deps, job);
    if (refusal) throw refusal;
    return;
  }
  const domains = (await counts()).reduce((sum, { amount }) => sum + amount, 0);
  const hold = neededHold(deps, optionsOf(job).change, domains);
  if (hold) throw hold.refusal;
}

const nothingToRetry = invalidInput(
  'No domain of this bulk change is FAILED, UNKNOWN or CANCELLED.',
);
