import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { everyTld, startTestGateway } from '../../support/gateway.ts';
import { read } from './reads.ts';
import { checkedNames, checkedTlds, checkSizes, label, search, soldTlds } from './searching.ts';

const gateway = await startTestGateway({ sandboxDomains: 40, sandboxTlds: everyTld });
afterAll(() => gateway.close());
beforeEach(() => gateway.resetCalls());

const names = async (args: object) => (await search(gateway, args)).map(({ name }) => name);
const under = (...tlds: readonly string[]) => tlds.map((tld) => `${label}.${tld}`);

describe('a search accepts', () => {
  test.each([
    ['a label', 'maple-harbor', under('io', 'com')],
    ['in any case, with blanks around it', '  Maple-HARBOR ', under('io', 'com')],
    ['a whole name, whose TLD comes first', 'maple-harbor.Net', under('net', 'io', 'com')],
    ['a host below a name', 'shop.maple-harbor.co.uk', under('co.uk', 'io', 'com')],
    ['the address of a page', 'https://www.Maple-Harbor.co.uk/x?y=1', under('co.uk', 'io', 'com')],
    ['a label behind "www."', 'www.maple-harbor', under('io', 'com')],
    ['a name under a chosen TLD, once', 'maple-harbor.com', under('com', 'io')],
    ['Unicode', 'bücher', ['xn--bcher-kva.io', 'xn--bcher-kva.com']],
  ])('%s', async (_what, text, expected) => {
    expect(await names({ label: text, tlds: ['io', '.COM', 'com', 'Io'] })).toEqual(expected);
  });

  test.each([
    ['an empty label', { label: ' ' }, '"label" must not be empty.'],
    ['a hyphen at an end', { label: 'maple-' }, /begin or end with a hyphen/],
    ['a blank', { label: 'maple harbor' }, /blanks/],
    ['two dots', { label: 'maple..com' }, /empty label/],
    [
      'an e-mail address',
      { label: 'ada@maple.com' },
      /^Enter the name only, such as maple-field\.$/,
    ],
    ['an invalid TLD', { label, tlds: ['com', 'c_m'] }, /"c_m" is no TLD/],
    ['too many TLDs', { label, tlds: Array(1001).fill('com') }, /at most 1000/],
    ['no results', { label, filter: { first: 0 } }, /"first" must be between 1 and 1000/],
    ['too many suggestions', { label, filter: { suggestions: 21 } }, /"suggestions".* 0 and 20/],
  ])('but refuses %s before an upstream call', async (_what, variables, sentence) => {
    const { data, errors } = await gateway.query(
      'query ($label: String!, $tlds: [String!], $filter: DomainSearchFilter) { searchDomains(label: $label, tlds: $tlds, filter: $filter) { name } }',
      variables,
    );

    expect(data).toEqual({ searchDomains: null });
    expect(errors).toMatchObject([{ extensions: { fault: 'INVALID_INPUT', executed: 'NO' } }]);
    expect(errors[0].message).toMatch(sentence);
    expect(await gateway.upstreamCalls()).toEqual([]);
  });
});

describe('the order of the results', () => {
  test('is the order of the TLDs that the client names', async () => {
    const tlds = ['xyz', 'de', 'com', 'tr', 'academy', 'io'].filter((one) =>
      soldTlds.includes(one),
    );

    expect(await names({ label, tlds })).toEqual(under(...tlds));
  });

  test('is by popularity, then by price within a currency, then by other currencies', async () => {
    const results = await search(
      gateway,
      { label, filter: { first: 1000 } },
      'name tld { name price(operation: REGISTRATION) { price { amount currency } } }',
    );

    const tlds = results.map(({ tld }) => tld.name);
    expect(tlds.slice(0, 4)).toEqual(['com', 'net', 'org', 'io']);
    expect([...tlds].sort()).toEqual([...checkedTlds].sort());
    const priced = results.slice(20).filter(({ tld }) => tld.price);
    const currencies = priced.map(({ tld }) => tld.price.price.currency);
    expect(currencies.slice(-3)).toEqual(['TRY', 'TRY', 'TRY']);
    expect(currencies.indexOf('TRY')).toBe(currencies.length - 3);
    const amounts = priced.slice(0, -3).map(({ tld }) => Number(tld.price.price.amount));
    expect(amounts).toEqual([...amounts].sort((one, other) => one - other));
  });

  test('contains 100 results by default, or `first` results', async () => {
    expect(await names({ label })).toHaveLength(100);
    expect(await names({ label, filter: { first: 3 } })).toEqual(under('com', 'net', 'org'));
  });
});

