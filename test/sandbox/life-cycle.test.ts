import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { addYears } from '../../sandbox/service/life-cycle.ts';
import { order, startTestSandbox, type TestSandbox } from './client.ts';

let sandbox: TestSandbox;
beforeEach(async () => {
  sandbox = await startTestSandbox({ domains: 320 });
});
afterEach(() => sandbox.close());

const status = async (domain: string) => (await sandbox.details(domain)).Status;
const sync = async (domain: string) =>
  (await sandbox.act('syncfromregistry', { domain })).body.data.Status;
const availability = async (domain: string) =>
  (await sandbox.act('singlecheckavailability', { domain })).body[0].Status;

/** Account states of the facts, section 5. */
const states =
  `Active active WaitingForRegistration WaitingForDocument ConfirmationEmailSend PreRegistiration PendingHold
WaitingForIncomingTransfer WaitingForOutgoingTransfer TransferredOut TransferRejectedFromOpposed
TransferCancelledFromClient PendingDelete PendingRestore Deleted ModificationPending ModificationFailed MigrationPending
SynchronizationBlocked TimeOut InCase PreRegistirationFail None`.split(/\s+/);

describe('the life cycle of a domain in the sandbox', () => {
  test('has every state of the table in the portfolio', async () => {
    const { Domains } = (await sandbox.act('getdomainlist')).body.data;

    const seen = new Set(Domains.map((one: { Status: string }) => one.Status));
    expect(states.filter((state) => !seen.has(state))).toEqual([]);
    expect(seen).toContain('SomethingNobodyHasSeen');
  });

  test('goes from Active through expiry, PendingHold and PendingDelete to deletion, then the name is free', async () => {
    const domain = 'maple-life.com';
    await sandbox.act('registerdomain', order(domain, { eppLock: false }));
    expect(await sync(domain)).toBe('ok');

    await sandbox.advance(366);
    expect((await sandbox.details(domain)).Dates.RemainingDays).toBe(0);
    expect([await status(domain), await sync(domain)]).toEqual(['Active', 'autoRenewPeriod']);
    await sandbox.advance(30);
    expect([await status(domain), await sync(domain)]).toEqual(['PendingHold', 'clientHold']);
    await sandbox.advance(15);
    expect([await status(domain), await sync(domain)]).toEqual([
      'PendingDelete',
      'redemptionPeriod',
    ]);
    expect(await availability(domain)).toBe('notavailable');
    await sandbox.advance(35);

    expect(await sandbox.code('getdetails', { domain })).toBe('API_510_ERROR');
    expect(await availability(domain)).toBe('available');
    expect(await sandbox.code('registerdomain', order(domain))).toBeNull();
  });

  test('reaches the same state in one large step of the clock as in many small ones', async () => {
    await sandbox.act('registerdomain', order('maple-life.ng'));

    await sandbox.advance(365 + 101);
    expect(await status('maple-life.ng')).toBe('PendingDelete');
    await sandbox.advance(3);

    expect(await sandbox.code('getdetails', { domain: 'maple-life.ng' })).toBe('API_510_ERROR');
    await sandbox.advance(36_500);
    const { body } = await sandbox.act('getdomainlist');
    expect(body.TotalCount).toBeLessThan(40);
  });

  test('counts the days left by the clock of the sandbox, rounded up', async () => {
    const days = async () => (await sandbox.details('expiring-demo.com')).Dates.RemainingDays;

    expect(await days()).toBe(3);
    await sandbox.advance(1);
    expect(await days()).toBe(2);
    await sandbox.advance(1.74);
    expect(await days()).toBe(1);
    await sandbox.advance(0.02);
    expect(await days()).toBe(0);
  });

  test('ends a period on the same calendar day; 29 February becomes 28 February', async () => {
    await sandbox.admin('POST', '/clock', { now: '2028-02-29T12:00:00Z' });
    await sandbox.act('registerdomain', order('maple-leap.com'));

    const { Start, Expiration } = (await sandbox.details('maple-leap.com')).Dates;

    expect(Start).toMatch(/^2028-02-29T12:00:0/);
    expect(Expiration).toMatch(/^2029-02-28T12:00:0/);
  });

  test('accepts fractions of a millisecond', async () => {
    await sandbox.advance(0.123456789);

    expect(await sandbox.code('registerdomain', order('maple-part.com'))).toBeNull();
    expect((await sandbox.details('maple-part.com')).Dates.Start).toMatch(/\.\d{7}$/);
  });
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
