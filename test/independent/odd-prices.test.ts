import { describe, expect, test } from 'vitest';
import { dataAs, order, registerDocument, startIndependent } from './start.ts';
import type { Script } from './upstream.ts';

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
    ['a text', 'available', { state: 'UNKNOWN', available: false }],
  ])('%s: the same alone and in a list', async (_what, entries, expected) => {
    upstream.reply('singlecheckavailability', () => ({ body: entries }));
    upstream.reply('bulkcheckavailability', () => ({
      body: { status: 'success', availability: { 'free-maple.com': entries, 'b.com': [] } },
    }));
    const fields = 'state available reason price { amount }';

    const { data } = await query(`{
      availability(name: "free-maple.com") { ${fields} }
      availabilities(names: ["free-maple.com", "maple-b.com"]) { ${fields} } }`);

    expect(data.availability).toMatchObject(expected);
    expect(data.availabilities[0]).toMatchObject(expected);
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