describe('a name that cannot be registered is not checked:', () => {
  test('under a TLD that the client names it is INVALID with a reason', async () => {
    const results = await search(
      gateway,
      { label: 'a', tlds: ['nosuchtld', 'museum', 'io'] },
      'name availability { state reason errorCode retryable } tld { name } price { amount }',
    );

    expect(results).toEqual([
      {
        name: 'a.nosuchtld',
        availability: {
          state: 'INVALID',
          reason: 'The registrar does not sell ".nosuchtld"; query "tlds" for those that it sells.',
          errorCode: 'TLD_UNSUPPORTED',
          retryable: false,
        },
        tld: null,
        price: null,
      },
      {
        name: 'a.museum',
        availability: {
          state: 'INVALID',
          reason: '.museum is not sold at present.',
          errorCode: 'TLD_UNSUPPORTED',
          retryable: false,
        },
        tld: { name: 'museum' },
        price: null,
      },
      {
        name: 'a.io',
        availability: {
          state: 'INVALID',
          reason: 'A name under .io has 2 to 63 characters; "a" has 1.',
          errorCode: 'INVALID_INPUT',
          retryable: false,
        },
        tld: { name: 'io' },
        price: null,
      },
    ]);
    expect(await gateway.countCalls()).toEqual({ tldlist: 1 });
  });

  test('when reserved it has the same result as in single and bulk checks', async () => {
    const { alone, bulk } = await read(
      gateway,
      `{ alone: availability(name: "www.net") { state reason errorCode }
        bulk: availabilities(names: ["www.net", "maple-harbor.net"]) { state reason errorCode } }`,
    );
    const [found] = await search(
      gateway,
      { label: 'www', tlds: ['net'] },
      'availability { state reason errorCode }',
    );

    expect(alone).toEqual({ state: 'TAKEN', reason: 'Domain reserved', errorCode: null });
    expect(bulk[0]).toEqual(alone);
    expect(found.availability).toEqual(alone);
  });

  test('when it is a lookalike, except under the TLD of its own script', async () => {
    const results = await search(
      gateway,
      { label: 'оса', tlds: ['com', 'рф'] },
      'name availability { state }',
    );

    // The registrar cannot parse a name under this TLD, so the second state is not AVAILABLE either.
    expect(results[0].availability.state).toBe('INVALID');
    expect(await checkedNames(gateway)).toEqual(['xn--80a1aj.xn--p1ai']);
  });

  test.each([
    ['a script that does not go with it', '1maple', 'موقع'],
    ['a name that is too long with it', 'a'.repeat(63), `${`${'b'.repeat(60)}.`.repeat(4)}com`],
  ])(
    'an invalid name under one TLD, by %s, does not affect the others',
    async (_what, text, tld) => {
      const results = await search(
        gateway,
        { label: text, tlds: [tld, 'com'] },
        'availability { state }',
      );

      expect(results.map(({ availability }) => availability.state)).toEqual([
        'INVALID',
        'AVAILABLE',
      ]);
      expect(await checkedNames(gateway)).toEqual([`${text}.com`]);
    },
  );

  test('it is omitted under TLDs that the client does not name', async () => {
    const results = await search(
      gateway,
      { label: 'ab', filter: { first: 1000 } },
      'availability { state errorCode } tld { name minLength status }',
    );

    expect(results.length).toBeGreaterThan(10);
    expect(results.length).toBeLessThan(soldTlds.length);
    for (const { tld } of results) expect(tld).toMatchObject({ status: 'Active' });
    expect(results.filter(({ tld }) => tld.minLength > 2)).toEqual([]);
  });
});

