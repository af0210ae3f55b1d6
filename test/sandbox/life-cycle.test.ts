import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addYears } from '../../sandbox/service/life-cycle.ts';
import { createTestService } from './service.ts';

/** Account states of the facts, section 5. */
const states =
  `Active active WaitingForRegistration WaitingForDocument ConfirmationEmailSend PreRegistiration PendingHold
WaitingForIncomingTransfer WaitingForOutgoingTransfer TransferredOut TransferRejectedFromOpposed
TransferCancelledFromClient PendingDelete PendingRestore Deleted ModificationPending ModificationFailed MigrationPending
SynchronizationBlocked TimeOut InCase PreRegistirationFail None`.split(/\s+/);

test('the portfolio has every state of the table', () => {
  const { service, act } = createTestService({ domains: 320 });
  const { Domains } = act('getdomainlist').data;
  service.close();

  const seen = new Set(Domains.map((one: { Status: string }) => one.Status));
  expect(states.filter((state) => !seen.has(state))).toEqual([]);
  expect(seen).toContain('SomethingNobodyHasSeen');
});

/** Of the years in which the clock of the sandbox can be. */
const moment = fc.date({
  min: new Date('1970-01-01T00:00:00.000Z'),
  max: new Date('9899-12-31T23:59:59.999Z'),
  noInvalidDate: true,
});

describe('addYears', () => {
  test.each([
    ['2026-01-31T12:00:00.000Z', 1, '2027-01-31T12:00:00.000Z'],
    ['2028-02-29T12:00:00.000Z', 1, '2029-02-28T12:00:00.000Z'],
    ['2028-02-29T12:00:00.000Z', 4, '2032-02-29T12:00:00.000Z'],
    ['2096-02-29T12:00:00.000Z', 4, '2100-02-28T12:00:00.000Z'],
    ['2027-02-28T23:59:59.999Z', 1, '2028-02-28T23:59:59.999Z'],
    ['2026-12-31T23:00:00.000Z', 10, '2036-12-31T23:00:00.000Z'],
  ])('adds to %s %i years: %s', (from, years, to) => {
    expect(new Date(addYears(Date.parse(from), years)).toISOString()).toBe(to);
  });

  test('preserves the month and the time of day', () => {
    fc.assert(
      fc.property(moment, fc.integer({ min: 1, max: 10 }), (from, years) => {
        const later = new Date(addYears(from.getTime(), years));

        expect(later.getUTCFullYear()).toBe(from.getUTCFullYear() + years);
        expect(later.getUTCMonth()).toBe(from.getUTCMonth());
        expect(later.toISOString().slice(-14)).toBe(from.toISOString().slice(-14));
      }),
    );
  });
});
