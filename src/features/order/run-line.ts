import { mayAny } from '../../kernel/caller.ts';
import type { DomainName } from '../../kernel/domain-name.ts';
import { Fault, faults } from '../../kernel/faults.ts';
import { givenUpAfterMs } from '../../kernel/instant.ts';
import { fromStoredJson, toStoredJson } from '../../kernel/stored-json.ts';
import { availabilityReads } from '../../modules/availability/loader.ts';
import {
  type BuyingTenant,
  buyerOf,
  mayPass,
  paymentNow,
  withPeriod,
} from '../../modules/held-purchase/buyer.ts';
import { preparePurchase, type WholePurchase } from '../../modules/held-purchase/whole-purchase.ts';
import type { ItemEnd, RunItem } from '../../modules/job/engine.ts';
import { isHeldJob, refusalOf } from '../../modules/job/held-job.ts';
import type { Holds } from '../../modules/job/holds.ts';
import { pauseAfter } from '../../modules/job/pause.ts';
import { createChecks, faultsOf } from '../../modules/mutation/checks.ts';
import { isRecentCheck, paymentOf } from '../../modules/purchase/checks.ts';
import { type CommitDeps, commitPurchase, sendClaimed } from '../../modules/purchase/commit.ts';
import { keyConflict } from '../../modules/purchase/idempotency.ts';
import { faultOfLine } from '../../modules/purchase/line-fault.ts';
import { giveUp, wasNeverSent } from '../../modules/purchase/settle.ts';
import { shareReads } from '../../modules/transfer/transfer.ts';
import type { JobRecord, TakenItem } from '../../persistence/job-record.ts';
import type { PurchaseRecord, PurchaseState } from '../../persistence/purchase-record.ts';
import type { Reads } from '../../scope/reads.ts';
import { orderView } from './order.ts';
import { factsOf, type LineOutcome, lineKey, optionsOf, refusedLine } from './place-order.ts';

/** Reads that lines share are repeated after this time. */
const readsAgeMs = 5 * 60_000;

interface LineDeps extends CommitDeps {
  readonly holds: Holds;
  /** Uncached reads that the lines of an order share. */
  readonly reads: () => Promise<Reads>;
  /** After a failure, which the reads would repeat. */
  readonly forgetReads: () => void;
}

/**
 * Returns the function that buys one line of an order, as the caller of that order.
 *
 * The journal decides whether the line was sent, because each of its purchases has a key of its own. When a process ends after
 * the claim and before the call, the next process sends the line.
 */
export function createLineRunner(tenant: BuyingTenant): RunItem {
  const shared = createSharedReads(tenant);
  return async (item) => {
    const { job } = item;
    const { limits, onFailure } = optionsOf(job);
    const deps: LineDeps = {
      ...buyerOf(tenant, { typename: 'Order', job, limits }),
      holds: tenant.holds,
      reads: () => shared.of(job),
      forgetReads: () => shared.forget(job.id),
    };
    const { end, hasFailed } = await runLine(deps, item);
    if (hasFailed && onFailure === 'STOP') await stopOrder(deps, item);
    return end;
  };
}

/** The end of the work on a line, and whether the line failed. */
interface LineEnd {
  readonly end: ItemEnd;
  readonly hasFailed: boolean;
}

/** While the outcome of its purchase is not known, the line is read again. */
function sent({ state }: PurchaseRecord): LineEnd {
  if (isUnknownYet(state)) return { end: { state: 'BEGUN', ...pauseAfter() }, hasFailed: false };
  const end = { outcome: 'SENT' satisfies LineOutcome, details: '{}' };
  return { end, hasFailed: state === 'FAILED' || state === 'UNKNOWN' };
}

const isUnknownYet = (state: PurchaseState): boolean =>
  state === 'CLAIMED' || state === 'SENDING' || state === 'PENDING';

const refused = (item: TakenItem, faults: readonly Fault[]): LineEnd => {
  const { kind } = factsOf(item);
  const end = refusedLine(faults.map((fault) => faultOfLine(fault, kind, item.position)));
  return { end, hasFailed: true };
};

/** The place of a purchase among those of its line. */
interface Place {
  /** From 1; a part of its key. */
  readonly number: number;
  /** How many purchases before it count. */
  readonly counted: number;
}

/** What follows for a line. */
type Step =
  | { readonly next: 'end'; readonly outcome: LineOutcome }
  | { readonly next: 'refuse'; readonly fault: Fault }
  | { readonly next: 'wait'; readonly purchase: PurchaseRecord }
  | { readonly next: 'resume'; readonly place: Place; readonly purchase: PurchaseRecord }
  | { readonly next: 'buy'; readonly place: Place };