describe('the prices of a result', () => {
  const selection =
    'name availability { premium period } price { amount currency } renewalPrice { amount currency } totals { period certainty lowest { amount currency } highest { amount currency } }';
  const usd = (amount: string) => ({ amount, currency: 'USD' });
  const listed = (period: number, amount: string) => ({
    period,
    certainty: 'LISTED',
    lowest: usd(amount),
    highest: usd(amount),
  });
  const estimated = (period: number, lowest: string, highest: string) => ({
    period,
    certainty: 'ESTIMATED',
    lowest: usd(lowest),
    highest: usd(highest),
  });
  const unknown = (period: number) => ({
    period,
    certainty: 'UNKNOWN',
    lowest: null,
    highest: null,
  });

  test('are listed for one year of .com, and estimated by its renewals for more years', async () => {
    const [result] = await search(gateway, { label, tlds: ['com'] }, selection);

    expect(result).toMatchObject({ price: usd('11.2900'), renewalPrice: usd('11.4900') });
    expect(result.totals).toEqual([
      listed(1, '11.2900'),
      estimated(3, '33.8700', '34.2700'),
      estimated(5, '56.4500', '57.2500'),
      estimated(10, '112.9000', '114.7000'),
    ]);
  });

  test('include the renewals in the highest total of a cheap first year', async () => {
    const [result] = await search(gateway, { label, tlds: ['shop'] }, selection);

    expect(result.totals[3]).toEqual(estimated(10, '29.9000', '299.0900'));
  });

  test('have totals for a TLD of two-year periods only where its periods add up', async () => {
    const [result] = await search(gateway, { label, tlds: ['ai'] }, selection);

    expect(result).toMatchObject({ price: usd('139.8000'), renewalPrice: null });
    expect(result.totals).toEqual([
      unknown(1),
      unknown(3),
      unknown(5),
      estimated(10, '699.0000', '779.0000'),
    ]);
  });

  test('have the listed total for each year of a price list of ten years', async () => {
    const [blog] = await search(gateway, { label, tlds: ['blog'] }, selection);

    expect(blog.totals).toEqual([
      listed(1, '18.9000'),
      listed(3, '54.8100'),
      listed(5, '90.7200'),
      listed(10, '180.4950'),
    ]);
  });

  test('have no total for a period that the TLD does not sell', async () => {
    const [de] = await search(gateway, { label, tlds: ['de'] }, selection);

    expect(de.totals).toEqual([listed(1, '5.4000'), unknown(3), unknown(5), unknown(10)]);
  });

  test('are its own for a premium name, without a list price', { tags: ['G28'] }, async () => {
    const [result] = await search(gateway, { label: 'gold', tlds: ['com'] }, selection);

    expect(result.availability.premium).toBe(true);
    expect(Number(result.price.amount)).toBeGreaterThan(100);
    expect(result.renewalPrice).toBeNull();
    expect(result.totals).toEqual([
      listed(1, result.price.amount),
      unknown(3),
      unknown(5),
      unknown(10),
    ]);
  });

  test('are the renewal price only for a taken name', async () => {
    const [result] = await search(gateway, { label: 'weather', tlds: ['com'] }, selection);

    expect(result).toMatchObject({ price: null, renewalPrice: usd('11.4900') });
    expect(result.totals).toEqual([unknown(1), unknown(3), unknown(5), unknown(10)]);
  });
});

