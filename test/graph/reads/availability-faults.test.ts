import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startTestGateway } from '../../support/gateway.ts';
import { createGatewayClock } from '../../support/gateway-clock.ts';
import { arm, errorFacts, freeNames, read } from './reads.ts';

const time = createGatewayClock();
const gateway = time.withTime(await startTestGateway({ sandboxDomains: 40, clock: time.clock }));
afterAll(() => gateway.close());
beforeEach(() => gateway.resetCalls());
afterEach(() => gateway.admin('DELETE', '/faults'));

const facts = 'name state available premium price { amount } reason errorCode retryable';
const document = (beside = '') =>
  `query ($names: [String!]!) { found: availabilities(names: $names) { ${facts} } ${beside} }`;
const check = async (names: readonly string[]) =>
  (await read(gateway, document(), { names })).found;
const armChecks = async (fault: string, how: object = {}) => {
  await arm(gateway, fault, 'bulkcheckavailability', { times: 1_000, ...how });
  await arm(gateway, fault, 'singlecheckavailability', { times: 1_000, ...how });
};

/** The values of a name without a result. */
const noResult = { available: false, premium: null, price: null };
const unknown = (errorCode: string) => ({
  ...{ state: 'UNKNOWN', ...noResult, errorCode, retryable: true },
});
const free = { state: 'AVAILABLE', errorCode: null, retryable: false };

describe('one entry of a bulk reply leaves the other names intact when', { tags: ['G12'] }, () => {
  const silent = 'The registrar returned no result for this name; retry later.';

  test.each([
    ['it is left out', 'empty-a.com', 'UNKNOWN', 'UPSTREAM_PROTOCOL', true, silent],
    ['its entry is an empty array', 'maps-a.com', 'UNKNOWN', 'UPSTREAM_PROTOCOL', true, silent],
    ['it is throttled', 'busy-a.com', 'UNKNOWN', 'RATE_LIMITED', true, /Too many requests/],
    ['an error has no code', 'gateway-a.com', 'UNKNOWN', 'UPSTREAM_REJECTED', true, /refused/],
    ['it is refused as a name', 'a.b.com', 'INVALID', 'INVALID_INPUT', false, /one label above/],
    ['its TLD is not sold', 'maple.museum', 'INVALID', 'TLD_UNSUPPORTED', false, /TLD/],
    ['its label is too short', 'a.io', 'INVALID', 'INVALID_INPUT', false, /between 2 and 63/],
  ])('%s', async (_what, name, state, errorCode, retryable, reason) => {
    const found = await check([...freeNames(1), name, 'reseller-demo.com']);

    expect(found).toMatchObject([
      { ...free, name: 'not-registered-0.com', available: true, reason: null },
      { name, state, ...noResult, errorCode, retryable },
      { name: 'reseller-demo.com', state: 'TAKEN', reason: 'Domain exists', errorCode: null },
    ]);
    expect(found[1].reason).toMatch(reason);
    const { tldlist = 0, ...checks } = await gateway.countCalls();
    expect(checks).toEqual({ bulkcheckavailability: 1 });
    // Read only to explain an entry without a code.
    expect(tldlist).toBeLessThanOrEqual(1);
  });
});

test('an entry with values of wrong types is UNKNOWN, and `premium` is null with an error', async () => {
  const names = ['wrongtypes-a.com', 'reseller-demo.com'];

  const { data, errors } = await gateway.query(document(), { names });

  expect(data.found).toMatchObject([
    { ...unknown('UPSTREAM_PROTOCOL'), retryable: false },
    { state: 'TAKEN', errorCode: null },
  ]);
  expect(errors.map(errorFacts)).toMatchObject([
    { path: ['found', 0, 'premium'], code: 'UPSTREAM_PROTOCOL' },
  ]);
});

describe('a failed bulk call makes every name UNKNOWN and leaves the other fields intact:', () => {
  const once = { bulkcheckavailability: 1 };
  /** The list, its halves, and both names of the larger half. */
  const halved = { bulkcheckavailability: 2, singlecheckavailability: 3 };
  const withTlds = { ...once, tldlist: 1 };

  test.each([
    ['a page of a proxy', 'gateway', {}, 'UPSTREAM_UNAVAILABLE', true, halved],
    ['half a reply', 'cut', {}, 'UPSTREAM_PROTOCOL', true, halved],
    ['no connection', 'reset', {}, 'UPSTREAM_UNAVAILABLE', true, halved],
    ['an empty reply', 'empty', {}, 'UPSTREAM_PROTOCOL', true, halved],
    ['429 with a long wait', 'busy', { ms: 5_000 }, 'RATE_LIMITED', true, once],
    ['wrong credentials', 'code', { code: 'API_300_ERROR' }, 'UPSTREAM_AUTH', false, once],
    ['an unlisted code', 'code', { code: 'API_999_ERROR' }, 'UPSTREAM_REJECTED', false, once],
    ['an array instead of an object', 'maps', {}, 'UPSTREAM_PROTOCOL', true, withTlds],
  ])('%s', async (_what, fault, how, errorCode, retryable, checks) => {
    const names = freeNames(3);
    await armChecks(fault, how);

    const { found, reseller } = await read(gateway, document('reseller { name }'), { names });

    expect(found).toMatchObject(names.map((name) => ({ ...unknown(errorCode), name, retryable })));
    for (const { reason } of found) expect(reason).toMatch(/^[A-Z].*\.$/);
    expect(reseller).toEqual({ name: 'Demo Reseller' });
    expect(await gateway.countCalls()).toEqual({ ...checks, resellerdetails: 1 });
  });
});