async function nextStep(deps: LineDeps, item: TakenItem): Promise<Step> {
  const { place, purchase } = await lastPurchase(deps, item);
  if (!purchase) {
    const outcome = await endOfOrder(deps, item);
    return outcome ? { next: 'end', outcome } : { next: 'buy', place };
  }
  if (purchase.orderId !== item.jobId) {
    return { next: 'refuse', fault: keyConflict(purchase, deps.caller) };
  }
  if (purchase.state === 'CLAIMED') return { next: 'resume', place, purchase };
  return mayBuyAgain(place, purchase)
    ? { next: 'buy', place: placeAfter(place, purchase) }
    : { next: 'wait', purchase };
}

async function runLine(deps: LineDeps, item: TakenItem): Promise<LineEnd> {
  const step = await nextStep(deps, item);
  switch (step.next) {
    case 'end':
      return { end: { outcome: step.outcome, details: '{}' }, hasFailed: false };
    case 'refuse':
      return refused(item, [step.fault]);
    case 'wait':
      return sent(step.purchase);
    case 'resume': {
      const refusal = await refusalNow(deps, item);
      return refusal
        ? sent(await giveUp(deps, step.purchase, refusal))
        : buy(deps, item, step.place, step.purchase);
    }
    case 'buy': {
      const refusal = await refusalNow(deps, item);
      return refusal ? refused(item, [refusal]) : buy(deps, item, step.place, null);
    }
  }
}

/** Why the caller must not send the line now; null when it may. */
function refusalNow(deps: LineDeps, item: TakenItem): Fault | null | Promise<Fault | null> {
  return mayAny(deps.caller, ['domains:spend']) ? refusalOf(deps, item.job) : mayNotSpend;
}

/** Sends the purchase of this place, which may be claimed already. */
async function buy(
  deps: LineDeps,
  item: TakenItem,
  place: Place,
  claimed: PurchaseRecord | null,
): Promise<LineEnd> {
  try {
    const bought = await buyLine(deps, item, { claimed, place });
    return mayBuyAgain(place, bought)
      ? { end: { state: 'BEGUN', ...pauseAfter(bought.fault ?? undefined) }, hasFailed: false }
      : sent(bought);
  } catch (error) {
    return afterFailure(deps, item, faultsOf(error));
  }
}

async function afterFailure(
  deps: LineDeps,
  item: TakenItem,
  found: readonly Fault[],
): Promise<LineEnd> {
  const [fault] = found;
  if (!fault || !found.every(mayPass)) return refused(item, found);
  deps.forgetReads();
  const { purchase } = await lastPurchase(deps, item);
  if (purchase?.state === 'CLAIMED') {
    const ageMs = deps.clock.now().getTime() - purchase.claimedAt.getTime();
    if (ageMs > givenUpAfterMs) {
      return sent(await giveUp(deps, purchase, fault.with({ executed: 'NO' })));
    }
  }
  return { end: { state: purchase ? 'BEGUN' : 'WAITING', ...pauseAfter(fault) }, hasFailed: false };
}

const mayNotSpend = new Fault('FORBIDDEN', {
  message:
    'The API key of this order was revoked, has expired, lost the scope "domains:spend" or has another customer, so this line was not sent. Place a new order with another key.',
});

/** Purchases of one line at most, without those of a process that ended before it sent them. */
const maxPurchases = 3;

const placeAfter = ({ number, counted }: Place, purchase: PurchaseRecord): Place => ({
  number: number + 1,
  counted: wasNeverSent(purchase) ? counted : counted + 1,
});

/** The last purchase of the line, and its place; null with the place of the first before that. */
async function lastPurchase({ journal, account }: LineDeps, { job, position }: TakenItem) {
  const purchaseAt = ({ number }: Place) =>
    journal.byKey(account, lineKey(job.key, position, number));
  let place: Place = { number: 1, counted: 0 };
  let purchase = await purchaseAt(place);
  while (purchase) {
    const after = placeAfter(place, purchase);
    const next = await purchaseAt(after);
    if (!next) break;
    [place, purchase] = [after, next];
  }
  return { place, purchase };
}

/** Whether the line may have another purchase after the one of this place. */
const mayBuyAgain = (place: Place, purchase: PurchaseRecord): boolean =>
  placeAfter(place, purchase).counted < maxPurchases && wasNeverCarriedOut(purchase);

/**
 * Whether the purchase is known to have failed without a refusal: the gateway ended before the call, the call was not sent, or
 * reads proved that the upstream did not carry it out. The line may then have another purchase.
 */
