import { type DomainState, isLost, isTransferOfAnyDirection } from '../../kernel/domain-state.ts';
import { type FaultCode, valueOr } from '../../kernel/faults.ts';
import type { PurchaseKind } from '../../persistence/purchase-record.ts';
import type { DomainDetails } from '../../upstream/domain-api/shapes.ts';

/**
 * What the account's record of a domain shows about a purchase of it.
 *
 * `owned` came by such a purchase; `transferring` is a transfer that has not arrived; `notOwned` is no record, or one of a domain
 * that was lost and may come back; `inconclusive` proves nothing: an undescribed state, or a domain that came to the account by
 * another way.
 */
export type Ownership = 'owned' | 'transferring' | 'notOwned' | 'inconclusive';

/** The account's record of a domain; null for none. */
type Details = Pick<DomainDetails, 'state' | 'status' | 'registeredAt'> | null;

/** The states of a domain after a successful purchase. */
const bought: Record<PurchaseKind, ReadonlySet<DomainState>> = {
  REGISTRATION: new Set(['ACTIVE', 'PENDING_REGISTRATION', 'PENDING_TRANSFER_OUT', 'REDEMPTION']),
  TRANSFER: new Set(['ACTIVE', 'PENDING_TRANSFER_OUT', 'REDEMPTION']),
};

/** Whether a successful purchase leads to this state. */
export const bringsDomain = (state: DomainState, kind: PurchaseKind): boolean =>
  bought[kind].has(state) || (kind === 'TRANSFER' && state === 'PENDING_TRANSFER_IN');

/** A pending transfer of unknown direction is incoming where the account transfers the domain. */
const isArriving = ({ state, status }: NonNullable<Details>): boolean =>
  state === 'PENDING_TRANSFER_IN' || isTransferOfAnyDirection(valueOr(status, null) ?? '');

/** Clocks and zones differ by less than this. An older registration existed before the purchase. */
const toleranceMs = 24 * 60 * 60_000;

/** `sentAt` is null for a purchase that is not sent yet. */
export function ownershipOf(details: Details, kind: PurchaseKind, sentAt: Date | null): Ownership {
  if (details === null || isLost(details.state)) return 'notOwned';
  if (kind === 'TRANSFER' && isArriving(details)) return 'transferring';
  if (!bought[kind].has(details.state)) return 'inconclusive';
  if (kind === 'TRANSFER' || sentAt === null) return 'owned';
  const registeredAt = valueOr(details.registeredAt, null);
  const isOlder = registeredAt && registeredAt.getTime() < sentAt.getTime() - toleranceMs;
  return isOlder ? 'inconclusive' : 'owned';
}

/** Why a purchase is not sent while the account has this record of the domain; null when the record is not in its way. */
export function obstacleIn(details: Details, kind: PurchaseKind): FaultCode | null {
  const ownership = ownershipOf(details, kind, null);
  if (ownership === 'notOwned') return null;
  const isPending = ownership === 'transferring' || details?.state === 'PENDING_TRANSFER_IN';
  return isPending ? 'TRANSFER_PENDING' : 'ALREADY_OWNED';
}
