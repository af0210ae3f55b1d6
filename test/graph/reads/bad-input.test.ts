import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startTestGateway } from '../../support/gateway.ts';
import { errorFacts } from './reads.ts';

const gateway = await startTestGateway({ sandboxDomains: 40 });
afterAll(() => gateway.close());
beforeEach(() => gateway.resetCalls());
// Each refusal here precedes any upstream call.
afterEach(async () => expect(await gateway.upstreamCalls()).toEqual([]));

async function refusal(document: string, variables?: object) {
  const { data, errors } = await gateway.query(document, variables);
  expect(data).toBeUndefined();
  expect(errors).toHaveLength(1);
  expect(errorFacts(errors[0])).toMatchObject({
    code: 'BAD_USER_INPUT',
    retryable: false,
    executed: 'NO',
  });
  expect(errors[0].locations).toHaveLength(1);
  return errors[0].message;
}

const forbidden = /holds characters or a combination that no domain name may have\.$/;
const hyphens = /^A label must not begin or end with a hyphen; ".+" does\.$/;
const invisible = / contains blanks or invisible characters; a domain name has none\.$/;

describe.each([
  ['nothing', '', 'A domain name must not be empty.'],
  ['blanks', '  \t ', 'A domain name must not be empty.'],
  ['a dot', '.', 'A domain name must not be empty.'],
  ['two dots', 'a..com', '"a..com" has an empty label: two dots in a row.'],
  ['a dot in front', '.a.com', '".a.com" has an empty label: two dots in a row.'],
  ['one label', 'com', '"com" has no TLD: write the whole name, such as "example.com".'],
  ['a blank inside', 'a b.com', invisible],
  ['a line break', 'a\nb.com', invisible],
  ['a change of direction', 'a\u202eb.com', invisible],
  ['a zero-width space', 'a\u200bb.com', invisible],
  ['a hyphen in front', '-a.com', hyphens],
  ['a hyphen behind', 'a-.com', hyphens],
  ['a hyphen behind Unicode', 'ü-.com', hyphens],
  ['hyphens third and fourth', 'ab--c.com', /third and fourth characters; "ab--c" does\.$/],
  ['an underscore', 'a_b.com', forbidden],
  ['a slash', 'a/b.com', forbidden],
  ['punycode of nothing', 'xn--a.com', forbidden],
  ['a curly apostrophe', 'a’b.com', /must not contain the character U\+2019 there \(IDNA2008\)\.$/],
  ['a smiling face', '☺.com', /must not contain the character U\+263A there \(IDNA2008\)\.$/],
  ['only a soft hyphen', '\u00ad.com', /it holds nothing that is shown\.$/],
  [
    '64 characters',
    `${'a'.repeat(64)}.com`,
    /^A label of a domain name has at most 63 .+ has 64\.$/,
  ],
  ['254 characters', `${'a.'.repeat(125)}name`, /at most 253 characters; this one has 254\.$/],
  ['a TLD of digits', 'a.123', '"a.123" does not end in a TLD.'],
  ['an address', '127.0.0.1', '"127.0.0.1" does not end in a TLD.'],
])('a domain name of %s is refused', { tags: ['G4'] }, (_what, name, sentence) => {
  const isTheSentence = (message: string) => {
    if (typeof sentence === 'string') expect(message).toBe(sentence);
    else expect(message).toMatch(sentence);
  };

  test('in a document', async () => {
    isTheSentence(await refusal(`{ domain(name: ${JSON.stringify(name)}) { name } }`));
  });

  test('in a variable, a list and a filter', async () => {
    const one = 'query ($name: DomainName!) { domain(name: $name) { name } }';
    const many = 'query ($names: [DomainName!]!) { domainsByName(names: $names) { name } }';
    const filter = 'query ($filter: DomainFilter) { domains(filter: $filter) { totalCount } }';

    isTheSentence(await refusal(one, { name }));
    isTheSentence(await refusal(many, { names: ['a.com', name] }));
    isTheSentence(await refusal(filter, { filter: { nameServer: name } }));
  });
});

const byDate = 'query ($at: DateTime) { domains(filter: { expiresAfter: $at }) { totalCount } }';

test.each(['soon', '2026-1-31', '2026-02-30', '2026-02-30T00:00:00Z', '2026-01-31T25:00:00Z', ''])(
  'the date %j is refused',
  async (at) => {
    const sentence = `"${at}" is not a date such as "2026-01-31" or a time such as "2026-01-31T12:00:00Z".`;

    expect(await refusal(byDate, { at })).toBe(sentence);
    expect(await refusal(`{ domains(filter: { expiresAfter: "${at}" }) { totalCount } }`)).toBe(
      sentence,
    );
  },
);

test.each([
  ['query ($name: DomainName!) { domain(name: $name) { name } }', { name: 7 }, 'example.com', 7],
  [
    'query ($name: DomainName!) { domain(name: $name) { name } }',
    { name: true },
    'example.com',
    true,
  ],
  ['{ domain(name: 7) { name } }', {}, 'example.com', 7],
  [byDate, { at: 1_767_225_600 }, '2026-01-31T12:00:00Z', 1_767_225_600],
  ['{ tlds(filter: { currency: 7 }) { totalCount } }', {}, 'USD', 7],
])(
  '%s with %j is refused: a value of another type is never converted',
  async (document, variables, example, value) => {
    expect(await refusal(document, variables)).toMatch(
      new RegExp(`^The value must be a string such as "${example}", not ${value}\\.$`),
    );
  },
);

test('a name without quotes is refused', async () => {
  expect(await refusal('{ domain(name: FOO) { name } }')).toMatch(/must be a string such as/);
});

test.each([
  ['{ domains(orderBy: { field: PRICE }) { totalCount } }', /"PRICE" .*"DomainOrderField" enum/],
  ['{ domains(filter: { states: [Active] }) { totalCount } }', /"Active" .*"DomainState" enum/],
  ['{ domains(filter: { state: ACTIVE }) { totalCount } }', /"state" is not defined by type/],
  ['{ domains(first: "5") { totalCount } }', /Int cannot represent non-integer value: "5"/],
  ['{ domain { name } }', /argument "name" of type "DomainName!" is required/],
  ['{ domain(name: null) { name } }', /"DomainName!", found null/],
  ['{ domain(name: "a.com") { renewedAt } }', /Cannot query field "renewedAt" on type "Domain"/],
  ['{ domain(name: "a.com") }', /must have a selection of subfields/],
  ['{ renewals { id } }', /Cannot query field "renewals" on type "Query"/],
  [
    '{ tlds(filter: { currency: "$" }) { totalCount } }',
    /^"\$" is not a currency code such as "USD"\.$/,
  ],
  ['{ domain(name: "a.com") { name ', /Syntax Error/],
])('%s is refused with one sentence', async (document, sentence) => {
  expect(await refusal(document)).toMatch(sentence);
});
