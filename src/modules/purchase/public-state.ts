import type { PurchaseState } from '../../persistence/purchase-record.ts';

/** Clients need no difference between claimed, sent and not known. */
export type PublicState = Exclude<PurchaseState, 'CLAIMED' | 'SENDING'>;

export const publicState = (state: PurchaseState): PublicState =>
  state === 'CLAIMED' || state === 'SENDING' ? 'PENDING' : state;
