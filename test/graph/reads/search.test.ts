import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { everyTld, startTestGateway } from '../../support/gateway.ts';
import {
  checkedNames,
  checkedTlds,
  checkSizes,
  label,
  nameOf,
  search,
  searchDocument,
  soldTlds,
} from './searching.ts';

const gateway = await startTestGateway({ sandboxDomains: 40, sandboxTlds: everyTld });
afterAll(() => gateway.close());
beforeEach(() => gateway.resetCalls());

const names = async (args: object) => (await search(gateway, args)).map(nameOf);
const under = (...tlds: readonly string[]) => tlds.map((tld) => `${label}.${tld}`);
const sortedChecks = async () => (await checkedNames(gateway)).toSorted();

describe('a search accepts', () => {
  test.each([
    ['a label', 'maple-harbor', under('io', 'com')],
    ['in any case, with blanks around it', '  Maple-HARBOR ', under('io', 'com')],
    ['a whole name, whose TLD comes first', 'maple-harbor.Net', under('net', 'io', 'com')],
    ['a host below a name', 'shop.maple-harbor.co.uk', under('co.uk', 'io', 'com')],
    ['the address of a page', 'https://www.Maple-Harbor.co.uk/x?y=1', under('co.uk', 'io', 'com')],
    ['a label behind "www."', 'www.maple-harbor', under('io', 'com')],
    ['a name under a chosen TLD, once', 'maple-harbor.com', under('com', 'io')],
    ['a Turkish capital İ as i', 'İSTANBUL-FIELD', ['istanbul-field.io', 'istanbul-field.com']],
    ['Unicode', 'bücher', ['xn--bcher-kva.io', 'xn--bcher-kva.com']],
  ])('%s', async (_what, text, expected) => {
    expect(await names({ label: text, tlds: ['io', '.COM', 'com', 'Io'] })).toEqual(expected);
  });

  // All bad arguments are in `src/modules/search/plan.test.ts`.
  test.each([
    ['an empty label', { label: ' ' }, 'A label must not be empty.'],
    ['a label that is none', { label: 'foo bar!!' }, /^"foo bar!!" contains blanks/],
    ['several names in one label', { label: 'maple.com, cedar.net' }, /each name as its own label/],
    ['a hyphen at an end', { label: 'maple-' }, /begin or end with a hyphen/],
    ['an e-mail address', { label: 'ada@maple.com' }, 'Enter the name only, such as maple-field.'],
    ['an invalid TLD', { label, tlds: ['com', 'c_m'] }, /"c_m" is no TLD/],
    ['too many TLDs', { label, tlds: Array(1001).fill('com') }, /at most 1000 names/],
    ['no results', { label, first: 0 }, /"first" must be between 1 and 1000/],
    ['too many suggestions', { label, suggestions: 21 }, /"suggestions".* 0 and 20/],
  ])('but refuses %s before an upstream call', async (_what, variables, sentence) => {
    const { data, errors } = await gateway.query(searchDocument('position'), variables);

    expect(data).toEqual({ searchDomains: null });
    expect(errors).toMatchObject([{ extensions: { code: 'INVALID_INPUT', executed: 'NO' } }]);
    expect(errors[0].message).toMatch(sentence);
    expect(await gateway.upstreamCalls()).toEqual([]);
  });
});

