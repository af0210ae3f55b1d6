import { mayAny } from '../../kernel/caller.ts';
import type { DomainName } from '../../kernel/domain-name.ts';
import { Fault } from '../../kernel/faults.ts';
import { dayMs, givenUpAfterMs } from '../../kernel/instant.ts';
import { fromStoredJson, toStoredJson } from '../../kernel/stored-json.ts';
import type { JobRecord, TakenItem } from '../../persistence/job-record.ts';
import type { PurchaseRecord } from '../../persistence/purchase-record.ts';
import type { Reads } from '../../scope/reads.ts';
import { availabilityReads } from '../availability/loader.ts';
import type { ItemEnd, RunItem } from '../job/engine.ts';
import { isHeldJob, verdictOf } from '../job/held-job.ts';
import type { Verdict } from '../job/holds.ts';
import { pauseAfter } from '../job/pause.ts';
import { createChecks, faultsOf } from '../mutation/checks.ts';
import { checkBalance, isRecentCheck, type Payment } from '../purchase/checks.ts';
import { type CheckedPurchase, commitPurchase, sendClaimed } from '../purchase/commit.ts';
import { giveUp, isUnsent } from '../purchase/settle.ts';
import { shareReads } from '../transfer/transfer.ts';
import {
  type BuyerDeps,
  type BuyingTenant,
  buyerOf,
  isTemporary,
  limitsOf,
  paymentNow,
  withPeriod,
} from './buyer.ts';
import { preparePurchase, type WholePurchase } from './whole-purchase.ts';

/** The purchase that an item makes. */
export interface ItemPurchase
  extends Pick<CheckedPurchase, 'kind' | 'customer' | 'key' | 'period' | 'id'> {
  /** As the journal has it: held, or claimed by a process that ended before it sent it. Null when the journal has none. */
  readonly unsent: PurchaseRecord | null;
  /** The highest cost and price; null without a price. */
  readonly quoted: Payment | null;
  /** When `quoted` was checked; null when it must be checked again. */
  readonly quotedAt: Date | null;
  /** Whether the name was known not to be premium. */
  readonly wasNotPremium?: boolean | undefined;
  /** The end of the work on the item, for now, after its purchase. */
  readonly endOf: (bought: PurchaseRecord) => ItemEnd | Promise<ItemEnd>;
}

/** What differs between the kinds of jobs whose items make purchases. */
export interface PurchaseJobs {
  /** The type of the job in the graph. */
  readonly typename: string;
  /** The error for a caller that may not buy any more. */
  readonly mayNotSpend: Fault;
  /**
   * The purchase that an item makes now; the end of the work on it when there is none. With `mayWait` one that the upstream refused
   * because of the balance may be made again.
   */
  next(deps: BuyerDeps, item: TakenItem, mayWait: boolean): Promise<ItemPurchase | ItemEnd>;
  /** The newest purchase of an item. */
  newest(deps: BuyerDeps, item: TakenItem): Promise<PurchaseRecord | null>;
  /** The end of an item whose purchase is not made. `givenUp` is the purchase in the journal that was not sent. */
  endRefused(
    deps: BuyerDeps,
    item: TakenItem,
    refused: { readonly faults: readonly Fault[]; readonly givenUp: PurchaseRecord | null },
  ): ItemEnd | Promise<ItemEnd>;
}

/**
 * Returns the function that makes the purchase of one item of a job, as the caller of that job.
 *
 * The journal decides whether it was sent. When a process ends after the claim and before the call, the next process sends it.
 */
export function createPurchaseRunner(tenant: BuyingTenant, jobs: PurchaseJobs): RunItem {
  const shared = createSharedReads(tenant);
  return async (item) => {
    const { job } = item;
    const deps = buyerOf(tenant, jobs.typename, job);
    // The journal must have the end of the purchase before that of the item.
    const refuse = async (unsent: PurchaseRecord | null, faults: readonly Fault[]) => {
      const [fault = noReason] = faults;
      const givenUp = unsent && (await giveUp(deps, unsent, fault.with({ executed: 'NO' })));
      return jobs.endRefused(deps, item, { faults, givenUp });
    };

    const verdict = await verdictOf(deps, job);
    const mayWait = mayWaitForFunds(deps, verdict);
    const next = await jobs.next(deps, item, mayWait);
    if (!('endOf' in next)) return next;
    const mayBuy = mayAny(deps.caller, ['domains:spend']);
    const refusal = verdict.refusal ?? (mayBuy ? null : jobs.mayNotSpend);
    if (refusal) return refuse(next.unsent, [refusal]);

    const reads = () => shared.of(job);
    const bought = await buy(deps, item, { next, verdict, reads }).catch(faultsOf);
    if ('state' in bought) return next.endOf(bought);
    const [fault] = bought;
    const waits = mayWait && bought.some(isAboutFunds);
    const mayPass = (one: Fault) => isTemporary(one) || (waits && isAboutFunds(one));
    if (!fault || !bought.every(mayPass)) return refuse(next.unsent, bought);
    // The shared reads would repeat the failure.
    shared.forget(job.id);
    const newest = await jobs.newest(deps, item);
    if (newest && isUnsent(newest)) {
      const sinceMs = Math.max(newest.claimedAt.getTime(), verdict.decidedAt?.getTime() ?? 0);
      if (deps.clock.now().getTime() - sinceMs >= givenUpAfterMs) return refuse(newest, bought);
    }
    const isBegun = newest !== null && newest.state !== 'HELD';
    const pause = waits ? fundsPause : pauseAfter(fault);
    return { state: isBegun ? 'BEGUN' : 'WAITING', ...pause };
  };
}

