import type { SpendLimits } from '../../src/kernel/spend-limits.ts';
import type { ItemEnd, RunItem } from '../../src/modules/job/engine.ts';
import type { JobCount } from '../../src/persistence/job-items.ts';
import type { TakenItem } from '../../src/persistence/job-record.ts';
import type { JobStore } from '../../src/persistence/job-store.ts';
import type { PurchaseFault } from '../../src/persistence/purchase-record.ts';
import { createReplace, type Mutant, type Replacement, withMethods } from './replacements.ts';

// As `mutants.ts`: this file must not load a module of the gateway.

interface Modules {
  'src/features/order/service.ts': typeof import('../../src/features/order/service.ts');
  'src/features/order/quote-order.ts': typeof import('../../src/features/order/quote-order.ts');
  'src/features/order/order.ts': typeof import('../../src/features/order/order.ts');
  'src/modules/purchase-job/buyer.ts': typeof import('../../src/modules/purchase-job/buyer.ts');
  'src/modules/purchase/checks.ts': typeof import('../../src/modules/purchase/checks.ts');
  'src/modules/purchase/commit.ts': typeof import('../../src/modules/purchase/commit.ts');
  'src/modules/purchase/spend-limits.ts': typeof import('../../src/modules/purchase/spend-limits.ts');
  'src/features/order/run-line.ts': typeof import('../../src/features/order/run-line.ts');
  'src/persistence/job-store.ts': typeof import('../../src/persistence/job-store.ts');
}

type LineTenant = Parameters<Modules['src/features/order/run-line.ts']['createLineRunner']>[0];

const replace = createReplace<Modules>();
const mutant = (name: string, ...replacements: Replacement[]): Mutant => ({ name, replacements });

/** Changes the dependencies of the work on lines. */
const withLineDeps = (change: (tenant: LineTenant) => LineTenant) =>
  replace(
    'src/features/order/run-line.ts',
    'createLineRunner',
    (create) =>
      (tenant, ...others) =>
        create(change(tenant), ...others),
  );

/** Changes the work on one line. */
const withLineRun = (
  change: (
    run: (item: TakenItem) => ReturnType<RunItem>,
    item: TakenItem,
    tenant: LineTenant,
  ) => Promise<ItemEnd>,
) =>
  replace('src/features/order/run-line.ts', 'createLineRunner', (create) => (tenant, ...others) => {
    const run = create(tenant, ...others);
    return (item, saveFacts) => change((changed) => run(changed, saveFacts), item, tenant);
  });

const withJobs = (change: (jobs: JobStore) => Partial<JobStore>) =>
  replace('src/persistence/job-store.ts', 'createJobStore', (create) => (db) => {
    const jobs = create(db);
    return withMethods('jobs', jobs, change(jobs));
  });

const withoutLimit = (none: { readonly maxPrice: null } | { readonly maxCost: null }) =>
  replace(
    'src/modules/purchase/checks.ts',
    'checkPrice',
    (check) => (checks, order, quote, caller) =>
      check(checks, { ...order, ...none }, quote, caller),
  );

/** A limit that a purchase of a key, and each line of an order, is not compared with. */
const withoutKeyLimit = (none: Readonly<Partial<Record<keyof SpendLimits, undefined>>>) =>
  replace(
    'src/modules/purchase/spend-limits.ts',
    'checkPurchaseLimits',
    (check) => (limits, checks, plan) => {
      const others = Object.entries(limits.KEY).filter(([name]) => !(name in none));
      check({ ...limits, KEY: Object.fromEntries(others) }, checks, plan);
    },
  );

const noReply: PurchaseFault = {
  code: 'UPSTREAM_TIMEOUT',
  message: 'There was no reply.',
  executed: 'NO',
  upstream: null,
};

