import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { contact, order, startTestSandbox, type TestSandbox } from './client.ts';

let sandbox: TestSandbox;
beforeAll(async () => {
  sandbox = await startTestSandbox();
});
afterAll(() => sandbox.close());

const register = (domain: string, changes?: object, username?: string) =>
  sandbox.act('registerdomain', order(domain, changes), username);
const state = (reseller = 'demo') => sandbox.admin('GET', `/state?reseller=${reseller}`);

describe('registrations of the sandbox', () => {
  test('return defaults in the reply, and the true values in the details', async () => {
    const wish = { period: 2, privacyProtection: true, eppLock: true };
    const { status, body } = await register('Truth-Demo.com', wish);

    expect(status).toBe(200);
    expect(body).toMatchObject({
      result: 'OK',
      data: {
        ID: 0,
        Status: 'active',
        DomainName: 'truth-demo.com',
        AuthCode: expect.stringMatching(/^.{16}$/),
        LockStatus: 'false',
        PrivacyProtectionStatus: 'false',
        Dates: { Start: expect.stringMatching(/Z$/), RemainingDays: 0 },
      },
    });
    const details = await sandbox.details('truth-demo.com');
    expect(details).toMatchObject({
      Status: 'Active',
      AuthCode: body.data.AuthCode,
      LockStatus: 'true',
      PrivacyProtectionStatus: 'true',
      NameServers: ['ns1.example-dns.net', 'ns2.example-dns.net'],
      Dates: { Expiration: expect.not.stringMatching(/Z$/) },
    });
    expect(details.ID).toBeGreaterThan(0);
    expect(details.Dates.RemainingDays).toBeGreaterThanOrEqual(730);
  });

  test('lock the domain where the TLD has a lock, and leave privacy off', async () => {
    const silent = { eppLock: undefined, privacyProtection: undefined };
    await register('silent-demo.com', silent);
    await register('silent-demo.de', silent);
    await register('open-demo.com', { eppLock: false });

    expect(await sandbox.details('silent-demo.com')).toMatchObject({
      LockStatus: 'true',
      PrivacyProtectionStatus: 'false',
    });
    expect((await sandbox.details('silent-demo.de')).LockStatus).toBe('false');
    expect((await sandbox.details('open-demo.com')).LockStatus).toBe('false');
  });

  test('use the contact for three roles and the registrant for the fourth', async () => {
    const registrant = { ...contact, FirstName: 'Ben', PhoneCountryCode: '49' };
    await register('roles-demo.com', { registrant });

    const { Contacts } = await sandbox.details('roles-demo.com');
    expect([Contacts.Billing, Contacts.Technical]).toEqual([
      Contacts.Administrative,
      Contacts.Administrative,
    ]);
    expect(Contacts.Registrant).not.toEqual(Contacts.Administrative);
    const { contacts } = (await sandbox.act('getcontacts', { domain: 'roles-demo.com' })).body.data;
    expect(contacts.Registrant).toMatchObject({
      FirstName: 'Ben',
      Phone: { Phone: { CountryCode: '49' } },
    });
  });

  test('create different auth codes of 16 characters with letters, digits and specials', async () => {
    const codes = (await sandbox.act('getdomainlist')).body.data.Domains.map(
      (one: { AuthCode: string }) => one.AuthCode,
    );

    for (const code of codes) {
      expect(code).toHaveLength(16);
      expect(code).toMatch(/[a-z].*[0-9]|[0-9].*[a-z]/i);
      expect(code).toMatch(/[^a-z0-9]/i);
    }
    expect(new Set(codes).size).toBe(codes.length);
  });

  test.each([
    ['weather.com', {}, 'API_2302_ERROR'],
    ['reseller-demo.com', {}, 'API_2302_ERROR'],
    ['others-demo.com', {}, 'API_2302_ERROR'],
    ['example.com', {}, 'API_2304_ERROR'],
    ['exclusive.com', {}, 'API_362_ERROR'],
    ['maple-no.tr', {}, 'API_330_ERROR'],
    ['maple-no.eu', {}, 'API_330_ERROR'],
    ['maple-no.nosuchtld', {}, 'API_320_ERROR'],
    ['maple-no.travel', {}, 'API_340_ERROR'],
    ['maple-no.de', { period: 2 }, 'API_530_ERROR'],
    ['maple-no.ai', { period: 1 }, 'API_530_ERROR'],
    ['maple-no.com', { period: 0 }, 'API_530_ERROR'],
    ['maple-no.com', { period: 11 }, 'API_540_ERROR'],
    ['ab.net', {}, 'API_550_ERROR'],
    ['maple-no.com', { nameservers: [] }, 'API_400_ERROR'],
    ['maple-no.com', { nameservers: [''] }, 'API_561_ERROR'],
    ['maple-no.dev', { nameservers: hosts(11) }, 'API_560_ERROR'],
    ['maple-no.es', { nameservers: ['ns1.a.com', 'NS1.a.com.'] }, 'API_560_ERROR'],
    ['maple-no.com', { nameservers: ['ns1.maple-no.com'] }, 'API_2003_ERROR'],
    ['maple-no.com', { nameservers: ['ns1_.a.com', 'b'] }, 'API_2005_ERROR'],
    ['maple-no.com', { contact: { ...contact, Country: 'Britain' } }, 'API_400_ERROR'],
    ['maple-no.com', { registrant: { ...contact, Phone: '1' } }, 'API_400_ERROR'],
    ['maple-no.com', { registrant: { ...contact, EMail: 'unknown' } }, 'API_400_ERROR'],
  ])('refuse %s with %j with %s, and change nothing', async (domain, changes, code) => {
    const before = await state();

    const { body } = await register(domain, changes);

    expect(body.error.Code).toBe(code);
    const { calls: _, ...after } = await state();
    expect(before).toMatchObject(after);
  });

  test('name the bounds of the TLD for a period, and only "Failed" for an invalid contact', async () => {
    const period = (await register('maple-no.de', { period: 2 })).body.error;
    expect(period.Details).toMatch(/between 1 and 1 years/);
    const bad = { ...contact, ZipCode: ' ' };
    expect((await register('maple-no.com', { contact: bad })).body.error.Message).toBe('Failed');
  });

  test('succeed once for concurrent requests of one name', async () => {
    const replies = await Promise.all(Array.from({ length: 8 }, () => register('race-demo.com')));

    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    const { purchases } = await state();
    expect(purchases.filter((one: { domain: string }) => one.domain === 'race-demo.com')).toEqual([
      expect.objectContaining({ kind: 'register', price: '11.2900' }),
    ]);
  });

  test.each([
    ['expiring', 'Active', 3],
    ['grace', 'Active', 0],
    ['hold', 'PendingHold', 0],
    ['redemption', 'PendingDelete', 0],
  ])(
    'of a name with the prefix %s- create a domain in that state',
    async (prefix, Status, days) => {
      const domain = `${prefix}-maple.com`;
      const before = await sandbox.balance();

      expect((await register(domain)).body.result).toBe('OK');

      const details = await sandbox.details(domain);
      expect(details).toMatchObject({ Status, Dates: { RemainingDays: days } });
      expect(await sandbox.balance()).not.toBe(before);
    },
  );

  test('of an async- name are complete after a minute, and have no end before', async () => {
    const domain = 'async-maple.com';
    const { data } = (await register(domain)).body;

    expect(data).toMatchObject({
      ...{ Status: 'WaitingForRegistration', DomainName: domain },
      Dates: { Expiration: '0001-01-01T00:00:00Z' },
    });
    expect(await sandbox.details(domain)).toMatchObject({
      Status: 'WaitingForRegistration',
      Dates: { Expiration: '0001-01-01T00:00:00', RemainingDays: 0 },
    });
    expect(await sandbox.code('disabletheftlock', { domain })).toBe('API_2304_ERROR');
    await sandbox.admin('POST', '/clock', { advanceMs: 60_000 });
    const { Status, Dates } = await sandbox.details(domain);
    expect([Status, Dates.RemainingDays]).toEqual(['Active', 365]);
  });
});

function hosts(count: number): string[] {
  return Array.from({ length: count }, (_, at) => `ns${at + 1}.example-dns.net`);
}
