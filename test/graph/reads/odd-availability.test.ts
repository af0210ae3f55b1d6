import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { gateLimits } from '../../../src/upstream/client/gate.ts';
import { startRecordedGateway } from '../writes/recorded-gateway.ts';
import { errorFacts } from './reads.ts';

// Replies that the sandbox never sends: each test supplies those of the next calls. The calls after them reach the sandbox.
const recorded = await startRecordedGateway();
const { gateway, seen, left } = recorded;
afterAll(() => recorded.close());
beforeEach(() => {
  seen.length = 0;
});

const reply = (body: unknown, status = 200, to = recorded) =>
  to.replyNext({ status, body: JSON.stringify(body) });
const callsOf = ({ seen }: typeof recorded) => seen.map(({ path }) => path.replace(/.*=/, ''));
const refusal = (Code: string, Details: string) => ({
  result: 'ERROR',
  error: { Code, Message: 'Failed', Details },
});

/** The entry of a name whose registration costs 11.29 USD, with an offer for each of the changes. */
const entry = (...changes: readonly object[]) =>
  changes.map((one) => ({
    ...{ Status: 'available', Command: 'create', Period: 1, IsFee: false, Reason: null },
    ...{ Price: '11.2900', Currency: 'USD', ...one },
  }));

const facts = 'state premium price { amount } reason errorCode retryable';
const document = (name: string, more = '') =>
  `{ availability(name: "${name}") { ${facts} ${more} } }`;
const check = async (name: string, more = '', from = gateway) =>
  (await from.query(document(name, more))).data.availability;
const checkAll = async (
  entries: Readonly<Record<string, unknown>>,
  names = Object.keys(entries),
) => {
  reply({ status: 'success', availability: entries });
  const { data } = await gateway.query(
    `query ($names: [String!]!) { availabilities(names: $names) { ${facts} } }`,
    { names },
  );
  return data.availabilities;
};

const free = { state: 'AVAILABLE', price: { amount: '22.5800' } };
const unknown = { state: 'UNKNOWN', price: null };

describe('an offer', () => {
  test.each([
    ['has a status in upper case', { Status: ' AVAILABLE ' }, free],
    ['has no name', { DomainName: null, TLD: null }, free],
    ['has the whole name', { DomainName: 'Odd.COM', TLD: 'com' }, free],
    ['has a status with a blank', { Status: 'Not Available' }, { state: 'TAKEN', price: null }],
    ['is about another name', { DomainName: 'other', TLD: 'com' }, unknown],
    ['has an unknown status', { Status: 'maybe' }, unknown],
    ['has no status', { Status: null }, unknown],
    ['has no price', { Price: '' }, { state: 'AVAILABLE', price: null }],
    ['costs nothing', { Price: '0.0000' }, { state: 'AVAILABLE', price: null }],
  ])('that %s', async (_what, changes, expected) => {
    reply(entry(changes));

    const { data, errors } = await gateway.query(document('odd.com'));

    expect(errors).toBeUndefined();
    expect(data.availability).toMatchObject(expected);
  });

  test('for an IDN can have its Unicode name', async () => {
    reply(entry({ DomainName: 'BÜCHER', TLD: 'com' }));

    expect(await check('xn--bcher-kva.com')).toMatchObject(free);
  });

  test.each([
    ['premium flag is UNKNOWN', 'premium', { IsFee: null }, unknown],
    ['readable price is AVAILABLE', 'price', { Price: 'eleven' }, { ...free, price: null }],
  ])('without a %s, with an error at `%s`', async (_what, field, changes, expected) => {
    reply(entry(changes));

    const { data, errors } = await gateway.query(document('odd.com'));

    expect(data.availability).toMatchObject({ ...expected, [field]: null });
    expect(errors.map(errorFacts)).toMatchObject([
      { path: ['availability', field], code: 'UPSTREAM_PROTOCOL' },
    ]);
  });

  test('has its reason also beside a status that is not known', async () => {
    reply(entry({ Status: 'reserved', Reason: 'Reserved name' }));
    reply(entry({ Status: 'reserved' }));

    expect(await check('odd.com')).toMatchObject({
      ...{ state: 'UNKNOWN', reason: 'Reserved name', errorCode: 'UPSTREAM_PROTOCOL' },
    });
    expect((await check('odd.com')).reason).toContain('cannot be read');
  });
});

