import { describe, expect, test } from 'vitest';
import { tldWith } from '../../../test/support/modules/tlds.ts';
import { plainQuotes } from '../../../test/support/plain-quotes.ts';
import { parseDomainName } from '../../kernel/domain-name.ts';
import { Fault } from '../../kernel/faults.ts';
import { Decimal, type Money } from '../../kernel/money.ts';
import { lazy } from '../../lib/lazy.ts';
import { systemClock } from '../../lib/system.ts';
import { IdnRefusals } from '../availability/check.ts';
import type { Search } from './arguments.ts';
import { inOrder, otherLabels, planSearch } from './plan.ts';

const money = (amount: string, currency = 'USD'): Money => ({
  amount: Decimal.parse(amount),
  currency,
});

const priceList = [
  tldWith('net', { price: '12' }),
  tldWith('com', { price: '11', renewal: '20' }),
  tldWith('co.uk', { price: '8' }),
  tldWith('zone', { price: '30', renewal: null }),
  tldWith('tr', { price: '1', currency: 'TRY' }),
  tldWith('mixed', { price: '9', renewalCurrency: 'EUR' }),
  tldWith('free', { price: null, renewal: '7' }),
  tldWith('long', { minchar: 8 }),
  tldWith('gone', { status: 'Suspended' }),
];

function start(tlds = priceList) {
  let reads = 0;
  const catalogue = lazy(async () => {
    reads += 1;
    const byName = new Map(tlds.map((one) => [one.name, one]));
    return { tlds, byName, hasEveryTld: true, complete: true };
  });
  const idnRefusals = new IdnRefusals(systemClock);
  const plan = (search: Search) => planSearch(search, { catalogue }, idnRefusals, plainQuotes);
  const namesOf = async (search: Search) =>
    (await plan(search)).candidates.map(({ name }) => name as string);
  return { plan, namesOf, idnRefusals, reads: () => reads };
}
const under = (label: string, ...tlds: readonly string[]) => tlds.map((tld) => `${label}.${tld}`);
/** `maple` under the TLDs of the price list that sell it, in the order of a search without TLDs. */
const all = under('maple', 'com', 'net', 'co.uk', 'mixed', 'zone', 'tr', 'free');

describe('the label of', () => {
  test.each([
    ['maple', ['maple.net']],
    ['  Maple  ', ['maple.net']],
    ['maple.com', ['maple.com', 'maple.net']],
    ['maple.net', ['maple.net']],
    ['a.maple.co.uk', ['maple.co.uk', 'maple.net']],
    ['maple.nosuchtld', ['maple.nosuchtld', 'maple.net']],
    ['bücher', ['xn--bcher-kva.net']],
    ['maple。com', ['maple.com', 'maple.net']],
    ['maple．com', ['maple.com', 'maple.net']],
    ['maple｡com', ['maple.com', 'maple.net']],
    ['https://www.Maple.com/shop?x=1', ['maple.com', 'maple.net']],
    ['//maple.co.uk:8080', ['maple.co.uk', 'maple.net']],
    ['shop.maple.com#prices', ['maple.com', 'maple.net']],
    ['http://bücher.com/größe', ['xn--bcher-kva.com', 'xn--bcher-kva.net']],
    ['www.maple', ['maple.net']],
    ['WWW．maple', ['maple.net']],
    ['https://www.maple/', ['maple.net']],
    ['www.24seven', ['24seven.net']],
    ['www.maple.com', ['maple.com', 'maple.net']],
    ['maple.', ['maple.net']],
    ['www.maple.', ['maple.net']],
    ['www.', ['www.net']],
    ['maple.com.', ['maple.com', 'maple.net']],
    ['www', ['www.net']],
    ['www.com', ['www.com', 'www.net']],
    ['www.co.uk', ['www.co.uk', 'www.net']],
  ])('%s is searched under its own TLD first', async (label, expected) => {
    expect(await start().namesOf({ labels: [label], tlds: ['net'] })).toEqual(expected);
  });
});

