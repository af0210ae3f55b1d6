import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { gateLimits } from '../../../src/upstream/client/gate.ts';
import { startRecordedGateway } from '../writes/recorded-gateway.ts';

// Replies to checks that the sandbox never sends. `tldlist` reaches the sandbox.
const recorded = await startRecordedGateway();
const { gateway, seen } = recorded;
afterAll(() => recorded.close());
beforeEach(() => {
  seen.length = 0;
});

const reply = (body: unknown, status = 200) =>
  recorded.replyNext({ status, body: JSON.stringify(body) });
const refusal = (Code: string, Details: string) => ({
  result: 'ERROR',
  error: { Code, Message: 'Failed', Details },
});
const offer = {
  ...{ Status: 'available', Command: 'create', Period: 1, IsFee: false, Reason: null },
  ...{ Price: '11.2900', Currency: 'USD' },
};
/** The entry of a bulk check, of a name whose registration costs 11.29 USD. */
const entry = (...changes: readonly object[]) => changes.map((one) => ({ ...offer, ...one }));
const calls = () => seen.map(({ path }) => path.replace(/.*=/, ''));

const facts = 'state premium price { amount } reason errorCode retryable';
const check = async (name: string, more = '') => {
  const { data } = await gateway.query(`{ availability(name: "${name}") { ${facts} ${more} } }`);
  return data.availability;
};
const checkAll = async (names: readonly string[], entries: readonly unknown[], more = '') => {
  const availability = Object.fromEntries(names.map((name, at) => [name, entries[at]]));
  reply({ status: 'success', availability });
  const { data } = await gateway.query(
    `query ($names: [String!]!) { availabilities(names: $names) { ${facts} ${more} } }`,
    { names },
  );
  return data.availabilities;
};

describe('offers for one name', () => {
  const taken = { Status: 'notavailable', Reason: 'Domain exists' };
  const contradictory = {
    ...{ state: 'UNKNOWN', premium: null, price: null, retryable: false },
    errorCode: 'UPSTREAM_PROTOCOL',
    reason: expect.stringContaining('contradict each other'),
  };

  test.each<[string, readonly object[], object]>([
    ['that are the same are one', [{}, {}], { state: 'AVAILABLE', price: { amount: '11.2900' } }],
    ['that differ in their reasons agree', [taken, { ...taken, Reason: '' }], { state: 'TAKEN' }],
    ['of two states are UNKNOWN', [{}, taken], contradictory],
    ['of two states are UNKNOWN in any order', [taken, {}], contradictory],
    ['of two prices are UNKNOWN', [{}, { Price: '1.0000' }], contradictory],
    ['of two currencies are UNKNOWN', [{}, { Currency: 'EUR' }], contradictory],
    ['with and without a price are UNKNOWN', [{}, { Price: '' }], contradictory],
    ['that disagree about premium are UNKNOWN', [{}, { IsFee: true }], contradictory],
  ])('%s', async (_what, offers, expected) => {
    reply(entry(...offers));
    expect(await check('odd.com')).toMatchObject(expected);

    const [bulk, other] = await checkAll(['odd.com', 'other.com'], [entry(...offers), entry({})]);
    expect(bulk).toMatchObject(expected);
    expect(other.state).toBe('AVAILABLE');
  });
});

test('entries of one name in two spellings are one, and an error among them stays', async () => {
  const error = { status: 'error', message: 'Timed out.' };

  for (const [first, second, state] of [
    [entry({}), entry({ Status: 'notavailable' }), 'UNKNOWN'],
    [error, entry({}), 'UNKNOWN'],
    [entry({}), error, 'UNKNOWN'],
    [entry({}), entry({}), 'AVAILABLE'],
  ]) {
    reply({
      status: 'success',
      availability: { 'odd.com': first, 'ODD.com': second, 'b.com': [] },
    });
    const { data } = await gateway.query(
      '{ availabilities(names: ["odd.com", "b.com"]) { state } }',
    );
    expect(data.availabilities[0]).toEqual({ state });
  }
});

test('the reason of the registrar is shown also beside a status that is not known', async () => {
  reply(entry({ Status: 'reserved', Reason: 'Reserved name' }));
  reply(entry({ Status: 'reserved' }));

  expect(await check('odd.com')).toMatchObject({
    ...{ state: 'UNKNOWN', reason: 'Reserved name', errorCode: 'UPSTREAM_PROTOCOL' },
  });
  expect((await check('odd.com')).reason).toContain('cannot be read');
});