describe('offers for one name', () => {
  const taken = { Status: 'notavailable', Reason: 'Domain exists' };
  const contradictory = {
    ...{ ...unknown, premium: null, retryable: false, errorCode: 'UPSTREAM_PROTOCOL' },
    reason: expect.stringContaining('contradict each other'),
  };

  test.each<[string, readonly object[], object]>([
    ['that are the same are one', [{}, {}], free],
    ['that differ in their reasons agree', [taken, { ...taken, Reason: '' }], { state: 'TAKEN' }],
    ['of two states are UNKNOWN', [{}, taken], contradictory],
    ['of two states are UNKNOWN in any order', [taken, {}], contradictory],
    ['of two prices are UNKNOWN', [{}, { Price: '1.0000' }], contradictory],
    ['of two currencies are UNKNOWN', [{}, { Currency: 'EUR' }], contradictory],
    ['with and without a price are UNKNOWN', [{}, { Price: '' }], contradictory],
    ['that disagree about premium are UNKNOWN', [{}, { IsFee: true }], contradictory],
  ])('%s', async (_what, offers, expected) => {
    reply(entry(...offers));
    const alone = await check('odd.com');
    const bulk = await checkAll({ 'odd.com': entry(...offers), 'other.com': entry({}) });

    expect(alone).toMatchObject(expected);
    expect(bulk).toMatchObject([expected, free]);
  });

  const error = { status: 'error', message: 'Timed out.' };

  test.each([
    ['UNKNOWN', 'of two states', entry({}), entry(taken)],
    ['UNKNOWN', 'an error first', error, entry({})],
    ['UNKNOWN', 'an error last', entry({}), error],
    ['AVAILABLE', 'equal ones', entry({}), entry({})],
  ])('in two spellings of the name are one entry, which is %s: %s', async (state, _what, a, b) => {
    const entries = { 'odd.com': a, 'ODD.com': b, 'b.com': [] };

    expect((await checkAll(entries, ['odd.com', 'b.com']))[0]).toMatchObject({ state });
  });
});

describe('the period of a price', () => {
  const atTwoYears = { Price: '139.8000' };

  test('is that of the offer where the TLD sells it', async () => {
    reply(entry({}));

    expect(await check('odd.com', 'period')).toMatchObject({ ...free, period: 1 });
    expect(callsOf(recorded)).toEqual(['singlecheckavailability', 'tldlist']);
  });

  test('is the shortest of the TLD for a price that is listed for that', async () => {
    reply(entry(atTwoYears));
    const quotes =
      'one: quote(period: 1) { certainty } two: quote(period: 2) { certainty highest { amount } }';

    expect(await check('odd.ai', `period ${quotes}`)).toMatchObject({
      ...{ price: { amount: '279.6000' }, period: 2, one: { certainty: 'NOT_SOLD' } },
      two: { certainty: 'LISTED', highest: { amount: '279.6000' } },
    });
  });

  test('is also that of the quote in a search, which has no price when it is not known', async () => {
    const ai = {
      ...{ id: 1, status: 'Active', tld: 'ai', minchar: 2, maxchar: 63, minperiod: 2 },
      ...{ maxperiod: 10, pricing: { registration: { 2: '139.8000' } } },
      currencies: { registration: 'USD' },
    };
    const search = async (changes: object) => {
      reply({ result: 'OK', data: [ai] });
      reply(entry(changes));
      const { data } = await gateway.query(`{ searchDomains(labels: ["odd"], tlds: ["ai"]) {
        totals { period certainty }
        availability {
          price { amount } cost { amount } period quote { period certainty reason }
        } } }`);
      return data.searchDomains[0];
    };

    expect(await search(atTwoYears)).toMatchObject({
      availability: { period: 2, quote: { period: 2, certainty: 'LISTED' } },
    });
    expect(await search({ Price: '500.0000', IsFee: true })).toEqual({
      totals: [
        { period: 1, certainty: 'NOT_SOLD' },
        ...[2, 3, 5, 10].map((period) => ({ period, certainty: 'UNKNOWN' })),
      ],
      // A price of the shop depends on the period.
      availability: {
        ...{ price: null, cost: { amount: '500.0000' }, period: null },
        quote: {
          ...{ period: 2, certainty: 'UNKNOWN' },
          reason:
            'The registrar offers this premium name at a price that is not for a known period of .ai.',
        },
      },
    });
  });
});

