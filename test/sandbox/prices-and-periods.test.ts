import { describe, expect, test } from 'vitest';
import { dayMs } from '../../src/kernel/instant.ts';
import { order } from './client.ts';
import { startedAt, useTestService } from './service.ts';

const sandbox = useTestService();

const { register, ledger } = sandbox;
const utc = (text: string) => Date.parse(`${text.slice(0, 23)}Z`);

describe('a registration', () => {
  test.each([
    ['maple-harbor.com', 1, '11.2900', '2488.7100', 'USD'],
    ['maple-harbor.com', 2, '22.7800', '2477.2200', 'USD'],
    ['maple-harbor.com', 10, '114.7000', '2385.3000', 'USD'],
    ['maple-harbor.org', 3, '30.5700', '2469.4300', 'USD'],
    ['maple-harbor.org', 10, '101.9000', '2398.1000', 'USD'],
    ['maple-harbor.ai', 2, '139.8000', '2360.2000', 'USD'],
    ['maple-harbor.ai', 10, '779.0000', '1721.0000', 'USD'],
    ['maple-harbor.blog', 1, '18.9000', '2481.1000', 'USD'],
    ['maple-harbor.blog', 10, '180.4950', '2319.5050', 'USD'],
    ['maple-harbor.gen.tr', 3, '447.0000', '59553.0000', 'TL'],
    ['maple-harbor.attorney', 3, '87.1550', '2412.8450', 'USD'],
    ['maple-harbor.attorney', 4, '119.6000', '2380.4000', 'USD'],
    ['maple-harbor.coffee', 3, '50.7000', '2449.3000', 'USD'],
    ['maple-harbor.coffee', 5, '81.1200', '2418.8800', 'USD'],
    ['maple-harbor.aero', 2, '86.0000', '2414.0000', 'USD'],
  ])(
    'of %s for %i years costs %s and leaves %s %s',
    { tags: ['R14'] },
    (domain, period, price, left, currency) => {
      expect(register(domain, { period })).toBeNull();

      expect(sandbox.balance(currency)).toBe(left);
      expect(ledger()).toEqual([
        {
          id: expect.any(Number),
          kind: 'register',
          domain,
          period,
          price,
          currency,
          at: new Date(startedAt).toISOString(),
          balanceAfter: left,
        },
      ]);
    },
  );

  test('of a premium name costs the price of its check for each year', () => {
    const [{ Price }] = sandbox.act('singlecheckavailability', { domain: 'gold.org' });

    expect(register('gold.org', { period: 2 })).toBeNull();

    expect(Number(ledger()[0]?.price)).toBe(2 * Number(Price));
  });

  test.each([
    ['maple-harbor.com', 10, null],
    ['maple-harbor.com', 11, 'API_540_ERROR'],
    ['maple-harbor.com', 0, 'API_530_ERROR'],
    ['maple-harbor.com', -1, 'API_530_ERROR'],
    ['maple-harbor.co', 5, null],
    ['maple-harbor.co', 6, 'API_530_ERROR'],
    ['maple-harbor.co', 10, 'API_530_ERROR'],
    ['maple-harbor.co', 11, 'API_540_ERROR'],
    ['maple-harbor.ai', 2, null],
    ['maple-harbor.ai', 1, 'API_530_ERROR'],
    ['maple-harbor.ai', 3, 'API_340_ERROR'],
    ['maple-harbor.travel', 1, 'API_340_ERROR'],
    ['maple-harbor.de', 1, null],
  ])('of %s for %i years is answered with %s', (domain, period, code) => {
    expect(register(domain, { period })).toBe(code);
  });

  test('begins now, ends on the same day after its years, and is held from now', () => {
    const { data } = sandbox.act('registerdomain', order('maple-harbor.com', { period: 3 }));

    expect(data.Dates).toEqual({
      Start: '2026-03-01T12:00:00.000Z',
      Expiration: '2029-03-01T12:00:00.000Z',
      RemainingDays: 0,
    });
    expect(sandbox.details('maple-harbor.com').Dates).toEqual({
      Start: '2026-03-01T12:00:00.0000000',
      Expiration: '2029-03-01T12:00:00.0000000',
      RemainingDays: 1096,
    });
  });

  test.each([
    [1, '2029-02-28T12:00:00.000Z'],
    [4, '2032-02-29T12:00:00.000Z'],
  ])('of 29 February 2028 for %i years ends at %s', (period, end) => {
    sandbox.service.clock.set(new Date('2028-02-29T12:00:00.000Z'));

    const { data } = sandbox.act('registerdomain', order('maple-harbor.com', { period }));

    expect(data.Dates.Expiration).toBe(end);
  });

  test('succeeds with exactly its price on the account, and not with less', () => {
    const { money } = sandbox.service.store;
    const dollars = { reseller: 2, currency: 'USD', symbol: '$' };
    money.addBalance({ ...dollars, balance: '11.2899' });
    expect(register('maple-harbor.com', {}, 'broke')).toBe('API_350_ERROR');
    money.addBalance({ ...dollars, balance: '11.2900' });

    expect(register('maple-harbor.com', {}, 'broke')).toBeNull();

    expect(sandbox.balance('USD', 'broke')).toBe('0.0000');
    expect(ledger(2)).toHaveLength(1);
    expect(ledger()).toEqual([]);
  });

  test('above the balance in the currency of its TLD is refused with both amounts', () => {
    const { error } = sandbox.act('registerdomain', order('maple-harbor.com'), 'broke');

    expect(error.Details).toBe('Balance 5.0000 USD; required 11.2900 USD.');
    expect(register('maple-harbor.xyz', {}, 'broke')).toBeNull();
    expect(register('maple-harbor.gen.tr', {}, 'broke')).toBe('API_350_ERROR');
    expect(sandbox.balance('USD', 'broke')).toBe('2.5100');
  });

  test.each(['PreRegistirationFail', 'Deleted'])(
    'replaces the record of the account in the state %s',
    (status) => {
      register('maple-harbor.com');
      sandbox.change('maple-harbor.com', { status, nextAt: null });

      expect(register('maple-harbor.com', { period: 2 })).toBeNull();

      const records = sandbox.service.store.domains.everywhere('maple-harbor.com');
      expect(records).toMatchObject([{ status: 'Active' }]);
    },
  );

  test.each([
    ['com', null, null, 'true', 'false'],
    ['com', true, true, 'true', 'true'],
    ['com', false, false, 'false', 'false'],
    ['de', null, null, 'false', 'false'],
  ])(
    'under .%s with the lock %s and the privacy %s has %s and %s',
    (tld, eppLock, privacy, locked, isPrivate) => {
      register(`maple-harbor.${tld}`, { eppLock, privacyProtection: privacy });

      expect(sandbox.details(`maple-harbor.${tld}`)).toMatchObject({
        LockStatus: locked,
        PrivacyProtectionStatus: isPrivate,
      });
    },
  );

  test('stores each member of both contacts, and empty text for those that are absent', () => {
    const absent = { Company: undefined, AddressLine2: undefined, State: undefined };
    const registrant = { ...order('').contact, ...absent, FirstName: 'Ben' };
    const full = { Company: 'Works', AddressLine2: 'Floor 2', State: 'LND' };
    register('maple-harbor.com', { contact: { ...order('').contact, ...full }, registrant });

    const { contacts } = sandbox.act('getcontacts', { domain: 'maple-harbor.com' }).data;
    expect(contacts.Administrative).toEqual({
      ID: expect.any(Number),
      Status: null,
      Additional: [],
      Address: {
        Line1: '1 Example Street',
        Line2: 'Floor 2',
        Line3: '',
        State: 'LND',
        City: 'London',
        Country: 'GB',
        ZipCode: 'EC1A 1ZZ',
      },
      Phone: {
        Phone: { Number: '2079460101', CountryCode: '44' },
        Fax: { Number: '', CountryCode: '' },
      },
      AuthCode: '',
      FirstName: 'Ada',
      LastName: 'Sample',
      Company: 'Works',
      EMail: 'ada@sample-works.example',
      Type: 'Contact',
    });
    expect(contacts.Registrant).toMatchObject({
      FirstName: 'Ben',
      Company: '',
      Address: { Line2: '', State: '' },
    });
  });
});