describe('the period of a price', () => {
  const priced =
    'period one: quote(period: 1) { certainty } two: quote(period: 2) { certainty highest { amount } }';
  const certainty = (found: { one: object; two: object }) => [found.one, found.two];

  test('is that of the offer where the TLD sells it', async () => {
    reply(entry({}));

    expect(await check('odd.com', 'period')).toMatchObject({
      price: { amount: '11.2900' },
      period: 1,
    });
    expect(calls()).toEqual(['singlecheckavailability', 'tldlist']);
  });

  test('is the shortest of the TLD for a price that is listed for that', async () => {
    reply(entry({ Price: '139.8000' }));
    const found = await check('odd.ai', priced);

    expect(found).toMatchObject({ price: { amount: '139.8000' }, period: 2 });
    expect(certainty(found)).toEqual([
      { certainty: 'UNKNOWN' },
      { certainty: 'LISTED', highest: { amount: '139.8000' } },
    ]);
  });

  test('is also that of the price in a search, which is hidden when it is not known', async () => {
    const row = {
      ...{
        id: 1,
        status: 'Active',
        tld: 'ai',
        minchar: 2,
        maxchar: 63,
        minperiod: 2,
        maxperiod: 10,
      },
      pricing: { registration: { 2: '139.8000' } },
      currencies: { registration: 'USD' },
    };
    const search = async (changes: object) => {
      reply({ result: 'OK', data: [row] });
      reply(entry(changes));
      const { data } = await gateway.query(`{ searchDomains(label: "odd", tlds: ["ai"]) {
        price { amount } totals { period certainty } availability { price { amount } period } } }`);
      return data.searchDomains[0];
    };

    expect(await search({ Price: '139.8000' })).toMatchObject({
      price: { amount: '139.8000' },
      availability: { period: 2 },
    });
    expect(await search({ Price: '500.0000', IsFee: true })).toEqual({
      price: null,
      totals: [1, 3, 5, 10].map((period) => ({ period, certainty: 'UNKNOWN' })),
      availability: { price: { amount: '500.0000' }, period: null },
    });
  });
});

describe('a label that the bounds of its TLD exclude', () => {
  const invalid = { state: 'INVALID', price: null, errorCode: 'INVALID_INPUT', retryable: false };
  const listed = { TLD_MAX_AGE_SECONDS: '60' };

  test('is INVALID while the price list is cached, alone and in bulk, for no further call', async () => {
    const own = await startRecordedGateway({ env: listed });
    const body = JSON.stringify({ status: 'success', availability: { 'a.com': entry({}) } });
    const single = { status: 200, body: JSON.stringify(entry({})) };
    const names = '["a.com", "ab.com"]';
    own.replyNext(single);
    const before = await own.gateway.query(`{ availability(name: "a.com") { ${facts} } }`);
    await own.gateway.query('{ tlds(first: 1) { totalCount } }');
    own.seen.length = 0;

    own.replyNext(single);
    const alone = await own.gateway.query(`{ availability(name: "a.com") { ${facts} } }`);
    own.replyNext({ status: 200, body });
    const bulk = await own.gateway.query(`{ availabilities(names: ${names}) { ${facts} } }`);
    const found = own.seen.map(({ path }) => path.replace(/.*=/, ''));
    await own.close();

    expect(before.data.availability.state).toBe('AVAILABLE');
    expect(alone.data.availability).toMatchObject(invalid);
    expect(bulk.data.availabilities[0]).toMatchObject(invalid);
    expect(found).toEqual(['singlecheckavailability', 'bulkcheckavailability']);
  });

  test('has no quote', async () => {
    reply(entry({}));

    expect(await check('a.com', 'quote { certainty }')).toMatchObject({
      quote: { certainty: 'UNKNOWN' },
    });
  });
});

describe('a name that the registrar cannot parse', () => {
  const name = 'пример.рф';
  const ascii = 'xn--e1afmkfd.xn--p1ai';
  const unparsed = {
    ...{ state: 'UNKNOWN', price: null, errorCode: 'NOT_SUPPORTED', retryable: false },
    reason: 'The registrar cannot check this name, so it is not known whether it is available.',
  };

  test('is UNKNOWN, and neither malformed nor retryable, alone and in bulk', async () => {
    reply(refusal('API_400_ERROR', 'Invalid domain format.'), 400);
    expect(await check(name)).toMatchObject(unparsed);

    const error = { status: 'error', message: 'Invalid domain format.' };
    const [bulk, other] = await checkAll([ascii, 'other.com'], [error, entry({})]);
    expect(bulk).toMatchObject(unparsed);
    expect(other.state).toBe('AVAILABLE');
    expect(calls()).toEqual([
      ...['singlecheckavailability', 'tldlist', 'bulkcheckavailability', 'tldlist'],
    ]);
  });

  test('is INVALID under a TLD that is not sold', async () => {
    reply(refusal('API_400_ERROR', 'Invalid domain format.'), 400);

    expect(await check('пример.бел')).toMatchObject({
      ...{ state: 'INVALID', errorCode: 'TLD_UNSUPPORTED' },
    });
  });
});

describe('a login that a bulk reply refuses for', () => {
  const refused = refusal('API_300_ERROR', 'Reseller not found!');
  const auth = { state: 'UNKNOWN', errorCode: 'UPSTREAM_AUTH', retryable: false };
  const loginPause = { firstMs: 60_000, maxMs: 60_000 };
  const upstreamLimits = { ...gateLimits, loginPause };
  const names = '["a-one.com", "a-two.com"]';

  test.each([
    ['every name is not sent again', [refused, refused], [auth, auth], 1],
    ['one name of several is', [refused, entry({})], [auth, { state: 'AVAILABLE' }], 2],
  ])('%s', async (_what, [one, two], expected, sent) => {
    const own = await startRecordedGateway({ upstreamLimits });
    const availability = { 'a-one.com': one, 'a-two.com': two };
    own.replyNext({ status: 200, body: JSON.stringify({ status: 'success', availability }) });

    const { data } = await own.gateway.query(`{ availabilities(names: ${names}) { ${facts} } }`);
    const next = await own.gateway.query('{ reseller { name } }');
    const total = own.seen.length;
    await own.close();

    expect(data.availabilities).toMatchObject(expected);
    expect(next.errors?.length ?? 0).toBe(2 - sent);
    expect(total).toBe(sent);
  });
});