describe('refused before the price list is read:', () => {
  test.each<[string, Search, readonly string[], object]>([
    ['no label', { labels: ['oak', ' '] }, ['labels', '1'], {}],
    ['a label with a blank', { labels: ['oak', 'a b'] }, ['labels', '1'], {}],
    ['a name with an empty label', { labels: ['oak', 'a..com'] }, ['labels', '1'], {}],
    ['a TLD that is none', { labels: ['a'], tlds: ['com', 'c_m'] }, ['tlds'], {}],
    ['1001 TLDs', { labels: ['a'], tlds: Array(1_001).fill('com') }, ['tlds'], {}],
    ...(
      [
        ['first', 0, 1, 1_000],
        ['first', 1_001, 1, 1_000],
        ['suggestions', -1, 0, 20],
        ['suggestions', 21, 0, 20],
      ] as const
    ).map(([name, count, minimum, maximum]): [string, Search, readonly string[], object] => [
      `${name}: ${count}`,
      { labels: ['a'], [name]: count },
      [name],
      { minimum, maximum },
    ]),
  ])('%s', async (_what, search, path, facts) => {
    const { plan, reads } = start();

    const fault = await plan(search).catch((error: Fault) => error);

    expect(fault).toBeInstanceOf(Fault);
    expect(fault).toMatchObject({ code: 'INVALID_INPUT', inputPath: path, facts });
    expect(reads()).toBe(0);
  });

  test.each([
    ...['https://maple', 'and/or', 'maple?', 'maple:80', 'https:', 'https://', '//', '/'],
    ...['http://192.168.0.1/', 'https://ada@maple.com', 'ada@maple.com', 'http://a b.com/'],
  ])('%s, which is neither a name nor an address with a name', async (label) => {
    const { plan, reads } = start();

    const fault = await plan({ labels: [label] }).catch((error: Fault) => error);

    expect(fault).toMatchObject({
      message: 'Enter the name only, such as maple-field.',
      inputPath: ['labels', '0'],
    });
    expect(reads()).toBe(0);
  });

  test.each<Search>([
    { labels: ['maple'], tlds: Array(1_000).fill('com') },
    { labels: ['maple'], first: 1, suggestions: 0 },
    { labels: ['maple'], first: 1_000, suggestions: 20 },
  ])('but not the bounds themselves', async (search) => {
    expect((await start().namesOf(search))[0]).toBe('maple.com');
  });
});

describe('without TLDs a search has', () => {
  test('popular TLDs first, then the others by price, and none that does not take the label', async () => {
    expect(await start().namesOf({ labels: ['maple'] })).toEqual(all);
  });

  test('each TLD once, with that of the label first', async () => {
    expect(await start().namesOf({ labels: ['maple.net'] })).toEqual([
      'maple.net',
      ...all.filter((name) => name !== 'maple.net'),
    ]);
  });

  test('the first names only, unless a filter may drop some', async () => {
    const { namesOf } = start();

    expect(await namesOf({ labels: ['maple'], first: 2 })).toEqual(all.slice(0, 2));
    expect(await namesOf({ labels: ['maple'], first: 2, filter: { available: true } })).toEqual(
      all,
    );
  });

  test('at most 100 results, or as many as TLDs are chosen', async () => {
    const { plan } = start();

    expect((await plan({ labels: ['maple'] })).first).toBe(100);
    expect((await plan({ labels: ['maple'], tlds: ['com'] })).first).toBe(1_000);
    expect((await plan({ labels: ['maple'], first: 3 })).first).toBe(3);
  });
});

test.each([
  ['a TLD that is not sold', 'maple', 'nosuchtld', 'TLD_UNSUPPORTED', null],
  ['a TLD that is not sold at present', 'maple', 'gone', 'TLD_UNSUPPORTED', 'gone'],
  ['a TLD for longer labels', 'maple', 'long', 'INVALID_INPUT', 'long'],
  ['a label in another script', 'оса', 'com', 'INVALID_INPUT', 'com'],
])('a chosen TLD has a refused name: %s', async (_what, label, tld, code, found) => {
  const [candidate, ...others] = (await start().plan({ labels: [label], tlds: [tld] })).candidates;

  expect(others).toEqual([]);
  expect(candidate).toMatchObject({ named: true, suggested: false });
  expect(candidate?.tld?.name ?? null).toBe(found);
  expect(candidate?.refusal?.code).toBe(code);
});

test('a name that is too long under a sold TLD is refused', async () => {
  const tld = `${`${'b'.repeat(60)}.`.repeat(3)}${'c'.repeat(60)}`;
  const { plan } = start([tldWith(tld)]);

  const { candidates } = await plan({ labels: ['a'.repeat(63)], tlds: [tld] });

  expect(candidates.map(({ refusal }) => refusal?.code)).toEqual(['INVALID_INPUT']);
});

test('chosen TLDs keep their order, without duplicates, and no other is checked', async () => {
  const search = { labels: ['maple'], tlds: ['zone', '.COM', 'tr', 'com'] };

  expect(await start().namesOf(search)).toEqual(under('maple', 'zone', 'com', 'tr'));
});

test('a name that one label chooses is chosen, also when another label finds it first', async () => {
  const { candidates } = await start().plan({ labels: ['maple', 'maple.com'] });

  expect(candidates.filter(({ name }) => name === 'maple.com')).toMatchObject([{ named: true }]);
});

