import type { Caller } from '../../kernel/caller.ts';
import { Fault, valueOr } from '../../kernel/faults.ts';
import { storedKey } from '../../kernel/ids.ts';
import type { ScopedLimits } from '../../kernel/spend-limits.ts';
import type { Lease } from '../../persistence/job-record.ts';
import type { Claim, PurchaseRecord } from '../../persistence/purchase-record.ts';
import type { TenantFacts } from '../../scope/tenant.ts';
import type { CallOptions } from '../../upstream/client/operation.ts';
import type { DomainApi } from '../../upstream/domain-api/domain-api.ts';
import type { UnnamedDetails } from '../../upstream/domain-api/shapes.ts';
import type { DomainReads } from '../domain/loader.ts';
import { isRecentCheck, type Payment } from './checks.ts';
import { begun, conclude, purchaseFault, type SettleDeps } from './conclude.ts';
import { domainBusy, justBought, keyConflict, notForSale } from './idempotency.ts';
import { bringsDomain, obstacleIn } from './ownership.ts';
import { giveUp, neverSent, settleByReading } from './settle.ts';
import { assertMayBeSpent } from './spend-limits.ts';
import type { SpendObserver } from './spend-observer.ts';

export interface CommitDeps
  extends SettleDeps,
    Pick<TenantFacts, 'domainApi' | 'randomness' | 'writeDeadlineMs'> {
  readonly caller: Caller;
  readonly limits: ScopedLimits;
  readonly spendObserver: SpendObserver | null;
  readonly options: CallOptions;
  /** Uncached reads that bypass the call budget, for a claimed purchase. */
  readonly domains: Pick<DomainReads, 'verify' | 'invalidate'>;
  /** Runs the call that spends money as a recorded write of its own. Absent when that of its request covers it. */
  readonly recordSend?: (
    purchase: PurchaseRecord,
    work: () => Promise<PurchaseRecord>,
  ) => Promise<PurchaseRecord>;
}

/** The one upstream call that spends money. */
export type SendPurchase = (
  api: DomainApi,
  purchase: Pick<PurchaseRecord, 'domain' | 'period'>,
  options: CallOptions,
) => Promise<PurchaseReply>;

/** The domain in an upstream's reply to a purchase; null when the reply has none. */
type PurchaseReply = Pick<UnnamedDetails, 'name' | 'status' | 'state'> | null;

/** The identity of a purchase, before its checks. */
export interface Intent extends Pick<Claim, 'kind' | 'domain' | 'customer' | 'fingerprint'> {
  /** The client's idempotency key; the gateway generates one when it is null. */
  readonly key: string | null;
}

/** A checked purchase. */
export interface CheckedPurchase extends Intent, Payment, Pick<Claim, 'period' | 'balanceAfter'> {
  /** Of the item of a job that it is for; null without a job. */
  readonly lease: Lease | null;
  /** Of a purchase that is not the line of an order, and was held. Absent: a new one. */
  readonly id?: string;
}

/**
 * Sends a checked purchase: claims it, reads once more, and sends at most once. `replayed` when the key has a purchase already,
 * which is returned as the journal has it.
 */
export async function commitPurchase(
  deps: CommitDeps,
  checked: CheckedPurchase,
  send: SendPurchase,
): Promise<{ readonly purchase: PurchaseRecord; readonly replayed: boolean }> {
  const { outcome, purchase: claimed } = await claimPurchase(deps, checked);
  if (outcome === 'replayed') return { purchase: claimed, replayed: true };
  return { purchase: await sendClaimed(deps, claimed, send), replayed: false };
}

/**
 * Sends a claimed purchase, unless its checks are old, the account has the domain or another request has given the claim up.
 * `checkedAt` is the time of checks that are older than the claim.
 */