describe('the order of the results', () => {
  test('is the order of the TLDs that the client names', async () => {
    const tlds = ['xyz', 'de', 'com', 'tr', 'academy', 'io'];

    expect(await names({ label, tlds })).toEqual(under(...tlds));
  });

  test('is by popularity, then by price within a currency, then by other currencies', async () => {
    const results = await search(
      gateway,
      { label, first: 1000 },
      'availability { tld { name price(operation: REGISTRATION) { price { amount currency } } } }',
    );

    const tlds = results.map(({ availability }) => availability.tld.name);
    expect(tlds.slice(0, 4)).toEqual(['com', 'net', 'org', 'io']);
    expect(tlds.toSorted()).toEqual(checkedTlds.toSorted());
    const prices = results
      .slice(20)
      .flatMap(({ availability }) => availability.tld.price?.price ?? []);
    const inDollars = prices.slice(0, -3);
    expect(prices.slice(-3).map(({ currency }) => currency)).toEqual(['TRY', 'TRY', 'TRY']);
    expect(inDollars.map(({ currency }) => currency)).not.toContain('TRY');
    const amounts = inDollars.map(({ amount }) => Number(amount));
    expect(amounts).toEqual(amounts.toSorted((one, other) => one - other));
  });

  test('contains 100 results by default, or `first` results', async () => {
    expect(await names({ label })).toHaveLength(100);
    expect(await names({ label, first: 3 })).toEqual(under('com', 'net', 'org'));
  });
});

describe('a search of several labels', () => {
  const of = async (labels: readonly string[], more: string) => {
    const { data } = await gateway.query(
      `query ($labels: [String!]!) { searchDomains(labels: $labels, ${more}) { availability { name } } }`,
      { labels },
    );
    return data.searchDomains.map(nameOf);
  };

  test('alternates between the labels, and has each name once', async () => {
    const names = await of(['maple', 'Oak.net', 'maple'], 'tlds: ["io", "com"]');

    expect(names).toEqual(['maple.io', 'oak.net', 'maple.com', 'oak.io', 'oak.com']);
    expect(await sortedChecks()).toEqual(names.toSorted());
  });

  test('has suggestions for each label, and `first` results of all together', async () => {
    const names = await of(['maple', 'birch'], 'suggestions: 2, first: 3');

    expect(names).toEqual([
      ...['maple.com', 'birch.com', 'maple.net', 'get-maple.com', 'get-birch.com'],
    ]);
  });
});

describe('a name that cannot be registered is not checked:', () => {
  const states = async (text: string, tlds: readonly string[]) => {
    const results = await search(gateway, { label: text, tlds }, 'availability { state }');
    return results.map(({ availability }) => availability.state);
  };

  test('under a TLD that the client names it is INVALID with a reason', async () => {
    const results = await search(
      gateway,
      { label: 'a', tlds: ['nosuchtld', 'museum', 'io'] },
      'availability { state reason errorCode retryable tld { name } quote { certainty reason } }',
    );

    const invalid = (tld: string, errorCode: string, reason: string) => ({
      availability: {
        ...{ name: `a.${tld}`, state: 'INVALID', reason, errorCode, retryable: false },
        tld: tld === 'nosuchtld' ? null : { name: tld },
        quote: { certainty: 'NOT_SOLD', reason },
      },
    });
    const notSold =
      'The registrar does not sell ".nosuchtld"; query "tlds" for those that it sells.';
    expect(results).toEqual([
      invalid('nosuchtld', 'TLD_UNSUPPORTED', notSold),
      invalid('museum', 'TLD_UNSUPPORTED', '.museum is not sold at present.'),
      invalid('io', 'INVALID_INPUT', 'A name under .io has 2 to 63 characters; "a" has 1.'),
    ]);
    expect(await gateway.countCalls()).toEqual({ tldlist: 1 });
  });

  test('when it is a lookalike, except under the TLD of its own script', async () => {
    // The registrar cannot parse a name under this TLD, so the second state is not AVAILABLE either.
    expect((await states('оса', ['com', 'рф']))[0]).toBe('INVALID');
    expect(await checkedNames(gateway)).toEqual(['xn--80a1aj.xn--p1ai']);
  });

  test.each([
    ['a script that does not go with it', '1maple', 'موقع'],
    ['a name that is too long with it', 'a'.repeat(63), `${`${'b'.repeat(60)}.`.repeat(4)}com`],
  ])('under one TLD, by %s, and the others are not affected', async (_what, text, tld) => {
    expect(await states(text, [tld, 'com'])).toEqual(['INVALID', 'AVAILABLE']);
    expect(await checkedNames(gateway)).toEqual([`${text}.com`]);
  });

  test('it is omitted under TLDs that the client does not name', async () => {
    const results = await search(
      gateway,
      { label: 'ab', first: 1000 },
      'availability { tld { minLength status } }',
    );

    expect(results.length).toBeGreaterThan(10);
    expect(results.length).toBeLessThan(soldTlds.length);
    const tlds = results.map(({ availability }) => availability.tld);
    for (const tld of tlds)
      expect(tld).toEqual({ minLength: expect.any(Number), status: 'Active' });
    expect(tlds.filter(({ minLength }) => minLength > 2)).toEqual([]);
  });
});