describe('a label that the bounds of its TLD exclude', () => {
  test('is INVALID while the price list is cached, alone and in bulk, for no further call', async () => {
    const own = await startRecordedGateway({ env: { TLD_MAX_AGE_SECONDS: '60' } });
    const bulkReply = { status: 'success', availability: { 'a.com': entry({}) } };
    reply(entry({}), 200, own);
    const before = await check('a.com', '', own.gateway);
    await own.gateway.query('{ tlds(first: 1) { totalCount } }');
    own.seen.length = 0;

    reply(entry({}), 200, own);
    const alone = await check('a.com', '', own.gateway);
    reply(bulkReply, 200, own);
    const { data } = await own.gateway.query(
      `{ bulk: availabilities(names: ["a.com", "ab.com"]) { ${facts} } }`,
    );
    await own.close();

    const invalid = { state: 'INVALID', price: null, errorCode: 'INVALID_INPUT', retryable: false };
    expect([before, alone, data.bulk[0]]).toMatchObject([free, invalid, invalid]);
    expect(callsOf(own)).toEqual(['singlecheckavailability', 'bulkcheckavailability']);
  });

  test('has no quote', async () => {
    reply(entry({}));

    expect(await check('a.com', 'quote { certainty }')).toMatchObject({
      quote: { certainty: 'NOT_SOLD' },
    });
  });
});

describe('a name that the registrar cannot parse', () => {
  const malformed = refusal('API_400_ERROR', 'Invalid domain format.');

  test('is UNKNOWN, and neither malformed nor retryable, alone and in bulk', async () => {
    reply(malformed, 400);
    const alone = await check('пример.рф');
    const error = { status: 'error', message: 'Invalid domain format.' };
    const bulk = await checkAll({ 'xn--e1afmkfd.xn--p1ai': error, 'other.com': entry({}) });

    const unparsed = {
      ...{ ...unknown, errorCode: 'NOT_SUPPORTED', retryable: false },
      reason: 'The registrar cannot check this name, so it is not known whether it is available.',
    };
    expect([alone, ...bulk]).toMatchObject([unparsed, unparsed, free]);
    expect(callsOf(recorded)).toEqual([
      ...['singlecheckavailability', 'tldlist', 'bulkcheckavailability', 'tldlist'],
    ]);
  });

  test('is INVALID under a TLD that is not sold', async () => {
    reply(malformed, 400);

    expect(await check('пример.бел')).toMatchObject({
      ...{ state: 'INVALID', errorCode: 'TLD_UNSUPPORTED' },
    });
  });
});

describe('a login that a bulk reply refuses for', () => {
  const refused = refusal('API_300_ERROR', 'Reseller not found!');
  const auth = { state: 'UNKNOWN', errorCode: 'UPSTREAM_AUTH', retryable: false };
  const loginPause = { firstMs: 60_000, maxMs: 60_000 };

  test.each([
    ['every name is not sent again', [refused, refused], [auth, auth], []],
    ['one name of several is', [refused, entry({})], [auth, free], ['tldlist', 'resellerdetails']],
  ])('%s', async (_what, [one, two], expected, later) => {
    const own = await startRecordedGateway({ upstreamLimits: { ...gateLimits, loginPause } });
    reply({ status: 'success', availability: { 'a-one.com': one, 'a-two.com': two } }, 200, own);

    const { data } = await own.gateway.query(
      `{ bulk: availabilities(names: ["a-one.com", "a-two.com"]) { ${facts} } }`,
    );
    const next = await own.gateway.query('{ reseller { name } }');
    await own.close();

    expect(data.bulk).toMatchObject(expected);
    expect(next.errors === undefined).toBe(later.length > 0);
    expect(callsOf(own)).toEqual(['bulkcheckavailability', ...later]);
  });
});

