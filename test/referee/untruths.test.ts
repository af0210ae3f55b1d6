import { afterAll, describe, expect, test } from 'vitest';
import { requestOf } from '../support/upstream/fixtures.ts';
import { startRawSandbox } from './raw.ts';

const { act, close } = await startRawSandbox(240);
afterAll(close);

/** The same instant to the millisecond, whether it was written with `Z` or without a zone. */
const ms = (text: string) => Date.parse(`${text.slice(0, 23)}Z`);

describe('a registration', () => {
  const register = async (domain: string, changes: object = {}) => {
    const request = { ...requestOf('registerdomain'), ...changes, domain };
    const reply = (await act('registerdomain', request)).body.data;
    return { reply, truth: (await act('getdetails', { domain })).body.data };
  };

  test('replies without id and days, and with flags that are always false', async () => {
    const { reply, truth } = await register('untrue-reply.com', {
      privacyProtection: true,
      eppLock: true,
    });

    expect(reply).toMatchObject({
      ID: 0,
      LockStatus: 'false',
      PrivacyProtectionStatus: 'false',
      Dates: { RemainingDays: 0 },
    });
    expect(truth).toMatchObject({
      ID: expect.any(Number),
      Status: 'Active',
      LockStatus: 'true',
      PrivacyProtectionStatus: 'true',
    });
    expect(truth.ID).toBeGreaterThan(0);
    expect(truth.Dates.RemainingDays).toBeGreaterThanOrEqual(365);
    expect([reply.Status, truth.Status]).toEqual(['active', 'Active']);
  });

  test('has the same instants as the details, which have no time zone', async () => {
    const { reply, truth } = await register('same-instant.com');

    for (const date of ['Start', 'Expiration']) {
      expect(reply.Dates[date]).toMatch(/Z$/);
      expect(truth.Dates[date]).not.toMatch(/Z$/);
      expect(ms(reply.Dates[date])).toBe(ms(truth.Dates[date]));
    }
  });

  test('locks and does not protect by default', async () => {
    const { truth } = await register('default-flags.com', {
      privacyProtection: undefined,
      eppLock: undefined,
    });

    expect(truth).toMatchObject({ LockStatus: 'true', PrivacyProtectionStatus: 'false' });
  });

  test('uses the contact for three roles and the registrant for the fourth', async () => {
    const { truth } = await register('four-roles.com');
    const { Registrant, Administrative, Technical, Billing } = truth.Contacts;

    expect(new Set([Administrative.ID, Technical.ID, Billing.ID]).size).toBe(1);
    expect(Registrant.ID).not.toBe(Billing.ID);
  });

  test('charges the price in the currency of the TLD', async () => {
    const balance = async () => (await act('resellerdetails')).body.balance;
    const before = await balance();
    await register('costs-money.com');

    expect(Math.round((before - (await balance())) * 10_000)).toBe(112_900);
  });
});

test('a synchronisation returns the data of the registry, without ids, auth code and days', async () => {
  const domain = 'drifted-demo.com';
  const before = (await act('getdetails', { domain })).body.data;

  const reply = (await act('syncfromregistry', { domain })).body.data;

  const noContact = { ID: 0 };
  expect(before).toMatchObject({ Status: 'Active', LockStatus: 'false' });
  expect(reply).toMatchObject({
    ID: 0,
    Status: 'clientTransferProhibited',
    AuthCode: '',
    LockStatus: 'true',
    Contacts: {
      Billing: noContact,
      Technical: noContact,
      Administrative: noContact,
      Registrant: noContact,
    },
    Dates: { RemainingDays: 0 },
  });
  expect(ms(reply.Dates.Expiration)).toBe(ms(before.Dates.Expiration));
  expect((await act('getdetails', { domain })).body.data.Status).toBe('Active');
});

test('a privacy change replies {}, or with data', async () => {
  const terse = 'terse-reply.com';
  await act('registerdomain', { ...requestOf('registerdomain'), domain: terse });
  const set = async (domain: string) =>
    (await act('modifyprivacystatus', { domain, status: true })).body;

  expect([await set(terse), await set('unlocked-demo.com')]).toEqual([
    {},
    { data: { PrivacyProtectionStatus: true }, result: 'OK' },
  ]);
});

test('a transfer replies with the domain or with the result alone', async () => {
  const names = ['a', 'b', 'c', 'd', 'e', 'f'].map((one) => `outside-${one}.com`);
  const replies = await Promise.all(
    names.map((domain) =>
      act('transferdomain', { domain, authCode: 'Transfer-Code-01', period: 1 }),
    ),
  );

  const members = new Set(replies.map(({ body }) => Object.keys(body).sort().join(' ')));
  expect([...members].sort()).toEqual(['data result', 'result']);
  expect((await act('getdetails', { domain: 'outside-a.com' })).body.data.Status).toBe(
    'WaitingForIncomingTransfer',
  );
});

test('the type of a contact depends on its role', async () => {
  const { contacts } = (await act('getcontacts', { domain: 'unlocked-demo.com' })).body.data;

  const { Administrative, Technical, Billing, Registrant } = contacts;
  expect([Administrative, Technical, Billing, Registrant].map(({ Type }) => Type)).toEqual([
    'Contact',
    'CoopContact',
    'UkContact',
    'EuContact',
  ]);
  expect(Administrative.ID).toBe(Registrant.ID);
});

test('a list has 200 rows at most, and the count of all', async () => {
  const { body } = await act('getdomainlist');

  expect(body.data.Domains).toHaveLength(200);
  expect(body.TotalCount).toBeGreaterThan(240);
});

test('an auth code has 16 characters: letters, digits and specials', async () => {
  const { AuthCode } = (await act('getdetails', { domain: 'unlocked-demo.com' })).body.data;

  expect(AuthCode).toMatch(/^(?=.*[a-z])(?=.*\d)(?=.*[^a-z\d]).{16}$/i);
});