/** Typical bugs of orders. */
export const orderMutants: readonly Mutant[] = [
  mutant(
    'line-with-another-key-after-its-lease',
    withLineRun((run, item) =>
      run({ ...item, job: { ...item.job, key: `${item.job.key}@${item.fence}` } }),
    ),
  ),
  mutant(
    'begun-line-taken-for-sent',
    withLineRun(async (run, item, { journal, account }) => {
      const isSent =
        item.fence > 1 && !(await journal.byKey(account, `${item.job.key}:${item.position}`));
      return isSent ? { outcome: 'SENT', details: '{}' } : run(item);
    }),
  ),
  mutant(
    'begun-line-not-taken-again',
    withJobs((jobs) => ({
      take: async (...args) => (await jobs.take(...args)).filter(({ fence }) => fence === 1),
    })),
  ),
  mutant(
    'max-total-of-each-line',
    replace(
      'src/features/order/quote-order.ts',
      'quoteOrder',
      (quote) =>
        async (deps, { maxTotal, ...input }, checkMore) => {
          const quoted = await quote(deps, input, checkMore);
          const isAbove = quoted.lines.some(({ quote: ofLine }) => {
            const highest = ofLine?.highest;
            return highest && maxTotal?.some(({ amount }) => highest.amount.compare(amount) > 0);
          });
          return isAbove ? quote(deps, { ...input, maxTotal }, checkMore) : quoted;
        },
    ),
  ),
  mutant(
    'cancel-of-a-line-that-is-being-sent',
    withJobs((jobs) => ({
      async endWaiting(account, jobId, at, result) {
        const begun = (await jobs.items([jobId])).filter(({ state }) => state === 'BEGUN');
        for (const item of begun) await jobs.finish(item, at, result);
        return begun.length + (await jobs.endWaiting(account, jobId, at, result));
      },
    })),
    replace('src/features/order/order.ts', 'toLine', (toLine) => (item, purchase, at) => {
      const line = toLine(item, purchase, at);
      return item.result?.outcome === 'CANCELLED' ? { ...line, state: 'CANCELLED' } : line;
    }),
  ),
  mutant(
    'line-without-a-reply-taken-for-failed',
    withLineDeps((tenant) => {
      const { journal, clock } = tenant;
      const failed = () => ({ to: 'FAILED', at: clock.now(), fault: noReply }) as const;
      return {
        ...tenant,
        journal: withMethods('journal', journal, {
          async byKey(...args) {
            const purchase = await journal.byKey(...args);
            return purchase?.state === 'PENDING'
              ? journal.move(purchase.id, ['PENDING'], failed())
              : purchase;
          },
        }),
      };
    }),
  ),
  mutant(
    'progress-counts-lines-that-were-sent',
    replace('src/features/order/service.ts', 'createOrderService', (create) => (deps) => {
      const service = create(deps);
      const settled = (count: JobCount): JobCount =>
        count.purchase === 'SENDING' || count.purchase === 'PENDING'
          ? { ...count, purchase: 'SUCCEEDED' }
          : count;
      return {
        ...service,
        progressOf: ({ job, counts }) =>
          service.progressOf({ job, counts: async () => (await counts()).map(settled) }),
      };
    }),
  ),
  mutant(
    'stop-forgotten',
    withLineDeps((tenant) => {
      const { journal } = tenant;
      const jobs = withMethods('jobs', journal.jobs, {
        endWaiting: async () => 0,
        counts: async () => [],
      });
      return { ...tenant, journal: { ...journal, jobs } };
    }),
  ),
  mutant(
    'cost-compared-only-when-approved',
    replace(
      'src/modules/purchase-job/buyer.ts',
      'paymentNow',
      (paymentNow) => async (deps, checks, quoted, check) => {
        const priced = await check();
        const now = priced.quote?.cost.highest;
        const isCompared = quoted.costRoseAfterHold || !quoted.quoted.retail || !now;
        const cost = isCompared ? quoted.quoted.cost : now;
        const compared = { ...quoted, quoted: { ...quoted.quoted, cost } };
        return paymentNow(deps, checks, compared, async () => priced);
      },
    ),
  ),
  mutant(
    'old-claim-sent-without-checks',
    replace(
      'src/modules/purchase/commit.ts',
      'sendClaimed',
      (sendClaimed) => (deps, claimed, send) =>
        sendClaimed(deps, { ...claimed, claimedAt: deps.clock.now() }, send),
    ),
  ),
  mutant(
    'max-total-cost-forgotten',
    replace(
      'src/features/order/quote-order.ts',
      'quoteOrder',
      (quote) => (deps, input, options) => quote(deps, { ...input, maxTotalCost: null }, options),
    ),
  ),
  mutant('max-price-forgotten', withoutLimit({ maxPrice: null })),
  mutant('max-cost-forgotten', withoutLimit({ maxCost: null })),
  mutant('highest-cost-of-a-key-forgotten', withoutKeyLimit({ perCall: undefined })),
  mutant('tlds-of-a-key-forgotten', withoutKeyLimit({ tlds: undefined })),
  mutant('longest-period-of-a-key-forgotten', withoutKeyLimit({ longestPeriod: undefined })),
  mutant(
    'fixed-price-replaced-by-the-cost',
    replace('src/modules/purchase-job/buyer.ts', 'paymentNow', (paymentNow) => async (...call) => {
      const { cost, retail } = await paymentNow(...call);
      return { cost, retail: retail && { ...retail, price: cost } };
    }),
  ),
  mutant(
    'repeated-order-placed-again',
    withJobs((jobs) => ({
      create: (job, items) => jobs.create({ ...job, key: `${job.key}@${job.id}` }, items),
    })),
  ),
];