describe('the prices of a result', () => {
  const selection = `availability { premium quote { period certainty renewalPrice { amount currency } } }
    totals { period certainty lowest { amount currency } highest { amount currency } }`;
  const usd = (amount: string) => ({ amount, currency: 'USD' });
  const total = (period: number, certainty: string, lowest?: string, highest = lowest) => ({
    ...{ period, certainty, lowest: lowest ? usd(lowest) : null },
    highest: highest ? usd(highest) : null,
  });
  const listed = (period: number, amount: string) => total(period, 'LISTED', amount);
  const estimated = (period: number, lowest: string, highest: string) =>
    total(period, 'ESTIMATED', lowest, highest);
  const unknown = [1, 3, 5, 10].map((period) => total(period, 'UNKNOWN'));
  const unsold = [1, 3, 5, 10].map((period) => total(period, 'NOT_SOLD'));

  test.each([
    [
      'are listed for one year of .com, and estimated by its renewals for more years',
      'com',
      { period: 1, certainty: 'LISTED', renewalPrice: usd('22.9800') },
      [
        ...[listed(1, '22.5800'), estimated(3, '67.7400', '68.5400')],
        ...[estimated(5, '112.9000', '114.5000'), estimated(10, '225.8000', '229.4000')],
      ],
    ],
    [
      'have totals for a TLD of two-year periods for two years, and where its periods add up',
      'ai',
      { period: 2, certainty: 'LISTED', renewalPrice: null },
      [
        ...[...unsold.slice(0, 1), listed(2, '279.6000'), ...unknown.slice(1, 3)],
        estimated(10, '1398.0000', '1558.0000'),
      ],
    ],
    [
      'have the listed total for each year of a price list of ten years',
      'blog',
      { period: 1 },
      [
        ...[listed(1, '37.8000'), listed(3, '109.6200'), listed(5, '181.4400')],
        listed(10, '360.9900'),
      ],
    ],
    [
      'have no total for a period that the TLD does not sell',
      'de',
      { period: 1 },
      [listed(1, '10.8000'), ...unsold.slice(1)],
    ],
  ])('%s', async (_what, tld, quote, totals) => {
    const [result] = await search(gateway, { label, tlds: [tld] }, selection);

    expect(result).toMatchObject({ availability: { quote }, totals });
  });

  test('include the renewals in the highest total of a cheap first year', async () => {
    const [{ totals }] = await search(gateway, { label, tlds: ['shop'] }, selection);

    expect(totals[3]).toEqual(estimated(10, '59.8000', '598.1800'));
  });

  test('are its own for a premium name, without a list price', { tags: ['G28'] }, async () => {
    const [result] = await search(gateway, { label: 'gold', tlds: ['com'] }, selection);

    expect(result).toMatchObject({
      availability: { premium: true, quote: { renewalPrice: null } },
    });
    const [{ lowest }] = result.totals;
    expect(Number(lowest.amount)).toBeGreaterThan(100);
    expect(result.totals).toEqual([listed(1, lowest.amount), ...unknown.slice(1)]);
  });

  test('are the renewal price only for a taken name', async () => {
    const [result] = await search(gateway, { label: 'weather', tlds: ['com'] }, selection);

    expect(result).toMatchObject({ availability: { quote: { renewalPrice: usd('22.9800') } } });
    expect(result.totals).toEqual(unsold);
  });
});

