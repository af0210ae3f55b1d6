import { expect, test } from 'vitest';
import { operations } from './request-shapes.ts';
import { startIndependent } from './start.ts';

const { run, used, upstream } = await startIndependent();
const { registrar } = upstream;
registrar.add('maple-field.com');

/** The upstream sends seven fractional digits without a zone, in UTC. */
const instantOf = (text: string) => `${text.slice(0, 23)}Z`;

test('getdetails: every field of a domain', async () => {
  const { data, bodies, calls } = await run(/* GraphQL */ `{
    domain(name: "maple-field.com") {
      name status state upstreamId registeredAt expiresAt remainingDays authCode transferLocked privacyProtected
      isChildNameServer nameServers childNameServers { name } additional { key }
      contacts { registrant { upstreamId } billing { upstreamId } } } }`);

  const { Start, Expiration } = registrar.domains.get('maple-field.com').Dates;
  expect(data.domain).toEqual({
    name: 'maple-field.com',
    status: 'Active',
    state: 'ACTIVE',
    upstreamId: 38,
    registeredAt: instantOf(Start),
    expiresAt: instantOf(Expiration),
    remainingDays: 730,
    authCode: 'Code-of-domain-1',
    transferLocked: true,
    privacyProtected: false,
    isChildNameServer: false,
    nameServers: ['ns1.host.example', 'ns2.host.example'],
    childNameServers: [],
    additional: [],
    contacts: { registrant: { upstreamId: 501 }, billing: { upstreamId: 502 } },
  });
  expect(bodies).toEqual([{ domain: 'maple-field.com' }]);
  expect(calls).toEqual({ getdetails: 1 });
});

test('getcontacts: every field of a contact, in one call for all four', async () => {
  const { data, calls } = await run(/* GraphQL */ `{
    domain(name: "maple-field.com") { contacts {
      registrant { type } administrative { type } billing { type }
      technical { upstreamId role status type authCode firstName lastName company email additional { key }
        phone { number countryCode e164 } fax { number } address { line1 line2 line3 city state zipCode country } } } } }`);

  const owner = {
    firstName: 'Grace',
    lastName: 'Hopper',
    company: 'Navy',
    email: 'grace@example.org',
  };
  const lines = { line1: 'Street 1', line2: null, line3: null };
  expect(data.domain.contacts).toEqual({
    registrant: { type: 'EuContact' },
    administrative: { type: 'Contact' },
    billing: { type: 'UkContact' },
    technical: {
      upstreamId: 502,
      role: 'TECHNICAL',
      status: null,
      type: 'CoopContact',
      authCode: null,
      ...owner,
      additional: [],
      fax: null,
      phone: { number: '2025550123', countryCode: '1', e164: '+12025550123' },
      address: { ...lines, city: 'Arlington', state: 'VA', zipCode: '22201', country: 'US' },
    },
  });
  expect(calls).toEqual({ getdetails: 1, getcontacts: 1 });
});

test('getdomainlist: the domains and their number', async () => {
  const { data, bodies, calls } = await run(
    '{ domains { totalCount coverage { complete } nodes { name state transferLocked } } }',
  );

  expect(data.domains).toEqual({
    totalCount: 1,
    coverage: { complete: true },
    nodes: [{ name: 'maple-field.com', state: 'ACTIVE', transferLocked: true }],
  });
  expect(bodies).toEqual([{}]);
  expect(calls).toEqual({ getdomainlist: 1 });
});

test('singlecheckavailability: every field of an availability entry', async () => {
  const { data, bodies, calls } = await run(/* GraphQL */ `{
    availability(name: "free-maple.com") { name state premium command status period reason
      price { amount currency } cost { amount currency } tld { name } } }`);

  expect(data.availability).toEqual({
    name: 'free-maple.com',
    state: 'AVAILABLE',

    premium: false,
    command: 'create',
    status: 'available',
    period: 1,
    reason: null,
    price: { amount: '22.5800', currency: 'USD' },
    cost: { amount: '11.2900', currency: 'USD' },
    tld: { name: 'com' },
  });
  expect(bodies).toContainEqual({ domain: 'free-maple.com' });
  // The price list shows whether the TLD sells the period.
  expect(calls).toEqual({ singlecheckavailability: 1, tldlist: 1 });
});

test('bulkcheckavailability: one call, each name once', async () => {
  const names = ['maple-field.com', 'free-maple.com', 'FREE-MAPLE.com'];
  const { data, bodies, calls } = await run(
    `{ availabilities(names: ${JSON.stringify(names)}) { name state reason } }`,
  );

  const free = { name: 'free-maple.com', state: 'AVAILABLE', reason: null };
  expect(data.availabilities).toEqual([
    { name: 'maple-field.com', state: 'TAKEN', reason: 'Domain exists' },
    ...[free, free],
  ]);
  expect(bodies).toEqual([{ domains: ['maple-field.com', 'free-maple.com'] }]);
  expect(calls).toEqual({ bulkcheckavailability: 1 });
});

test('tldlist: every field of a TLD entry', async () => {
  const { data, bodies, calls } = await run(/* GraphQL */ `{
    tlds { totalCount complete }
    tld(name: "co.uk") { name upstreamId status minLength maxLength minPeriod maxPeriod
      prices { operation period price { amount currency } cost { amount currency } } } }`);

  const all = ['REGISTRATION', 'RENEWAL', 'TRANSFER', 'RESTORE', 'BACKORDER', 'REFUND'];
  const price = {
    ...{ period: 1, price: { amount: '11.8000', currency: 'EUR' } },
    cost: { amount: '5.9000', currency: 'EUR' },
  };
  const bounds = { minLength: 3, maxLength: 63, minPeriod: 1, maxPeriod: 10 };
  expect(data).toEqual({
    tlds: { totalCount: 3, complete: true },
    tld: {
      name: 'co.uk',
      upstreamId: 2,
      status: 'Active',
      ...bounds,
      prices: expect.arrayContaining(all.map((operation) => ({ operation, ...price }))),
    },
  });
  expect(bodies).toEqual([{ count: expect.any(Number) }]);
  expect(calls).toEqual({ tldlist: 1 });
});

test('resellerdetails: every field of the account', async () => {
  const balance = 'symbol money { amount currency }';
  const { data, calls } = await run(
    `{ reseller { upstreamId active name balance { ${balance} } balances { ${balance} } } }`,
  );

  const dollars = { symbol: '$', money: { amount: '500.0000', currency: 'USD' } };
  expect(data.reseller).toEqual({
    upstreamId: 77,
    active: true,
    name: 'Independent Reseller',
    balance: dollars,
    balances: [dollars, { symbol: '€', money: { amount: '50.0000', currency: 'EUR' } }],
  });
  expect(calls).toEqual({ resellerdetails: 1 });
});

test('all reads of the specification were used', () => {
  expect([...used].sort()).toEqual(operations.reads.toSorted());
});