describe('a contact', () => {
  test.each([
    ['FirstName', ' ', false],
    ['LastName', '', false],
    ['EMail', 'a@b.c', true],
    ['EMail', 'a@b', false],
    ['EMail', 'a b@c.d', false],
    ['EMail', 'a@b@c.d', false],
    ['EMail', 'a@b c.d', false],
    ['EMail', 'a@b.c d', false],
    ['AddressLine1', ' ', false],
    ['City', ' ', false],
    ['ZipCode', '', true],
    ['ZipCode', ' ', false],
    ['Country', 'gb', false],
    ['Country', 'GBR', false],
    ['Country', 'XGB', false],
    ['Phone', '1234', true],
    ['Phone', '123', false],
    ['Phone', '12345678901234', true],
    ['Phone', '123456789012345', false],
    ['Phone', '+1234', false],
    ['PhoneCountryCode', 1, true],
    ['PhoneCountryCode', '999', true],
    ['PhoneCountryCode', 0, false],
    ['PhoneCountryCode', 1000, false],
    ['PhoneCountryCode', '4a', false],
    ['PhoneCountryCode', 'a4', false],
    ['PhoneCountryCode', 'x', false],
  ])('with the %s %j is accepted: %s', (member, value, isAccepted) => {
    const contact = { ...order('').contact, [member]: value };

    const code = isAccepted ? null : 'API_400_ERROR';
    expect(register('maple-harbor.com', { contact })).toBe(code);
    expect(register('maple-harbor.org', { registrant: contact })).toBe(code);
    expect(ledger()).toHaveLength(isAccepted ? 2 : 0);
  });
});

