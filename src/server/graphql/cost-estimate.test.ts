import { buildSchema, GraphQLError, getOperationAST, parse, validate } from 'graphql';
import { describe, expect, test } from 'vitest';
import type { CostMark } from '../../kernel/upstream-calls.ts';
import { createEstimate } from './cost-estimate.ts';

const schema = buildSchema(/* GraphQL */ `
  interface Node { contact: Int }
  type Domain implements Node { name: String, contact: Int, self: Domain, calls(count: Int = 1): Int }
  union Found = Domain
  type Query {
    free: Int
    calls(count: Int = 1): Int
    search(names: Int!): Domain
    domain(name: String!): Domain
    page(first: Int!): Domain
    node(name: String!): Node
    found(name: String!): Found
    plain: Domain
    outcome: Int
    history(rows: Int!): Int
    bug: Int
  }
  type Mutation { write: Domain, buy: Int, outcome: Int }
  type Subscription { follow: Domain }
`);

/** Marks the fields of a type. */
function mark(type: string, marks: Readonly<Record<string, object>>): void {
  const found = schema.getType(type);
  const fields = found && 'getFields' in found ? found.getFields() : {};
  for (const [name, extensions] of Object.entries(marks)) {
    Object.assign(fields[name] ?? {}, { extensions });
  }
}

const calls: CostMark = (count, { count: some }) => void count.calls(some);
const domain: CostMark = (count, { name }) => {
  const domains = { names: [name], others: 0 };
  count.domains(domains);
  return { domains };
};
const page: CostMark = (count, { first }) => {
  count.once('getdomainlist');
  return { domains: count.page(`page ${first}`, first) };
};
const contact: CostMark = (count, _args, { domains }) => void (domains && count.contacts(domains));
const write: CostMark = (count) => {
  count.once('resellerdetails');
  return { domains: { names: ['written.com'], others: 0 } };
};
mark('Query', {
  calls: { cost: calls },
  search: { cost: ((count, { names }) => void count.search(names)) satisfies CostMark },
  ...{ domain: { cost: domain }, node: { cost: domain }, found: { cost: domain } },
  page: { cost: page },
  outcome: { neverLimited: true, cost: calls },
  history: {
    neverLimited: true,
    cost: ((count, { rows }) => void count.rows(`history ${rows}`, rows)) satisfies CostMark,
  },
  bug: {
    cost: () => {
      throw new TypeError('bug');
    },
  },
});
mark('Domain', { contact: { cost: contact }, calls: { cost: calls } });
mark('Node', { contact: { cost: contact } });
mark('Mutation', {
  write: { cost: write },
  buy: { purchase: true, cost: calls },
  outcome: { neverLimited: true },
});
mark('Subscription', { follow: { cost: write } });

function estimateOf(text: string, variables?: Readonly<Record<string, unknown>>) {
  const document = parse(text);
  expect(validate(schema, document)).toEqual([]);
  const operation = getOperationAST(document, document.definitions.length > 1 ? undefined : null);
  if (!operation) throw new Error('There is no operation.');
  return createEstimate(schema)({ document, operation, variables });
}
const callsOf = (text: string, variables?: Readonly<Record<string, unknown>>) =>
  estimateOf(text, variables)?.upstreamCalls;

test.each<[string, number]>([
  ['{ free }', 0],
  ['{ __typename }', 0],
  ['{ calls }', 1],
  ['{ calls(count: 3) }', 3],
  ['{ free calls(count: 3) }', 3],
  ['{ a: calls(count: 3) b: calls(count: 2) }', 5],
  ['{ domain(name: "a") { name } }', 1],
  ['{ domain(name: "a") { contact } }', 2],
  ['{ plain { contact } }', 0],
  ['{ plain { calls(count: 2) } }', 2],
  ['{ plain { self { calls(count: 2) } } }', 2],
  // A field without a mark passes on what its parent returns.
  ['{ domain(name: "a") { self { contact } } }', 2],
  ['{ node(name: "a") { contact } }', 2],
  ['{ found(name: "a") { ... on Domain { contact } } }', 2],
  ['{ found(name: "a") { __typename } }', 1],
  ['{ ... on Query { calls } ... { b: calls } }', 2],
  ['{ ... { ... { calls } } }', 1],
  ['query { ...F } fragment F on Query { ...G } fragment G on Query { calls }', 1],
  // Reads of one operation share their calls.
  ['{ a: page(first: 2) { name } b: page(first: 2) { contact } c: page(first: 2) { contact } }', 3],
  ['{ a: page(first: 2) { contact } b: page(first: 3) { contact } }', 6],
  ['{ a: domain(name: "a") { contact } b: domain(name: "a") { contact } }', 2],
])('the cost of %s is %i upstream calls', (text, cost) => {
  expect(estimateOf(text)).toMatchObject({
    upstreamCalls: cost,
    searches: 0,
    isNeverLimited: false,
  });
});

