import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';
import { startTestGateway } from '../../support/gateway.ts';
import { arm, errorFacts, read } from './reads.ts';

const gateway = await startTestGateway({ sandboxDomains: 60 });
afterAll(() => gateway.close());
beforeEach(() => gateway.resetCalls());
afterEach(() => gateway.admin('DELETE', '/faults'));

const unreadable = (what: string, ...path: (string | number)[]) => ({
  path,
  message: `The registrar returned an invalid value for ${what}.`,
  code: 'UPSTREAM_PROTOCOL',
  retryable: false,
  executed: 'NO',
});

test('a nullable field with a wrong type fails alone', async () => {
  await arm(gateway, 'wrongtypes', 'getdetails', { times: 1 });

  const { data, errors } = await gateway.query(`{
    domain(name: "private-demo.net") {
      name upstreamId status state expiresAt remainingDays registeredAt authCode
      contacts { registrant { upstreamId } }
    }
  }`);

  expect(data.domain).toMatchObject({
    name: 'private-demo.net',
    upstreamId: null,
    status: '7',
    state: 'UNKNOWN',
    expiresAt: null,
    remainingDays: null,
    contacts: { registrant: { upstreamId: null } },
  });
  expect(data.domain.registeredAt).toMatch(/Z$/);
  expect(data.domain.authCode).toHaveLength(16);
  expect(errors.map(errorFacts)).toEqual([
    unreadable('Dates.Expiration', 'domain', 'expiresAt'),
    unreadable('Dates.RemainingDays', 'domain', 'remainingDays'),
  ]);
});

test('a flag that is neither true nor false is null with an error, and its siblings are intact', {
  tags: ['G10'],
}, async () => {
  await arm(gateway, 'wrongtypes', 'getdetails', { domain: 'private-demo.net' });

  const { data, errors } = await gateway.query(`{
    a: domain(name: "private-demo.net") { name transferLocked privacyProtected nameServers additional { key } }
    b: domain(name: "unlocked-demo.com") { transferLocked }
  }`);

  expect(data).toEqual({
    a: {
      name: 'private-demo.net',
      transferLocked: null,
      privacyProtected: null,
      nameServers: null,
      additional: [],
    },
    b: { transferLocked: false },
  });
  expect(errors.map(errorFacts)).toEqual([
    unreadable('LockStatus', 'a', 'transferLocked'),
    unreadable('PrivacyProtectionStatus', 'a', 'privacyProtected'),
    unreadable('NameServers', 'a', 'nameServers'),
  ]);
});

test('an unreadable value of a row is null, and the row and the page are intact', async () => {
  await arm(gateway, 'wrongtypes', 'getdomainlist', { times: 1 });

  const { data, errors } = await gateway.query(
    '{ domains(first: 2) { totalCount edges { cursor node { name nameServers } } } }',
  );

  const row = { node: { name: expect.stringContaining('.'), nameServers: null } };
  expect(data.domains).toMatchObject({ totalCount: 60, edges: [row, row] });
  expect(errors.map(errorFacts)).toEqual(
    [0, 1].map((at) => unreadable('NameServers', 'domains', 'edges', at, 'node', 'nameServers')),
  );
});

test('a list without its count is not complete, and names beyond it are read by getdetails', async () => {
  await arm(gateway, 'wrongtypes', 'getdomainlist', { times: 2 });
  const names = ['private-demo.net', 'a-a.com', 'a-b.com', 'a-c.com', 'a-d.com'];

  const page = await gateway.query('{ domains(first: 1) { complete upstreamCount totalCount } }');
  await gateway.resetCalls();
  await read(gateway, `{ domainsByName(names: ${JSON.stringify(names)}) { name } }`);

  expect(page.data.domains).toEqual({ complete: false, upstreamCount: null, totalCount: 60 });
  expect(page.errors.map(errorFacts)).toEqual([
    unreadable('TotalCount', 'domains', 'upstreamCount'),
  ]);
  expect(await gateway.countCalls()).toEqual({ getdomainlist: 1, getdetails: 4 });
});

test('empty maps that arrive as [] are empty', async () => {
  await arm(gateway, 'maps', 'getdetails', { times: 1 });
  await arm(gateway, 'maps', 'getcontacts', { times: 1 });
  await arm(gateway, 'maps', 'tldlist', { times: 1 });

  const { data, errors } = await gateway.query(
    `{ domain(name: "private-demo.net") {
      registeredAt expiresAt remainingDays additional { key }
      contacts { registrant { upstreamId firstName } }
      tld { name prices { period } }
    } }`,
  );

  // A domain has contacts, so that an empty map of them is none.
  expect(errors.map(errorFacts)).toMatchObject([
    { path: ['domain', 'contacts', 'registrant', 'firstName'], code: 'UPSTREAM_PROTOCOL' },
  ]);
  expect(data.domain).toEqual({
    registeredAt: null,
    expiresAt: null,
    remainingDays: null,
    additional: [],
    contacts: { registrant: { upstreamId: null, firstName: null } },
    tld: { name: 'net', prices: [] },
  });
});

test('unreadable prices and balances are errors, never 0', { tags: ['G7'] }, async () => {
  await arm(gateway, 'wrongtypes', 'resellerdetails', { times: 1 });
  await arm(gateway, 'wrongtypes', 'tldlist', { times: 1 });

  const { data, errors } = await gateway.query(`{
    reseller { name balance { money { amount } } }
    tld(name: "com") { name upstreamId minPeriod maxPeriod }
  }`);

  expect(data).toEqual({
    reseller: { name: 'Demo Reseller', balance: { money: null } },
    tld: { name: 'com', upstreamId: null, minPeriod: null, maxPeriod: 10 },
  });
  expect(errors.map(errorFacts)).toEqual(
    expect.arrayContaining([
      unreadable('balance', 'reseller', 'balance', 'money'),
      unreadable('id', 'tld', 'upstreamId'),
      unreadable('minperiod', 'tld', 'minPeriod'),
    ]),
  );
});
