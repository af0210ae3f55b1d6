/**
 * The raw `Status` of a domain, which is an open set, by its meaning: states of the account, then EPP statuses (RFC 5731 §2.3,
 * RFC 3915 §3.1), which a sync can write to the same field.
 */
const statusesByState = {
  ACTIVE: `active ok inactive
    clientTransferProhibited serverTransferProhibited clientUpdateProhibited serverUpdateProhibited
    clientDeleteProhibited serverDeleteProhibited clientRenewProhibited serverRenewProhibited
    pendingRenew pendingUpdate addPeriod renewPeriod transferPeriod autoRenewPeriod`,
  PENDING_REGISTRATION: `waitingForRegistration waitingForDocument confirmationEmailSend preRegistiration
    preRegistration pendingHold pendingCreate`,
  PENDING_TRANSFER_IN: 'waitingForIncomingTransfer',
  PENDING_TRANSFER_OUT: 'waitingForOutgoingTransfer pendingTransfer',
  TRANSFERRED_OUT: 'transferredOut',
  TRANSFER_FAILED: 'transferRejectedFromOpposed transferCancelledFromClient',
  REDEMPTION: 'pendingDelete pendingRestore redemptionPeriod',
  DELETED: 'deleted',
  OTHER: `modificationPending modificationFailed migrationPending synchronizationBlocked timeOut inCase
    preRegistirationFail preRegistrationFail none clientHold serverHold`,
  UNKNOWN: '',
  /** No status has this meaning; the expiry date decides. */
  EXPIRED: '',
};

export type DomainState = keyof typeof statusesByState;

export const domainStates = Object.keys(statusesByState) as readonly DomainState[];

/** A state by its name, as this gateway stores it; null for any other text. */
export const asDomainState = (name: string): DomainState | null =>
  Object.hasOwn(statusesByState, name) ? (name as DomainState) : null;

/** States in which the account has nothing to renew. A domain in redemption must be restored instead. */
export const notRenewed: ReadonlySet<string> = new Set<DomainState>([
  'TRANSFERRED_OUT',
  'TRANSFER_FAILED',
  'DELETED',
  'REDEMPTION',
]);

const stateByStatus = new Map(
  Object.entries(statusesByState).flatMap(([state, statuses]) =>
    (statuses.match(/\w+/g) ?? []).map(
      (status) => [status.toLowerCase(), state as DomainState] as const,
    ),
  ),
);

/** How a transfer into the account failed; null for any other status. */
export function failedTransfer(status: string): 'REJECTED' | 'CANCELLED' | null {
  if (domainState(status) !== 'TRANSFER_FAILED') return null;
  return status.toLowerCase().includes('transfercancelled') ? 'CANCELLED' : 'REJECTED';
}

/** The state of a domain with several statuses is the first of these; without any of them it is ACTIVE. */
const strongest: readonly DomainState[] = [
  'UNKNOWN',
  'DELETED',
  'TRANSFERRED_OUT',
  'TRANSFER_FAILED',
  'REDEMPTION',
  'PENDING_TRANSFER_OUT',
  'PENDING_TRANSFER_IN',
  'PENDING_REGISTRATION',
  'OTHER',
];

/**
 * The state of a status, regardless of dates: never EXPIRED. Several statuses are separated by commas or blanks, and each may
 * have the link that WHOIS shows behind it. `UNKNOWN` when one of them is undocumented.
 */
export function domainState(status: string): DomainState {
  const known = stateByStatus.get(status.trim().toLowerCase());
  if (known) return known;
  const words = status.toLowerCase().match(/[^\s,;]+/g) ?? [];
  const states = words
    .filter((word) => !/^https?:/.test(word))
    .map((word) => stateByStatus.get(word) ?? 'UNKNOWN');
  if (states.length === 0) return 'UNKNOWN';
  return strongest.find((state) => states.includes(state)) ?? 'ACTIVE';
}

/** States in which the account does not have the domain. */
export const isLost = (state: DomainState): boolean =>
  state === 'DELETED' || state === 'TRANSFERRED_OUT' || state === 'TRANSFER_FAILED';

const unchangeable: ReadonlySet<DomainState> = new Set<DomainState>([
  'PENDING_TRANSFER_IN',
  'PENDING_TRANSFER_OUT',
  'TRANSFERRED_OUT',
  'TRANSFER_FAILED',
  'REDEMPTION',
  'DELETED',
]);

/**
 * Whether the registrar refuses changes of a domain with this state and status. A registration that waits for a document or a
 * confirmation, and the statuses of OTHER but a failed registration, may allow them.
 */
export const refusesChanges = (state: DomainState, status: string): boolean =>
  unchangeable.has(state) ||
  /^(?:waitingForRegistration|preRegisti?ration(?:Fail)?|pendingCreate)$/i.test(status);

/** Whether a status is that of a transfer at the registry (RFC 5731), which is the same for both registrars. */
export const isTransferOfAnyDirection = (status: string): boolean =>
  /\bpendingtransfer\b/i.test(status);

/** States, by the raw status alone, of a registration that may have expired in them. */
export const expiringStates: ReadonlySet<string> = new Set([
  'ACTIVE',
  'PENDING_REGISTRATION',
  'OTHER',
]);

/** Whether a domain in this state is an expired registration that is not yet deleted or in redemption. */
export const isExpired = (state: DomainState, expiresAt: Date | null, now: Date): boolean =>
  expiresAt !== null && expiresAt <= now && expiringStates.has(state);
