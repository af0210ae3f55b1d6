import { type Caller, mayAny } from '../../kernel/caller.ts';
import type { DomainName } from '../../kernel/domain-name.ts';
import { Fault, faults } from '../../kernel/faults.ts';
import { formatMoney, type Money } from '../../kernel/money.ts';
import type { ScopedLimits } from '../../kernel/spend-limits.ts';
import { fromStoredJson, toStoredJson } from '../../kernel/stored-json.ts';
import type { Randomness } from '../../lib/clock.ts';
import type { TakenItem } from '../../persistence/job-record.ts';
import type { PurchaseRecord, PurchaseState } from '../../persistence/purchase-record.ts';
import type { DomainApi } from '../../upstream/domain-api/domain-api.ts';
import { createDomainReads } from '../domain/loader.ts';
import type { ItemEnd, RunItem } from '../job/engine.ts';
import { pauseAfter } from '../job/pause.ts';
import type { Loaders } from '../loaders.ts';
import { type Checks, createChecks, faultsOf } from '../mutation/checks.ts';
import type { Snapshot } from '../portfolio/snapshot.ts';
import type { Priced } from '../purchase/checks.ts';
import { type CommitDeps, commitPurchase, sendClaimed } from '../purchase/commit.ts';
import type { SettlingTenant } from '../purchase/conclude.ts';
import { keyConflict } from '../purchase/idempotency.ts';
import { giveUp } from '../purchase/settle.ts';
import { checkPurchaseLimits } from '../purchase/spend-limits.ts';
import { progressOf } from './order.ts';
import { factsOf, type LineOutcome, lineKey, optionsOf, refusedLine } from './place-order.ts';
import { faultOfLine } from './quote-order.ts';
import { type LinePurchase, preparePurchase } from './quoted-lines.ts';

/** A line is checked again when the checks of its order are older than this. */
const checksAgeMs = 5 * 60_000;
/** A claimed line is given up when the upstream cannot be read for so long. */
const claimedForMs = 15 * 60_000;

interface LineTenant extends SettlingTenant {
  readonly domainApi: DomainApi;
  readonly snapshot: Snapshot;
  readonly randomness: Randomness;
  readonly limitsOf: (caller: Caller) => ScopedLimits;
  /** The caller of an order with the rights of now; null when its key was revoked or has expired. */
  readonly currentCaller: (before: Omit<Caller, 'tenant'>) => Caller | null;
}

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
 * the claim and before the call, the next process sends the line. `openReads` returns reads that bypass the cache.
 */