describe('the filter', () => {
  const found = (text: string, tlds: readonly string[], filter: object) =>
    names({ label: text, tlds, filter });
  const most = (amount: string) => ({ amount, currency: 'USD' });

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
    const tlds = ['com', 'net', 'tr', 'org', 'shop'];
    const expected = under('com', 'org', 'shop');

    expect(await found(label, tlds, { maxPrice: most('22.58') })).toEqual(expected);
    expect(await sortedChecks()).toEqual(expected);
  });

  test('maxPrice applies to the price of a premium name', async () => {
    const fields = 'availability { quote { highest { amount } cost { highest { amount } } } }';
    const [result] = await search(gateway, { label: 'gold', tlds: ['com'] }, fields);
    const { highest, cost } = result.availability.quote;

    expect(await found('gold', ['com'], { maxPrice: most(highest.amount) })).toEqual(['gold.com']);
    expect(await found('gold', ['com'], { maxPrice: most(cost.highest.amount) })).toEqual([]);
  });

  test('maxRenewalPrice applies to the price list and excludes premium names', async () => {
    const filter = { maxRenewalPrice: most('26') };

    expect(await found(label, ['com', 'shop', 'ai', 'org'], filter)).toEqual(under('com', 'org'));
    expect(await sortedChecks()).toEqual(under('com', 'org'));
    expect(await found('gold', ['com'], { ...filter, available: true })).toEqual([]);
  });

  test('first ends the checks once there are enough results', async () => {
    const size = { first: 5, filter: { available: true } };

    expect(await names({ label, tlds: soldTlds, ...size })).toEqual(under(...soldTlds.slice(0, 5)));
    expect((await checkedNames(gateway)).length).toBeLessThanOrEqual(5 + 16);
  });

  test('first returns the first results of the order, whatever the order of the replies', async () => {
    const tlds = soldTlds.slice(0, 40);
    await gateway.admin('POST', '/faults', { fault: 'delay', ms: 150, domain: `${label}.com` });

    expect(await names({ label, tlds, first: 10, filter: { available: true } })).toEqual(
      under(...tlds.slice(0, 10)),
    );
  });
});

describe('suggestions', () => {
  const suggest = (text: string, tlds: readonly string[], count: number) =>
    search(gateway, { label: text, tlds, suggestions: count }, 'suggested');

  test('are marked, come last and cause no further call', async () => {
    expect(await suggest('maple', ['com', 'net'], 2)).toEqual([
      { availability: { name: 'maple.com' }, suggested: false },
      { availability: { name: 'maple.net' }, suggested: false },
      { availability: { name: 'get-maple.com' }, suggested: true },
      { availability: { name: 'maple-hq.com' }, suggested: true },
    ]);
    const sizes = await checkSizes(gateway);
    expect(sizes.reduce((sum, one) => sum + one, 0)).toBe(4);
    expect(sizes.length).toBeLessThanOrEqual(2);
  });

  // All similar labels are in `src/modules/search/plan.test.ts`.
  test.each([
    ['maple24', 'maple-24.com'],
    ['bücher', 'xn--get-bcher-u9a.com'],
  ])('include for %s the similar name %s', async (text, name) => {
    expect((await suggest(text, ['com'], 1))[1]).toEqual({
      availability: { name },
      suggested: true,
    });
  });

  test('are at most the requested number, unique, without the name itself, and use other TLDs', async () => {
    const results = await suggest('get-maple', ['com', 'net', 'org', 'io'], 20);

    const all: readonly string[] = results.map(nameOf);
    expect(new Set(all).size).toBe(all.length);
    expect(results.filter(({ suggested }) => suggested)).toHaveLength(20);
    expect(all).toEqual(expect.arrayContaining(['get-maple.com', 'getmaple.net']));
    expect(await sortedChecks()).toEqual(all.toSorted());
  });
});