describe('a quote', () => {
  const com = {
    ...{ id: 1, status: 'Active', tld: 'com', minchar: 2, maxchar: 63, minperiod: 1 },
    ...{ maxperiod: 10, pricing: { registration: { 1: '11.2900' }, renew: { 1: '11.4900' } } },
    currencies: { registration: 'USD', renew: 'USD' },
  };
  async function quote(period: number, offered: object, listed: object) {
    reply(entry(offered));
    reply({ result: 'OK', data: [{ ...com, ...listed }] });
    const found = await check(
      'odd.com',
      `quote(period: ${period}) {
        certainty lowest { amount } highest { amount } renewalPrice { amount currency } }`,
    );
    expect(left()).toBe(0);
    const { certainty, lowest, highest, renewalPrice } = found.quote;
    return { quoted: [certainty, lowest?.amount, highest?.amount], renewalPrice };
  }
  const priced = (registration: object, renew: object = { 1: '11.4900' }) => ({
    pricing: { registration, renew },
  });
  const twoYears = { minperiod: 2, ...priced({ 2: '139.8000' }, { 1: '79.9000' }) };
  const premium = { IsFee: true, Price: '900.0000' };
  const listedPrice = ['LISTED', '22.5800', '22.5800'];

  test.each<[string, number, object, object, (string | undefined)[]]>([
    ['that differs', 1, { Price: '12.0000' }, {}, ['ESTIMATED', '22.5800', '24.0000']],
    ['that differs', 2, { Price: '12.0000' }, {}, ['ESTIMATED', '45.1600', '48.0000']],
    [
      ...(['above the renewals', 3, {}, priced({ 1: '11.2900' }, { 1: '5.0000' })] as const),
      ['ESTIMATED', '42.5800', '67.7400'],
    ],
    ['without a price', 1, { Price: null }, {}, listedPrice],
    ['without a period', 1, { Period: null }, {}, listedPrice],
    ['without a listed one', 1, {}, { pricing: [] }, listedPrice],
    ['of a TLD for two', 3, { Price: '139.8000' }, twoYears, ['ESTIMATED', '279.6000', '559.2000']],
    ['of a premium name', 2, { ...premium, Period: 2 }, {}, ['LISTED', '1800.0000', '1800.0000']],
  ])('by an offer %s for %i years is %5$j', async (_offer, period, offered, listed, quoted) => {
    expect(await quote(period, offered, listed)).toMatchObject({ quoted });
  });

  test.each<[string, number, object, object]>([
    ['an offer in another currency than the list', 1, { Currency: 'EUR' }, {}],
    ['an offer that cannot be read', 1, { Price: { amount: 9 } }, {}],
    ['a negative offer', 1, { Price: '-1.0000' }, {}],
    ['a listed price that cannot be read', 1, {}, priced({ 1: 'cheap' })],
    ['a negative listed price', 1, { Price: '' }, priced({ 1: '-1.0000' })],
    ['a premium name of a TLD for two years', 2, premium, twoYears],
    ['a premium name that is offered for two years', 1, { ...premium, Period: 2 }, {}],
    ['a premium name that is offered without a period', 1, { ...premium, Period: null }, {}],
  ])('is UNKNOWN for %s', async (_what, period, offered, listed) => {
    expect((await quote(period, offered, listed)).quoted).toEqual([
      'UNKNOWN',
      undefined,
      undefined,
    ]);
  });

  test.each<[string, object, object]>([
    ['a period below the bounds of the TLD', { Price: '139.8000' }, twoYears],
    ['a TLD that does not accept the label', {}, { minchar: 4 }],
  ])('is NOT_SOLD for %s', async (_what, offered, listed) => {
    expect((await quote(1, offered, listed)).quoted[0]).toBe('NOT_SOLD');
  });

  test('has the renewal price of the price list, and none for a premium name', async () => {
    expect((await quote(1, {}, {})).renewalPrice).toEqual({ amount: '22.9800', currency: 'USD' });
    expect((await quote(1, premium, {})).renewalPrice).toBeNull();
  });

  test('is UNKNOWN without a price list, and the other fields are intact', async () => {
    reply(entry({}));
    reply(refusal('API_300_ERROR', 'Reseller not found!'), 400);

    const more = 'cost { amount } quote { certainty highest { amount } }';
    expect(await check('odd.com', more)).toMatchObject({
      ...{ ...free, price: null, cost: { amount: '11.2900' } },
      quote: { certainty: 'UNKNOWN', highest: null },
    });
  });
});
