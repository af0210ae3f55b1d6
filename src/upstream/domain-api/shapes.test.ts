import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { replyText } from '../../../test/support/upstream/fixtures.ts';
import { replaceAt } from '../../../test/support/upstream/odd-bodies.ts';
import { Fault } from '../../kernel/faults.ts';
import type { Operation } from '../client/operation.ts';
import { withRows } from '../wire/row-reader.ts';
import { domainApi } from './operations.ts';
import { domainRow, storedMembers } from './shapes.ts';

type Action = keyof typeof domainApi;

/** `FAULT` in the place of each fault, and maps as objects. */
const plain = (value: unknown): unknown => {
  const text = JSON.stringify(value, (_, one: unknown) => {
    if (one instanceof Fault) return 'FAULT';
    return one instanceof Map ? Object.fromEntries(one) : one;
  });
  return text === undefined ? undefined : JSON.parse(text);
};

function replyOf(action: Action, body: unknown): unknown {
  const { reply, rows }: Operation = domainApi[action];
  return plain(reply(rows ? withRows(rows, body, undefined) : body));
}

/** The specified reply of an action, in which one place has another value; undefined leaves that place out. */
function decode(action: Action, path = '', value?: unknown): Record<string, unknown> | undefined {
  const body: unknown = JSON.parse(replyText(action));
  const changed = path === '' ? body : replaceAt(body, path.split('.'), value);
  return replyOf(action, changed) as Record<string, unknown> | undefined;
}

/** The value of a place in a decoded reply, such as `address.city`. */
const at = (value: unknown, path: string): unknown =>
  path
    .split('.')
    .reduce<unknown>((one, name) => (one as Record<string, unknown> | null)?.[name], value);

describe.each<Action>([
  ...(['getdetails', 'getdomainlist', 'registerdomain', 'transferdomain'] as const),
  ...(['modifynameserver', 'addchildnameserver', 'disabletheftlock', 'syncfromregistry'] as const),
  ...(['getcontacts', 'tldlist', 'resellerdetails'] as const),
])('a reply to %s', (action) => {
  test.each([undefined, null, 'ERROR', '', true, ['OK']])(
    'with the result %j is no success',
    (result) => {
      expect(decode(action)).toBeDefined();
      expect(decode(action, 'result', result)).toBeUndefined();
    },
  );
});

test.each([
  ['getdetails', null],
  ['getdetails', []],
  ['getdetails', 'soon'],
  ['syncfromregistry', undefined],
  ['getdomainlist', null],
  ['getdomainlist', [{}]],
  ['getdomainlist', {}],
  ['getdomainlist', 'none'],
  ['getcontacts', []],
  ['getcontacts', null],
  ['getcontacts', { contacts: 'none' }],
  ['tldlist', {}],
  ['tldlist', null],
] as const)('a read by %s with the data %j is no reply', (action, data) => {
  expect(decode(action, 'data', data)).toBeUndefined();
});

/** The canonical forms of hosts in several spellings; `a_b` is no host and not lost. */
const bücher = ['a', 'ns.xn--bcher-kva.de', 'a_b'];

