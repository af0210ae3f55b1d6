/**
 * The state of a purchase.
 *
 * HELD: the key is taken, and nothing is sent before a decision of others; it is no open purchase of the domain. CLAIMED: the key is taken, nothing was sent. SENDING: durable before the first byte is sent; no transition leads back.
 * PENDING: sent, and the outcome is not known yet. IN_PROGRESS: the upstream accepted a transfer that is not complete. The other three
 * are ends.
 */
export const purchaseStates = [
  'HELD',
  'CLAIMED',
  'SENDING',
  'PENDING',
  'IN_PROGRESS',
  'SUCCEEDED',
  'FAILED',
  'UNKNOWN',
] as const;
export type PurchaseState = (typeof purchaseStates)[number];

let shownHeld = 'HELD';

/** Sets how clients see that a purchase or a job is held. The list of features calls it. */
export const showHeldAs = (state: string): void => {
  shownHeld = state;
};

/** The state as clients see it. */
export const shownState = (state: string): string => (state === 'HELD' ? shownHeld : state);

/** The states of which at most one purchase may exist for an account, domain and kind. */
export const unsettledStates = ['CLAIMED', 'SENDING', 'PENDING', 'IN_PROGRESS'] as const;

/**
 * The allowed transitions of a purchase. None leads back from SENDING.
 *
 * PENDING to PENDING only renews the reason why it is still open. FAILED to UNKNOWN is a success that arrives after the
 * failure was recorded: the record was wrong, and a person has to look. Only a person's decision leads from UNKNOWN.
 */
const next: Record<PurchaseState, readonly PurchaseState[]> = {
  // Only a claim leads to CLAIMED.
  HELD: ['FAILED'],
  CLAIMED: ['SENDING', 'FAILED'],
  SENDING: ['PENDING', 'IN_PROGRESS', 'SUCCEEDED', 'FAILED', 'UNKNOWN'],
  PENDING: ['PENDING', 'IN_PROGRESS', 'SUCCEEDED', 'FAILED', 'UNKNOWN'],
  IN_PROGRESS: ['SUCCEEDED', 'FAILED', 'UNKNOWN'],
  SUCCEEDED: [],
  FAILED: ['UNKNOWN'],
  UNKNOWN: ['SUCCEEDED', 'FAILED'],
};

/** Whether the purchase may still be sent or settled. One that is held is not open. */
export const isOpen = ({ state }: { readonly state: PurchaseState }): boolean =>
  unsettledStates.some((open) => open === state);

/** Whether a purchase in this state has settled. */
export const isEnd = (state: PurchaseState): boolean => state !== 'HELD' && !isOpen({ state });

/** @throws Error for a transition that is not in the table, which is a bug of the caller. */
export function assertTransition(from: readonly PurchaseState[], to: PurchaseState): void {
  if (from.length === 0) throw new Error(`A move to ${to} must name where it starts.`);
  const wrong = from.find((state) => !next[state].includes(to));
  if (wrong) throw new Error(`a purchase never moves from ${wrong} to ${to}.`);
}

/**
 * The state at a time. A call that did not end in time has lost its reply, also when its process ended before it recorded that.
 * The journal has the same as SQL.
 */
export const stateAt = (
  { state, callUntil }: { readonly state: PurchaseState; readonly callUntil: Date | null },
  at: Date,
): PurchaseState => (state === 'SENDING' && callUntil && callUntil <= at ? 'PENDING' : state);