const noReason = new Fault('INTERNAL');

const isAboutFunds = ({ code }: Fault): boolean =>
  code === 'INSUFFICIENT_FUNDS' || code === 'SPEND_LIMIT_EXCEEDED';

/** Each attempt reads the balance. */
export const fundsPause = { pauseMs: 5 * 60_000, pausesAll: false };

const mayWaitForFunds = ({ clock }: BuyerDeps, { waitsForFunds, decidedAt }: Verdict): boolean =>
  waitsForFunds && clock.now().getTime() - (decidedAt?.getTime() ?? 0) < dayMs;

interface Buying {
  readonly next: ItemPurchase;
  readonly verdict: Verdict;
  /** Uncached reads that the items of a job share. */
  readonly reads: () => Promise<Reads>;
}

/** Checks, claims and sends the purchase, which may be claimed already. */
async function buy(
  deps: BuyerDeps,
  item: TakenItem,
  { next, verdict, reads }: Buying,
): Promise<PurchaseRecord> {
  const { unsent, quoted, quotedAt, wasNotPremium, endOf: _endOf, ...identity } = next;
  const { period, id } = identity;
  const checks = createChecks();
  const stored = fromStoredJson<WholePurchase>(item.input ?? 'null');
  const { domain, send, check } = preparePurchase(checks, withPeriod(stored, period));
  if (!domain || !send || !quoted) throw checks.problems();

  // The cost may have risen while it was held.
  const wasHeld = isHeldJob(item.job);
  const checkedBefore = (at: Date) =>
    !wasHeld && quotedAt && isRecentCheck(quotedAt, at) ? quotedAt : null;
  if (unsent?.state === 'CLAIMED') {
    const { claimedAt } = unsent;
    return sendClaimed(deps, unsent, send, checkedBefore(claimedAt) ?? claimedAt);
  }
  const hasSameLimits = toStoredJson(deps.caller.limits) === toStoredJson(limitsOf(item.job));
  // The decision about an order has the sum of its costs.
  const cost = (id === undefined ? null : verdict.cost) ?? quoted.cost;
  const costRoseAfterHold = verdict.costRose;
  const { highestRise } = verdict;
  const released = {
    quoted: { ...quoted, cost },
    period,
    costRoseAfterHold,
    highestRise,
    wasNotPremium,
  };
  const payment =
    hasSameLimits && checkedBefore(deps.clock.now())
      ? quoted
      : await paymentNow(deps, checks, released, async () => check(await reads(), domain));
  // Lines of an order share a read of the balance, so that it says nothing about the balance after one of them.
  const isOfOrder = id === undefined;
  const isChecked = !isOfOrder || verdict.waitsForFunds;
  const left = isChecked ? await checkBalance(checks, await reads(), payment.cost) : null;
  const balanceAfter = isOfOrder ? null : left;
  checks.finish();
  const { fingerprint } = item;
  const checked = { ...identity, domain, fingerprint, ...payment, balanceAfter, lease: item };
  return (await commitPurchase(deps, checked, send)).purchase;
}

/** Reads that items share are repeated after this time. */
const readsAgeMs = 5 * 60_000;

/** Reads for the items of a job that wait for too long: one bulk check per 100 names and one list serve all of them. */
function createSharedReads({ journal, clock, openReads }: BuyingTenant) {
  const recent = new Map<string, { readonly atMs: number; readonly reads: Promise<Reads> }>();
  const create = async ({ id, customer }: JobRecord): Promise<Reads> => {
    const reads = openReads(customer);
    const items = (await journal.jobs.items([id])).filter(({ state }) => state !== 'DONE');
    // Only names that were parsed pass the checks of a job.
    reads.use(availabilityReads).preload(items.map(({ domain }) => domain as DomainName));
    const kinds = items.map(({ facts }) => fromStoredJson<Pick<ItemPurchase, 'kind'>>(facts).kind);
    shareReads(reads, kinds.filter((kind) => kind === 'TRANSFER').length);
    return reads;
  };
  return {
    forget: (jobId: string): void => void recent.delete(jobId),
    of(job: JobRecord): Promise<Reads> {
      const nowMs = clock.monotonicMs();
      for (const [id, { atMs }] of recent) if (nowMs - atMs > readsAgeMs) recent.delete(id);
      const known = recent.get(job.id) ?? { atMs: nowMs, reads: create(job) };
      recent.set(job.id, known);
      return known.reads;
    },
  };
}