describe('the details of a domain', () => {
  test.each<[place: string, value: unknown, field: string, is: unknown]>([
    ['data.ID', 'x', 'upstreamId', 'FAULT'],
    ['data.DomainName', 'Acme-Shop.COM', 'name', 'acme-shop.com'],
    ['data.DomainName', '', 'name', null],
    ['data.Status', undefined, 'status', 'FAULT'],
    ['data.Status', undefined, 'state', 'UNKNOWN'],
    ['data.Status', 7, 'failedTransfer', null],
    ['data.Status', 'TransferRejectedFromOpposed', 'failedTransfer', 'REJECTED'],
    ['data.AuthCode', undefined, 'authCode', null],
    ['data.AuthCode', {}, 'authCode', 'FAULT'],
    ['data.ID', 3_000_000_001, 'upstreamId', null],
    ['data.Status', 0, 'status', '0'],
    ['data.Status', 0, 'state', 'UNKNOWN'],
    ['data.Status', '', 'status', null],
    ['data.Status', null, 'status', 'FAULT'],
    ['data.LockStatus', '', 'transferLocked', null],
    ['data.LockStatus', undefined, 'transferLocked', 'FAULT'],
    ['data.PrivacyProtectionStatus', '', 'privacyProtected', null],
    ['data.IsChildNameServer', ' ', 'isChildNameServer', null],
    ['data.PrivacyProtectionStatus', null, 'privacyProtected', 'FAULT'],
    ['data.IsChildNameServer', 'TRUE', 'isChildNameServer', true],
    ['data.Dates', 'x', 'registeredAt', 'FAULT'],
    ['data.Dates', 'x', 'expiresAt', 'FAULT'],
    ['data.Dates', 'x', 'remainingDays', 'FAULT'],
    ['data.Dates', null, 'expiresAt', null],
    ['data.Dates', '', 'remainingDays', null],
    ['data.Dates.Start', '', 'registeredAt', null],
    ['data.Dates.Start', 'x', 'registeredAt', 'FAULT'],
    ['data.Dates.Expiration', null, 'expiresAt', null],
    ['data.Dates.Expiration', ' ', 'expiresAt', null],
    ['data.Dates.Expiration', '1984-12-31T23:59:59', 'expiresAt', null],
    ['data.Dates.Expiration', '1985-01-01T00:00:00', 'expiresAt', '1985-01-01T00:00:00.000Z'],
    ['data.Dates.Expiration', '0000-00-00 00:00:00', 'expiresAt', null],
    ['data.Dates.Expiration', '-0001-11-30T00:00:00', 'expiresAt', null],
    ['data.Dates.Expiration', '1970', 'expiresAt', 'FAULT'],
    ['data.Dates.RemainingDays', -5, 'remainingDays', 0],
    ['data.Dates.RemainingDays', '-5', 'remainingDays', 0],
    ['data.Dates.RemainingDays', '', 'remainingDays', null],
    ['data.Dates.RemainingDays', undefined, 'remainingDays', null],
    ['data.Dates.RemainingDays', 1.5, 'remainingDays', 'FAULT'],
    ['data.Contacts', 'x', 'contactIds.registrant', 'FAULT'],
    ['data.Contacts', 'x', 'contactIds.administrative', 'FAULT'],
    ['data.Contacts', 'x', 'contactIds.technical', 'FAULT'],
    ['data.Contacts', 'x', 'contactIds.billing', 'FAULT'],
    ['data.Contacts', '', 'contactIds.registrant', null],
    ['data.Contacts.Registrant', [], 'contactIds.registrant', null],
    ['data.Contacts.Registrant', '', 'contactIds.registrant', null],
    ['data.Contacts.Billing.ID', 'x', 'contactIds.billing', 'FAULT'],
    ['data.NameServers', null, 'nameServers', 'FAULT'],
    ['data.NameServers', [], 'nameServers', []],
    ['data.NameServers', '', 'nameServers', null],
    ['data.NameServers', undefined, 'nameServers', null],
    ['data.NameServers', ['a', 'Ns.Bücher.DE.', 'A ', 'a_b'], 'nameServers', bücher],
    ...[null, '', ' ', '.', 1, []].map((gap): [string, unknown, string, unknown] => [
      'data.NameServers',
      ['a', gap],
      'nameServers',
      'FAULT',
    ]),
    ['data.NameServers', { string: null }, 'nameServers', 'FAULT'],
    ['data.NameServers', 'x', 'nameServers', 'FAULT'],
    ['data.ChildNameServers', undefined, 'childNameServers', []],
    ['data.ChildNameServers', null, 'childNameServers', []],
    ['data.ChildNameServers', '', 'childNameServers', []],
    ['data.ChildNameServers', {}, 'childNameServers', 'FAULT'],
    ['data.ChildNameServers', [{ ip: 'a' }], 'childNameServers', 'FAULT'],
    ['data.ChildNameServers', [{ ns: 'a', ip: 7 }], 'childNameServers', 'FAULT'],
    ['data.ChildNameServers', [{ ns: 'a', ip: [7] }], 'childNameServers', 'FAULT'],
    ['data.ChildNameServers', [[]], 'childNameServers', 'FAULT'],
    ['data.Additional', { a: 1 }, 'additional', [{ key: 'a', value: '1' }]],
    ['data.Additional', '', 'additional', []],
    ['data.Additional', 'x', 'additional', 'FAULT'],
  ])('%s as %j: %s is %j', (place, value, field, is) => {
    const details = decode('getdetails', place, value);
    const before = decode('getdetails');

    expect(at(details, field)).toEqual(is);
    // No other field is affected.
    if (is === 'FAULT' && place.split('.').length > 2) {
      const name = field.split('.')[0] ?? '';
      expect({ ...details, [name]: null }).toEqual({ ...before, [name]: null });
    }
  });

  test.each([
    ['10.0.0.1', ['10.0.0.1']],
    [
      ['10.0.0.1', '::1'],
      ['10.0.0.1', '::1'],
    ],
    ['', []],
    [' ', []],
    [[], []],
    [null, []],
    [undefined, []],
  ])('the addresses %j of a child name server are %j', (ip, addresses) => {
    const details = decode('getdetails', 'data.ChildNameServers', [{ ns: 'ns1.a.com', ip }]);

    expect(details?.childNameServers).toEqual([{ host: 'ns1.a.com', addresses }]);
  });

  test('have child name servers in each shape, of which an invalid one hides no other', () => {
    const entries = [
      ...[{ NameServer: 'NS1.a.com.', IPAdresses: ['8.8.8.8', null] }, null, { ip: '1.1.1.1' }],
      ...[
        { ns: 'ns1.a.com', ip: '9.9.9.9' },
        { NameServer: 'ns2.a.com', IPAddresses: '8.8.4.4' },
      ],
      ...[' ns3.a.com ', 7, { ns: 'ns4.a.com', ip: 7 }, []],
    ];

    expect(decode('getdetails', 'data.ChildNameServers', entries)?.childNameServers).toEqual([
      { host: 'ns1.a.com', addresses: ['8.8.8.8', '9.9.9.9'] },
      { host: 'ns2.a.com', addresses: ['8.8.4.4'] },
      { host: 'ns3.a.com', addresses: [] },
    ]);
  });

  test.each([null, '', undefined])(
    'with the name servers %j are not in the view of the registry',
    (hosts) => {
      const registry = decode('syncfromregistry', 'data.NameServers', hosts);

      expect(registry).toMatchObject({ nameServers: null });
      expect(decode('syncfromregistry', 'data.NameServers', [])).toMatchObject({ nameServers: [] });
    },
  );
});

