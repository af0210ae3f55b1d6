import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest';
import { startTestGateway } from '../../support/gateway.ts';
import { errorFacts } from './reads.ts';

const gateway = await startTestGateway({ sandboxDomains: 40 });
afterAll(() => gateway.close());
beforeEach(() => gateway.resetCalls());
// Each refusal here precedes any upstream call.
afterEach(async () => expect(await gateway.upstreamCalls()).toEqual([]));

async function refusal(
  document: string,
  variables?: object,
  code = 'INVALID_INPUT',
): Promise<string> {
  const { data, errors } = await gateway.query(document, variables);
  expect(data).toBeUndefined();
  expect(errors.map(errorFacts)).toMatchObject([{ code, retryable: false, executed: 'NO' }]);
  expect(errors[0].locations).toHaveLength(1);
  return errors[0].message;
}

const byText = `query ($name: String!) {
  domain(name: $name) { name } domainsByName(names: [$name]) { name }
  availability(name: $name) { state reason errorCode }
}`;
const byFilter = 'query ($filter: DomainFilter) { domains(filter: $filter) { totalCount } }';
const byDate =
  'query ($at: DateTime) { domains(filter: { expires: { from: $at } }) { totalCount } }';

test('a long text is refused without ordering its combining marks, which takes quadratic time', async () => {
  const name = `a${'\u0301\u0323'.repeat(50_000)}`;
  const normalized = vi.spyOn(String.prototype, 'normalize');
  const { data, errors } = await gateway.query(
    `mutation ($name: String!) { labelDomains(input: { names: ["a.com"], remove: [$name] }) { errors { code } } }`,
    { name },
  );
  const texts = normalized.mock.contexts.map(String);
  normalized.mockRestore();

  expect([errors, data?.labelDomains.errors]).toMatchObject([
    undefined,
    [{ code: 'INVALID_INPUT' }],
  ]);
  expect(texts.filter(({ length }) => length >= name.length)).toEqual([]);
});

// All rules and messages are in `src/kernel/domain-name.test.ts`.
test.each([
  ['nothing', '', 'A domain name must not be empty.'],
  ['two dots', 'a..com', '"a..com" has an empty label: two dots in a row.'],
  ['one label', 'com', '"com" has no TLD: write the whole name, such as "example.com".'],
  [
    'a line break',
    'a\nb.com',
    '"a\\u{a}b.com" contains blanks or invisible characters; a domain name has none.',
  ],
  ['a hyphen in front', '-a.com', 'A label must not begin or end with a hyphen; "-a" does.'],
  [
    'an underscore',
    'a_b.com',
    '"a_b.com" holds characters or a combination that no domain name may have.',
  ],
  ['a smiling face', '☺.com', '"☺" must not contain the character U+263A there (IDNA2008).'],
  ['an address', '127.0.0.1', '"127.0.0.1" does not end in a TLD.'],
])(
  'a domain name of %s is null or INVALID where it is looked up, and refused in a filter',
  { tags: ['G4'] },
  async (_what, name, sentence) => {
    const { data, errors } = await gateway.query(byText, { name });
    const literal = byFilter.replace('query ($filter: DomainFilter) ', '');
    const filter = `{ nameServer: ${JSON.stringify(name)} }`;

    expect(errors).toBeUndefined();
    expect(data).toEqual({
      ...{ domain: null, domainsByName: [null] },
      availability: { state: 'INVALID', reason: sentence, errorCode: 'INVALID_INPUT' },
    });
    expect(await refusal(literal.replace('$filter', filter))).toBe(sentence);
    expect(await refusal(byFilter, { filter: { nameServer: name } })).toBe(sentence);
  },
);

test.each(['soon', '2026-1-31', '2026-02-30', '2026-02-30T00:00:00Z', '2026-01-31T25:00:00Z', ''])(
  'the date %j is refused',
  async (at) => {
    const sentence = `"${at}" is not a date such as "2026-01-31" or a time such as "2026-01-31T12:00:00Z".`;
    const document = byDate.replace('query ($at: DateTime) ', '').replace('$at', `"${at}"`);

    expect(await refusal(byDate, { at })).toBe(sentence);
    expect(await refusal(document)).toBe(sentence);
  },
);

test.each([
  [byFilter, { filter: { nameServer: 7 } }, 'example.com', ', not 7'],
  [byFilter, { filter: { nameServer: true } }, 'example.com', ', not true'],
  ['{ domains(filter: { nameServer: 7 }) { totalCount } }', {}, 'example.com', ', not 7'],
  ['{ domains(filter: { nameServer: FOO }) { totalCount } }', {}, 'example.com', ''],
  [byDate, { at: 1_767_225_600 }, '2026-01-31T12:00:00Z', ', not 1767225600'],
  ['{ tlds(filter: { currency: 7 }) { totalCount } }', {}, 'USD', ', not 7'],
])(
  '%s with %j is refused: a value of another type is never converted',
  async (document, variables, example, value) => {
    expect(await refusal(document, variables)).toBe(
      `The value must be a string such as "${example}"${value}.`,
    );
  },
);

test.each([
  ['{ domains(orderBy: { field: PRICE }) { totalCount } }', /"PRICE" .*"DomainOrderField" enum/],
  ['{ domains(filter: { states: [Active] }) { totalCount } }', /"Active" .*"DomainState" enum/],
  ['{ domains(filter: { state: ACTIVE }) { totalCount } }', /"state" is not defined by type/],
  ['{ domains(first: "5") { totalCount } }', /Int cannot represent non-integer value: "5"/],
  ['{ domain(name: null) { name } }', /"String!", found null/],
  ['{ tlds(filter: { currency: "$" }) { totalCount } }', /^"\$" is not a currency code such as/],
])('the value in %s is refused with one sentence', async (document, sentence) => {
  expect(await refusal(document)).toMatch(sentence);
});

test.each([
  ['{ domain { name } }', /argument "name" of type "String!" is required/],
  ['{ domain(name: "a.com") { renewedAt } }', /Cannot query field "renewedAt" on type "Domain"/],
  ['{ domain(name: "a.com") }', /must have a selection of subfields/],
  ['{ renewals { id } }', /Cannot query field "renewals" on type "Query"/],
  ['{ domain(name: "a.com") { name ', /Syntax Error/],
])('the document %s is refused with one sentence', async (document, sentence) => {
  expect(await refusal(document, {}, 'INVALID_REQUEST')).toMatch(sentence);
});
