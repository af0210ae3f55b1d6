import { describe, expect, test } from 'vitest';
import { dayMs } from '../../../test/support/simulated-clock.ts';
import type { DomainState } from '../../kernel/domain-state.ts';
import { Fault } from '../../kernel/faults.ts';
import { bringsDomain, obstacleIn, ownershipOf } from './ownership.ts';

const sentAt = new Date('2026-01-31T12:00:00Z');
const registered = (beforeMs: number) => new Date(sentAt.getTime() - beforeMs);

/** What a record in the state shows about a registration, about a transfer, and in the way of which purchase it is. */
const states: Record<DomainState, readonly [string, string, string | null]> = {
  ACTIVE: ['owned', 'owned', 'ALREADY_OWNED'],
  PENDING_REGISTRATION: ['owned', 'inconclusive', 'ALREADY_OWNED'],
  PENDING_TRANSFER_IN: ['inconclusive', 'transferring', 'TRANSFER_PENDING'],
  PENDING_TRANSFER_OUT: ['owned', 'owned', 'ALREADY_OWNED'],
  TRANSFERRED_OUT: ['notOwned', 'notOwned', null],
  TRANSFER_FAILED: ['notOwned', 'notOwned', null],
  REDEMPTION: ['owned', 'owned', 'ALREADY_OWNED'],
  DELETED: ['notOwned', 'notOwned', null],
  OTHER: ['inconclusive', 'inconclusive', 'ALREADY_OWNED'],
  UNKNOWN: ['inconclusive', 'inconclusive', 'ALREADY_OWNED'],
  EXPIRED: ['inconclusive', 'inconclusive', 'ALREADY_OWNED'],
};

test.each(Object.entries(states))(
  'a record that is %s shows %j',
  (state, [register, transfer, obstacle]) => {
    const details = { state: state as DomainState, status: state, registeredAt: sentAt };
    const comes = (ownership: string) => ownership === 'owned' || ownership === 'transferring';

    expect(ownershipOf(details, 'REGISTRATION', sentAt)).toBe(register);
    expect(ownershipOf(details, 'REGISTRATION', null)).toBe(register);
    expect(ownershipOf(details, 'TRANSFER', sentAt)).toBe(transfer);
    for (const kind of ['REGISTRATION', 'TRANSFER'] as const) {
      expect(obstacleIn(details, kind)).toBe(obstacle);
    }
    expect(bringsDomain(details.state, 'REGISTRATION')).toBe(comes(register));
    expect(bringsDomain(details.state, 'TRANSFER')).toBe(comes(transfer));
  },
);

test('a pending transfer of either direction is incoming for a transfer into the account', () => {
  const details = { state: 'PENDING_TRANSFER_OUT', registeredAt: null } as const;

  for (const status of ['pendingTransfer', ' PendingTransfer ']) {
    expect(ownershipOf({ ...details, status }, 'TRANSFER', sentAt)).toBe('transferring');
    expect(obstacleIn({ ...details, status }, 'TRANSFER')).toBe('TRANSFER_PENDING');
    expect(ownershipOf({ ...details, status }, 'REGISTRATION', sentAt)).toBe('owned');
  }
  const status = new Fault('UPSTREAM_PROTOCOL');
  expect(ownershipOf({ ...details, status }, 'TRANSFER', sentAt)).toBe('owned');
});

test('without a record the domain is not owned, and nothing is in the way of a purchase', () => {
  expect(ownershipOf(null, 'REGISTRATION', sentAt)).toBe('notOwned');
  expect(ownershipOf(null, 'TRANSFER', null)).toBe('notOwned');
  expect(obstacleIn(null, 'REGISTRATION')).toBeNull();
});

describe('a domain that was registered more than a day before the purchase was sent', () => {
  const older = { state: 'ACTIVE', status: 'Active', registeredAt: registered(dayMs + 1) } as const;

  test('does not come from that registration', { tags: ['I3'] }, () => {
    expect(ownershipOf(older, 'REGISTRATION', sentAt)).toBe('inconclusive');
  });

  test('may come from a transfer, and is in the way of a purchase that is not sent', () => {
    expect(ownershipOf(older, 'TRANSFER', sentAt)).toBe('owned');
    expect(ownershipOf(older, 'REGISTRATION', null)).toBe('owned');
  });
});

test.each([
  ['a day before it was sent', registered(dayMs)],
  ['at an unknown time', null],
  ['at a time that cannot be read', new Fault('UPSTREAM_PROTOCOL')],
])('a domain that was registered %s comes from the registration', (_when, registeredAt) => {
  expect(
    ownershipOf({ state: 'ACTIVE', status: 'Active', registeredAt }, 'REGISTRATION', sentAt),
  ).toBe('owned');
});
