import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { order } from './client.ts';
import { createTestService } from './service.ts';

let sandbox: ReturnType<typeof createTestService>;
beforeAll(() => {
  sandbox = createTestService();
});
afterAll(() => sandbox.service.close());

const check = (domain: string) => sandbox.act('singlecheckavailability', { domain })[0];
const bulk = (...domains: string[]) =>
  sandbox.act('bulkcheckavailability', { domains }).availability;

describe('a check', () => {
  test('of a free name has the price of its shortest period', () => {
    expect(check('Maple-Harbor.COM')).toEqual({
      ...{ TLD: 'com', DomainName: 'maple-harbor', Status: 'available', Command: 'create' },
      ...{ Period: 1, IsFee: false, Price: '11.2900', Currency: 'USD', Reason: null },
    });
  });

  test.each([
    ['example.com', 'notavailable', 'Domain reserved', false],
    ['nic.tr', 'notavailable', 'Domain reserved', true],
    ['www.co.uk', 'notavailable', 'Domain reserved', true],
    ['q.xyz', 'notavailable', 'Domain reserved', true],
    ['weather.com', 'notavailable', 'Domain exists', false],
    ['locked-maple.com', 'notavailable', 'Domain exists', false],
    ['fresh-maple.com', 'notavailable', 'Domain exists', false],
    ['reject-maple.com', 'notavailable', 'Domain exists', false],
    ['cancel-maple.com', 'notavailable', 'Domain exists', false],
    ['late-outside-maple.com', 'notavailable', 'Domain exists', false],
    ['gone-demo.com', 'notavailable', 'Domain exists', false],
    ['rejected-demo.com', 'notavailable', 'Domain exists', false],
    ['failed-order-demo.app', 'available', null, false],
    ['deleted-demo.com', 'available', null, false],
    ['outsider-maple.com', 'available', null, false],
    ['maple-outside-shop.com', 'available', null, false],
    ['late-maple.com', 'available', null, false],
    ['late-weather.com', 'available', null, false],
    ['examples.com', 'available', null, false],
    ['casino.com', 'available', null, true],
    ['z9q.org', 'notavailable', 'Domain exists', true],
    ['z9qq-maple.org', 'available', null, false],
    ['exclusive.com', 'available', null, true],
    ['xn--mnchen-3ya.com', 'available', null, false],
  ])('of %s returns %s for the reason %s, premium: %s', (domain, Status, Reason, IsFee) => {
    expect(check(domain)).toMatchObject({ Status, Reason, IsFee });
  });

  test.each([
    ['weather.com', 'USD', '11.2900'],
    ['maple-harbor.blog', 'USD', '18.9000'],
    ['maple-harbor.attorney', 'USD', '26.9000'],
    ['maple-harbor.co.uk', 'USD', '5.9000'],
    ['maple-harbor.ai', 'USD', '139.8000'],
    ['maple-harbor.travel', 'USD', ''],
    ['maple-harbor.gen.tr', 'TL', '149.0000'],
  ])('of %s shows in %s the list price %j', (domain, Currency, Price) => {
    expect(check(domain)).toMatchObject({ Currency, Price, Period: 1, Command: 'create' });
  });

  test('shows the price that a registration is debited, for ordinary and premium names', () => {
    const { money } = sandbox.service.store;
    for (const [currency, symbol] of [
      ['USD', '$'],
      ['TL', 'TL'],
    ] as const)
      money.addBalance({ reseller: 1, currency, symbol, balance: '90000.0000' });
    const names = ['maple-check.com', 'casino.com', 'voice.org', 'poker.gen.tr'];
    for (const domain of names) {
      const { Price, Currency, Status } = check(domain);
      expect(Status, domain).toBe('available');

      expect(sandbox.code('registerdomain', order(domain)), domain).toBeNull();

      const paid = money.purchases(1).at(-1);
      expect(paid).toMatchObject({ domain, price: Price, currency: Currency });
      expect(check(domain)).toMatchObject({ Status: 'notavailable', Price });
    }
  });

  test('takes about a quarter of the short labels for registered, by the label alone', () => {
    const letters = [...'abcdefghijklmnopqrstuvwxyz'];
    const labels = letters.flatMap((one) => letters.map((other) => `${one}${other}${one}${other}`));
    const taken = labels.filter((label) => check(`${label}.com`).Status === 'notavailable');

    expect(taken.length / labels.length).toBeGreaterThan(0.15);
    expect(taken.length / labels.length).toBeLessThan(0.35);
    for (const label of labels.slice(0, 30)) {
      expect(check(`${label}.net`).Status).toBe(check(`${label}.com`).Status);
      expect(check(`${label}zz.com`).Status).toBe('available');
    }
  });

  test.each([
    ['ab.com', null],
    ['a.com', 'API_550_ERROR'],
    ['ab.org', 'API_550_ERROR'],
    ['q.de', null],
    [`${'a'.repeat(63)}.com`, null],
    [`${'a'.repeat(64)}.com`, 'API_400_ERROR'],
    ['-maple.com', 'API_400_ERROR'],
    ['ma--ple.com', 'API_2005_ERROR'],
    ['xn--zzzz.com', 'API_2005_ERROR'],
    ['com', 'API_400_ERROR'],
    ['maple.aero.com', 'API_2005_ERROR'],
    ['xn--p1ai.com', null],
    ['maple.gen.tr', null],
    ['gen.tr', 'API_2304_ERROR'],
    ['outside-.com', 'API_400_ERROR'],
    ['maple.xn--p1ai', 'API_400_ERROR'],
    ['ma\u00f1ana.com', 'API_400_ERROR'],
    [' maple.com', 'API_400_ERROR'],
    ['a.gen.tr', 'API_550_ERROR'],
    ['maple.shop.com.tr', 'API_2005_ERROR'],
  ])('of %s is answered with %s', (domain, code) => {
    expect(sandbox.code('singlecheckavailability', { domain })).toBe(code);
  });
});