test('mutations run one after the other, so that each has its own calls', () => {
  expect(callsOf('mutation { a: write { contact } b: write { contact } }')).toBe(4);
  expect(
    callsOf(
      'mutation { ... { a: write { name } ...F } } fragment F on Mutation { b: write { name } }',
    ),
  ).toBe(2);
  expect(callsOf('subscription { follow { contact } }')).toBe(2);
});

test('searches are counted, each with its calls', () => {
  expect(estimateOf('{ a: search(names: 100) { name } b: search(names: 101) { name } }')).toEqual({
    upstreamCalls: 3,
    searches: 2,
    storedRows: 0,
    isNeverLimited: false,
  });
});

describe('a fragment that is spread twice', () => {
  test('costs nothing more in the same context', () => {
    expect(callsOf('{ ...F ...F } fragment F on Query { calls }')).toBe(1);
    expect(callsOf('{ plain { ...F ...F self { ...F } } } fragment F on Domain { calls }')).toBe(1);
  });

  test('costs its calls in each other context', () => {
    const text = `{ a: domain(name: "a") { ...F } b: domain(name: "b") { ...F } } fragment F on Domain { contact calls }`;

    expect(callsOf(text)).toBe(6);
  });
});

describe('@skip and @include', () => {
  test.each<[string, boolean, number]>([
    ['calls @skip(if: $a)', true, 0],
    ['calls @skip(if: $a)', false, 1],
    ['calls @include(if: $a)', true, 1],
    ['calls @include(if: $a)', false, 0],
    ['calls @skip(if: $a) @include(if: true)', true, 0],
    ['... @skip(if: $a) { calls }', true, 0],
    ['... @include(if: $a) { calls }', true, 1],
    ['...F @skip(if: $a)', true, 0],
    ['...F @skip(if: $a)', false, 1],
    ['plain { calls @skip(if: $a) }', true, 0],
    ['plain { ... @skip(if: $a) { calls } }', true, 0],
    ['plain { ... @skip(if: $a) { calls } }', false, 1],
  ])('decide whether a part costs its calls: %s with %s', (part, a, cost) => {
    const fragment = part.includes('F') ? 'fragment F on Query { calls }' : '';
    const text = `query ($a: Boolean!) { free @skip(if: $a) ${part} } ${fragment}`;

    expect(callsOf(text, { a })).toBe(cost);
  });
});

describe('variables', () => {
  const text = 'query ($n: Int = 2) { calls(count: $n) }';

  test.each<[object | null | undefined, number | undefined]>([
    [undefined, 2],
    [null, 2],
    [{}, 2],
    [{ n: 5 }, 5],
    [{ n: 'five' }, undefined],
  ])('decide the cost: %j', (variables, cost) => {
    expect(callsOf(text, variables as undefined)).toBe(cost);
  });

  test('of an operation without cost are not checked', () => {
    expect(callsOf('query ($b: Boolean!) { free @skip(if: $b) }', {})).toBe(0);
  });

  test('are those of each request of the same operation', () => {
    const document = parse(text);
    const operation = getOperationAST(document);
    const estimate = createEstimate(schema);
    const of = (n: number) => operation && estimate({ document, operation, variables: { n } });

    expect([of(3), of(4), of(3)].map((one) => one?.upstreamCalls)).toEqual([3, 4, 3]);
  });
});

test('a field with invalid arguments costs nothing, because it is not resolved', () => {
  const text = 'query ($n: String = "a") { domain(name: $n) { contact } calls }';

  expect(callsOf(text)).toBe(3);
  expect(callsOf(text, { n: null })).toBe(1);
});

test('an unexpected error of a mark is not hidden', () => {
  expect(() => estimateOf('{ bug }')).toThrow(TypeError);
  expect(() => estimateOf('{ bug }')).not.toThrow(GraphQLError);
});

test.each<[string, boolean]>([
  ['mutation { buy }', true],
  ['mutation { write { name } buy }', true],
  ['mutation { write { name } }', false],
  ['{ outcome }', true],
  ['{ outcome calls }', false],
  ['{ outcome history(rows: 250) }', true],
  ['{ outcome history(rows: 251) }', false],
  ['{ ... { outcome } ...F } fragment F on Query { outcome }', true],
  ['{ calls }', false],
  ['{ outcome ... { calls @skip(if: true) } }', true],
  ['{ ... @skip(if: true) { outcome } calls }', false],
])(
  'a purchase, or an operation about purchases only that reads few rows, is never limited: %s',
  (text, isNeverLimited) => {
    expect(estimateOf(text)?.isNeverLimited).toBe(isNeverLimited);
  },
);