export async function sendClaimed(
  deps: CommitDeps,
  claimed: PurchaseRecord,
  send: SendPurchase,
  checkedAt = claimed.claimedAt,
): Promise<PurchaseRecord> {
  const obstacle = await reasonNotToSend(deps, claimed);
  if (obstacle) return giveUp(deps, claimed, obstacle);
  // Before the mark, because the call must follow that soon.
  const work = () => markAndSend(deps, claimed, send, checkedAt);
  return deps.recordSend ? deps.recordSend(claimed, work) : work();
}

async function markAndSend(
  deps: CommitDeps,
  claimed: PurchaseRecord,
  send: SendPurchase,
  checkedAt: Date,
): Promise<PurchaseRecord> {
  // The price may have risen while the process had ended or stopped, or the upstream could not be read.
  const now = deps.clock.now();
  if (![claimed.claimedAt, checkedAt].every((at) => isRecentCheck(at, now))) {
    return giveUp(deps, claimed, neverSent);
  }
  const markedAtMs = deps.clock.monotonicMs();
  const sending = await markAsSending(deps, claimed);
  if (!sending) return (await deps.journal.byId(deps.account, claimed.id)) ?? claimed;
  const fault = await sendPurchase(deps, send, sending, markedAtMs);
  deps.invalidate(claimed.domain);
  return settleAttempt(deps, sending, fault);
}

const leaseLost = new Fault('JOURNAL_UNAVAILABLE', {
  message: 'Another process works on this purchase, so nothing was sent.',
});

/**
 * Claims a purchase. One with an id is stored as held, and claimed when it has the lease of its job.
 *
 * @throws Fault or Problems when nothing was claimed: the journal failed, or a conflict, a stop or a limit refuses it.
 */
export async function claimPurchase(
  deps: CommitDeps,
  { key, lease, id: heldId, ...checked }: CheckedPurchase,
) {
  const { journal, clock, randomness, account, caller, limits, spendObserver } = deps;
  const own = key ?? storedKey(caller, randomness.uuid());
  const by = { account, caller: caller.name, key: own };
  const line = heldId === undefined ? lease : null;
  const claimed = {
    ...{ ...checked, ...by, id: heldId ?? randomness.uuid(), claimedAt: clock.now() },
    ...{ orderId: line?.jobId ?? null, orderLine: line?.position ?? null },
  };
  const write = () => {
    if (heldId === undefined) return journal.claim(claimed, limits, lease);
    return lease ? journal.claimHeld(claimed, limits, lease) : journal.hold(claimed, limits);
  };
  const claim = await write();
  if (claim.outcome === 'lease-lost') throw leaseLost;
  if (claim.outcome === 'key-conflict') throw keyConflict(claim.purchase, caller);
  if (claim.outcome === 'domain-busy') throw domainBusy(claim.purchase, caller);
  if (claim.outcome === 'over-limit') spendObserver?.refused(caller, claim.breaches, checked.cost);
  assertMayBeSpent(claim, checked.cost);
  if (claim.outcome === 'claimed') spendObserver?.claimed(caller, limits, checked.cost);
  return claim;
}

/** A name is not given back and bought again within this time: a read that misses it then is stale. */
const freshMs = 60 * 60_000;

/**
 * Why a claimed purchase must not be sent, or null. A domain that the account already has would later pass for bought. It is
 * read after the claim, when no other purchase of the domain can come in between.
 */
async function reasonNotToSend(
  { domains, journal, account, clock, caller }: CommitDeps,
  { kind, domain, orderId }: PurchaseRecord,
): Promise<Fault | null> {
  domains.invalidate(domain);
  try {
    const details = await domains.verify(domain);
    const obstacle = obstacleIn(details, kind);
    // A caller that is bound to a customer has passed the checks, so the domain is not one that it sees.
    if (obstacle)
      return caller.customer === null ? new Fault(obstacle) : notForSale({ kind, domain });
    const filter = { domain, states: ['SUCCEEDED'] } as const;
    const [bought] = await journal.list(account, { filter, limit: 1 });
    const isFresh =
      bought?.settledAt && clock.now().getTime() - bought.settledAt.getTime() < freshMs;
    return isFresh ? justBought(bought, caller) : null;
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    // The line of an order can wait; a client cannot.
    if (orderId !== null && error.retryable) throw error;
    return error.with({ executed: 'NO' });
  }
}