describe('a bulk check', () => {
  test('reports each name that cannot be checked in the form of its fault', () => {
    const failed = (Code: string, Details: string) => ({
      result: 'ERROR',
      error: { Code, Message: 'Failed', Details },
    });
    expect(
      bulk(
        'maple.nosuchtld',
        'maple.xn--p1ai',
        'xn--bcher-kva.dev',
        'ab.net',
        'maple.museum',
        '',
        'gateway-maple.com',
        'busy-maple.com',
        'maps-maple.com',
        'empty-maple.com',
        'slow-maple.com',
      ),
    ).toEqual({
      'maple.nosuchtld': failed('API_320_ERROR', 'TLD not found.'),
      'maple.xn--p1ai': { status: 'error', message: 'Invalid domain format.' },
      'xn--bcher-kva.dev': [],
      'ab.net': failed('API_550_ERROR', 'Domain length must be between 3 and 63 characters.'),
      'maple.museum': failed('API_310_ERROR', 'TLD is not supported.'),
      '': { status: 'error', message: 'Invalid domain format.' },
      'gateway-maple.com': { status: 'error', message: '502 Bad Gateway' },
      'busy-maple.com': failed('API_361_ERROR', 'Too many requests.'),
      'maps-maple.com': [],
      'slow-maple.com': [check('slow-maple.com')],
    });
  });

  test('returns the entries of single checks, with wrong types where the name selects them', () => {
    const names = ['Maple-Bulk.com', 'weather.com', 'gold.net'];
    expect(bulk(...names)).toEqual(Object.fromEntries(names.map((name) => [name, [check(name)]])));
    expect(bulk('wrongtypes-maple.com')).toEqual({
      'wrongtypes-maple.com': [
        {
          ...check('wrongtypes-maple.com'),
          ...{ Status: 7, Price: { amount: 1 }, IsFee: 'maybe', Period: 'one' },
        },
      ],
    });
  });
});

describe('the domain store', () => {
  test('lists the domains of an account by id, also those above an id', () => {
    const { domains } = sandbox.service.store;
    const all = domains.page(1, 1_000, 0);

    expect(all).toHaveLength(domains.count(1));
    expect(all.every(({ reseller }) => reseller === 1)).toBe(true);
    const ids = all.map(({ id }) => id);
    expect(ids).toEqual(ids.toSorted((one, other) => one - other));
    expect(domains.page(1, 2, ids[4] ?? 0)).toEqual(all.slice(5, 7));
  });

  test('has one holder of a name: the account that has the domain, else the one that waits for it', () => {
    const { domains } = sandbox.service.store;
    const [record] = domains.everywhere('reseller-demo.com');
    const name = 'maple-holder.com';
    const put = (reseller: number, status: string) =>
      record && domains.add({ ...record, name, reseller, status, nextAt: null });
    expect(domains.holder(name)).toBeUndefined();
    expect(domains.isKnown(name)).toBe(false);

    put(1, 'WaitingForIncomingTransfer');
    expect(domains.holder(name)?.reseller).toBe(1);
    put(2, 'WaitingForOutgoingTransfer');
    expect(domains.holder(name)?.reseller).toBe(2);
    for (const lost of [
      ...['TransferredOut', 'TransferRejectedFromOpposed', 'TransferCancelledFromClient'],
      ...['Deleted', 'PreRegistirationFail'],
    ]) {
      put(2, lost);
      expect(domains.holder(name)?.reseller, lost).toBe(1);
    }
    put(1, 'Deleted');
    expect(domains.holder(name)).toBeUndefined();
    expect(domains.isKnown(name)).toBe(false);
    put(1, 'TransferredOut');
    expect(domains.holder(name)).toBeUndefined();
    expect(domains.isKnown(name)).toBe(true);
    expect(domains.everywhere(name)).toHaveLength(2);
  });
});
