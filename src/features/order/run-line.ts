import { Fault, faults } from '../../kernel/faults.ts';
import type { ItemEnd, RunItem } from '../../modules/job/engine.ts';
import { pauseAfter } from '../../modules/job/pause.ts';
import { paymentOf } from '../../modules/purchase/checks.ts';
import { keyConflict } from '../../modules/purchase/idempotency.ts';
import { faultOfLine } from '../../modules/purchase/line-fault.ts';
import { wasNeverSent } from '../../modules/purchase/settle.ts';
import type { BuyerDeps, BuyingTenant } from '../../modules/purchase-job/buyer.ts';
import {
  createPurchaseRunner,
  fundsPause,
  type ItemPurchase,
  type PurchaseJobs,
} from '../../modules/purchase-job/run-item.ts';
import type { TakenItem } from '../../persistence/job-record.ts';
import type { PurchaseRecord, PurchaseState } from '../../persistence/purchase-record.ts';
import { orderView } from './order.ts';
import { factsOf, type LineOutcome, lineKey, optionsOf, refusedLine } from './place-order.ts';

/** The lines of orders. Each purchase of a line has a key of its own. */
const orderLines: PurchaseJobs = {
  typename: 'Order',
  mayNotSpend: new Fault('FORBIDDEN', {
    message:
      'The API key of this order was revoked, has expired, lost the scope "domains:spend" or has another customer, so this line was not sent. Place a new order with another key.',
  }),
  async next(deps, item, mayWait) {
    const { place, purchase } = await lastPurchase(deps, item);
    if (!purchase) {
      const outcome = await endOfOrder(deps, item);
      return outcome ? { outcome, details: '{}' } : purchaseAt(deps, item, place, mayWait);
    }
    if (purchase.orderId !== item.jobId) {
      return refused(deps, item, [keyConflict(purchase, deps.caller)]);
    }
    if (purchase.state === 'CLAIMED') return purchaseAt(deps, item, place, mayWait, purchase);
    return mayBuyAgain(place, purchase, mayWait)
      ? purchaseAt(deps, item, placeAfter(place, purchase), mayWait)
      : sent(deps, item, purchase);
  },
  newest: async (deps, item) => (await lastPurchase(deps, item)).purchase,
  endRefused: (deps, item, { faults: found, givenUp }) =>
    givenUp ? sent(deps, item, givenUp) : refused(deps, item, found),
};

/** Buys the lines of orders. */
export const createLineRunner = (tenant: BuyingTenant): RunItem =>
  createPurchaseRunner(tenant, orderLines);

/** The purchase of a line at a place, which may be claimed already. */
function purchaseAt(
  deps: BuyerDeps,
  item: TakenItem,
  place: Place,
  mayWait: boolean,
  unsent: PurchaseRecord | null = null,
): ItemPurchase {
  const { job, position } = item;
  const { kind, quote, period, options, wasNotPremium } = factsOf(item);
  const key = lineKey(job.key, position, place.number);
  return {
    ...{ kind, period, key, unsent, wasNotPremium, customer: options?.customer ?? null },
    quoted: quote && paymentOf(quote),
    quotedAt: new Date(optionsOf(job).quotedAt),
    endOf(bought) {
      if (!mayBuyAgain(place, bought, mayWait)) return sent(deps, item, bought);
      const pause = isAboutBalance(bought) ? fundsPause : pauseAfter(bought.fault ?? undefined);
      return { state: 'BEGUN', ...pause };
    },
  };
}

/** While the outcome of its purchase is not known, the line is read again. */
async function sent(deps: BuyerDeps, item: TakenItem, { state }: PurchaseRecord): Promise<ItemEnd> {
  if (isUnknownYet(state)) return { state: 'BEGUN', ...pauseAfter() };
  if (state === 'FAILED' || state === 'UNKNOWN') await stopAfterFailure(deps, item);
  return { outcome: 'SENT' satisfies LineOutcome, details: '{}' };
}

const isUnknownYet = (state: PurchaseState): boolean =>
  state === 'CLAIMED' || state === 'SENDING' || state === 'PENDING';

async function refused(
  deps: BuyerDeps,
  item: TakenItem,
  found: readonly Fault[],
): Promise<ItemEnd> {
  const { kind } = factsOf(item);
  await stopAfterFailure(deps, item);
  return refusedLine(found.map((fault) => faultOfLine(fault, kind, item.position)));
}

/** Ends the lines that wait, where the order stops after a failure. */
async function stopAfterFailure(
  { journal, account, clock }: BuyerDeps,
  { job, jobId }: TakenItem,
): Promise<void> {
  if (optionsOf(job).onFailure !== 'STOP') return;
  const stopped = { outcome: 'STOPPED' satisfies LineOutcome, details: '{}' };
  await journal.jobs.endWaiting(account, jobId, clock.now(), stopped);
}

/** The place of a purchase among those of its line. */
interface Place {
  /** From 1; a part of its key. */
  readonly number: number;
  /** How many purchases before it count. */
  readonly counted: number;
}

/** Purchases of one line at most, without those of a process that ended before it sent them. */
const maxPurchases = 3;

const placeAfter = ({ number, counted }: Place, purchase: PurchaseRecord): Place => ({
  number: number + 1,
  counted: wasNeverSent(purchase) ? counted : counted + 1,
});

/** The last purchase of the line, and its place; null with the place of the first before that. */
async function lastPurchase({ journal, account }: BuyerDeps, { job, position }: TakenItem) {
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
const mayBuyAgain = (place: Place, purchase: PurchaseRecord, mayWait: boolean): boolean =>
  placeAfter(place, purchase).counted < maxPurchases &&
  (wasNeverCarriedOut(purchase) || (mayWait && isAboutBalance(purchase)));

const isAboutBalance = ({ state, fault }: PurchaseRecord): boolean =>
  state === 'FAILED' && fault?.executed === 'NO' && fault.code === 'INSUFFICIENT_FUNDS';

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

/**
 * How an order was ended while this line was not waiting, because a process worked on it; null when it was not. A line that
 * is taken for the first time was waiting when an order was cancelled, so it would have ended too.
 */
async function endOfOrder({ journal, clock }: BuyerDeps, { job, fence }: TakenItem) {
  const stopsOnFailure = optionsOf(job).onFailure === 'STOP';
  if (fence === 1 && !stopsOnFailure) return null;
  const counts = await journal.jobs.counts(job.id, clock.now());
  const isCancelled = counts.some(({ outcome }) => outcome === ('CANCELLED' satisfies LineOutcome));
  if (isCancelled) return 'CANCELLED' satisfies LineOutcome;
  const { FAILED, UNKNOWN } = orderView.progressOf(counts);
  return stopsOnFailure && FAILED + UNKNOWN > 0 ? ('STOPPED' satisfies LineOutcome) : null;
}
