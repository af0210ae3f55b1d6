import { describe, expect, test } from 'vitest';
import type { ListedDomain } from '../../../console/gateway-client.ts';
import { desiredOf, differencesOf, parseDesired } from './desired-domains.ts';

const domain = (name: string, facts: Partial<ListedDomain> = {}): ListedDomain => ({
  ...{ name, unicodeName: name, state: 'ACTIVE', labels: {} },
  ...{ nameServers: ['ns1.old.net', 'ns2.old.net'], privacyProtected: false },
  ...facts,
});

const domains = [
  domain('shop.de', { labels: { team: 'blue', plan: 'basic' } }),
  domain('xn--bcher-kva.de', { unicodeName: 'bücher.de' }),
  domain('gone.de', { state: 'TRANSFERRED_OUT' }),
  domain('late.com', { state: 'EXPIRED', privacyProtected: true }),
  domain('odd.com', { nameServers: null, privacyProtected: null }),
];

/** The names of the domains that an entry selects. */
const selected = (entry: string) =>
  [
    ...desiredOf(parseDesired(`domains: [{ ${entry}, privacyProtected: true }]`), domains).keys(),
  ].map(({ name }) => name);

describe('an entry selects', () => {
  test.each([
    ['a pattern', 'match: "*.de"', ['shop.de', 'xn--bcher-kva.de']],
    ['a pattern in Unicode', 'match: "BÜCH*"', ['xn--bcher-kva.de']],
    ['a pattern with parts in order', 'match: "*o*.*m*"', ['odd.com']],
    ['a pattern without a star', 'match: late.com', ['late.com']],
    ['a pattern whose parts overlap', 'match: "shop.de*de"', []],
    ['a pattern and a label', 'match: "*", labels: { team: blue, plan: basic }', ['shop.de']],
    ['a label with another value', 'labels: { team: red }', []],
    ['a label that every object has', 'labels: { constructor: "x" }', []],
    [
      'names, whatever their state',
      'names: [GONE.de., bücher.de]',
      ['gone.de', 'xn--bcher-kva.de'],
    ],
  ])('%s', (_what, entry, names) => {
    expect(selected(entry)).toEqual(names);
  });
});

test('a later entry replaces the values of earlier ones, and only differences remain', () => {
  const entries = parseDesired(`
domains:
  - match: "*"
    privacyProtected: true
    nameServers: [NS2.old.net., ns1.old.net]
  - names: [late.com, shop.de]
    nameServers: [ns1.new.net]
  - names: [shop.de]
    privacyProtected: false
`);

  const differences = differencesOf(desiredOf(entries, domains)).map((one) => [
    one.domain.name,
    one.desired,
  ]);

  expect(differences).toEqual([
    ['shop.de', { nameServers: ['ns1.new.net'] }],
    ['xn--bcher-kva.de', { privacyProtected: true }],
    ['late.com', { nameServers: ['ns1.new.net'] }],
    ['odd.com', { nameServers: ['ns2.old.net', 'ns1.old.net'], privacyProtected: true }],
  ]);
});

describe('a file is refused with one sentence', () => {
  const one = 'names: [a.com], privacyProtected: true';
  test.each([
    ['without domains', 'other: 1', '"domains" is a list.'],
    ['without an entry', 'domains: []', '"domains" is a list of at least one entry'],
    ['that is empty', '', 'it is one object with "domains"'],
    [
      'with an unknown member',
      `domains: [{ ${one}, privacy: true }]`,
      '"privacyProtected", not "privacy".',
    ],
    ['without a selection', 'domains: [{ privacyProtected: true }]', 'either "names", or "match"'],
    ['with two names in a pattern', 'domains: [{ match: "a.de, b.de" }]', 'blanks and commas'],
    ['with two selections', `domains: [{ ${one}, match: "*" }]`, 'either "names", or "match"'],
    ['without a value', 'domains: [{ names: [a.com] }]', '"nameServers" or "privacyProtected"'],
    [
      'with a name that is none',
      'domains: [{ names: [a.com, x], privacyProtected: true }]',
      '"domains".[0]."names".[1] is a domain name',
    ],
    [
      'with too many hosts',
      `domains: [{ names: [a.com], nameServers: [${Array.from({ length: 14 }, (_, at) => `ns${at}.a.net`)}] }]`,
      'a list of 1 to 13 host names',
    ],
    [
      'with a flag in another form',
      'domains: [{ names: [a.com], privacyProtected: "yes" }]',
      '"privacyProtected" is true or false',
    ],
    [
      'with a label that is a number',
      'domains: [{ labels: { plan: 1 }, privacyProtected: true }]',
      '"labels" is an object with at least one text',
    ],
    [
      'with labels, none of which has a name',
      'domains: [{ labels: {}, privacyProtected: true }]',
      '"labels" is an object with at least one text',
    ],
    ['with several documents', 'domains: []\n---\ndomains: []', 'it has several documents'],
    ['with a name in place of a list', 'domains: [{ names: a.com }]', '"names" is a list of names'],
    [
      'with a pattern without quotes',
      'domains:\n  - match: *-demo.net',
      'write the value in quotes',
    ],
    ['with a star alone', 'domains:\n  - match: *', 'write the value in quotes'],
    ['with an alias', 'a: &a [1]\nb: *a', 'it has an alias; write the value in its place'],
    ['with a member twice', 'domains: []\ndomains: []', '"domains" is twice in one object'],
    ['that is no YAML', 'a: [1, "', 'Missing closing "quote at line 1'],
    ['with deep brackets', '['.repeat(10_000), 'it is nested too deeply'],
    ['with a member that objects have', '__proto__: { domains: [] }', '"domains" is a list.'],
  ])('%s', (_what, text, message) => {
    expect(() => parseDesired(text)).toThrow(message);
    expect(() => parseDesired(text)).toThrow(/^The file [^\n]*\.$/);
  });
});