describe('a list of domains', () => {
  test.each([
    ['an empty list for the object', [], []],
    ['null for the list', { Domains: null }, []],
    ['an empty list', { Domains: [] }, []],
  ])('may be %s', (_, data, domains) => {
    expect(decode('getdomainlist', 'data', data)).toMatchObject({ domains });
  });

  test('with a total count that is not valid has its rows', () => {
    const list = decode('getdomainlist', 'TotalCount', 'many');

    expect(list).toMatchObject({ totalCount: 'FAULT' });
    expect(list?.domains).toHaveLength(2);
  });

  test('has no row without a valid name', () => {
    const row = JSON.parse(replyText('getdetails')).data;

    expect(domainRow(row)).toMatchObject({ name: 'acme-shop.com' });
    for (const odd of [{ ...row, DomainName: null }, {}, [], null, 'acme-shop.com']) {
      expect(domainRow(odd)).toBeUndefined();
    }
  });

  test('is stored with all members of a row but its auth code', () => {
    const row = JSON.parse(replyText('getdetails')).data;

    expect([...storedMembers].sort()).toEqual(
      Object.keys(row)
        .filter((name) => name !== 'AuthCode')
        .sort(),
    );
  });
});

describe('the contacts of a domain', () => {
  const place = (rest: string) => `data.contacts.Registrant${rest}`;

  test.each<[place: string, value: unknown, field: string, is: unknown]>([
    ['', [], 'registrant', null],
    ['', null, 'registrant', null],
    ['', '', 'registrant', null],
    ['', undefined, 'registrant', null],
    ['', {}, 'registrant', null],
    ['', { ID: 0, FirstName: '', Phone: [], Address: { City: '' } }, 'registrant', null],
    ['', { ID: 7 }, 'registrant.upstreamId', 7],
    ['', 'x', 'registrant', 'FAULT'],
    ['.ID', 'x', 'registrant.upstreamId', 'FAULT'],
    ['.FirstName', '', 'registrant.firstName', null],
    ['.EMail', [], 'registrant.email', 'FAULT'],
    ['.Address', 'x', 'registrant.address', 'FAULT'],
    ['.Address', [], 'registrant.address.city', null],
    ['.Address', '', 'registrant.address.city', null],
    ['.Address.City', [], 'registrant.address.city', 'FAULT'],
    ['.Address.Line1', undefined, 'registrant.address.line1', null],
    ['.Phone', 'x', 'registrant.phone', 'FAULT'],
    ['.Phone', 'x', 'registrant.fax', 'FAULT'],
    ['.Phone', [], 'registrant.phone', null],
    ['.Phone', '', 'registrant.phone', null],
    ['.Phone.Phone', '', 'registrant.phone', null],
    ['.Phone.Phone', [], 'registrant.phone', null],
    ['.Phone.Phone', 'x', 'registrant.phone', 'FAULT'],
    ['.Phone.Phone.Number', '', 'registrant.phone', null],
    ['.Phone.Phone.Number', {}, 'registrant.phone', 'FAULT'],
    ['.Phone.Phone.CountryCode', {}, 'registrant.phone', 'FAULT'],
    ['.Phone.Phone.CountryCode', '', 'registrant.phone.countryCode', null],
    ['.Phone.Phone.Number', 42, 'registrant.phone.number', '42'],
  ])('with %s as %j: %s is %j', (rest, value, field, is) => {
    const contacts = decode('getcontacts', place(rest), value);

    expect(at(contacts, field)).toEqual(is);
    expect(at(contacts, 'billing.firstName')).toBe('Ada');
  });

  test.each([[[]], [null], [''], [{}], [undefined]])('are null when all are %j', (contacts) => {
    expect(decode('getcontacts', 'data.contacts', contacts)).toBeNull();
  });
});

