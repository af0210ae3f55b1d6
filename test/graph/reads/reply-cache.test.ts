import { afterAll, afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { domainWritesOf } from '../../samples/writes.ts';
import { ada } from '../../support/ada.ts';
import { startTestGateway } from '../../support/gateway.ts';
import { leapingClock } from '../../support/leaping-clock.ts';
import { mutate } from '../writes/mutate.ts';
import { startRecordedGateway } from '../writes/recorded-gateway.ts';
import { read } from './reads.ts';

const { clock, pass } = leapingClock();
const gateway = await startTestGateway({
  sandboxDomains: 60,
  clock,
  env: {
    TLD_MAX_AGE_SECONDS: '600',
    DOMAIN_MAX_AGE_SECONDS: '10',
    AVAILABILITY_MAX_AGE_SECONDS: '3',
  },
});
afterAll(() => gateway.close());
beforeEach(async () => {
  // Longer than any cache entry lives, so that each test starts with an empty cache.
  pass(48 * 3_600);
  await gateway.resetCalls();
});
afterEach(() => gateway.admin('DELETE', '/faults'));

const price = '{ tld(name: "com") { price(operation: RENEWAL) { price { amount } } } }';
const details = '{ domain(name: "reseller-demo.com") { nameServers state } }';
const check = '{ availability(name: "cache-check.com") { state } }';

const register = async (domain: string, more: object = {}) => {
  const input = {
    domain,
    registrant: { fields: ada },
    nameServers: ['ns1.example.net', 'ns2.example.net'],
  };
  const { registerDomain } = await read(
    gateway,
    `mutation ($input: RegisterDomainInput!) { registerDomain(input: $input) {
      purchase { state } domain { name } errors { code } } }`,
    { input: { ...input, ...more } },
  );
  return registerDomain;
};

describe('a reply is cached for its maximum age and no longer:', { tags: ['R6'] }, () => {
  test.each([
    ['tldlist', price, 600],
    ['getdetails', details, 10],
    ['singlecheckavailability', check, 3],
  ])('%s', async (action, document, seconds) => {
    const first = await read(gateway, document);
    pass(seconds - 1);
    const again = await gateway.query(document);
    const callsSoFar = await gateway.countCalls();
    pass(seconds * 20);
    await read(gateway, document);

    expect(again.data).toEqual(first);
    expect(callsSoFar).toEqual({ [action]: 1 });
    expect(await gateway.countCalls()).toEqual({ [action]: 2 });
  });
});

test('extensions.upstream lists the cached replies of a response with their age', async () => {
  await read(gateway, details);
  pass(4);

  const { extensions } = await gateway.query(details);

  expect(extensions.upstream).toMatchObject({
    calls: 0,
    list: [],
    cached: [{ action: 'getdetails', answers: 1, stale: false }],
  });
  const [{ oldestMs }] = extensions.upstream.cached;
  expect(oldestMs).toBeGreaterThanOrEqual(4_000);
  expect(oldestMs).toBeLessThan(9_000);
});

describe('a stale price list', () => {
  test('is served at once while a new one is read in the background', async () => {
    await read(gateway, price);
    pass(700);

    const old = await gateway.query(price);
    // The call is counted before its reply is read.
    await expect
      .poll(async () => (await gateway.query(price)).extensions.upstream.cached)
      .toMatchObject([{ action: 'tldlist', stale: false }]);

    expect(old.extensions.upstream.cached).toMatchObject([{ action: 'tldlist', stale: true }]);
    expect(await gateway.countCalls()).toEqual({ tldlist: 2 });
  });

  test('is never used for the price of a purchase', async () => {
    await read(gateway, price);

    expect((await register('dry-run-only.com', { dryRun: true })).errors).toEqual([]);

    expect((await gateway.countCalls()).tldlist).toBe(2);
  });
});

test('an empty price list leaves the older one in use, and is read again', async () => {
  const own = await startRecordedGateway({ clock, env: { TLD_MAX_AGE_SECONDS: '600' } });
  onTestFinished(() => own.close());
  const fresh = await own.gateway.query(price);
  // Too old to be served while a new one is read.
  pass(20 * 3_600);
  const empty = { status: 200, body: '{"result":"OK","data":[]}', action: 'tldlist' };
  for (let reads = 0; reads < 3; reads += 1) own.replyNext(empty);

  const old = await own.gateway.query(price);
  pass(60);
  const recovered = await own.gateway.query(price);

  expect(fresh.data.tld.price).not.toBeNull();
  expect(old.data).toEqual(fresh.data);
  expect(old.extensions.stale).toMatchObject([{ action: 'tldlist' }]);
  expect(own.left()).toBe(0);
  expect(recovered.data).toEqual(fresh.data);
  expect(recovered.extensions.stale).toBeUndefined();
  expect(own.seen.map(({ path }) => path.replace(/.*=/, ''))).toEqual(Array(5).fill('tldlist'));
});

/** A change by another program with the same account. */
const changeOutsideTheGateway = () =>
  gateway.callUpstream('modifynameserver', {
    domain: 'reseller-demo.com',
    nameservers: { ns1: 'ns8.example.net', ns2: 'ns9.example.net' },
  });

test('refresh reads from the upstream and updates the cache for other clients', async () => {
  await read(gateway, details);
  await changeOutsideTheGateway();

  const cached = await read(gateway, details);
  const fresh = await read(gateway, details.replace('(', '(refresh: true, '));
  const after = await read(gateway, details);

  expect(cached.domain.nameServers).not.toEqual(['ns8.example.net', 'ns9.example.net']);
  expect(fresh.domain.nameServers).toEqual(['ns8.example.net', 'ns9.example.net']);
  expect(after).toEqual(fresh);
  expect(await gateway.countCalls()).toEqual({ getdetails: 2, modifynameserver: 1 });
});

test('refresh bypasses the cached availability of a name', async () => {
  await read(gateway, check);
  await read(gateway, check.replace('(', '(refresh: true, '));

  expect(await gateway.countCalls()).toEqual({ singlecheckavailability: 2 });
});

test('a transfer reads the domain from the upstream and bypasses the cache', async () => {
  await read(gateway, details);

  const { data } = await gateway.query(`mutation { transferDomain(input: {
    domain: "reseller-demo.com", authCode: "Transfer-Code-01", period: 1, dryRun: true
  }) { errors { path } } }`);
  expect(data.transferDomain.errors).toEqual([{ path: ['input', 'domain'] }]);

  expect((await gateway.countCalls()).getdetails).toBe(2);
});

test('an auth code is never cached, and a read of it does not discard the cached details', {
  tags: ['G21'],
}, async () => {
  const code = '{ domain(name: "reseller-demo.com") { authCode } }';
  const first = await read(gateway, code);
  await read(gateway, details);
  const second = await read(gateway, code);

  expect(first.domain.authCode).toMatch(/^.{16}$/);
  expect(second).toEqual(first);
  expect(await gateway.countCalls()).toEqual({ getdetails: 2 });
});

test.each([
  [
    'contacts and balances',
    '{ reseller { balance { money { amount } } } domain(name: "reseller-demo.com") { contacts { billing { email } } } }',
    { resellerdetails: 2, getcontacts: 2, getdetails: 1 },
  ],
  ['the absence of a domain', '{ domain(name: "not-registered.com") { name } }', { getdetails: 2 }],
])('%s: never cached', async (_what, document, calls) => {
  const first = await read(gateway, document);

  expect(await read(gateway, document)).toEqual(first);
  expect(await gateway.countCalls()).toEqual(calls);
});

describe('the cached availability of a name is invalidated', () => {
  const stateOf = async (name: string) =>
    (await read(gateway, `{ availability(name: "${name}") { state } }`)).availability.state;

  test('by its registration', async () => {
    const domain = 'registered-later.com';
    expect(await stateOf(domain)).toBe('AVAILABLE');

    expect(await register(domain)).toEqual({
      ...{ purchase: { state: 'SUCCEEDED' }, domain: { name: domain }, errors: [] },
    });
    expect(await stateOf(domain)).toBe('TAKEN');
  });

  test('by its transfer', async () => {
    await stateOf('outside-one.com');

    const { data } = await gateway.query(`mutation { transferDomain(input: {
      domain: "outside-one.com", authCode: "Transfer-Code-01", period: 1
    }) { purchase { state } } }`);
    expect(data.transferDomain).toEqual({ purchase: { state: 'IN_PROGRESS' } });
    await gateway.resetCalls();
    await stateOf('outside-one.com');

    expect(await gateway.countCalls()).toEqual({ singlecheckavailability: 1 });
  });
});

describe('a mutation invalidates the cached details of its domain only:', () => {
  const domain = 'expiring-demo.com';
  const own = details.replace('reseller-demo.com', domain);

  test.each(domainWritesOf('verified', 'repeated', 'unknown'))('$name', async ({ name, input }) => {
    for (const document of [own, details, price]) await read(gateway, document);

    expect((await mutate(gateway, name, input(domain))).errors).toEqual([]);
    await gateway.resetCalls();
    for (const document of [own, details, price]) await read(gateway, document);

    expect((await gateway.upstreamCalls()).map((call) => [call.action, call.domain])).toEqual([
      ['getdetails', domain],
    ]);
  });
});
