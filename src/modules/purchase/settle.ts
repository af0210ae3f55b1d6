import { Fault, type FaultCode, faults, isUnlistedRefusal } from '../../kernel/faults.ts';
import { givenUpAfterMs, readsApartMs } from '../../kernel/instant.ts';
import type { PurchaseFault, PurchaseRecord } from '../../persistence/purchase-record.ts';
import type { Transition } from '../../persistence/purchase-store.ts';
import { begun, conclude, purchaseFault, record, type SettleDeps } from './conclude.ts';
import { followTransfer, readDetails } from './follow.ts';
import { type Ownership, ownershipOf } from './ownership.ts';
import type { Sighting } from './sightings.ts';

/**
 * Milliseconds after the mark SENDING in which a read that does not find the domain proves nothing: the longer of the sender's
 * window and this process's own. Both ends of the sender's window are by one clock, so their difference is exact.
 */
export const quietMsOf = (
  { quietWindowMs }: Pick<SettleDeps, 'quietWindowMs'>,
  { submittedAt, quietUntil }: PurchaseRecord,
): number =>
  submittedAt && quietUntil
    ? Math.max(quietWindowMs, quietUntil.getTime() - submittedAt.getTime())
    : quietWindowMs;

/** A purchase that was claimed and not sent is given up after this time; its sender may be gone. */
const abandonedAfterMs = 60_000;
/** The same for a line of an order, which the job of the order continues after a restart. */
const abandonedLineAfterMs = 60 * 60_000;

/** Reads whether an open purchase succeeded, records the outcome, and invalidates the reads of its domain when the state changes. */
export async function settleByReading(
  deps: SettleDeps,
  purchase: PurchaseRecord,
): Promise<PurchaseRecord> {
  const now = await readOutcome(deps, purchase);
  if (now.state !== purchase.state) deps.invalidate(purchase.domain);
  return now;
}

/**
 * A transfer in progress is read less often.
 *
 * The account did not have the domain before the call, so a record of it now means success. A missing record proves nothing
 * until the quiet window has ended, since the upstream may still commit. Two reads after that, some seconds apart, that do
 * not find the domain mean failure. After a refusal there is no window: one such read is enough for a listed code, and an
 * unlisted one needs two.
 */
async function readOutcome(deps: SettleDeps, purchase: PurchaseRecord): Promise<PurchaseRecord> {
  const { clock, sightings } = deps;
  if (purchase.state === 'CLAIMED') return settleClaimed(deps, purchase);
  if (purchase.state === 'IN_PROGRESS') return followTransfer(deps, purchase);
  // A read may show success before the call has ended; a failure waits for the quiet window.
  if (purchase.state !== 'SENDING' && purchase.state !== 'PENDING') return purchase;

  const sighting = sightings.see(purchase);
  const readAtMs = clock.monotonicMs();
  const ownership = await readOwnership(deps, purchase);
  const at = clock.now();
  switch (ownership) {
    case 'owned':
      return conclude(deps, purchase, { to: 'SUCCEEDED', at }, true);
    case 'transferring':
      return conclude(deps, purchase, begun(deps, at), true);
    case 'notOwned':
      return isRefused(purchase) || isConfirmedAbsent(windowOf(deps, purchase), sighting, readAtMs)
        ? conclude(deps, purchase, failed(at, failureOf(purchase)))
        : purchase;
    case 'aborted':
      return purchase;
    default: {
      if (ownership === 'inconclusive') sighting.absentSinceMs = null;
      const fault = ownership === 'inconclusive' ? cannotTell : notFoundOut;
      return isGivenUp(deps, purchase, sighting)
        ? conclude(deps, purchase, { to: 'UNKNOWN', at, fault: purchaseFault(fault, purchase) })
        : purchase;
    }
  }
}

/** Whether nothing was sent for the purchase, so that it can be given up. */
export const isUnsent = ({ state }: PurchaseRecord): boolean =>
  state === 'HELD' || state === 'CLAIMED';

/** Ends a purchase that was not sent: it is claimed or held. The journal decides, so no process can send it afterwards. */
export const giveUp = (deps: SettleDeps, unsent: PurchaseRecord, reason: Fault) =>
  record(deps, unsent, [unsent.state], failed(deps.clock.now(), reason), unsent);