describe('the account of the reseller', () => {
  test.each<[place: string, value: unknown, field: string, is: unknown]>([
    ['balance', 'x', 'balance.money', 'FAULT'],
    ['balance', undefined, 'balance.money', 'FAULT'],
    ['currency', '', 'balance.money', 'FAULT'],
    ['symbol', undefined, 'balance.symbol', 'FAULT'],
    ['symbol', '', 'balance.symbol', ''],
    ['balances', {}, 'balances', 'FAULT'],
    ['balances', ['x'], 'balances', 'FAULT'],
    ['balances', [{}], 'balances', [{ money: 'FAULT', symbol: 'FAULT' }]],
    ['active', 'yes', 'active', 'FAULT'],
    ['name', null, 'name', 'FAULT'],
  ])('with %s as %j: %s is %j', (place, value, field, is) => {
    expect(at(decode('resellerdetails', place, value), field)).toEqual(is);
  });

  test('names the amount that is not valid', () => {
    const { balance, balances } = domainApi.resellerdetails.reply({
      ...{ result: 'OK', balances: [{}] },
    }) as { balance: { money: Fault }; balances: readonly { money: Fault }[] };

    expect(balance.money.message).toMatch(/ for balance\./);
    expect(balances[0]?.money.message).toMatch(/ for a balance\./);
  });
});

