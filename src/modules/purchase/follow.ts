import { Fault } from '../../kernel/faults.ts';
import type { PurchaseRecord } from '../../persistence/purchase-record.ts';
import type { Transition } from '../../persistence/purchase-store.ts';
import type { DomainDetails } from '../../upstream/domain-api/shapes.ts';
import { conclude, nextRead, purchaseFault, type SettleDeps } from './conclude.ts';
import { ownershipOf } from './ownership.ts';
import { readRefund } from './refund.ts';

/**
 * Reads a transfer in progress, and records its end. Only one process claims each read, and reads are never closer together
 * than the pace allows, whether the reconciler or a client causes them.
 */
export async function followTransfer(
  deps: SettleDeps,
  purchase: PurchaseRecord,
): Promise<PurchaseRecord> {
  const { journal, clock, sightings, pace } = deps;
  const { id, readAt, acceptedAt, claimedAt } = purchase;
  const at = clock.now();
  const sinceMs = at.getTime() - (readAt?.getTime() ?? 0);
  if (sinceMs < pace.minMs && sinceMs > -pace.toleranceMs) return purchase;
  const start = acceptedAt ?? claimedAt;
  const next = nextRead(pace, start, at);
  if (!(await journal.claimRead(id, { seen: readAt, at, next }))) return purchase;

  const readAtMs = clock.monotonicMs();
  const details = await readDetails(deps, purchase);
  const isRead = details !== 'unreadable' && details !== 'aborted';
  const again = (ms: number) =>
    journal.claimRead(id, { seen: at, at, next: new Date(at.getTime() + ms) });
  if (isRead && details?.failedTransfer) {
    if (!sightings.confirmsFailure(id, readAtMs, pace.minMs)) {
      await again(pace.minMs);
      return purchase;
    }
    sightings.forgetFailure(id);
    return conclude(deps, purchase, await failureOf(deps, purchase, details.failedTransfer));
  }
  if (isRead) sightings.forgetFailure(id);
  const ownership = isRead ? ownershipOf(details, 'TRANSFER', null) : null;
  if (ownership === 'owned') return conclude(deps, purchase, { to: 'SUCCEEDED', at });
  const isShown = ownership === 'transferring';
  const isOverdue = at.getTime() - start.getTime() >= pace.givenUpAfterMs;
  if (isShown) sightings.forgetFailure(lossOf(id));
  else if (details !== 'aborted') {
    // Clocks may be set and reads may be stale: the age needs a second read, or this process has waited the whole time.
    const waitMs = isOverdue ? pace.minMs : pace.givenUpAfterMs;
    if (sightings.confirmsFailure(lossOf(id), readAtMs, waitMs)) {
      sightings.forgetFailure(lossOf(id));
      return conclude(deps, purchase, { to: 'UNKNOWN', at, fault: purchaseFault(lostSight) });
    }
    if (isOverdue) {
      await again(pace.minMs);
      return purchase;
    }
  }
  if (!isRead) await again(pace.retryMs);
  return purchase;
}

/** The key of the reads that do not show a transfer. */
const lossOf = (id: string): string => `loss of ${id}`;

/** The account's record of the domain; why it could not be read, when it could not. */
export async function readDetails(
  { domains }: SettleDeps,
  { domain }: PurchaseRecord,
): Promise<DomainDetails | null | 'unreadable' | 'aborted'> {
  try {
    return await domains.verify(domain);
  } catch (error) {
    // A read that was aborted has learned nothing about the upstream.
    return error instanceof Fault ? 'unreadable' : 'aborted';
  }
}

async function failureOf(
  deps: SettleDeps,
  purchase: PurchaseRecord,
  how: 'REJECTED' | 'CANCELLED',
): Promise<Transition> {
  // What keeps the balance from being read leaves this one question open, and no other.
  const refunded = await readRefund(deps, purchase).catch(() => null);
  const fault = purchaseFault(new Fault(`TRANSFER_${how}`));
  return { to: 'FAILED', at: deps.clock.now(), fault, refunded };
}

const lostSight = new Fault('OUTCOME_UNKNOWN', {
  message:
    'The account has not shown this transfer for two weeks; look for the domain and the charge before you transfer it again.',
});