function wasNeverCarriedOut({ kind, state, fault, submittedAt }: PurchaseRecord): boolean {
  if (state !== 'FAILED' || fault?.executed !== 'NO') return false;
  const { code, upstream } = fault;
  // `UPSTREAM_UNAVAILABLE` in the upstream's words is its own failure, all others are refusals.
  if (upstream !== null && code !== 'UPSTREAM_UNAVAILABLE') return false;
  // Reads cannot prove this of a transfer: it may have begun and failed between two of them, and its price may be spent.
  const wasSent = submittedAt !== null && upstream !== null;
  const isProvedByReads = code === 'UPSTREAM_TIMEOUT' || wasSent;
  return faults[code].retryable && !(kind === 'TRANSFER' && isProvedByReads);
}

async function buyLine(
  deps: LineDeps,
  item: TakenItem,
  { claimed, place }: { readonly claimed: PurchaseRecord | null; readonly place: Place },
): Promise<PurchaseRecord> {
  const checks = createChecks();
  const stored = fromStoredJson<WholePurchase>(item.input ?? 'null');
  const { kind, quote, period, options, wasNotPremium } = factsOf(item);
  const { domain, send, check } = preparePurchase(checks, withPeriod(stored, period));
  const quoted = quote && paymentOf(quote);
  if (!domain || !send || !quoted) throw checks.problems();

  const { quotedAt, limits } = optionsOf(item.job);
  const wasHeld = isHeldJob(item.job);
  const costRoseAfterHold = wasHeld ? deps.holds.costRose : null;
  // The cost may have risen while it was held.
  const hasQuoteAt = (at: Date) => !wasHeld && isRecentCheck(new Date(quotedAt), at);
  if (claimed) {
    const { claimedAt } = claimed;
    return sendClaimed(deps, claimed, send, hasQuoteAt(claimedAt) ? new Date(quotedAt) : claimedAt);
  }
  const hasSameLimits = toStoredJson(deps.caller.limits) === toStoredJson(limits);
  const payment =
    hasQuoteAt(deps.clock.now()) && hasSameLimits
      ? quoted
      : await paymentNow(
          deps,
          checks,
          { quoted, period, costRoseAfterHold, wasNotPremium },
          async () => check(await deps.reads(), domain),
        );
  const key = lineKey(item.job.key, item.position, place.number);
  const customer = options?.customer ?? null;
  const identity = { kind, domain, customer, key, fingerprint: item.fingerprint };
  const checked = { ...identity, ...payment, period, balanceAfter: null, lease: item };
  return (await commitPurchase(deps, checked, send)).purchase;
}

/** Reads for the lines of an order that wait for too long: one bulk check per 100 names and one list serve all of them. */
function createSharedReads({ journal, clock, openReads }: BuyingTenant) {
  const recent = new Map<string, { readonly atMs: number; readonly reads: Promise<Reads> }>();
  const create = async ({ id, customer }: JobRecord): Promise<Reads> => {
    const reads = openReads(customer);
    const items = (await journal.jobs.items([id])).filter(({ state }) => state !== 'DONE');
    // Only names that were parsed pass the checks of an order.
    reads.use(availabilityReads).preload(items.map(({ domain }) => domain as DomainName));
    shareReads(reads, items.filter((item) => factsOf(item).kind === 'TRANSFER').length);
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

/** Ends the lines that wait. */
async function stopOrder({ journal, account, clock }: LineDeps, item: TakenItem): Promise<void> {
  const stopped = { outcome: 'STOPPED' satisfies LineOutcome, details: '{}' };
  await journal.jobs.endWaiting(account, item.jobId, clock.now(), stopped);
}

/**
 * How an order was ended while this line was not waiting, because a process worked on it; null when it was not. A line that
 * is taken for the first time was waiting when an order was cancelled, so it would have ended too.
 */
async function endOfOrder({ journal, clock }: LineDeps, { job, fence }: TakenItem) {
  const stopsOnFailure = optionsOf(job).onFailure === 'STOP';
  if (fence === 1 && !stopsOnFailure) return null;
  const counts = await journal.jobs.counts(job.id, clock.now());
  const isCancelled = counts.some(({ outcome }) => outcome === ('CANCELLED' satisfies LineOutcome));
  if (isCancelled) return 'CANCELLED' satisfies LineOutcome;
  const { FAILED, UNKNOWN } = orderView.progressOf(counts);
  return stopsOnFailure && FAILED + UNKNOWN > 0 ? ('STOPPED' satisfies LineOutcome) : null;
}
