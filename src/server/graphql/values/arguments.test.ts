import { buildSchema, getArgumentValues, Kind, parse } from 'graphql';
import { expect, test } from 'vitest';
import { readVariables, variableValuesOf } from '../../../lib/graphql-js.ts';
import { createArgumentReader } from './coerced-values.ts';

const schema = buildSchema(/* GraphQL */ `
  input Range { from: Int! = 1, to: Int, tags: [String!] }
  type Query {
    field(
      must: Int!
      mustByDefault: Int! = 5
      byDefault: String = "default"
      nullByDefault: String = null
      list: [Int]
      range: Range
    ): Int
    single(must: Int!): Int
  }
`);
const definitions = '$must: Int!, $int: Int, $text: String, $list: [Int], $range: Range';

/** The reader of a field with these arguments, and `getArgumentValues` of graphql-js, each for any variables. */
function readersOf(selection: string) {
  const document = parse(`query (${definitions}) { ${selection} }`);
  const [operation] = document.definitions;
  if (operation?.kind !== Kind.OPERATION_DEFINITION) throw new Error('There is no operation.');
  const [node] = operation.selectionSet.selections;
  if (node?.kind !== Kind.FIELD) throw new Error('There is no field.');
  const field = schema.getQueryType()?.getFields()[node.name.value];
  if (!field) throw new Error('The field is not defined.');
  const readArguments = createArgumentReader(field, node);
  return (given: object) => {
    const { coerced, errors } = readVariables(schema, operation.variableDefinitions ?? [], {
      must: 7,
      ...given,
    });
    if (!coerced) throw new Error(String(errors));
    return {
      read: () => readArguments(coerced),
      expected: () => getArgumentValues(field, node, variableValuesOf(coerced)),
    };
  };
}

const outcomeOf = (read: () => unknown) => {
  try {
    return { values: read() };
  } catch (error) {
    return { error: String(error) };
  }
};

const selections = [
  ...[
    'field',
    'field(must: 1)',
    'field(must: $must)',
    'field(must: $int)',
    'field(must: null)',
    'field(must: "one")',
  ],
  ...['field(must: 1, mustByDefault: 2)', 'field(must: 1, mustByDefault: $int)'],
  ...['field(must: 1, mustByDefault: null)', 'field(must: 1, byDefault: "given")'],
  ...[
    'field(must: 1, byDefault: null)',
    'field(must: 1, byDefault: $text)',
    'field(must: 1, nullByDefault: "x")',
  ],
  ...[
    'field(must: 1, nullByDefault: $text)',
    'field(must: 1, list: [1, 2])',
    'field(must: 1, list: 3)',
  ],
  ...[
    'field(must: 1, list: $list)',
    'field(must: 1, list: [1, $int])',
    'field(must: 1, list: [$int, 1])',
  ],
  ...['field(must: 1, list: ["one"])', 'field(must: 1, list: [])', 'field(must: 1, range: {})'],
  ...['field(must: 1, range: { from: 2, to: 3 })', 'field(must: 1, range: { from: 2, to: $int })'],
  ...[
    'field(must: 1, range: { to: $int, from: 2 })',
    'field(must: 1, range: { tags: ["a", $text] })',
  ],
  ...['field(must: 1, range: $range)', 'field(must: 1, range: { from: null })'],
  ...['field(must: $must, list: [$int])', 'field(must: $must, range: { to: $int })'],
  ...['single', 'single(must: $int)'],
];
const variables = [
  {},
  { int: 4, text: 'text', list: [1, null], range: { to: 9 } },
  { int: null, text: null, list: null, range: null },
];

test.each(selections)('%s has the arguments that graphql-js reads', (text) => {
  const readWith = readersOf(text);
  for (const given of variables) {
    const { read, expected } = readWith(given);
    expect(outcomeOf(read)).toEqual(outcomeOf(expected));
  }
});

test('an argument without a value is absent', () => {
  const { read } = readersOf('field(must: 1)')({});
  expect(Object.keys(read())).toEqual(['must', 'mustByDefault', 'byDefault', 'nullByDefault']);
});

test('constant lists and objects are new in each call, so that a resolver may change its own', () => {
  const { read } = readersOf('field(must: 1, list: [1], range: { tags: ["a"] })')({});
  const [one, other] = [read(), read()];
  expect(one).toEqual(other);
  expect(one).not.toBe(other);
  expect(one.list).not.toBe(other.list);
  expect(one.range).not.toBe(other.range);
});