describe('after the success of a write no value fails it', () => {
  test.each<[action: Action, place: string, value: unknown, is: unknown]>([
    ['registerdomain', 'data', null, null],
    ['transferdomain', 'data', undefined, null],
    ['modifynameserver', 'data', undefined, null],
    ['modifynameserver', 'data', 'x', null],
    ['modifynameserver', 'data', { NameServers: ['A.', 'b'] }, ['a', 'b']],
    ['modifynameserver', 'data', { NameServers: ['A.', 1] }, null],
    ['modifynameserver', 'data', { NameServers: [1] }, null],
    ['modifynameserver', 'data', { NameServers: null }, null],
    ['modifynameserver', 'data', { NameServers: [] }, null],
    ['addchildnameserver', 'data', null, { host: null, addresses: [] }],
    ['addchildnameserver', 'data', { NameServer: 7, IPAdresses: 8 }, { host: null, addresses: [] }],
    [
      'addchildnameserver',
      'data',
      { NameServer: 'NS1.a.com', IPAddresses: '8.8.8.8' },
      { host: 'ns1.a.com', addresses: ['8.8.8.8'] },
    ],
    ['disabletheftlock', 'data', 'x', { locked: null }],
    ['disabletheftlock', 'data', { LockStatus: 'maybe' }, { locked: null }],
    ['disabletheftlock', 'data', { LockStatus: true }, { locked: true }],
    ['disabletheftlock', 'data', { LockStatus: 'false' }, { locked: false }],
    ['modifyprivacystatus', '', {}, { enabled: null }],
    ['modifyprivacystatus', '', [], { enabled: null }],
    ['modifyprivacystatus', '', { result: 'OK' }, { enabled: null }],
    ['modifyprivacystatus', '', { data: { PrivacyProtectionStatus: 'false' } }, { enabled: false }],
    ['modifyprivacystatus', '', { data: [1] }, { enabled: null }],
  ])('%s with %s as %j is %j', (action, place, value, is) => {
    const body = place === '' ? value : replaceAt(JSON.parse(replyText(action)), [place], value);

    expect(plain(domainApi[action].reply(body))).toEqual(is);
  });

  test.each([{ result: 'ERROR' }, { result: '' }, { result: null }, 'x', [1]])(
    'but %j is no success of modifyprivacystatus',
    (body) => {
      expect(domainApi.modifyprivacystatus.reply(body)).toBeUndefined();
    },
  );
});