describe('the filter', () => {
  const found = (text: string, tlds: readonly string[], filter: object) =>
    names({ label: text, tlds, filter });
  const most = (amount: string, currency = 'USD') => ({ amount, currency });

  test('available returns only free names, or only the others', async () => {
    const tlds = ['com', 'museum'];

    expect(await found(label, tlds, { available: true })).toEqual(under('com'));
    expect(await found(label, tlds, { available: false })).toEqual(under('museum'));
    expect(await found('weather', ['com'], { available: true })).toEqual([]);
  });

  test('premium returns only premium names, or only the others', async () => {
    expect(await found('gold', ['com'], { premium: true })).toEqual(['gold.com']);
    expect(await found('gold', ['com'], { premium: false })).toEqual([]);
    expect(await found(label, ['com'], { premium: false })).toEqual(under('com'));
  });

  test('maxPrice skips the checks of names above the price and of other currencies', async () => {
    const filter = { maxPrice: most('11.29') };

    expect(await found(label, ['com', 'net', 'tr', 'org', 'shop'], filter)).toEqual(
      under('com', 'org', 'shop'),
    );
    expect([...(await checkedNames(gateway))].sort()).toEqual(under('com', 'org', 'shop').sort());
  });

  test('maxPrice applies to the price of a premium name', async () => {
    expect(await found('gold', ['com'], { maxPrice: most('20') })).toEqual([]);
    expect(await found('gold', ['com'], { maxPrice: most('1000000') })).toEqual(['gold.com']);
  });

  test('maxRenewalPrice applies to the price list and excludes premium names', async () => {
    const filter = { maxRenewalPrice: most('13') };

    expect(await found(label, ['com', 'shop', 'ai', 'org'], filter)).toEqual(under('com', 'org'));
    expect([...(await checkedNames(gateway))].sort()).toEqual(under('com', 'org').sort());
    expect(await found('gold', ['com'], { ...filter, available: true })).toEqual([]);
  });

  test('first ends the checks once there are enough results', async () => {
    const filter = { available: true, first: 5 };

    expect(await found(label, soldTlds, filter)).toEqual(under(...soldTlds.slice(0, 5)));
    const checked = await checkedNames(gateway);
    expect(checked.length).toBeLessThanOrEqual(5 + 16);
  });

  test('first returns the first results of the order, whatever the order of the replies', async () => {
    const tlds = soldTlds.slice(0, 40);
    await gateway.admin('POST', '/faults', { fault: 'delay', ms: 150, domain: `${label}.com` });

    const results = await found(label, tlds, { available: true, first: 10 });

    expect(results).toEqual(under(...tlds.slice(0, 10)));
  });
});

describe('suggestions', () => {
  const suggest = (text: string, tlds: readonly string[], count: number) =>
    search(
      gateway,
      { label: text, tlds, filter: { suggestions: count } },
      'name suggested availability { state }',
    );

  test('are marked, come last and cause no further call', async () => {
    const results = await suggest('maple', ['com', 'net'], 2);

    expect(results).toMatchObject([
      { name: 'maple.com', suggested: false },
      { name: 'maple.net', suggested: false },
      { name: 'get-maple.com', suggested: true },
      { name: 'maple-hq.com', suggested: true },
    ]);
    const sizes = await checkSizes(gateway);
    expect(sizes.reduce((sum, one) => sum + one, 0)).toBe(4);
    expect(sizes.length).toBeLessThanOrEqual(2);
  });

  test.each([
    ['maple24', 'maple-24.com'],
    ['getbread', 'get-bread.com'],
    ['breadshop', 'bread-shop.com'],
    ['maple-harbor', 'mapleharbor.com'],
    ['bücher', 'xn--get-bcher-u9a.com'],
  ])('include for %s the similar name %s', async (text, first) => {
    const [, suggested] = await suggest(text, ['com'], 1);

    expect(suggested.name).toBe(first);
  });

  test('are at most the requested number, unique, without the name itself, and use other TLDs', async () => {
    const results = await suggest('get-maple', ['com', 'net', 'org', 'io'], 20);

    const all = results.map(({ name }) => name);
    expect(new Set(all).size).toBe(all.length);
    expect(results.filter(({ suggested }) => suggested)).toHaveLength(20);
    expect(all.filter((name) => name === 'get-maple.com')).toHaveLength(1);
    expect(all).toContain('getmaple.net');
    expect([...(await checkedNames(gateway))].sort()).toEqual([...all].sort());
  });

  test('of a long label contain only names that fit', async () => {
    const results = await suggest('a'.repeat(60), ['com'], 20);

    expect(results.map(({ name }) => name.length).filter((length) => length > 67)).toEqual([]);
    expect(results.length).toBeGreaterThan(1);
  });
});
