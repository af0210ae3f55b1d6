import { describe, expect, test } from 'vitest';
import { answering, password, reply, username } from '../../test/support/upstream/clients.ts';
import {
  actionsWithReply,
  callsWithRequest,
  quirks,
  replyText,
  requestOf,
} from '../../test/support/upstream/fixtures.ts';
import { Fault } from '../kernel/faults.ts';
import { accountApi } from './account-api/operations.ts';
import { domainApi } from './domain-api/operations.ts';

const actionOf = (name: string) => name.replace('quirks/', '').split('.')[0] ?? '';

/** What a client makes of a fixture, with money and dates as text. */
async function read(name: string): Promise<unknown> {
  const value = await answering(reply(replyText(name))).domain(actionOf(name));
  return JSON.parse(
    JSON.stringify(value, (_, one: unknown) => {
      if (one instanceof Fault) return one.code;
      return one instanceof Map ? Object.fromEntries(one) : one;
    }),
  );
}

interface TldList {
  readonly tlds: readonly {
    readonly name: string;
    readonly prices: readonly { readonly operation: string }[];
  }[];
  readonly rowCount: number;
}

test('every action has a specified reply, and every call a request', { tags: ['R4'] }, () => {
  expect([...actionsWithReply].sort()).toEqual(Object.keys(domainApi).sort());
  expect([...callsWithRequest].sort()).toEqual(
    [...Object.keys(domainApi), ...Object.keys(accountApi)].sort(),
  );
  expect(quirks.map(actionOf)).toSatisfy((actions: string[]) =>
    actions.every((action) => action in domainApi || action in accountApi),
  );
});

test.each(Object.keys(domainApi))(
  '%s sends every field that the specification names',
  { tags: ['R4'] },
  async (action) => {
    const { domain, sent } = answering(reply(replyText(action)));

    await domain(action);

    expect(JSON.parse(sent[0]?.body ?? '')).toEqual({ ...requestOf(action), username, password });
    expect(sent[0]?.path).toBe(`/?action=${action}`);
  },
);

const acme = {
  upstreamId: 48211,
  status: 'Active',
  state: 'ACTIVE',
  failedTransfer: null,
  name: 'acme-shop.com',
  authCode: 'Kd8#pQ2!vX9@zL4m',
  transferLocked: true,
  privacyProtected: false,
  isChildNameServer: false,
  registeredAt: '2024-03-01T09:30:15.123Z',
  expiresAt: '2026-03-01T09:30:15.123Z',
  remainingDays: 412,
  nameServers: ['ns1.acme-dns.net', 'ns2.acme-dns.net'],
  childNameServers: [],
  additional: [],
  contactIds: { registrant: 9004, administrative: 9003, technical: 9002, billing: 9001 },
};
const ada = {
  upstreamId: 9004,
  status: null,
  type: 'EuContact',
  authCode: null,
  firstName: 'Ada',
  lastName: 'Byron',
  company: 'Acme GmbH',
  email: 'ada@acme-shop.com',
  phone: { number: '3012345678', countryCode: '49' },
  fax: null,
  address: {
    line1: 'Hauptstrasse 1',
    line2: null,
    line3: null,
    city: 'Berlin',
    state: 'Berlin',
    zipCode: '10115',
    country: 'DE',
  },
  additional: [],
};
const offer = {
  tld: 'com',
  label: 'acme-shop',
  status: 'available',
  state: 'AVAILABLE',
  command: 'create',
  period: 1,
  premium: false,
  price: { amount: '11.2900', currency: 'USD' },
  reason: null,
};
const taken = { ...offer, status: 'notavailable', state: 'TAKEN', reason: 'Domain exists' };
const usd = (amount: string) => ({ amount, currency: 'USD' });
const asRegistered = {
  ...acme,
  upstreamId: null,
  registeredAt: '2026-01-31T12:00:00.000Z',
  expiresAt: '2027-01-31T12:00:00.000Z',
  remainingDays: 0,
};