describe('by the price list a search leaves out the names', () => {
  test.each([
    [
      'above maxPrice and in another currency',
      { maxPrice: money('11') },
      ['com', 'co.uk', 'mixed', 'free'],
    ],
    ['just above maxPrice', { maxPrice: money('10.9999') }, ['co.uk', 'mixed', 'free']],
    [
      'of a renewal that is dearer, not listed or in another currency than the first year',
      { maxRenewalPrice: money('12') },
      ['net', 'co.uk', 'free'],
    ],
    [
      'of a first year in another currency than its renewal',
      { maxRenewalPrice: money('12', 'EUR') },
      ['mixed'],
    ],
    [
      'that fail one of two conditions',
      { maxPrice: money('12'), maxRenewalPrice: money('12') },
      ['net', 'co.uk', 'free'],
    ],
  ])('%s', async (_what, filter, expected) => {
    expect(await start().namesOf({ labels: ['maple'], filter })).toEqual(
      under('maple', ...expected),
    );
  });

  test('but not those that it refuses for the client to see', async () => {
    const search = { labels: ['maple'], tlds: ['long', 'zone'], filter: { maxPrice: money('1') } };

    expect(await start().namesOf(search)).toEqual(['maple.long']);
  });
});

describe('suggestions', () => {
  const twelve = start(
    ['com', 'net', 'org', 'io', ...'abcdefgh'].map((one) =>
      tldWith(one.length === 1 ? `${one}${one}` : one),
    ),
  );

  test('are under the first three TLDs, after ten names of the label', async () => {
    const { candidates } = await twelve.plan({ labels: ['maple'], suggestions: 20 });

    const suggested = candidates.filter((one) => one.suggested);
    expect(candidates.findIndex((one) => one.suggested)).toBe(10);
    expect(candidates.slice(30).map(({ name }) => name)).toEqual(under('maple', 'gg', 'hh'));
    expect(suggested).toHaveLength(20);
    expect(suggested.slice(0, 10).map(({ tld }) => tld?.name)).toEqual(Array(10).fill('com'));
    expect(suggested.slice(10).map(({ tld }) => tld?.name)).toEqual(Array(10).fill('net'));
    expect(suggested.every(({ named, refusal }) => !named && refusal === null)).toBe(true);
  });

  test('are as many as requested', async () => {
    const search = { labels: ['maple'], tlds: ['com', 'net'], suggestions: 3 };

    expect(await twelve.namesOf(search)).toEqual([
      ...under('maple', 'com', 'net'),
      ...['get-maple.com', 'maple-hq.com', 'my-maple.com'],
    ]);
    expect(await twelve.namesOf({ labels: ['maple'], tlds: ['com'] })).toEqual(['maple.com']);
  });

  test('are no names of the other labels', async () => {
    const names = await twelve.namesOf({
      labels: ['maple', 'maple-hq', 'get-maple'],
      tlds: ['com'],
      suggestions: 20,
    });

    expect(names.filter((name) => name === 'maple-hq.com')).toHaveLength(1);
    expect(new Set(names).size).toBe(names.length);
  });

  test('reach the third TLD at most, and skip TLDs that do not take the label', async () => {
    const tlds = ['nosuchtld', 'com', 'net', 'org', 'io'];
    // No word can be added to so long a label but the shortest.
    const search = { labels: ['m'.repeat(60)], tlds, suggestions: 20 };
    const { candidates } = await twelve.plan(search);

    const suggested = candidates.filter((one) => one.suggested).map(({ tld }) => tld?.name);
    expect([...new Set(suggested)]).toEqual(['com', 'net', 'org']);
  });

  test('are not under a TLD that does not take the label', async () => {
    const search = { labels: ['maple'], tlds: ['long', 'com'], suggestions: 20 };
    const { candidates } = await start().plan(search);

    expect(candidates.filter(({ suggested }) => suggested).map(({ tld }) => tld?.name)).toEqual(
      Array(10).fill('com'),
    );
  });

  test('are not under a TLD that does not take them', async () => {
    const { namesOf } = start([tldWith('com', { minchar: 8 }), tldWith('net')]);
    const search = { labels: ['mapleharbor-1'], tlds: ['com'], suggestions: 1 };

    expect(await namesOf(search)).toEqual(['mapleharbor-1.com', 'mapleharbor1.com']);
    expect(await namesOf({ ...search, labels: ['aaaaa-aa'] })).toEqual([
      ...['aaaaa-aa.com', 'get-aaaaa-aa.com'],
    ]);
  });
});