describe('the ledger', () => {
  test('refuses an entry that the balance does not cover, and one without a balance', () => {
    const { money } = sandbox.service.store;
    const entry = { reseller: 2, kind: 'register', domain: 'a.com', period: 1, at: '' } as const;

    expect(() => money.book({ ...entry, price: '5.0001', currency: 'USD' })).toThrow();
    expect(() => money.book({ ...entry, price: '1.0000', currency: 'EUR' })).toThrow(/EUR/);
    expect(money.balance(2, 'USD')?.toString()).toBe('5.0000');
    expect(money.balance(2, 'EUR')).toBeNull();
    expect(money.purchases(2)).toEqual([]);
    money.book({ ...entry, price: '5.0000', currency: 'USD' });
    expect(money.balance(2, 'USD')?.toString()).toBe('0.0000');
  });
});

describe('the life cycle', () => {
  test.each([
    ['maple-harbor.com', 80],
    ['maple-harbor.ng', 102],
    ['maple-harbor.gen.tr', 90],
  ])(
    'of %s changes its state exactly 30, 45 and %i days after the expiry',
    (domain, purgeAfterDays) => {
      register(domain, { eppLock: false });
      const expiresAt = utc(sandbox.details(domain).Dates.Expiration);
      const at = (ms: number) => {
        sandbox.setTime(ms);
        return sandbox.details(domain)?.Status;
      };

      expect([at(expiresAt + 30 * dayMs - 1), at(expiresAt + 30 * dayMs)]).toEqual([
        'Active',
        'PendingHold',
      ]);
      expect([at(expiresAt + 45 * dayMs - 1), at(expiresAt + 45 * dayMs)]).toEqual([
        'PendingHold',
        'PendingDelete',
      ]);
      expect([
        at(expiresAt + purgeAfterDays * dayMs - 1),
        at(expiresAt + purgeAfterDays * dayMs),
      ]).toEqual(['PendingDelete', undefined]);
      expect(register(domain)).toBeNull();
    },
  );

  test('reaches the same state in one step of the clock', () => {
    register('maple-life.ng');
    const status = () => sandbox.details('maple-life.ng')?.Status;

    sandbox.advanceDays(365 + 101);
    expect(status()).toBe('PendingDelete');
    sandbox.advanceDays(36_500);
    expect(status()).toBeUndefined();
  });

  test('holds a domain in the state "active" exactly 30 days after its expiry', () => {
    const expiresAt = utc(sandbox.details('lowercase-demo.org').Dates.Expiration);
    const at = (ms: number) => {
      sandbox.setTime(ms);
      return sandbox.details('lowercase-demo.org').Status;
    };

    expect([at(expiresAt + 30 * dayMs - 1), at(expiresAt + 30 * dayMs)]).toEqual([
      'active',
      'PendingHold',
    ]);
  });

  test('counts a started day as one, and no day from the expiry on', () => {
    register('maple-harbor.com');
    const expiresAt = utc(sandbox.details('maple-harbor.com').Dates.Expiration);
    const sync = () => sandbox.act('syncfromregistry', { domain: 'maple-harbor.com' }).data.Status;
    const at = (ms: number) => {
      sandbox.setTime(ms);
      return [sandbox.details('maple-harbor.com').Dates.RemainingDays, sync()];
    };

    expect(at(expiresAt - dayMs - 1)).toEqual([2, 'clientTransferProhibited']);
    expect(at(expiresAt - dayMs)).toEqual([1, 'clientTransferProhibited']);
    expect(at(expiresAt - 1)).toEqual([1, 'clientTransferProhibited']);
    expect(at(expiresAt)).toEqual([0, 'autoRenewPeriod']);
    expect(at(expiresAt + dayMs)).toEqual([0, 'autoRenewPeriod']);
  });

  test('is in redemption at the registry until five days before the deletion', () => {
    register('maple-harbor.com');
    const expiresAt = utc(sandbox.details('maple-harbor.com').Dates.Expiration);
    const at = (ms: number) => {
      sandbox.setTime(ms);
      return sandbox.act('syncfromregistry', { domain: 'maple-harbor.com' }).data.Status;
    };

    expect([at(expiresAt + 45 * dayMs - 1), at(expiresAt + 45 * dayMs)]).toEqual([
      'clientHold',
      'redemptionPeriod',
    ]);
    expect([at(expiresAt + 75 * dayMs - 1), at(expiresAt + 75 * dayMs)]).toEqual([
      'redemptionPeriod',
      'pendingDelete',
    ]);
    expect(at(expiresAt + 80 * dayMs - 1)).toBe('pendingDelete');
  });

  test('leaves a domain alone whose state time does not change', () => {
    register('maple-harbor.com');
    sandbox.change('maple-harbor.com', { status: 'ModificationPending', nextAt: startedAt });

    expect(sandbox.details('maple-harbor.com').Status).toBe('ModificationPending');
    sandbox.advanceDays(4_000);
    expect(sandbox.details('maple-harbor.com').Status).toBe('ModificationPending');
  });
});
