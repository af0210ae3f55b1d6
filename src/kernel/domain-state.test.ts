import { describe, expect, test } from 'vitest';
import { domainState, failedTransfer, isExpired } from './domain-state.ts';

test.each([
  ['Active', 'ACTIVE'],
  [' ACTIVE ', 'ACTIVE'],
  ['clientTransferProhibited', 'ACTIVE'],
  ['PendingHold', 'PENDING_REGISTRATION'],
  ['WaitingForIncomingTransfer', 'PENDING_TRANSFER_IN'],
  ['pendingTransfer', 'PENDING_TRANSFER_OUT'],
  ['TransferredOut', 'TRANSFERRED_OUT'],
  ['TransferCancelledFromClient', 'TRANSFER_FAILED'],
  ['PendingDelete', 'REDEMPTION'],
  ['Deleted', 'DELETED'],
  ['PreRegistirationFail', 'OTHER'],
  ['none', 'OTHER'],
  ['act', 'UNKNOWN'],
  ['', 'UNKNOWN'],
  ['Active, ok', 'ACTIVE'],
  ['clientTransferProhibited, clientDeleteProhibited', 'ACTIVE'],
  ['ok https://icann.org/epp#ok', 'ACTIVE'],
  ['ok clientHold', 'OTHER'],
  ['redemptionPeriod;pendingDelete', 'REDEMPTION'],
  ['clientTransferProhibited pendingTransfer', 'PENDING_TRANSFER_OUT'],
  ['Deleted, ok', 'DELETED'],
  ['ok, act', 'UNKNOWN'],
  ['Not Active', 'UNKNOWN'],
  ['https://icann.org/epp#ok', 'UNKNOWN'],
  [' , ', 'UNKNOWN'],
])('the raw status %j is the state %s', (status, state) => {
  expect(domainState(status)).toBe(state);
});

test.each([
  [' transferCANCELLEDfromClient ', 'CANCELLED'],
  ['TransferRejectedFromOpposed', 'REJECTED'],
  ['ok, TransferCancelledFromClient', 'CANCELLED'],
  ['TransferredOut', null],
  ['transferCancelledByNobody', null],
])('the failure of a transfer in the status %j is %s', (status, failure) => {
  expect(failedTransfer(status)).toBe(failure);
});

describe('a domain is expired', () => {
  const now = new Date('2026-01-31T12:00:00Z');
  const at = (ms: number) => new Date(now.getTime() + ms);

  test.each([
    ['from its expiry on', 'ACTIVE', at(0), true],
    ['after it', 'ACTIVE', at(-1), true],
    ['not before it', 'ACTIVE', at(1), false],
    ['not without an expiry', 'ACTIVE', null, false],
    ['during its registration', 'PENDING_REGISTRATION', at(-1), true],
    ['in another state of the account', 'OTHER', at(-1), true],
    ['not in redemption', 'REDEMPTION', at(-1), false],
    ['not once deleted', 'DELETED', at(-1), false],
    ['not in an unknown state', 'UNKNOWN', at(-1), false],
  ] as const)('%s', (_what, state, expiresAt, isExpected) => {
    expect(isExpired(state, expiresAt, now)).toBe(isExpected);
  });
});
