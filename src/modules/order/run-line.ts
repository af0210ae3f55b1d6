import { type Caller, mayAny } from '../../kernel/caller.ts';
import type { DomainName } from '../../kernel/domain-name.ts';
import { Fault, faults } from '../../kernel/faults.ts';
import { formatMoney, type Money } from '../../kernel/money.ts';
import type { ScopedLimits } from '../../kernel/spend-limits.ts';
import { fromStoredJson, toStoredJson } from '../../kernel/stored-json.ts';
import type { Randomness } from '../../lib/clock.ts';
import type { JobRecord, TakenItem } from '../../persistence/job-record.ts';
import type { PurchaseRecord, PurchaseState } from '../../persistence/purchase-record.ts';
import type { AuditOfItem } from '../audit/job-audit.ts';
import { createDomainReads } from '../domain/loader.ts';
import type { ItemEnd, RunItem } from '../job/engine.ts';
import { pauseAfter } from '../job/pause.ts';
import type { Loaders } from '../loaders.ts';
import { type Checks, createChecks, faultsOf } from '../mutation/checks.ts';
import type { Snapshot } from '../portfolio/snapshot.ts';
import { type Payment, type Priced, paymentOf } from '../purchase/checks.ts';
import { type CommitDeps, commitPurchase, sendClaimed } from '../purchase/commit.ts';
import type { SettlingTenant } from '../purchase/conclude.ts';
import { keyConflict } from '../purchase/idempotency.ts';
import { faultOfLine } from '../purchase/line-fault.ts';
import { giveUp } from '../purchase/settle.ts';
import { checkPurchaseLimits } from '../purchase/spend-limits.ts';
import { orderView } from './order.ts';
import { factsOf, type LineOutcome, lineKey, optionsOf, refusedLine } from './place-order.ts';
import { type LinePurchase, preparePurchase } from './quoted-lines.ts';

/** A line is checked again when the checks of its order are older than this. */
const checksAgeMs = 5 * 60_000;
/** A claimed line is given up when the upstream cannot be read for so long. */
const claimedForMs = 15 * 60_000;

interface LineTenant
  extends SettlingTenant,
    Pick<CommitDeps, 'domainApi' | 'spendEvents' | 'writeDeadlineMs'> {
  readonly snapshot: Snapshot;
  readonly randomness: Randomness;
  readonly limitsOf: (caller: Caller) => ScopedLimits;
  /** The caller of an order with the rights of now; null when its key was revoked, has expired or is bound to another customer. */
  readonly currentCaller: (before: Omit<Caller, 'tenant'>) => Caller | null;
}

/** Opens reads that bypass the cache. With a customer they have its domains only. */
type OpenReads = (customer: string | null) => Loaders;

interface LineDeps extends CommitDeps {
  /** Uncached reads that the lines of an order share. */
  readonly reads: () => Promise<Loaders>;
  /** After a failure, which the reads would repeat. */
  readonly forgetReads: () => void;
}

/**
 * Returns the function that buys one line of an order, as the caller of that order.
 *
 * The journal decides whether the line was sent, because each of its purchases has a key of its own. When a process ends after
 * the claim and before the call, the next process sends the line.
 */
