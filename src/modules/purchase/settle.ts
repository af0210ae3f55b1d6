import { Fault, type FaultCode } from '../../kernel/faults.ts';
import type { PurchaseFault, PurchaseRecord, Transition } from '../../persistence/store.ts';
import { begun, conclude, purchaseFault, record, type SettleDeps } from './conclude.ts';
import { followTransfer } from './follow.ts';
import { type Possession, possessionOf } from './possession.ts';
import type { Sight } from './watch.ts';

/**
 * For how many milliseconds after the mark SENDING a read that does not find the domain proves nothing: the longer one of
 * the sender's window and this process's own. Both ends of the sender's are by one clock, so their difference is exact.
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
/** Two reads that say "not there" count when they are so far apart. */
const readsApartMs = 5_000;
/** An outcome that reads did not show within this time is UNKNOWN. */
const givenUpAfterMs = 15 * 60_000;

/**
 * Reads whether an open purchase succeeded, and records the outcome. A transfer in progress is read less often.
 *
 * The account did not have the domain before the call, so a record of it now means success. A missing record proves nothing
 * until the quiet window has ended, since the upstream may still commit. Two reads after that, some seconds apart, that do
 * not find the domain mean failure.
 */
export async function settleByReading(
  deps: SettleDeps,
  purchase: PurchaseRecord,
): Promise<PurchaseRecord> {
  const { clock, watch } = deps;
  if (purchase.state === 'CLAIMED') return settleClaimed(deps, purchase);
  if (purchase.state === 'IN_PROGRESS') return followTransfer(deps, purchase);
  // A success may be read while the call is in flight; a failure waits for the quiet window.
  if (purchase.state !== 'SENDING' && purchase.state !== 'PENDING') return purchase;

  const sight = watch.see(purchase);
  const lookedAtMs = clock.monotonicMs();
  const possession = await readPossession(deps, purchase);
  const at = clock.now();
  switch (possession) {
    case 'held':
      return conclude(deps, purchase, { to: 'SUCCEEDED', at });
    case 'underWay':
      return conclude(deps, purchase, begun(deps, at));
    case 'absent':
      return isRefused(purchase) || isGone(quietMsOf(deps, purchase), sight, lookedAtMs)
        ? conclude(deps, purchase, failed(at, refusalOf(purchase) ?? neverArrived))
        : purchase;
    case 'unasked':
      return purchase;
    default: {
      if (possession === 'unclear') sight.absentSinceMs = null;
      const fault = possession === 'unclear' ? cannotTell : notFoundOut;
      return isHopeless(deps, purchase, sight)
        ? conclude(deps, purchase, { to: 'UNKNOWN', at, fault: purchaseFault(fault) })
        : purchase;
    }
  }
}

/** Ends a purchase that was claimed and not sent. The journal decides, so no process can send it afterwards. */
export const giveUp = (deps: SettleDeps, claimed: PurchaseRecord, reason: Fault) =>
  record(deps, claimed, ['CLAIMED'], failed(deps.clock.now(), reason), claimed);

function settleClaimed(deps: SettleDeps, purchase: PurchaseRecord) {
  const { clock, watch } = deps;
  const knownForMs = clock.monotonicMs() - watch.see(purchase).sinceMs;
  const ageMs = Math.max(knownForMs, clock.now().getTime() - purchase.claimedAt.getTime());
  return ageMs > abandonedAfterMs ? giveUp(deps, purchase, neverSent) : purchase;
}

/** Whether a read that began then, and did not find the domain, is the last one that it takes. */
function isGone(quietMs: number, sight: Sight, lookedAtMs: number): boolean {
  if (lookedAtMs - sight.sinceMs < quietMs) return false;
  sight.absentSinceMs ??= lookedAtMs;
  return lookedAtMs - sight.absentSinceMs >= readsApartMs;
}

/** By the time that this process has waited, or by the age in the journal once this process has waited a quiet window. */
function isHopeless(deps: SettleDeps, purchase: PurchaseRecord, { sinceMs }: Sight): boolean {
  const { clock } = deps;
  const knownForMs = clock.monotonicMs() - sinceMs;
  const ageMs = clock.now().getTime() - (purchase.submittedAt ?? purchase.claimedAt).getTime();
  return knownForMs >= quietMsOf(deps, purchase) && Math.max(knownForMs, ageMs) >= givenUpAfterMs;
}

/** Refusals that the second copy of a successful purchase meets. Each proves neither success nor failure. */
const echoes: ReadonlySet<FaultCode> = new Set([
  'ALREADY_EXISTS',
  'ALREADY_OWNED',
  'NOT_AVAILABLE',
  'TRANSFER_PENDING',
]);

/** Whether the upstream refused the purchase for a reason that its own success does not cause; then one read decides. */
const isRefused = ({ fault }: PurchaseRecord): boolean =>
  fault?.executed === 'NO' && !echoes.has(fault.code);

/** What the service said instead of a yes, where that alone was no proof of a no. */
const refusalOf = ({ fault }: PurchaseRecord): PurchaseFault | null =>
  fault?.executed === 'NO' ? fault : null;

const neverSent = new Fault('JOURNAL_UNAVAILABLE', {
  message: 'The gateway stopped before it sent the purchase, so nothing was bought.',
});

const neverArrived = new Fault('UPSTREAM_TIMEOUT', {
  message: 'The service gave no answer and does not have the domain, so nothing was bought.',
  executed: 'NO',
});

const notFoundOut = new Fault('OUTCOME_UNKNOWN', {
  message: 'The service could not be read for too long; look at the account before buying again.',
});

const cannotTell = new Fault('OUTCOME_UNKNOWN', {
  message:
    'The account has a record of the domain that may not be from this purchase; look at it before buying again.',
});

const failed = (at: Date, fault: PurchaseFault | Fault): Transition => ({
  to: 'FAILED',
  at,
  fault: purchaseFault(fault),
});

async function readPossession(
  { domains }: SettleDeps,
  { domain, kind, submittedAt }: PurchaseRecord,
): Promise<Possession | 'unreadable' | 'unasked'> {
  try {
    return possessionOf(await domains.truth(domain), kind, submittedAt);
  } catch (error) {
    // Whoever gave up waiting for the answer has learned nothing of the service.
    return error instanceof Fault ? 'unreadable' : 'unasked';
  }
}

/** The fault of a purchase as a client is told it; null while there is none. */
export function faultOf({ id, state, fault }: PurchaseRecord): Fault | null {
  if (state === 'SUCCEEDED' || state === 'IN_PROGRESS') return null;
  if (state === 'FAILED') {
    if (!fault) return new Fault('UPSTREAM_REJECTED', { facts: { purchaseId: id } });
    const { upstream, ...told } = fault;
    return new Fault(fault.code, {
      ...told,
      // The same request is answered with this again; only a new purchase may go better.
      retryable: false,
      facts: { purchaseId: id },
      ...(upstream && { upstream }),
    });
  }
  const reason = state === 'UNKNOWN' && fault ? { message: fault.message } : {};
  return new Fault('OUTCOME_UNKNOWN', { ...reason, facts: { purchaseId: id } });
}
