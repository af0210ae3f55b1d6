import { createAudited } from '../kernel/audit.ts';
import { createJobAudit } from '../modules/audit/job-audit.ts';
import { createChangeRunner } from '../modules/bulk-change/run-item.ts';
import { CustomerView } from '../modules/customer/customer-view.ts';
import type { TenantDeps } from '../modules/deps.ts';
import { createJobEngine } from '../modules/job/engine.ts';
import { Loaders } from '../modules/loaders.ts';
import { createLineRunner } from '../modules/order/run-line.ts';
import { createPurchaseRunner } from '../modules/order/run-purchase.ts';
import type { Log } from '../observability/log.ts';

interface JobOptions {
  /** The name of the tenant. */
  readonly tenant: string;
  readonly deps: TenantDeps;
  readonly log: Log;
  /** Items in progress at a time. */
  readonly together: number;
  readonly leaseMs: number | undefined;
}

/** Starts the work on the orders, the approved purchases and the changes of many domains of one tenant. */
export function startJobs({ tenant, deps, log, together, leaseMs }: JobOptions) {
  const { account, clock, randomness, journal, jobProgress } = deps;
  const sinks = { log: deps.audit, trail: deps.auditTrail };
  const noCaller = { caller: null, customer: null, tenant, requestId: 'job', address: null };
  const audited = createAudited(sinks, noCaller, () => 0);
  const auditOf = createJobAudit(sinks, tenant);
  const openReads = (customer: string | null) => {
    const visible = customer === null ? deps : new CustomerView(deps, customer).restrict(deps);
    return new Loaders(visible, () => ({}), audited);
  };
  return createJobEngine({
    account,
    clock,
    randomness,
    jobs: journal.jobs,
    together,
    leaseMs,
    run: {
      ORDER: createLineRunner(deps, openReads, auditOf),
      CHANGE: createChangeRunner(deps, auditOf),
      PURCHASE: createPurchaseRunner(deps, openReads, auditOf),
    },
    onChange: (jobId) => void jobProgress.check(jobId),
    onError: (error, { jobId }) =>
      log.error('an item of a job failed', { tenant, subject: jobId, error }),
  });
}