describe('the specified replies are read completely', () => {
  test.each<[action: string, facts: object]>([
    ['getdetails', acme],
    [
      'getcontacts',
      {
        registrant: ada,
        administrative: { ...ada, upstreamId: 9003, type: 'Contact' },
        technical: { ...ada, upstreamId: 9002, type: 'CoopContact' },
        billing: { ...ada, upstreamId: 9001, type: 'UkContact' },
      },
    ],
    [
      'getdomainlist',
      {
        domains: [acme, { ...acme, upstreamId: 48212, status: 'active', name: 'acme-shop.net' }],
        totalCount: 2,
      },
    ],
    ['registerdomain', { ...asRegistered, transferLocked: false }],
    [
      'transferdomain',
      {
        ...asRegistered,
        status: 'WaitingForIncomingTransfer',
        state: 'PENDING_TRANSFER_IN',
        authCode: null,
      },
    ],
    ['singlecheckavailability', [offer]],
    [
      'bulkcheckavailability',
      {
        'acme-shop.com': [offer],
        'acme-shop.net': [{ ...taken, tld: 'net', price: usd('13.9900') }],
      },
    ],
    ['modifynameserver', ['ns1.acme-dns.net', 'ns2.acme-dns.net']],
    ['addchildnameserver', { host: 'ns1.acme-shop.com', addresses: ['93.184.216.34'] }],
    ['disabletheftlock', { locked: false }],
    ['modifyprivacystatus', { enabled: null }],
    [
      'syncfromregistry',
      {
        ...acme,
        upstreamId: null,
        status: 'clientTransferProhibited',
        authCode: null,
        registeredAt: '2024-03-01T09:30:15.000Z',
        expiresAt: '2026-03-01T09:30:15.000Z',
        remainingDays: 0,
        contactIds: { registrant: null, administrative: null, technical: null, billing: null },
      },
    ],
    [
      'resellerdetails',
      {
        upstreamId: 7,
        active: true,
        name: 'Acme Reseller',
        balance: { money: usd('1250.5000'), symbol: '$' },
        balances: [
          { money: usd('1250.5000'), symbol: '$' },
          { money: { amount: '0.0000', currency: 'TRY' }, symbol: 'TL' },
        ],
      },
    ],
  ])('%s', async (action, facts) => {
    expect(await read(action)).toMatchObject(facts);
  });

  test('tldlist', async () => {
    const { tlds, rowCount } = (await read('tldlist')) as TldList;
    const [com, coUk] = tlds;

    expect(com).toMatchObject({
      upstreamId: 1,
      status: 'Active',
      name: 'com',
      minLength: 2,
      maxLength: 63,
      minPeriod: 1,
      maxPeriod: 10,
    });
    expect(com?.prices).toHaveLength(6);
    expect(com?.prices.find(({ operation }) => operation === 'RESTORE')).toMatchObject({
      upstreamOperation: 'restore',
      period: 1,
      price: usd('85.0000'),
    });
    expect(coUk).toMatchObject({ name: 'co.uk', minLength: 3 });
    expect(rowCount).toBe(tlds.length);
  });
});

describe('known irregular replies', () => {
  /** The codes of the faults in a reply, which its other values survive. */
  const codes: Readonly<Record<string, readonly string[]>> = {
    // `yes` is neither true nor false, and must not become false.
    'getdetails.odd-flags': ['UPSTREAM_PROTOCOL'],
    // Name servers that are null are not known.
    'getdetails.no-dates-yet': ['UPSTREAM_PROTOCOL'],
    'bulkcheckavailability.mixed': ['UPSTREAM_REJECTED', 'TLD_UNSUPPORTED'],
    'tldlist.odd-rows': ['UPSTREAM_PROTOCOL'],
  };

  test.each(quirks.filter((name) => actionOf(name) in domainApi && !name.includes('.error-')))(
    '%s is read, with a fault for each value that cannot be read',
    async (quirk) => {
      const found =
        JSON.stringify(await read(`quirks/${quirk}`)).match(/"(?:UPSTREAM|TLD)_[A-Z]+"/g) ?? [];

      expect(found).toEqual((codes[quirk] ?? []).map((code) => `"${code}"`));
    },
  );

  test('an absent price stays absent, a zero price is a price, and a price without a currency is a fault', async () => {
    const { tlds: rows, rowCount } = (await read('quirks/tldlist.odd-rows')) as TldList;

    const price = (operation: string, upstreamOperation: string, period: number, is: unknown) => ({
      operation,
      upstreamOperation,
      period,
      price: is,
    });
    expect(rows.map(({ name, prices }) => [name, prices])).toMatchObject([
      [
        'ai',
        [
          price('REGISTRATION', 'registration', 2, usd('139.8000')),
          price('OTHER', 'setup', 0, usd('5.0000')),
          price('TRANSFER', 'transfer', 1, usd('0.0000')),
        ],
      ],
      ['com.tr', []],
      ['tr', [price('REGISTRATION', 'registration', 1, { amount: '450.0000', currency: 'TRY' })]],
      ['nl', [price('REGISTRATION', 'registration', 1, 'UPSTREAM_PROTOCOL')]],
    ]);
    expect(rows[1]).toMatchObject({ upstreamId: null, status: 'Passive' });
    expect(rowCount).toBe(rows.length);
  });
});
