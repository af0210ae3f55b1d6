import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startTestGateway } from '../../support/gateway.ts';
import { createGatewayClock } from '../../support/gateway-clock.ts';
import { arm, errorFacts, freeNames, read } from './reads.ts';

const time = createGatewayClock();
const gateway = time.withTime(await startTestGateway({ sandboxDomains: 40, clock: time.clock }));
afterAll(() => gateway.close());
beforeEach(() => gateway.resetCalls());
afterEach(() => gateway.admin('DELETE', '/faults'));

const facts = 'name state premium price { amount } reason errorCode retryable';
const document = (beside = '') =>
  `query ($names: [String!]!) { found: availabilities(names: $names) { ${facts} } ${beside} }`;
const check = async (names: readonly string[]) =>
  (await read(gateway, document(), { names })).found;
const armChecks = async (fault: string, how: object = {}) => {
  await arm(gateway, fault, 'bulkcheckavailability', { times: 1_000, ...how });
  await arm(gateway, fault, 'singlecheckavailability', { times: 1_000, ...how });
};

/** The values of a name without a result. */
const noResult = { premium: null, price: null };
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
      { ...free, name: 'not-registered-0.com', reason: null },
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
    // The list, its halves, and the two names of the half that failed again. The prices of the others need the price list.
    expect(await gateway.countCalls()).toEqual({
      ...{ bulkcheckavailability: 2, singlecheckavailability: 3, tldlist: 1 },
    });
  });
});
