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
  return status.trim().toLowerCase().startsWith('transfercancelled') ? 'CANCELLED' : 'REJECTED';
}

/** Whether a status is that of a transfer at the registry (RFC 5731), which is the same for both registrars. */
export const isTransferOfAnyDirection = (status: string): boolean =>
  status.trim().toLowerCase() === 'pendingtransfer';

/** The state of a status, regardless of dates: never EXPIRED. `UNKNOWN` for an undocumented status. */
export const domainState = (status: string): DomainState =>
  stateByStatus.get(status.trim().toLowerCase()) ?? 'UNKNOWN';

/** States, by the raw status alone, of a registration that may have expired in them. */
export const expiringStates: ReadonlySet<string> = new Set([
  'ACTIVE',
  'PENDING_REGISTRATION',
  'OTHER',
]);

/** Whether a domain in this state is an expired registration that is not yet deleted or in redemption. */
export const isExpired = (state: DomainState, expiresAt: Date | null, now: Date): boolean =>
  expiresAt !== null && expiresAt <= now && expiringStates.has(state);
