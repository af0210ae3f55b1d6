import { describe, expect, test } from 'vitest';
import { refusal } from './registrar.ts';
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
  const fields = 'name state available status reason price { amount currency }';
  const taken = { ...entry, Status: 'notavailable', Reason: 'Domain exists' };
  const unknown = { state: 'UNKNOWN', available: false, price: null };

  test.each<[string, unknown, object]>([
    [
      'an unknown status and its reason',
      [{ ...entry, Status: 'reserved', Reason: 'Reserved name' }],
      { ...unknown, status: 'reserved', reason: 'Reserved name' },
    ],
    ['entries that contradict each other', [entry, taken], unknown],
    ['the same in reverse', [taken, entry], unknown],
    ['two prices', [entry, { ...entry, Price: '99.0000', IsFee: true }], unknown],
    ['a repeated entry', [entry, entry], { state: 'AVAILABLE', price: { amount: '11.2900' } }],
    ['a negative price', [{ ...entry, Price: '-1.0000' }], { price: null }],
    ['a filler as its reason', [{ ...taken, Reason: 'No additional details' }], { reason: null }],
    ['an entry about another name', [{ ...entry, DomainName: 'other' }], unknown],
    ['no entry', [], unknown],
    ['a text', 'available', unknown],
  ])('%s: the same alone and in a list', async (_what, entries, expected) => {
    upstream.reply('singlecheckavailability', () => ({ body: entries }));
    upstream.reply('bulkcheckavailability', () => ({
      body: { status: 'success', availability: { 'free-maple.com': entries, 'b.com': [] } },
    }));

    const { data } = await query(/* GraphQL */ `{
      availability(name: "free-maple.com") { ${fields} }
      availabilities(names: ["free-maple.com", "maple-b.com"]) { ${fields} } }`);

    expect(data.availability).toMatchObject(expected);
    expect(data.availabilities[0]).toMatchObject(expected);
    expect(data.availabilities[1]).toMatchObject(unknown);
  });

  test.each([
    [{ status: 'error', message: 'Invalid domain format.' }, 'Invalid domain format.'],
    [refusal('API_7777_ERROR', 'Registry is silent').body, 'Registry is silent'],
  ])('the error %j for one name: UNKNOWN', async (one, _text) => {
    upstream.reply('bulkcheckavailability', (_fields, ordinary) => {
      const { availability, status } = ordinary().body as Json;
      return { body: { status, availability: { ...availability, 'free-maple.com': one } } };
    });

    const { data } = await query(
      `{ availabilities(names: ["free-maple.com", "maple-b.com"]) { ${fields} } }`,
    );

    expect(data.availabilities).toMatchObject([unknown, { state: 'AVAILABLE' }]);
  });

  test('a price for two years: no price with another period', async () => {
    upstream.reply('singlecheckavailability', () => ({
      body: [{ ...entry, TLD: 'ai', Price: '139.8000' }],
    }));

    const { data } = await query(/* GraphQL */ `{
      tlds { totalCount } availability(name: "free-maple.ai") { period price { amount } tld { minPeriod } } }`);

    const { period, price } = data.availability;
    expect([
      [2, { amount: '139.8000' }],
      [2, null],
      [null, null],
      [1, null],
    ]).toContainEqual([period, price]);
  });
});

describe('tldlist with', () => {
  const comAs = (change: object) => dataAs(([com, ...rest]) => [{ ...com, ...change }, ...rest]);
  const pricing = { registration: { '1': '11.2900' }, renew: { '1': '11.4900' } };
  const currencies = { registration: 'USD', renew: 'USD', restore: 'USD', transfer: 'USD' };
  const restore = { period: 0, price: { amount: '85.0000', currency: 'USD' } };

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

test('a negative price is not bought', async () => {
  upstream.reply(
    'tldlist',
    dataAs(([com]) => [{ ...com, pricing: { registration: { '1': '-1.0000' } } }]),
  );
  const offers = [{ ...entry, DomainName: 'negative-maple', Price: '-1.0000' }];
  upstream.reply('singlecheckavailability', () => ({ body: offers }));
  upstream.reply('bulkcheckavailability', () => ({
    body: { status: 'success', availability: { 'negative-maple.com': offers } },
  }));

  const { data } = await query(registerDocument, { input: order('negative-maple.com') });

  expect(data.registerDomain).toMatchObject({
    purchase: null,
    errors: [{ code: 'PRICE_UNAVAILABLE' }],
  });
  expect(upstream.counts()).not.toHaveProperty('registerdomain');
});
