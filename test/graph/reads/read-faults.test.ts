import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startTestGateway } from '../../support/gateway.ts';
import { createGatewayClock } from '../../support/gateway-clock.ts';
import { aliased, arm, errorFacts } from './reads.ts';

/** Longer than the two pauses of a read that is sent three times: up to 200 and up to 400 ms. */
const timeoutMs = 1_000;
/** For the window of a batch. */
const windowMs = 10;
const time = createGatewayClock();
const gateway = time.withTime(
  await startTestGateway({
    ...{ sandboxDomains: 60, clock: time.clock },
    env: { UPSTREAM_TIMEOUT_MS: String(timeoutMs) },
  }),
);
afterAll(() => gateway.close());
beforeEach(() => gateway.resetCalls());
afterEach(() => gateway.admin('DELETE', '/faults'));

type Path = readonly (string | number)[];
const failure = (code: string, message: string, retryable: boolean, path: Path) => ({
  ...{ path, message, code, retryable, executed: 'NO' },
});
const unavailable = (...path: Path) =>
  failure('UPSTREAM_UNAVAILABLE', 'The registrar is not available now.', true, path);
const late = (...path: Path) =>
  failure('UPSTREAM_TIMEOUT', 'The registrar did not respond in time.', true, path);
const unreadable = (what: string, ...path: Path) => {
  const message = `The registrar returned an invalid value for ${what}.`;
  return failure('UPSTREAM_PROTOCOL', message, false, path);
};

async function send(document: string) {
  const startedMs = time.clock.monotonicMs();
  const { data, errors = [] } = await gateway.query(document);
  return { data, errors: errors.map(errorFacts), ms: time.clock.monotonicMs() - startedMs };
}

test.each([
  ['domains', '{ totalCount }', 'getdomainlist'],
  ['domainStats', '{ totalCount }', 'getdomainlist'],
  ['tlds', '{ totalCount }', 'tldlist'],
  ['searchDomains', '(labels: ["maple"]) { position }', 'tldlist'],
])('a failed `%s` is null, and the other root fields are intact', async (field, rest, action) => {
  await arm(gateway, 'code', action, { code: 'API_2400_ERROR', times: 10 });

  const { data, errors } = await send(
    `{ reseller { name balance { money { currency } } } purchases { totalCount } ${field} ${rest} }`,
  );

  expect(data).toEqual({
    reseller: { name: 'Demo Reseller', balance: { money: { currency: 'USD' } } },
    ...{ purchases: { totalCount: 0 }, [field]: null },
  });
  expect(errors).toMatchObject([{ path: [field], code: 'UPSTREAM_UNAVAILABLE' }]);
});

describe('a failed resellerdetails is one error with code and request id, and the other fields are intact:', () => {
  test.each([
    ['gateway', {}, 'UPSTREAM_UNAVAILABLE', true],
    ['empty', {}, 'UPSTREAM_PROTOCOL', true],
    ['busy', { ms: 5_000 }, 'RATE_LIMITED', true],
    ['code', { code: 'API_300_ERROR' }, 'UPSTREAM_AUTH', false],
    ['code', { code: 'API_301_ERROR' }, 'IP_NOT_ALLOWED', false],
  ])('%s %j', async (fault, how, code, retryable) => {
    await arm(gateway, fault, 'resellerdetails', how);

    const { status, data, errors } = await gateway.query(
      '{ reseller { name } domain(name: "private-demo.net") { state } }',
      undefined,
      { 'x-request-id': 'of-this-very-test' },
    );

    expect(status).toBe(200);
    expect(data).toEqual({ reseller: null, domain: { state: 'ACTIVE' } });
    expect(errors).toHaveLength(1);
    expect(errors[0]).toMatchObject({
      path: ['reseller'],
      extensions: { code, retryable, executed: 'NO', requestId: 'of-this-very-test' },
    });
    expect(JSON.stringify(errors)).not.toMatch(/demo-password|127\.0\.0\.1|<html/);
  });
});