describe('a bulk call that is refused', () => {
  test.each([
    ['a name', 'API_2005_ERROR'],
    ['a TLD', 'API_320_ERROR'],
  ])('because of %s is sent again in halves', async (_what, code) => {
    await arm(gateway, 'code', 'bulkcheckavailability', { code, times: 1 });

    expect(await check(freeNames(4))).toMatchObject([free, free, free, free]);
    expect(await gateway.countCalls()).toEqual({ bulkcheckavailability: 3 });
  });

  test('always causes a bounded number of calls, and no name is INVALID', async () => {
    await arm(gateway, 'code', 'bulkcheckavailability', { code: 'API_2005_ERROR', times: 1_000 });

    const found = await check(freeNames(100));

    expect(found.map(({ state }: { state: string }) => state)).not.toContain('INVALID');
    expect((await gateway.upstreamCalls()).length).toBeLessThanOrEqual(33);
  });
});

describe('a name that breaks its call', { tags: ['G13'] }, () => {
  test.each([
    ['reset-a.com', 'UPSTREAM_UNAVAILABLE'],
    ['cut-a.com', 'UPSTREAM_PROTOCOL'],
    ['hang-a.com', 'UPSTREAM_TIMEOUT'],
  ])('fails alone among three, within a bounded time: %s', async (name, errorCode) => {
    const [one = '', other = ''] = freeNames(2);
    const startedMs = time.clock.monotonicMs();

    expect(await check([one, name, other])).toMatchObject([free, unknown(errorCode), free]);
    expect(time.clock.monotonicMs() - startedMs).toBeLessThanOrEqual(6_100);
    // The list, its halves, and the two names of the half that failed again.
    expect(await gateway.countCalls()).toEqual({
      ...{ bulkcheckavailability: 2, singlecheckavailability: 3 },
    });
  });

  test('fails alone beside another one in a list of 100', async () => {
    const names = freeNames(100).with(10, 'reset-a.com').with(90, 'cut-b.com');

    const found = await check(names);

    expect(found.filter(({ state }: { state: string }) => state === 'AVAILABLE')).toHaveLength(98);
    expect(found[10]).toMatchObject(unknown('UPSTREAM_UNAVAILABLE'));
    expect(found[90]).toMatchObject(unknown('UPSTREAM_PROTOCOL'));
    expect((await gateway.upstreamCalls()).length).toBeLessThanOrEqual(29);
  });

  test('fails with its list, which is not halved, when few calls are left', async () => {
    const small = await startTestGateway({ sandboxDomains: 1, env: { MAX_UPSTREAM_CALLS: '2' } });

    const { found } = await read(
      small,
      '{ found: availabilities(names: ["reset-a.com", "maple-harbor.com"]) { state } }',
    );

    expect(found).toEqual([{ state: 'UNKNOWN' }, { state: 'UNKNOWN' }]);
    expect(await small.countCalls()).toEqual({ bulkcheckavailability: 2 });
    await small.close();
  });
});

test('a list is given up after seven calls when the upstream is down', async () => {
  await armChecks('reset');

  expect(await check(freeNames(100))).toMatchObject(
    Array(100).fill(unknown('UPSTREAM_UNAVAILABLE')),
  );
  expect(await gateway.upstreamCalls()).toHaveLength(7);
});

test('HTML before the JSON of a reply is skipped', async () => {
  await arm(gateway, 'html', 'bulkcheckavailability', { times: 1 });

  expect(await check(freeNames(2))).toMatchObject([free, free]);
  expect(await gateway.countCalls()).toEqual({ bulkcheckavailability: 1 });
});

test('a single check that is refused is INVALID, and one that fails is UNKNOWN', async () => {
  const single = `query ($name: String!) { found: availability(name: $name) { ${facts} } }`;
  const refused = await read(gateway, single, { name: 'a.b.com' });
  await arm(gateway, 'code', 'singlecheckavailability', { code: 'API_2400_ERROR' });
  const failed = await read(gateway, single, { name: 'maple-one.com' });

  expect(refused.found).toMatchObject({ state: 'INVALID', errorCode: 'INVALID_INPUT' });
  expect(failed.found).toMatchObject(unknown('UPSTREAM_UNAVAILABLE'));
});
