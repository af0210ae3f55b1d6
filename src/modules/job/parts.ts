import { createRecorder } from '../../kernel/recorder.ts';
import { CustomerView } from '../../scope/customer-view.ts';
import { operationTrail } from '../../scope/hooks.ts';
import { Reads } from '../../scope/reads.ts';
import { given, perTenant, settings, signal } from '../../scope/tenant.ts';
import type { CallOptions } from '../../upstream/client/operation.ts';
import { createJobEngine, type RunItem } from './engine.ts';
import { createJobRecorder } from './job-recorder.ts';
import { createProgressNotifier } from './progress-notifier.ts';

/** There are new jobs, or items that may continue. */
const newJobs = signal<void>('newJobs');

/** Starts the work on new jobs without waiting for the next poll. */
export const startJobs = perTenant(
  'startJobs',
  ({ use }) =>
    (): void =>
      void use(newJobs).emit(),
);

export const jobProgress = perTenant('jobProgress', ({ facts }) => createProgressNotifier(facts));

/** Opens reads without a request, which bypass the cache. With a customer they have its domains only. */
export type OpenReads = (customer: string | null, options?: CallOptions) => Reads;

export const openReads = perTenant('openReads', (tenant): OpenReads => {
  const { facts, use } = tenant;
  const noRequest = { tenant: facts.tenant, requestId: 'job', address: null };
  const recorder = createRecorder(
    { log: facts.logOperation, trail: use(operationTrail) },
    { caller: null, customer: null, ...noRequest },
    () => 0,
  );
  return (customer, options = {}) => {
    const view = customer === null ? null : new CustomerView(facts, customer);
    return new Reads(tenant, { options: () => options, recorder, view, knowsCosts: true });
  };
});

export const jobRecorder = perTenant('jobRecorder', ({ facts, use }) =>
  createJobRecorder({ log: facts.logOperation, trail: use(operationTrail) }, facts.tenant),
);

/** The work on the items of a job, by its kind. */
export const itemRunners = given<Readonly<Record<string, RunItem>>>('itemRunners');

/** Works on the items of all jobs. */
export const jobEngine = perTenant('jobEngine', ({ facts, use }) => {
  const { account, journal, log, tenant } = facts;
  const progress = use(jobProgress);
  const { purchases, jobLeaseMs } = use(settings);
  const engine = createJobEngine({
    ...facts,
    jobs: journal.jobs,
    together: purchases.jobConcurrency,
    leaseMs: jobLeaseMs,
    run: use(itemRunners),
    onChange: (jobId) => void progress.check(jobId),
    onError: (error, { jobId }) =>
      log.error('an item of a job failed', { tenant, subject: jobId, error }),
  });
  const notices = journal.replicas?.noticesOf(account);
  use(newJobs).listen(() => {
    engine.wake();
    notices?.send({ kind: 'jobs' });
  });
  const unfollow = notices?.follow(({ kind }) => {
    if (kind === 'jobs') engine.wake();
  });
  return {
    wake: engine.wake,
    async close(): Promise<void> {
      unfollow?.();
      await engine.close();
    },
  };
});
