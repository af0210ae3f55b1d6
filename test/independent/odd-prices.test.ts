import { describe, expect, test } from 'vitest';
import { type Reply, refusal } from './registrar.ts';
import { dataAs, order, registerDocument, startIndependent } from './start.ts';
import type { Script } from './upstream.ts';
import type { Json } from './wire-objects.ts';

const { query, upstream } = await startIndependent();

const entry = {
  TLD: 'com',
  DomainName: 'free-maple',
  Status: 'available',
  Command: 'create',
  Period: 1,
  IsFee: false,
  Price: '11.2900',
  Currency: 'USD',
  Reason: null,
};

describe('an availability check with', () => {
  const taken = { ...entry, Status: 'notavailable' };

  test.each<[string, unknown, object]>([
    ['two prices', [entry, { ...entry, Price: '99.0000' }], { state: 'UNKNOWN', price: null }],
    ['a negative price', [{ ...entry, Price: '-1.0000' }], { price: null }],
    ['a filler as its reason', [{ ...taken, Reason: 'No additional details' }], { reason: null }],
    ['a text', 'available', { state: 'UNKNOWN' }],
  ])('%s: the same alone and in a list', async (_what, entries, expected) => {
    upstream.reply('singlecheckavailability', () => ({ body: entries }));
    upstream.reply('bulkcheckavailability', () => ({
      body: { status: 'success', availability: { 'free-maple.com': entries, 'b.com': [] } },
    }));
    const fields = 'state reason price { amount }';

    const { data } = await query(`{
      availability(name: "free-maple.com") { ${fields} }
      availabilities(names: ["free-maple.com", "maple-b.com"]) { ${fields} } }`);

    expect(data.availability).toMatchObject(expected);
    expect(data.availabilities[0]).toMatchObject(expected);
  });
});

describe('a check that is refused with', () => {
  test.each<[string, object]>([
    ['API_310_ERROR', { state: 'INVALID', reason: 'text of the registrar' }],
    ['API_599_ERROR', { state: 'UNKNOWN', reason: expect.stringContaining('not known whether') }],
    ['API_7777_ERROR', { state: 'UNKNOWN', reason: 'The registrar refused the request.' }],
  ])('%s has one reason, alone and in a list', async (code, expected) => {
    const refused = refusal(code, 'text of the registrar');
    upstream.reply('singlecheckavailability', () => refused);
    upstream.reply('bulkcheckavailability', () => ({
      body: { status: 'success', availability: { 'free-maple.com': refused.body, 'b.com': [] } },
    }));

    const { data } = await query(`{
      alone: availability(name: "free-maple.com") { state reason } }`);
    const listed = await query(`{
      availabilities(names: ["free-maple.com", "maple-b.com"], refresh: true) { state reason } }`);

    expect(data.alone).toEqual(expected);
    expect(listed.data.availabilities[0]).toEqual(expected);
  });
});

test.each(['US DOLLAR', '$', 'US', ''])('the currency %j is not known', async (Currency) => {
  upstream.reply('singlecheckavailability', () => ({ body: [{ ...entry, Currency }] }));

  const { data, errors } = await query(
    '{ availability(name: "free-maple.com") { state price { currency } } }',
  );

  expect(data.availability).toEqual({ state: 'AVAILABLE', price: null });
  expect(errors).toMatchObject([{ path: ['availability', 'price'] }]);
});