function settleClaimed(deps: SettleDeps, purchase: PurchaseRecord) {
  const { clock, sightings } = deps;
  const knownForMs = clock.monotonicMs() - sightings.see(purchase).sinceMs;
  const ageMs = Math.max(knownForMs, clock.now().getTime() - purchase.claimedAt.getTime());
  const maxMs = purchase.orderId === null ? abandonedAfterMs : abandonedLineAfterMs;
  return ageMs > maxMs ? giveUp(deps, purchase, neverSent) : purchase;
}

/** Milliseconds in which a read that does not find the domain proves nothing. The upstream has answered with a refusal. */
const windowOf = (deps: SettleDeps, purchase: PurchaseRecord): number =>
  purchase.fault && isUnlistedRefusal(purchase.fault) ? 0 : quietMsOf(deps, purchase);

/** Whether a read that began then, and did not find the domain, confirms its absence. */
function isConfirmedAbsent(quietMs: number, sighting: Sighting, readAtMs: number): boolean {
  if (readAtMs - sighting.sinceMs < quietMs) return false;
  sighting.absentSinceMs ??= readAtMs;
  return readAtMs - sighting.absentSinceMs >= readsApartMs;
}

/** Judged by the time that this process has waited, or by the age in the journal once it has waited a quiet window. */
function isGivenUp(deps: SettleDeps, purchase: PurchaseRecord, { sinceMs }: Sighting): boolean {
  const { clock } = deps;
  const knownForMs = clock.monotonicMs() - sinceMs;
  const ageMs = clock.now().getTime() - (purchase.submittedAt ?? purchase.claimedAt).getTime();
  return knownForMs >= quietMsOf(deps, purchase) && Math.max(knownForMs, ageMs) >= givenUpAfterMs;
}

/** Refusals that a second copy of a successful purchase receives. Each proves neither success nor failure. */
const ambiguousRefusals: ReadonlySet<FaultCode> = new Set([
  'ALREADY_EXISTS',
  'ALREADY_OWNED',
  'NOT_AVAILABLE',
  'TRANSFER_PENDING',
]);

/** Whether the upstream refused the purchase for a reason that its own success does not cause; then one read decides. */
const isRefused = ({ fault }: PurchaseRecord): boolean =>
  fault?.executed === 'NO' && !ambiguousRefusals.has(fault.code);

/** Why a purchase that reads proved not to be made has failed: in the words of the upstream when it sent any. */
function failureOf({ fault }: PurchaseRecord): PurchaseFault | Fault {
  if (fault?.executed === 'NO') return fault;
  if (!fault?.upstream) return notConfirmed;
  const ended = { ...fault, executed: 'NO' } as const;
  if (isUnlistedRefusal(fault)) return { ...ended, message: wasRefused };
  return faults[fault.code].retryable
    ? { ...ended, code: 'UPSTREAM_UNAVAILABLE', message: hasFailed }
    : ended;
}

export const neverSent = new Fault('JOURNAL_UNAVAILABLE', {
  message: 'The gateway did not send the purchase in time, so nothing was bought.',
});

/** Whether a claim was given up because it was not sent in time. */
export const wasNeverSent = ({ state, fault, submittedAt }: PurchaseRecord): boolean =>
  state === 'FAILED' && submittedAt === null && fault?.code === neverSent.code;

const notConfirmed = new Fault('UPSTREAM_TIMEOUT', {
  message:
    'The registrar did not confirm the purchase, and the account does not have the domain, so nothing was bought.',
  executed: 'NO',
});

const wasRefused =
  'The registrar refused the purchase; the account does not have the domain, so nothing was bought.';

const hasFailed =
  'The registrar reported a failure of its own; the account does not have the domain, so nothing was bought.';

const notFoundOut = new Fault('OUTCOME_UNKNOWN', {
  message: 'The registrar could not be read for too long. Check the account before you buy again.',
});

const cannotTell = new Fault('OUTCOME_UNKNOWN', {
  message:
    'The account has a record of the domain that may not be from this purchase. Check it before you buy again.',
});

const failed = (at: Date, fault: PurchaseFault | Fault): Transition => ({
  to: 'FAILED',
  at,
  fault: purchaseFault(fault),
});

async function readOwnership(
  deps: SettleDeps,
  purchase: PurchaseRecord,
): Promise<Ownership | 'unreadable' | 'aborted'> {
  const details = await readDetails(deps, purchase);
  if (details === 'unreadable' || details === 'aborted') return details;
  return ownershipOf(details, purchase.kind, purchase.submittedAt);
}