describe('a price list', () => {
  const usual = { renew: 'USD', transfer: 'USD', Setup: 'EUR' };
  interface List {
    readonly tlds: readonly {
      readonly name: string;
      readonly hasAllPrices: boolean;
      readonly prices: readonly Record<string, unknown>[];
    }[];
    readonly hasEveryRow: boolean;
  }
  const listOf = (data: readonly unknown[]) => replyOf('tldlist', { result: 'OK', data }) as List;
  const price = (pricing: unknown, currencies: unknown) => {
    const [row] = listOf([{ tld: 'com', pricing, currencies }]).tlds;
    const shown = row?.prices.map(({ operation, upstreamOperation, period, price }) => [
      ...[operation, upstreamOperation, period, at(price, 'amount') ?? price],
    ]);
    return row?.hasAllPrices ? shown : ['incomplete', ...(shown ?? [])];
  };

  test.each<[string, unknown, unknown]>([
    ['a price', { renew: { 1: '5.00' } }, [['RENEWAL', 'renew', 1, '5.0000']]],
    ['a price of another operation', { Setup: { 0: '5.00' } }, [['OTHER', 'Setup', 0, '5.0000']]],
    ['three digits of years', { renew: { 100: '1' } }, [['RENEWAL', 'renew', 100, '1.0000']]],
    ['one price of 0 years in a list', { renew: ['5'] }, [['RENEWAL', 'renew', 0, '5.0000']]],
    [
      'the prices of 0 and 2 years in a list',
      { renew: ['3', null, '5'] },
      [
        ['RENEWAL', 'renew', 0, '3.0000'],
        ['RENEWAL', 'renew', 2, '5.0000'],
      ],
    ],
    [
      'no zero but that of a transfer',
      {
        ...{ registration: { 1: '0.0000' }, renew: { 1: 0 }, restore: { 0: '-0' } },
        ...{ transfer: { 0: '0.0000' } },
      },
      [['TRANSFER', 'transfer', 0, '0.0000']],
    ],
    ['four digits of years', { renew: { 1000: '1' } }, ['incomplete']],
    ['a period that is no number', { renew: { '1y': '1' } }, ['incomplete']],
    ['a period below 0', { renew: { '-1': '1' } }, ['incomplete']],
    ['a price of null', { renew: { 1: null } }, []],
    ['an empty price', { renew: { 1: '' } }, []],
    [
      'a price that is not valid',
      { renew: { 1: 'free' } },
      ['incomplete', ['RENEWAL', 'renew', 1, 'FAULT']],
    ],
    [
      'a negative price',
      { renew: { 1: '-1.0000' } },
      ['incomplete', ['RENEWAL', 'renew', 1, 'FAULT']],
    ],
    ['periods that are no map', { renew: 'x' }, ['incomplete']],
    ['no periods', { renew: [] }, []],
    ['no operations', [], []],
    ['operations that are no map', 'x', ['incomplete']],
    ['none', undefined, []],
  ])('has %s', (_, pricing, prices) => {
    expect(price(pricing, usual)).toEqual(prices);
  });

  test.each([undefined, null, [], 'x', {}, { renew: '' }, { renew: 840 }])(
    'with the currencies %j has a fault for each price',
    (currencies) => {
      expect(price({ renew: { 1: '5.00' } }, currencies)).toEqual([
        'incomplete',
        ['RENEWAL', 'renew', 1, 'FAULT'],
      ]);
    },
  );

  test('counts the rows without a valid TLD, and leaves them out', () => {
    const rows = [{ tld: '.COM.' }, { tld: '' }, { tld: 7 }, {}, 'net', null];

    expect(replyOf('tldlist', { result: 'OK', data: rows })).toMatchObject({
      ...{ tlds: [{ name: 'com', upstreamId: null, status: 'FAULT', minLength: 'FAULT' }] },
      ...{ rowCount: 6, hasEveryRow: false },
    });
  });

  test('has the same prices in a list as in the map that it stands for', () => {
    const amount = fc.oneof(fc.integer({ min: -9, max: 9 }).map(String), fc.constant(null));
    fc.assert(
      fc.property(fc.array(amount, { maxLength: 12 }), (amounts) => {
        expect(price({ renew: amounts }, usual)).toEqual(price({ renew: { ...amounts } }, usual));
      }),
    );
  });

  test('has one TLD for several spellings: the first that is sold, or else the first', () => {
    const row = (tld: string, id: number, status: string, amount = '1') => ({
      ...{ tld, id, status, pricing: { registration: { 1: amount } } },
      currencies: { registration: 'USD' },
    });
    const rows = [
      ...[row('com', 1, 'Passive'), row('net', 2, 'Passive'), row('.NET.', 3, 'Passive')],
      ...[row('.com', 4, 'Active', 'dear'), row('COM', 5, 'active'), row('com', 6, 'Active')],
    ];

    expect(listOf(rows)).toMatchObject({
      tlds: [
        { name: 'com', upstreamId: 5, hasAllPrices: true },
        { name: 'net', upstreamId: 2 },
      ],
      ...{ rowCount: 6, hasEveryRow: true },
    });
  });

  test('names the price that is not valid', () => {
    const data = [{ tld: 'com', pricing: { renew: { 1: 'x' } } }];
    const { reply, rows } = domainApi.tldlist;
    const list = reply({ result: 'OK', data: data.map(rows.read) });

    expect(list?.tlds[0]?.prices[0]?.price).toMatchObject({
      message: expect.stringContaining('the renew price'),
    });
  });
});