export function createLineRunner(tenant: LineTenant, openReads: () => Loaders): RunItem {
  const shared = createSharedReads(tenant, openReads);
  return async (item) => {
    const { job } = item;
    const { limits, onFailure } = optionsOf(job);
    const scopes = new Set(['domains:spend'] as const);
    const placed = { name: job.caller, tenant: job.account, scopes, limits };
    const caller = tenant.currentCaller(placed) ?? { ...placed, scopes: new Set() };
    const { domainApi, snapshot } = tenant;
    const domains = createDomainReads(domainApi, snapshot, {});
    const deps: LineDeps = {
      ...tenant,
      caller,
      limits: tenant.limitsOf(caller),
      options: {},
      domains,
      readReseller: () => domainApi.resellerdetails({}, {}),
      invalidate(name) {
        snapshot.invalidate(name);
        domains.invalidate(name);
      },
      reads: () => shared.of(job.id),
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

/** While the outcome of its purchase is not known, the line is looked at again. */
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

async function runLine(deps: LineDeps, item: TakenItem): Promise<LineEnd> {
  const { caller, clock } = deps;
  const { attempt, purchase } = await lastAttempt(deps, item);
  if (purchase && purchase.orderId !== item.jobId) {
    return refused(item, [keyConflict(purchase, caller)]);
  }
  const ended = purchase ? null : await endOfOrder(deps, item);
  if (ended) return { end: { outcome: ended, details: '{}' }, hasFailed: false };
  const isAgain = purchase !== null && attempt < mostAttempts && wasNeverCarriedOut(purchase);
  if (purchase && purchase.state !== 'CLAIMED' && !isAgain) return sent(purchase);
  if (!mayAny(caller, ['domains:spend'])) {
    return purchase?.state === 'CLAIMED'
      ? sent(await giveUp(deps, purchase, mayNotSpend))
      : refused(item, [mayNotSpend]);
  }
  try {
    const claimed = purchase?.state === 'CLAIMED' ? purchase : null;
    const bought = await buyLine(deps, item, { claimed, attempt: isAgain ? attempt + 1 : attempt });
    const mayRepeat = attempt < mostAttempts && wasNeverCarriedOut(bought);
    return mayRepeat
      ? { end: { state: 'BEGUN', ...pauseAfter(bought.fault ?? undefined) }, hasFailed: false }
      : sent(bought);
  } catch (error) {
    const found = faultsOf(error);
    const [fault] = found;
    if (!fault || !found.every(mayPass)) return refused(item, found);
    deps.forgetReads();
    const { purchase: last } = await lastAttempt(deps, item);
    const claimed = last?.state === 'CLAIMED' ? last : null;
    const ageMs = claimed ? clock.now().getTime() - claimed.claimedAt.getTime() : 0;
    if (claimed && ageMs > claimedForMs) {
      return sent(await giveUp(deps, claimed, fault.with({ executed: 'NO' })));
    }
    return { end: { state: last ? 'BEGUN' : 'WAITING', ...pauseAfter(fault) }, hasFailed: false };
  }
}

const mayNotSpend = new Fault('FORBIDDEN', {
  message:
    'The API key of this order was revoked, has expired or lost the scope "domains:spend", so this line was not sent. Place a new order with another key.',
});

/** Purchases of one line at most. */
const mostAttempts = 3;

/** The last purchase of the line, and its number; 1 and null before the first. */
async function lastAttempt({ journal, account }: LineDeps, { job, position }: TakenItem) {
  let found: { attempt: number; purchase: PurchaseRecord | null } = { attempt: 1, purchase: null };
  for (let attempt = 1; attempt <= mostAttempts; attempt += 1) {
    const purchase = await journal.byKey(account, lineKey(job.key, position, attempt));
    if (!purchase) break;
    found = { attempt, purchase };
  }
  return found;
}

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
  { claimed, attempt }: { readonly claimed: PurchaseRecord | null; readonly attempt: number },
): Promise<PurchaseRecord> {
  const checks = createChecks();
  const stored = fromStoredJson<LinePurchase>(item.input ?? 'null');
  const { kind, quote, period } = factsOf(item);
  const { input, send, check } = preparePurchase(checks, withPeriod(stored, period));
  const { domain } = input;
  const highest = quote?.highest;
  if (!domain || !send || !highest) throw checks.problems();
  if (claimed) return sendClaimed(deps, claimed, send);

  const { quotedAt, limits } = optionsOf(item.job);
  const ageMs = deps.clock.now().getTime() - Date.parse(quotedAt);
  const hasSameLimits = toStoredJson(deps.caller.limits) === toStoredJson(limits);
  const isRecent = ageMs >= 0 && ageMs < checksAgeMs && hasSameLimits;
  const price = isRecent
    ? highest
    : await priceNow(deps, checks, { quoted: highest, period }, (reads) => check(reads, domain));
  const key = lineKey(item.job.key, item.position, attempt);
  const identity = { kind, domain, key, fingerprint: item.fingerprint };
  const checked = { ...identity, period, price, balanceAfter: null, lease: item };
  return (await commitPurchase(deps, checked, send)).purchase;
}

/** The default period of a transfer is that of its quote, also when the price list has changed since. */
const withPeriod = (purchase: LinePurchase, period: number): LinePurchase =>
  purchase.kind === 'TRANSFER' ? { ...purchase, input: { ...purchase.input, period } } : purchase;

/** The highest price now. @throws Problems or Fault when the line cannot be bought for the quoted price any more. */
async function priceNow(
  { reads, limits }: LineDeps,
  checks: Checks,
  { quoted, period }: { readonly quoted: Money; readonly period: number },
  check: (reads: Loaders) => Promise<Priced>,
): Promise<Money> {
  const { quote, tld } = await check(await reads());
  const highest = quote?.highest ?? null;
  checkPurchaseLimits(limits, checks, { tld: tld?.name ?? null, period, price: highest });
  checks.finish();
  if (!highest) throw new Fault('PRICE_UNAVAILABLE');
  const isWithin =
    highest.currency === quoted.currency && highest.amount.compare(quoted.amount) <= 0;
  if (isWithin) return highest;
  throw new Fault('MAX_PRICE_EXCEEDED', {
    message: `The price rose after the order was placed: it may cost up to ${formatMoney(highest)}, and the quote was ${formatMoney(quoted)}.`,
    facts: { highest, maxPrice: quoted },
  });
}

/** Reads for the lines of an order that wait for too long: one bulk check per 100 names serves all of them. */
function createSharedReads(
  { journal, clock }: Pick<LineTenant, 'journal' | 'clock'>,
  openReads: () => Loaders,
) {
  const recent = new Map<string, { readonly atMs: number; readonly reads: Promise<Loaders> }>();
  const create = async (jobId: string): Promise<Loaders> => {
    const reads = openReads();
    for (const item of await journal.jobs.items([jobId])) {
      if (item.state === 'DONE' || factsOf(item).kind !== 'REGISTER') continue;
      // Only names that were parsed pass the checks of an order.
      reads.availability.load(item.domain as DomainName).catch(() => undefined);
    }
    return reads;
  };
  return {
    forget: (jobId: string): void => void recent.delete(jobId),
    of(jobId: string): Promise<Loaders> {
      const nowMs = clock.monotonicMs();
      for (const [id, { atMs }] of recent) if (nowMs - atMs > checksAgeMs) recent.delete(id);
      const known = recent.get(jobId) ?? { atMs: nowMs, reads: create(jobId) };
      recent.set(jobId, known);
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
async function endOfOrder({ journal }: LineDeps, { job, fence }: TakenItem) {
  const stopsOnFailure = optionsOf(job).onFailure === 'STOP';
  if (fence === 1 && !stopsOnFailure) return null;
  const counts = await journal.jobs.counts(job.id);
  const isCancelled = counts.some(({ outcome }) => outcome === ('CANCELLED' satisfies LineOutcome));
  if (isCancelled) return 'CANCELLED' satisfies LineOutcome;
  const { FAILED, UNKNOWN } = progressOf(counts);
  return stopsOnFailure && FAILED + UNKNOWN > 0 ? ('STOPPED' satisfies LineOutcome) : null;
}