describe('getcontacts', () => {
  const roles = ['registrant', 'administrative', 'technical', 'billing'];

  test('that fails fails the fields that need it, and no other field of the four contacts', async () => {
    await arm(gateway, 'gateway', 'getcontacts');
    const contacts = async (fields: string) => {
      const selection = roles.map((role) => `${role} { id role upstreamId ${fields} }`).join(' ');
      const { data, errors } = await send(
        `{ domain(name: "private-demo.net") { contacts { ${selection} } } reseller { name } }`,
      );
      expect(data.reseller).toEqual({ name: 'Demo Reseller' });
      return { contacts: data.domain.contacts, errors };
    };

    const free = await contacts('');
    const found = await contacts('firstName phone { e164 } address { city }');

    expect(free.errors).toEqual([]);
    for (const role of roles) {
      expect(free.contacts[role]).toEqual({
        ...{ id: expect.stringMatching(/^\w+$/), role: role.toUpperCase() },
        upstreamId: expect.any(Number),
      });
      expect(found.contacts[role]).toEqual({
        ...{ ...free.contacts[role], firstName: null, phone: null, address: null },
      });
    }
    expect(found.errors).toEqual(
      roles.flatMap((role) =>
        ['firstName', 'phone', 'address'].map((field) =>
          unavailable('domain', 'contacts', role, field),
        ),
      ),
    );
  });

  test('that is slow fails the contact fields of its domain only, for each kind of slowness', async () => {
    const slow = {
      hang: 'private-demo.net',
      drip: 'unlocked-demo.com',
      slow: 'lowercase-demo.org',
    };
    for (const [fault, domain] of Object.entries(slow)) {
      await arm(gateway, fault, 'getcontacts', { domain });
    }
    const names = [...Object.values(slow), 'expiring-demo.com'];

    const { data, errors, ms } = await send(
      `{ ${aliased('domain', names, '{ contacts { registrant { role firstName } } }')} }`,
    );

    expect(Object.values(data)).toEqual(
      [null, null, null, 'Ada'].map((firstName) => ({
        contacts: { registrant: { role: 'REGISTRANT', firstName } },
      })),
    );
    expect(errors).toHaveLength(3);
    expect(errors).toEqual(
      expect.arrayContaining(
        ['a0', 'a1', 'a2'].map((alias) => late(alias, 'contacts', 'registrant', 'firstName')),
      ),
    );
    expect(ms).toBeLessThanOrEqual(timeoutMs + windowMs);
  });
});

describe('getdetails', () => {
  test.each([
    ['fails', 'gateway', unavailable],
    ['hangs', 'hang', late],
  ])(
    'that %s is an error of its domain, and an absent domain is null without an error',
    {
      tags: ['G5'],
    },
    async (_what, fault, error) => {
      await arm(gateway, fault, 'getdetails', { domain: 'private-demo.net' });

      const { data, errors, ms } = await send(
        '{ found: domainsByName(names: ["unlocked-demo.com", "private-demo.net", "absent.com"]) { name } }',
      );

      expect(data).toEqual({ found: [{ name: 'unlocked-demo.com' }, null, null] });
      expect(errors).toEqual([error('found', 1)]);
      expect(ms).toBeLessThanOrEqual(timeoutMs + windowMs);
    },
  );
});

test.each([
  ['fails', 'code', { code: 'API_2000_ERROR' }],
  ['hangs', 'hang', {}],
])(
  'a getdomainlist that %s is replaced by getdetails calls with deadlines of their own',
  async (_what, fault, how) => {
    await arm(gateway, fault, 'getdomainlist', how);
    const names = ['private-demo.net', 'a-a.com', 'a-b.com', 'a-c.com', 'unlocked-demo.com'];

    const { data, errors, ms } = await send(
      `{ found: domainsByName(names: ${JSON.stringify(names)}) { name } }`,
    );

    expect(errors).toEqual([]);
    expect(data.found).toEqual([{ name: names[0] }, null, null, null, { name: names[4] }]);
    expect(ms).toBeLessThanOrEqual(2 * timeoutMs + windowMs);
    expect(await gateway.countCalls()).toEqual({ getdomainlist: 1, getdetails: 5 });
  },
);

test.each([
  ['fails', 'gateway', unavailable],
  ['hangs', 'hang', late],
])('a tldlist that %s fails the `tld` of every row only', async (_what, fault, error) => {
  await arm(gateway, fault, 'tldlist');

  const { data, errors, ms } = await send(`{
    domains(first: 2) { nodes { name tld { name } } }
    availability(name: "not-registered.com") { state tld { name } }
    tld(name: "com") { name }
  }`);

  const row = { name: expect.stringContaining('.'), tld: null };
  expect(data).toEqual({
    ...{ domains: { nodes: [row, row] }, availability: { state: 'AVAILABLE', tld: null } },
    tld: null,
  });
  expect(errors).toHaveLength(4);
  expect(errors).toEqual(
    expect.arrayContaining([
      ...[0, 1].map((at) => error('domains', 'nodes', at, 'tld')),
      ...[error('availability', 'tld'), error('tld')],
    ]),
  );
  expect(ms).toBeLessThanOrEqual(2 * timeoutMs + windowMs);
  // A read that fails is sent three times.
  expect((await gateway.countCalls()).tldlist).toBe(fault === 'gateway' ? 3 : 1);
});