describe('an offer', () => {
  const offered = JSON.parse(replyText('singlecheckavailability'))[0] as object;
  const offer = (changes: object) =>
    (plain(domainApi.singlecheckavailability.reply([{ ...offered, ...changes }])) as object[])[0];

  test.each<[changes: object, is: object]>([
    [{ Status: 'AVAILABLE' }, { state: 'AVAILABLE' }],
    [{ Status: 'not - _ available' }, { state: 'TAKEN' }],
    [{ Status: 'notavailable' }, { state: 'TAKEN' }],
    [{ Status: 'available soon' }, { state: 'UNKNOWN' }],
    [{ Status: '' }, { state: 'UNKNOWN', status: null }],
    [{ Status: null }, { state: 'UNKNOWN', status: null }],
    [{ Status: true }, { state: 'UNKNOWN', status: null }],
    [{ Price: undefined }, { price: null }],
    [{ Price: null }, { price: null }],
    [{ Price: '' }, { price: null }],
    [{ Price: 0 }, { price: null }],
    [{ Price: '0.0000', Currency: '' }, { price: null }],
    [{ Price: ' ' }, { price: 'FAULT' }],
    [{ Price: false }, { price: 'FAULT' }],
    [{ Currency: null }, { price: 'FAULT' }],
    [{ IsFee: 'x' }, { premium: 'FAULT' }],
    [{ IsFee: undefined }, { premium: 'FAULT' }],
    [{ Period: null }, { period: null }],
    [{ Period: 1.5 }, { period: 'FAULT' }],
    [{ Command: 7 }, { command: '7' }],
    [{ TLD: 7 }, { tld: '7' }],
    [{ TLD: [] }, { tld: null }],
    [{ DomainName: '' }, { label: null }],
    [{ Reason: '' }, { reason: null }],
    [{ Reason: '<b></b>' }, { reason: null }],
    [{ Reason: ' In <i>use</i>\n' }, { reason: 'In use' }],
    [{ Reason: {} }, { reason: 'FAULT' }],
  ])('with %j has %j', (changes, is) => {
    expect(offer(changes)).toMatchObject(is);
  });

  test('names the price that is not valid', () => {
    const [one] = domainApi.singlecheckavailability.reply([{ ...offered, Price: 'x' }]) ?? [];

    expect(one?.price).toMatchObject({ message: expect.stringContaining('the price') });
  });

  test('is each object of a list, and nothing else', () => {
    const { reply } = domainApi.singlecheckavailability;

    expect(reply([offered, null, 'x', [offered], 7])).toHaveLength(1);
    expect(reply({ 1: offered, 4: offered })).toHaveLength(2);
    for (const body of [{}, offered, null, 'available', { 0: offered, note: offered }]) {
      expect(reply(body)).toBeUndefined();
    }
  });
});

describe('a bulk check', () => {
  const offered = JSON.parse(replyText('singlecheckavailability')) as unknown[];
  const read = (availability: unknown) => {
    const names = domainApi.bulkcheckavailability.reply({ status: 'success', availability });
    return names && new Map(names);
  };

  test.each([
    ['an error of its own', { result: 'ERROR', error: { Code: 'API_2304_ERROR' } }, 'RESERVED'],
    ['an error in words', { status: 'error', message: 'no' }, 'UPSTREAM_REJECTED'],
    ['nothing', null, 'UPSTREAM_PROTOCOL'],
    ['an empty object', {}, 'UPSTREAM_PROTOCOL'],
    ['text', 'available', 'UPSTREAM_PROTOCOL'],
  ])('with %s for a name has a fault for that name only', (_, entry, code) => {
    const names = read({ 'a.com': entry, 'b.com': offered });

    expect(names?.get('a.com')).toMatchObject({ code, executed: 'NO' });
    expect(names?.get('b.com')).toMatchObject([{ state: 'AVAILABLE' }]);
  });

  test('compares names without case and blanks', () => {
    expect([...(read({ ' A.Com ': [], 'b.com': offered })?.keys() ?? [])]).toEqual([
      ...['a.com', 'b.com'],
    ]);
  });

  test.each([
    [[], 0],
    [null, 0],
    [undefined, 0],
  ])('of %j has no names', (availability, size) => {
    expect(read(availability)?.size).toBe(size);
  });

  test.each([[['a.com']], 'a.com', 7])('of %j is no reply', (availability) => {
    expect(read(availability)).toBeUndefined();
  });

  test.each([[[]], [null], ['x']])('that is %j is no reply', (body) => {
    expect(domainApi.bulkcheckavailability.reply(body)).toBeUndefined();
  });
});
