import type { FaultCode } from '../../kernel/faults.ts';
import { leafOr } from '../../kernel/leaf.ts';
import type { PurchaseKind } from '../../persistence/store.ts';
import type { DomainState } from '../../upstream/domain-api/domain-state.ts';
import type { DomainDetails } from '../../upstream/domain-api/shapes.ts';

/**
 * What the account's record of a domain says about a purchase of it.
 *
 * `held` came by such a purchase; `underWay` is a transfer that has not arrived; `absent` is no record, or one of a domain
 * that was lost and may come back; `unclear` proves nothing: an undescribed state, or a domain that came to the account by
 * another way.
 */
export type Possession = 'held' | 'underWay' | 'absent' | 'unclear';

/** The account's record of a domain; null for none. */
type Details = Pick<DomainDetails, 'state' | 'registeredAt'> | null;

const lost: ReadonlySet<DomainState> = new Set(['TRANSFERRED_OUT', 'TRANSFER_FAILED', 'DELETED']);

/** What a purchase becomes while the account has what it bought. */
const bought: Record<PurchaseKind, ReadonlySet<DomainState>> = {
  REGISTER: new Set(['ACTIVE', 'PENDING_REGISTRATION', 'PENDING_TRANSFER_OUT', 'REDEMPTION']),
  TRANSFER: new Set(['ACTIVE', 'PENDING_TRANSFER_OUT', 'REDEMPTION']),
};

const isUnderWay = (state: DomainState, kind: PurchaseKind): boolean =>
  kind === 'TRANSFER' && state === 'PENDING_TRANSFER_IN';

/** Whether such a purchase leads to this state. */
export const bringsDomain = (state: DomainState, kind: PurchaseKind): boolean =>
  bought[kind].has(state) || isUnderWay(state, kind);

/** Clocks and zones may differ by less than this; a registration that is older was there before the purchase. */
const toleranceMs = 24 * 60 * 60_000;

/** `sentAt`: when the purchase was sent, for a purchase that was; null for one that is about to be. */
export function possessionOf(
  details: Details,
  kind: PurchaseKind,
  sentAt: Date | null,
): Possession {
  if (details === null || lost.has(details.state)) return 'absent';
  if (isUnderWay(details.state, kind)) return 'underWay';
  if (!bought[kind].has(details.state)) return 'unclear';
  if (kind === 'TRANSFER' || sentAt === null) return 'held';
  const registeredAt = leafOr(details.registeredAt, null);
  const isOlder = registeredAt && registeredAt.getTime() < sentAt.getTime() - toleranceMs;
  return isOlder ? 'unclear' : 'held';
}

/** Why a purchase is not sent while the account has this record of the domain; null when the record is not in its way. */
export function obstacleIn(details: Details, kind: PurchaseKind): FaultCode | null {
  if (possessionOf(details, kind, null) === 'absent') return null;
  return details?.state === 'PENDING_TRANSFER_IN' ? 'TRANSFER_PENDING' : 'ALREADY_OWNED';
}