export function createLineRunner(
  tenant: LineTenant,
  openReads: OpenReads,
  auditOf: AuditOfItem,
): RunItem {
  const shared = createSharedReads(tenant, openReads);
  return async (item) => {
    const { job } = item;
    const { limits, onFailure } = optionsOf(job);
    const scopes = new Set(['domains:spend'] as const);
    const { caller: name, account: tenantOfJob, customer } = job;
    const placed = { name, tenant: tenantOfJob, customer, scopes, limits };
    const caller = tenant.currentCaller(placed) ?? { ...placed, scopes: new Set() };
    const { domainApi, snapshot } = tenant;
    const { audited, options } = auditOf(job);
    const domains = createDomainReads(domainApi, snapshot, options);
    const deps: LineDeps = {
      ...tenant,
      caller,
      limits: tenant.limitsOf(caller),
      options,
      domains,
      auditSend: ({ kind, domain, fingerprint }, work) => {
        const operation = kind === 'REGISTRATION' ? 'registerDomain' : 'transferDomain';
        const write = { operation, subject: domain, input: fingerprint };
        return audited.write(write, work, ({ fault, state }) => fault?.code ?? state);
      },
      readReseller: () => domainApi.resellerdetails({}, options),
      invalidate(name) {
        snapshot.invalidate(name);
        domains.invalidate(name);
      },
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

/** What follows for a line. `number` is that of the purchase, from 1. */
type Step =
  | { readonly next: 'end'; readonly outcome: LineOutcome }
  | { readonly next: 'refuse'; readonly fault: Fault }
  | { readonly next: 'wait'; readonly purchase: PurchaseRecord }
  | { readonly next: 'resume'; readonly number: number; readonly purchase: PurchaseRecord }
  | { readonly next: 'buy'; readonly number: number };

async function nextStep(deps: LineDeps, item: TakenItem): Promise<Step> {
  const { number, purchase } = await lastPurchase(deps, item);
  if (!purchase) {
    const outcome = await endOfOrder(deps, item);
    return outcome ? { next: 'end', outcome } : { next: 'buy', number: 1 };
  }
  if (purchase.orderId !== item.jobId) {
    return { next: 'refuse', fault: keyConflict(purchase, deps.caller) };
  }
  if (purchase.state === 'CLAIMED') return { next: 'resume', number, purchase };
  return mayBuyAgain(number, purchase)
    ? { next: 'buy', number: number + 1 }
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
    case 'resume':
      return mayAny(deps.caller, ['domains:spend'])
        ? buy(deps, item, step.number, step.purchase)
        : sent(await giveUp(deps, step.purchase, mayNotSpend));
    case 'buy':
      return mayAny(deps.caller, ['domains:spend'])
        ? buy(deps, item, step.number, null)
        : refused(item, [mayNotSpend]);
  }
}

/** Sends the purchase of this number, which may be claimed already. */
async function buy(
  deps: LineDeps,
  item: TakenItem,
  number: number,
  claimed: PurchaseRecord | null,
): Promise<LineEnd> {
  try {
    const bought = await buyLine(deps, item, { claimed, number });
    return mayBuyAgain(number, bought)
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
    if (ageMs > claimedForMs) {
      return sent(await giveUp(deps, purchase, fault.with({ executed: 'NO' })));
    }
  }
  return { end: { state: purchase ? 'BEGUN' : 'WAITING', ...pauseAfter(fault) }, hasFailed: false };
}

const mayNotSpend = new Fault('FORBIDDEN', {
  message:
    'The API key of this order was revoked, has expired, lost the scope "domains:spend" or has another customer, so this line was not sent. Place a new order with another key.',
});

/** Purchases of one line at most. */
const maxPurchases = 3;

/** The last purchase of the line, and its number; 1 and null before the first. */
async function lastPurchase({ journal, account }: LineDeps, { job, position }: TakenItem) {
  let last: { number: number; purchase: PurchaseRecord | null } = { number: 1, purchase: null };
  for (let number = 1; number <= maxPurchases; number += 1) {
    const purchase = await journal.byKey(account, lineKey(job.key, position, number));
    if (!purchase) break;
    last = { number, purchase };
  }
  return last;
}

/** Whether the line may have another purchase after the one of this number. */
const mayBuyAgain = (number: number, purchase: PurchaseRecord): boolean =>
  number < maxPurchases && wasNeverCarriedOut(purchase);

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

/** Whether the same line may be sent later. A limit that other purchases used up may stay so for a day. */
const mayPass = ({ retryable, code }: Fault): boolean =>
  retryable && code !== 'SPEND_LIMIT_EXCEEDED';

async function buyLine(
  deps: LineDeps,
  item: TakenItem,
  { claimed, number }: { readonly claimed: PurchaseRecord | null; readonly number: number },
): Promise<PurchaseRecord> {
  const checks = createChecks();
  const stored = fromStoredJson<LinePurchase>(item.input ?? 'null');
  const { kind, quote, period, options } = factsOf(item);
  const { domain, send, check } = preparePurchase(checks, withPeriod(stored, period));
  const quoted = quote && paymentOf(quote);
  if (!domain || !send || !quoted) throw checks.problems();
  if (claimed) return sendClaimed(deps, claimed, send);

  const { quotedAt, limits } = optionsOf(item.job);
  const ageMs = deps.clock.now().getTime() - Date.parse(quotedAt);
  const hasSameLimits = toStoredJson(deps.caller.limits) === toStoredJson(limits);
  const isRecent = ageMs >= 0 && ageMs < checksAgeMs && hasSameLimits;
  const payment = isRecent
    ? quoted
    : await paymentNow(deps, checks, { quoted, period }, (reads) => check(reads, domain));
  const key = lineKey(item.job.key, item.position, number);
  const customer = options?.customer ?? null;
  const identity = { kind, domain, customer, key, fingerprint: item.fingerprint };
  const checked = { ...identity, ...payment, period, balanceAfter: null, lease: item };
  return (await commitPurchase(deps, checked, send)).purchase;
}

/** The default period of a line is that of its quote, also when the price list has changed since. */
const withPeriod = (purchase: LinePurchase, period: number): LinePurchase =>
  ({ ...purchase, input: { ...purchase.input, period } }) as LinePurchase;

/**
 * The payment of a line with the cost of now. The customer pays the quoted price.
 *
 * @throws Problems or Fault when the line cannot be bought for the quoted price any more.
 */
async function paymentNow(
  { reads, limits }: LineDeps,
  checks: Checks,
  { quoted, period }: { readonly quoted: Payment; readonly period: number },
  check: (reads: Loaders) => Promise<Priced>,
): Promise<Payment> {
  const { quote, tld } = await check(await reads());
  const now = quote && paymentOf(quote);
  const cost = now?.cost ?? null;
  checkPurchaseLimits(limits, checks, { tld: tld?.name ?? null, period, cost });
  checks.finish();
  if (!now) throw new Fault('PRICE_UNAVAILABLE');
  const [highest, maxPrice] = [priceOf(now), priceOf(quoted)];
  const isWithin =
    highest.currency === maxPrice.currency && highest.amount.compare(maxPrice.amount) <= 0;
  if (isWithin) return quoted.retail ? { ...quoted, cost: now.cost } : now;
  throw new Fault('MAX_PRICE_EXCEEDED', {
    message: `The price rose after the order was placed: it may cost up to ${formatMoney(highest)}, and the quote was ${formatMoney(maxPrice)}.`,
    facts: { highest, maxPrice },
  });
}

const priceOf = ({ retail, cost }: Payment): Money => retail?.price ?? cost;

/** Reads for the lines of an order that wait for too long: one bulk check per 100 names serves all of them. */
function createSharedReads(
  { journal, clock }: Pick<LineTenant, 'journal' | 'clock'>,
  openReads: OpenReads,
) {
  const recent = new Map<string, { readonly atMs: number; readonly reads: Promise<Loaders> }>();
  const create = async ({ id, customer }: JobRecord): Promise<Loaders> => {
    const reads = openReads(customer);
    for (const item of await journal.jobs.items([id])) {
      if (item.state === 'DONE' || factsOf(item).kind !== 'REGISTRATION') continue;
      // Only names that were parsed pass the checks of an order.
      reads.availability.load(item.domain as DomainName).catch(() => undefined);
    }
    return reads;
  };
  return {
    forget: (jobId: string): void => void recent.delete(jobId),
    of(job: JobRecord): Promise<Loaders> {
      const nowMs = clock.monotonicMs();
      for (const [id, { atMs }] of recent) if (nowMs - atMs > checksAgeMs) recent.delete(id);
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