/** Null when the purchase is no longer claimed. */
function markAsSending(
  { journal, clock, quietWindowMs, writeDeadlineMs }: CommitDeps,
  claimed: PurchaseRecord,
): Promise<PurchaseRecord | null> {
  const at = clock.now();
  const callUntil = new Date(at.getTime() + sendWithinMs + writeDeadlineMs);
  const quietUntil = new Date(at.getTime() + quietWindowMs);
  return journal.move(claimed.id, ['CLAIMED'], { to: 'SENDING', at, callUntil, quietUntil });
}

/**
 * Milliseconds from the mark SENDING to the call. A slower process sends nothing, because other processes count the quiet
 * window from that mark.
 */
const sendWithinMs = 2_000;

/** The upstream documents no time limit of its calls. The defaults of usual servers are shorter: nginx 60 seconds, ASP.NET 110. */
const upstreamQuietMs = 120_000;

/**
 * Milliseconds from the mark SENDING until a read must show the outcome. The upstream's own quiet window starts when the
 * call has ended.
 */
export const quietAfterMarkMs = (
  writeDeadlineMs: number,
  quietWindowMs = upstreamQuietMs,
): number => sendWithinMs + writeDeadlineMs + quietWindowMs;

const tooLate = new Fault('JOURNAL_UNAVAILABLE', {
  message: 'The journal took too long to write, so nothing was sent.',
});

/** The one attempt. Null when the upstream reports success. A bug of the gateway leaves the outcome unknown. */
async function sendPurchase(
  { domainApi, options, clock }: CommitDeps,
  send: SendPurchase,
  sending: PurchaseRecord,
  markedAtMs: number,
): Promise<Fault | null> {
  if (clock.monotonicMs() - markedAtMs > sendWithinMs) return tooLate;
  try {
    return contradictionIn(await send(domainApi, sending, options), sending);
  } catch (error) {
    return error instanceof Fault ? error : new Fault('INTERNAL', { executed: 'UNKNOWN' });
  }
}

/**
 * Why a reply under `OK` is no success: its record is of another domain or of none, or has a status that no such purchase brings.
 * The reply to a transfer may have no record.
 */
function contradictionIn(reply: PurchaseReply, { domain, kind }: PurchaseRecord): Fault | null {
  if (!reply && kind === 'TRANSFER') return null;
  const isOther = reply?.name !== domain;
  const hasStatus = reply && Boolean(valueOr(reply.status, null));
  if (!isOther && (!hasStatus || bringsDomain(reply.state, kind))) return null;
  return new Fault('UPSTREAM_PROTOCOL', {
    message: isOther
      ? `The reply to the purchase of ${domain} does not name this domain.`
      : `The reply to the purchase of ${domain} shows a status that is no success.`,
    executed: 'UNKNOWN',
  });
}

/** Records the outcome of the attempt. After a fault it is verified by reading the domain. */
async function settleAttempt(
  deps: CommitDeps,
  sending: PurchaseRecord,
  fault: Fault | null,
): Promise<PurchaseRecord> {
  const at = deps.clock.now();
  if (!fault) {
    const isTransfer = sending.kind === 'TRANSFER';
    return conclude(deps, sending, isTransfer ? begun(deps, at) : { to: 'SUCCEEDED', at });
  }
  // A proxy may send the call twice, and the refusal may be of the second copy. Only a read can show the outcome.
  const to = wasNeverSent(fault) ? 'FAILED' : 'PENDING';
  const recorded = await conclude(deps, sending, { to, at, fault: purchaseFault(fault) });
  return settleByReading(deps, recorded);
}

/** Whether the call never left the gateway. A refusal by the upstream carries the upstream's code. */
const wasNeverSent = ({ executed, upstream }: Fault): boolean => executed === 'NO' && !upstream;
