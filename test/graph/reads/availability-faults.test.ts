import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startTestGateway } from '../../support/gateway.ts';
import { arm, errorFacts, freeNames, read } from './reads.ts';

const gateway = await startTestGateway({ sandboxDomains: 40 });
afterAll(() => gateway.close());
beforeEach(() => gateway.resetCalls());
afterEach(() => gateway.admin('DELETE', '/faults'));

const facts = 'name state available premium price { amount } reason errorCode retryable';
const check = (names: readonly string[], beside = '') =>
  read(
    gateway,
    `query ($names: [String!]!) { found: availabilities(names: $names) { ${facts} } ${beside} }`,
    { names },
  );

/** The values of a name without a result. */
const untold = { available: false, premium: null, price: null };

describe('one entry of a bulk reply leaves the other names intact when', () => {
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
    const [free = ''] = freeNames(1);

    const { found } = await check([free, name, 'reseller-demo.com']);

    expect(found).toMatchObject([
      { name: free, state: 'AVAILABLE', available: true, reason: null, errorCode: null },
      { name, state, ...untold, errorCode, retryable },
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

  const { data, errors } = await gateway.query(
    `query ($names: [String!]!) { found: availabilities(names: $names) { ${facts} } }`,
    { names },
  );

  expect(data.found).toMatchObject([
    { state: 'UNKNOWN', ...untold, errorCode: 'UPSTREAM_PROTOCOL', retryable: false },
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

  test.each([
    ['a page of a proxy', 'gateway', {}, 'UPSTREAM_UNAVAILABLE', true, halved],
    ['half a reply', 'cut', {}, 'UPSTREAM_PROTOCOL', true, halved],
    ['no connection', 'reset', {}, 'UPSTREAM_UNAVAILABLE', true, halved],
    ['an empty reply', 'empty', {}, 'UPSTREAM_PROTOCOL', true, halved],
    ['429 with a long wait', 'busy', { ms: 5_000 }, 'RATE_LIMITED', true, once],
    ['wrong credentials', 'code', { code: 'API_300_ERROR' }, 'UPSTREAM_AUTH', false, once],
    ['an unlisted code', 'code', { code: 'API_999_ERROR' }, 'UPSTREAM_REJECTED', false, once],
    [
      'an array instead of an object',
      'maps',
      {},
      'UPSTREAM_PROTOCOL',
      true,
      { ...once, tldlist: 1 },
    ],
  ])('%s', async (_what, fault, how, errorCode, retryable, checks) => {
    const names = freeNames(3);
    await arm(gateway, fault, 'bulkcheckavailability', { ...how, times: 100 });
    await arm(gateway, fault, 'singlecheckavailability', { ...how, times: 100 });

    const { found, reseller } = await check(names, 'reseller { name }');

    expect(found).toMatchObject(
      names.map((name) => ({ name, state: 'UNKNOWN', ...untold, errorCode, retryable })),
    );
    for (const { reason } of found) expect(reason).toMatch(/^[A-Z].*\.$/);
    expect(reseller).toEqual({ name: 'Demo Reseller' });
    expect(await gateway.countCalls()).toEqual({ ...checks, resellerdetails: 1 });
  });
});

test.each([
  ['a name', 'API_2005_ERROR'],
  ['a TLD', 'API_320_ERROR'],
])('a bulk call that is refused because of %s is sent again in halves', async (_what, code) => {
  const names = freeNames(4);
  await arm(gateway, 'code', 'bulkcheckavailability', { code, times: 1 });

  const { found } = await check(names);

  expect(found).toMatchObject(names.map((name) => ({ name, state: 'AVAILABLE' })));
  expect(await gateway.countCalls()).toEqual({ bulkcheckavailability: 3 });
});

test('a bulk call that is always refused causes a bounded number of calls', async () => {
  const names = freeNames(100);
  await arm(gateway, 'code', 'bulkcheckavailability', { code: 'API_2005_ERROR', times: 1_000 });

  const { found } = await check(names);

  const states = found.map(({ state }: { state: string }) => state);
  expect(new Set(states)).not.toContain('INVALID');
  const { bulkcheckavailability = 0, singlecheckavailability = 0 } = await gateway.countCalls();
  expect(bulkcheckavailability + singlecheckavailability).toBeLessThanOrEqual(33);
});

test('HTML before the JSON of a reply is skipped', async () => {
  await arm(gateway, 'html', 'bulkcheckavailability', { times: 1 });

  const { found } = await check(freeNames(2));

  expect(found).toMatchObject([{ state: 'AVAILABLE' }, { state: 'AVAILABLE' }]);
  expect(await gateway.countCalls()).toEqual({ bulkcheckavailability: 1 });
});

test('a single check that is refused is INVALID, and one that fails is UNKNOWN', async () => {
  const document = `query ($name: DomainName!) { found: availability(name: $name) { ${facts} } }`;
  const refused = await read(gateway, document, { name: 'a.b.com' });
  await arm(gateway, 'code', 'singlecheckavailability', { code: 'API_2400_ERROR' });
  const failed = await read(gateway, document, { name: 'maple-one.com' });

  expect(refused.found).toMatchObject({ state: 'INVALID', errorCode: 'INVALID_INPUT' });
  expect(failed.found).toMatchObject({
    state: 'UNKNOWN',
    ...untold,
    errorCode: 'UPSTREAM_UNAVAILABLE',
    retryable: true,
  });
});