describe('tldlist with', () => {
  const comAs = (change: object) => dataAs(([com, ...rest]) => [{ ...com, ...change }, ...rest]);
  const pricing = { registration: { '1': '11.2900' }, renew: { '1': '11.4900' } };
  const currencies = { registration: 'USD', renew: 'USD', restore: 'USD', transfer: 'USD' };
  const restore = { period: 0, price: { amount: '170.0000', currency: 'USD' } };

  test.each<[string, Script, object, object]>([
    [
      'a list of prices',
      comAs({ pricing: { ...pricing, restore: ['85.0000'] } }),
      { totalCount: 3, complete: true },
      { restore: [restore] },
    ],
    [
      'a map with the key 0',
      comAs({ pricing: { ...pricing, restore: { '0': '85.0000' } } }),
      { totalCount: 3, complete: true },
      { restore: [restore] },
    ],
    [
      'a price that is no number',
      comAs({ pricing: { ...pricing, restore: { '0': 'on request' } }, currencies }),
      { totalCount: 3, complete: false },
      { restore: [] },
    ],
    [
      'no currency for a price',
      comAs({ pricing: { ...pricing, restore: { '0': '85.0000' } }, currencies: {} }),
      { totalCount: 3, complete: false },
      { restore: [] },
    ],
    [
      'a negative price',
      comAs({ pricing: { ...pricing, restore: { '0': '-1.0000' } }, currencies }),
      { totalCount: 3 },
      { restore: [] },
    ],
    [
      'zero for a restore and no currency',
      comAs({ pricing: { ...pricing, restore: { '0': '0.0000' } }, currencies: {} }),
      { totalCount: 3 },
      { restore: [] },
    ],
    [
      'empty lists for maps',
      comAs({ pricing: [], currencies: [] }),
      { totalCount: 3, complete: true },
      { restore: [] },
    ],
    [
      'three spellings of a TLD',
      dataAs(([com, ...rest]) => [com, { ...com, tld: '.com' }, { ...com, tld: 'COM' }, ...rest]),
      { totalCount: 3, complete: true },
      {},
    ],
  ])('%s', async (_what, script, list, com) => {
    upstream.reply('tldlist', script);

    const { data } = await query(/* GraphQL */ `{
      tlds { totalCount complete }
      tld(name: "com") { restore: prices(operation: RESTORE) { period price { amount currency } } } }`);

    expect(data.tlds).toMatchObject(list);
    expect(data.tld).toMatchObject(com);
  });
});

test.each([
  ['negative', '-1.0000', false],
  ['zero', '0.0000', false],
  ['premium', '0.0000', true],
])('a name with a price that is no price is not bought: %s', async (label, price, IsFee) => {
  upstream.reply(
    'tldlist',
    dataAs(([com]) => [{ ...com, pricing: { registration: { '1': IsFee ? '11.2900' : price } } }]),
  );
  const offers = [{ ...entry, DomainName: `${label}-maple`, Price: price, IsFee }];
  upstream.reply('singlecheckavailability', () => ({ body: offers }));
  upstream.reply('bulkcheckavailability', () => ({
    body: { status: 'success', availability: { [`${label}-maple.com`]: offers } },
  }));

  const input = order(`${label}-maple.com`, { acceptPremium: true });
  const { data } = await query(
    `query { availability(name: "${label}-maple.com") { price { amount } quote { certainty highest { amount } } } }`,
  );
  const bought = await query(registerDocument, { input });

  const unknown = { certainty: 'UNKNOWN', highest: null };
  expect(data.availability).toEqual({ price: null, quote: unknown });
  expect(bought.data.registerDomain).toMatchObject({
    purchase: null,
    errors: [{ code: 'PRICE_UNAVAILABLE' }],
  });
  expect(upstream.counts()).not.toHaveProperty('registerdomain');
});

describe('an empty price list', () => {
  const empty = dataAs(() => []);

  test('is an error, and is read again', async () => {
    upstream.reply('tldlist', empty);

    const { errors } = await query('{ tlds { totalCount } }');

    expect(errors).toMatchObject([{ extensions: { code: 'UPSTREAM_PROTOCOL', retryable: true } }]);
    expect(upstream.counts()).toEqual({ tldlist: 3 });
  });

  test('is no reason to refuse a purchase for good', async () => {
    let replies = 0;
    upstream.reply('tldlist', (fields, ordinary) =>
      replies++ === 0 ? empty(fields, ordinary) : undefined,
    );
    const once = await query(registerDocument, { input: order('free-maple.com') });
    upstream.reply('tldlist', empty);
    const always = await query(registerDocument, { input: order('other-maple.com') });

    expect(once.data.registerDomain).toMatchObject({ purchase: { state: 'SUCCEEDED' } });
    expect(always.data.registerDomain).toMatchObject({
      purchase: null,
      errors: [{ code: 'UPSTREAM_PROTOCOL', retryable: true }],
    });
  });
});