describe('of a label with non-ASCII letters', () => {
  const idn = 'xn--bcher-kva';
  const tlds = ['com', 'net', 'org'].map((name) => tldWith(name));

  test('the TLDs that refuse such letters are left out, and those that may do so come last', async () => {
    const { namesOf, idnRefusals } = start(tlds);
    idnRefusals.learn(parseDomainName('ä.net'));
    idnRefusals.learnOmission(parseDomainName('ä.com'));

    expect(await namesOf({ labels: ['bücher'] })).toEqual(under(idn, 'org', 'com'));
  });

  test('a chosen TLD keeps its place', async () => {
    const { namesOf, idnRefusals } = start(tlds);
    idnRefusals.learn(parseDomainName('ä.net'));
    idnRefusals.learnOmission(parseDomainName('ä.com'));

    const search = { labels: ['bücher'], tlds: ['net', 'com', 'org'] };
    expect(await namesOf(search)).toEqual(under(idn, 'net', 'com', 'org'));
  });
});

describe('the order of TLDs', () => {
  const order = (...tlds: Parameters<typeof tldWith>[]) =>
    inOrder(
      tlds.map((one) => tldWith(...one)),
      plainQuotes,
    ).map(({ name }) => name);

  test('is by popularity, price, and name', () => {
    const shown = order(
      ['zz', { price: '5' }],
      ['aa', { price: '5' }],
      ['shop', { price: '50' }],
      ['bb', { price: '3' }],
      ['com', { price: '60' }],
    );

    expect(shown).toEqual(['com', 'shop', 'bb', 'aa', 'zz']);
  });

  test('never compares prices of two currencies, and has TLDs without a price last', () => {
    const shown = order(
      ['noneb', { price: null }],
      ['lira', { price: '1', currency: 'TRY' }],
      ['nonea', { price: null }],
      ['eurob', { price: '3', currency: 'EUR' }],
      ['dollara', { price: '9' }],
      ['euroa', { price: '2', currency: 'EUR' }],
      ['dollarb', { price: '10' }],
      ['dollarc', { price: '11' }],
    );

    expect(shown).toEqual([
      ...['dollara', 'dollarb', 'dollarc', 'euroa', 'eurob', 'lira', 'nonea', 'noneb'],
    ]);
  });

  test('has the currency of most registrations first, the first in the alphabet when two are equal', () => {
    const usd = ['usd', { price: '1' }] as const;
    const eur = ['eur', { price: '9', currency: 'EUR' }] as const;
    // A price of a renewal does not count.
    const renewals = ['one', 'two'].map((name) => [name, { price: null, renewal: '1' }] as const);

    expect(order([...usd], [...eur])).toEqual(['eur', 'usd']);
    expect(
      order([...usd], [...eur], ...renewals.map((one) => [...one] as [string, object])),
    ).toEqual(['eur', 'usd', 'one', 'two']);
    expect(order([...eur], ['usd', { price: '1' }], ['usdb', { price: '2' }])).toEqual([
      'usd',
      'usdb',
      'eur',
    ]);
  });
});

const affixed = (label: string) =>
  [...['get', 'hq', 'my', 'app', 'the', 'online', 'go', 'shop', 'try', 'hub']].map((word, at) =>
    at % 2 === 0 ? `${word}-${label}` : `${label}-${word}`,
  );

test.each([
  ['maple', []],
  ['maple-harbor', ['mapleharbor']],
  ['maple-har-bor', ['mapleharbor']],
  ['maple24', ['maple-24']],
  ['24maple7', ['24-maple-7']],
  ['mapleshop', ['maple-shop']],
  ['mapleonline', ['maple-online']],
  ['abcshop', ['abc-shop']],
  ['shopmaple', []],
  // Short words are often a part of another one.
  ...['goldenbakery', 'getaway', 'theatre', 'mystic', 'github'].map((one): [string, string[]] => [
    one,
    [],
  ]),
])('%s has its parts split or joined, then with words before and after it', (label, parts) => {
  expect(otherLabels(label)).toEqual([...parts, ...affixed(label)]);
});

test.each(['abshop'])('no word is split off %s, because too little is left', (label) => {
  expect(otherLabels(label)).toEqual(affixed(label));
});

test('a label in another script has its words in Unicode', () => {
  expect(otherLabels('xn--bcher-kva')[0]).toBe('xn--get-bcher-u9a');
  expect(otherLabels('xn--bcher24-n2a')[0]).toBe('xn--bcher-24-65a');
});

test('a lookalike has no similar labels', () => {
  expect(otherLabels('xn--80a1aj')).toEqual([]);
});

test('no suggestion is longer than 63 characters', () => {
  const label = 'a'.repeat(60);

  expect(otherLabels(label)).toEqual([`${label}-hq`, `my-${label}`, `go-${label}`]);
  expect(otherLabels('a'.repeat(63))).toEqual([]);
});
