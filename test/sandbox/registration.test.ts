import { describe, expect, test } from 'vitest';
import { contact, order } from './client.ts';
import { useTestService } from './service.ts';

const sandbox = useTestService();
const register = (domain: string, changes?: object) =>
  sandbox.act('registerdomain', order(domain, changes));

describe('a registration', () => {
  test('returns defaults in the reply, and the true values in the details', () => {
    // A time with a fraction of a millisecond.
    sandbox.advanceDays(0.123456789);
    const wish = { period: 2, privacyProtection: true, eppLock: true };
    const body = register('Truth-Demo.com', wish);

    expect(body).toMatchObject({
      result: 'OK',
      data: {
        ...{ ID: 0, Status: 'active', DomainName: 'truth-demo.com' },
        AuthCode: expect.stringMatching(/^.{16}$/),
        ...{ LockStatus: 'false', PrivacyProtectionStatus: 'false' },
        Dates: { Start: expect.stringMatching(/Z$/), RemainingDays: 0 },
      },
    });
    const details = sandbox.details('truth-demo.com');
    expect(details).toMatchObject({
      ...{ Status: 'Active', AuthCode: body.data.AuthCode },
      ...{ LockStatus: 'true', PrivacyProtectionStatus: 'true' },
      NameServers: ['ns1.example-dns.net', 'ns2.example-dns.net'],
      Dates: { Start: expect.stringMatching(/\.\d{7}$/), RemainingDays: 731 },
    });
    expect(details.ID).toBeGreaterThan(0);
    const ms = (text: string) => Date.parse(`${text.slice(0, 23)}Z`);
    expect(ms(details.Dates.Expiration)).toBe(ms(body.data.Dates.Expiration));
  });

  test('uses the contact for three roles and the registrant for the fourth', () => {
    register('roles-demo.com', { registrant: { ...contact, FirstName: 'Ben' } });

    const { Registrant, Administrative, Billing, Technical } =
      sandbox.details('roles-demo.com').Contacts;
    expect([Billing, Technical]).toEqual([Administrative, Administrative]);
    expect(Registrant).not.toEqual(Administrative);
  });

  test('creates an auth code of 16 characters with letters, digits and specials', () => {
    const codes: string[] = ['one', 'two', 'three', 'four'].map(
      (name) => register(`${name}-maple.com`).data.AuthCode,
    );

    for (const code of codes) {
      expect(code).toHaveLength(16);
      expect(code).toMatch(/[a-z].*[0-9]|[0-9].*[a-z]/i);
      expect(code).toMatch(/[^a-z0-9]/i);
    }
    expect(new Set(codes).size).toBe(codes.length);
  });

  test.each([
    ['expiring', 'Active', 3],
    ['grace', 'Active', 0],
    ['hold', 'PendingHold', 0],
    ['redemption', 'PendingDelete', 0],
  ])('of a name with the prefix %s- creates a domain in that state', (prefix, Status, days) => {
    expect(register(`${prefix}-maple.com`).result).toBe('OK');

    const details = sandbox.details(`${prefix}-maple.com`);
    expect(details).toMatchObject({ Status, Dates: { RemainingDays: days } });
    expect(sandbox.ledger()).toHaveLength(1);
  });

  test('of an async- name is complete after a minute, and has no end before', () => {
    const domain = 'async-maple.com';
    const { data } = register(domain);

    expect(data).toMatchObject({
      ...{ Status: 'WaitingForRegistration', DomainName: domain },
      Dates: { Expiration: '0001-01-01T00:00:00Z' },
    });
    expect(sandbox.details(domain)).toMatchObject({
      Status: 'WaitingForRegistration',
      Dates: { Expiration: '0001-01-01T00:00:00', RemainingDays: 0 },
    });
    expect(sandbox.code('disabletheftlock', { domain })).toBe('API_2304_ERROR');
    sandbox.advance(60_000);
    const { Status, Dates } = sandbox.details(domain);
    expect([Status, Dates.RemainingDays]).toEqual(['Active', 365]);
  });
});