test('a check of an ASCII name that refuses its letters says nothing about other names', async () => {
  upstream.reply('singlecheckavailability', ({ domain }) =>
    domain === 'ascii-maple.com' ? refusal('API_570_ERROR', 'IDN is not supported') : undefined,
  );
  const stateOf = async (name: string) => {
    const { data } = await query(`{ availability(name: "${name}") { state } }`);
    return data.availability.state;
  };

  expect(await stateOf('ascii-maple.com')).toBe('INVALID');
  expect(await stateOf('bücher.com')).toBe('AVAILABLE');
});

test.each([
  ['fails in passing', refusal('INVALID_RESPONSE', 'Invalid Response occured')],
  ['has an entry that cannot be read', { body: null }],
])('a name of a bulk check that %s is checked once more', async (_what, failing) => {
  const withFault = (_fields: Json, ordinary: () => Reply) => {
    const { availability, ...body } = ordinary().body as Json;
    return { body: { ...body, availability: { ...availability, 'b-maple.com': failing.body } } };
  };
  upstream.reply('bulkcheckavailability', withFault);
  const check = async (refresh: boolean) => {
    const { data } = await query(
      `{ availabilities(names: ["a-maple.com", "b-maple.com"], refresh: ${refresh}) { state retryable } }`,
    );
    return data.availabilities;
  };

  const free = { state: 'AVAILABLE', retryable: false };
  expect(await check(false)).toEqual([free, free]);
  expect(upstream.counts()).toEqual({ bulkcheckavailability: 1, singlecheckavailability: 1 });

  upstream.reply('singlecheckavailability', () => failing);
  expect(await check(true)).toEqual([free, { state: 'UNKNOWN', retryable: true }]);
});

describe('a list with gaps is a list:', () => {
  const gaps = (list: readonly unknown[]) =>
    Object.fromEntries(list.map((one, at) => [String(2 * at), one]));

  test('of domains and name servers', async () => {
    upstream.registrar.add('gap-one.com');
    upstream.registrar.add('gap-two.com');
    upstream.reply(
      'getdomainlist',
      dataAs(({ Domains }) => ({ Domains: gaps(Domains) })),
    );
    upstream.reply(
      'getdetails',
      dataAs((data) => ({ ...data, NameServers: gaps(data.NameServers) })),
    );

    const { data, errors } = await query(/* GraphQL */ `{
      domains { totalCount nodes { name } } domain(name: "gap-one.com") { nameServers } }`);

    expect(errors).toBeUndefined();
    expect(data.domains.nodes).toEqual(
      expect.arrayContaining([{ name: 'gap-one.com' }, { name: 'gap-two.com' }]),
    );
    expect(data.domain.nameServers).toHaveLength(2);
  });

  test('of TLDs, and of the entries of a check', async () => {
    upstream.reply(
      'tldlist',
      dataAs((rows) => gaps(rows)),
    );
    upstream.reply('singlecheckavailability', (_fields, ordinary) => ({
      body: { 1: (ordinary().body as Json)[0] },
    }));

    const { data } = await query(registerDocument, { input: order('gap-three.com') });
    const check = await query('{ availability(name: "gap-four.com") { state } }');

    expect(data.registerDomain).toMatchObject({ purchase: { state: 'SUCCEEDED' } });
    expect(check.data.availability).toEqual({ state: 'AVAILABLE' });
  });

  test('but an object with other keys is none', async () => {
    upstream.reply(
      'tldlist',
      dataAs(([com]) => ({ 0: com, note: com })),
    );

    const { data } = await query(registerDocument, { input: order('gap-five.com') });

    expect(data.registerDomain.errors).toMatchObject([{ code: 'UPSTREAM_PROTOCOL' }]);
  });
});