test('names are UNKNOWN within the deadline when bulk and single checks hang', async () => {
  await arm(gateway, 'hang', 'bulkcheckavailability');
  await arm(gateway, 'hang', 'singlecheckavailability');

  const { data, errors, ms } = await send(`{
    availabilities(names: ["free-a.com", "free-b.com"]) { state errorCode retryable }
    reseller { name }
  }`);

  const unknown = { state: 'UNKNOWN', errorCode: 'UPSTREAM_TIMEOUT', retryable: true };
  expect(errors).toEqual([]);
  expect(data).toEqual({
    ...{ availabilities: [unknown, unknown], reseller: { name: 'Demo Reseller' } },
  });
  expect(ms).toBeLessThanOrEqual(timeoutMs + 2_000 + windowMs);
  expect(await gateway.countCalls()).toEqual({
    ...{ bulkcheckavailability: 1, singlecheckavailability: 2, resellerdetails: 1 },
  });
});

describe('values of wrong types', () => {
  test('of a domain are null with an error each, and its other fields are intact', {
    tags: ['G10'],
  }, async () => {
    await arm(gateway, 'wrongtypes', 'getdetails', { domain: 'private-demo.net' });

    const { data, errors } = await send(`{
      a: domain(name: "private-demo.net") {
        name upstreamId status state expiresAt remainingDays registeredAt authCode
        transferLocked privacyProtected nameServers additional { key }
        contacts { registrant { upstreamId } }
      }
      b: domain(name: "unlocked-demo.com") { transferLocked }
    }`);

    expect(data).toEqual({
      a: {
        ...{ name: 'private-demo.net', upstreamId: null, status: '7', state: 'UNKNOWN' },
        ...{ expiresAt: null, remainingDays: null, registeredAt: expect.stringMatching(/Z$/) },
        authCode: expect.stringMatching(/^.{16}$/),
        ...{ transferLocked: null, privacyProtected: null, nameServers: null, additional: [] },
        contacts: { registrant: { upstreamId: null } },
      },
      b: { transferLocked: false },
    });
    expect(errors).toEqual([
      unreadable('Dates.Expiration', 'a', 'expiresAt'),
      unreadable('Dates.RemainingDays', 'a', 'remainingDays'),
      unreadable('LockStatus', 'a', 'transferLocked'),
      unreadable('PrivacyProtectionStatus', 'a', 'privacyProtected'),
      unreadable('NameServers', 'a', 'nameServers'),
    ]);
  });

  test('of a row are null, and the row and the page are intact', async () => {
    await arm(gateway, 'wrongtypes', 'getdomainlist', { times: 1 });

    const { data, errors } = await send(
      '{ domains(first: 2) { totalCount edges { cursor node { name nameServers } } } }',
    );

    const row = { node: { name: expect.stringContaining('.'), nameServers: null } };
    expect(data.domains).toMatchObject({ totalCount: 60, edges: [row, row] });
    expect(errors).toEqual(
      [0, 1].map((at) => unreadable('NameServers', 'domains', 'edges', at, 'node', 'nameServers')),
    );
  });

  test('of the count of a list make it incomplete, and names beyond it are read by getdetails', async () => {
    await arm(gateway, 'wrongtypes', 'getdomainlist', { times: 2 });
    const names = ['private-demo.net', 'a-a.com', 'a-b.com', 'a-c.com', 'a-d.com'];

    const page = await send('{ domains(first: 1) { coverage { complete listed } totalCount } }');
    await gateway.resetCalls();
    const byName = await send(`{ domainsByName(names: ${JSON.stringify(names)}) { name } }`);

    expect(page.data.domains).toEqual({
      coverage: { complete: false, listed: null },
      totalCount: 60,
    });
    expect(page.errors).toEqual([unreadable('TotalCount', 'domains', 'coverage', 'listed')]);
    expect(byName.errors).toEqual([]);
    expect(await gateway.countCalls()).toEqual({ getdomainlist: 1, getdetails: 4 });
  });

  test('of prices and balances are errors, never 0', { tags: ['G7'] }, async () => {
    await arm(gateway, 'wrongtypes', 'resellerdetails', { times: 1 });
    await arm(gateway, 'wrongtypes', 'tldlist', { times: 1 });

    const { data, errors } = await send(`{
      reseller { name balance { money { amount } } }
      tld(name: "com") { name upstreamId minPeriod maxPeriod }
    }`);

    expect(data).toEqual({
      reseller: { name: 'Demo Reseller', balance: { money: null } },
      tld: { name: 'com', upstreamId: null, minPeriod: null, maxPeriod: 10 },
    });
    expect(errors).toEqual(
      expect.arrayContaining([
        unreadable('balance', 'reseller', 'balance', 'money'),
        unreadable('id', 'tld', 'upstreamId'),
        unreadable('minperiod', 'tld', 'minPeriod'),
      ]),
    );
  });
});
