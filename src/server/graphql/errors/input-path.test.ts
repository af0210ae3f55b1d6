import { GraphQLError, type OperationDefinitionNode, parse } from 'graphql';
import { expect, test } from 'vitest';
import { errorOf } from '../../../../test/support/server/invalid-documents.ts';
import { inputPathOf } from './input-path.ts';

test.each([
  ['a string', '{ domain(name: "a", first: "x") { name } }', ['first']],
  ['an integer', '{ domain(name: 1) { name } }', ['name']],
  ['a float', '{ domain(name: "a", first: 1.5) { name } }', ['first']],
  ['a boolean', '{ domain(name: true) { name } }', ['name']],
  ['an enum value', '{ list(states: NOPE) { name } }', ['states']],
  ['null', '{ domain(name: null) { name } }', ['name']],
  ['a list', '{ domain(name: []) { name } }', ['name']],
  ['an object', '{ domain(name: {}) { name } }', ['name']],
  ['a member', '{ list(filter: { stat: 1, must: true }) { name } }', ['filter', 'stat']],
  ['an argument', '{ domain(name: "a", nope: 1) { name } }', ['nope']],
  [
    'a value in members and lists',
    '{ list(filter: { must: true, deep: { codes: ["a"], must: 5 } }) { name } }',
    ['filter', 'deep', 'codes', '0'],
  ],
  ['the second value of a list', '{ list(states: [OPEN, NOPE]) { name } }', ['states', '1']],
  ['a value in a list of lists', '{ list(codes: [[], [null, 1]]) { name } }', ['codes', '1', '1']],
  ['a value of a directive', '{ name @own(level: "x") }', ['level']],
  ['a second field of the same name', '{ name domain(name: 1) { name } }', ['name']],
  ['a default value', 'query ($n: Int = "x") { list(limit: $n) { name } }', ['limit']],
  [
    'a default value in a list',
    'query ($s: [State!] = [OPEN, NOPE]) { list(states: $s) { name } }',
    ['states', '1'],
  ],
])('the path of %s in the document leads from its argument', (_what, document, path) => {
  expect(inputPathOf(errorOf(document))).toEqual(path);
});

const filter = 'query ($f: Filter, $n: Int) { list(filter: $f, limit: $n) { name } }';

test.each<[string, Record<string, unknown>, readonly string[]]>([
  [filter, { n: 'x' }, ['limit']],
  [filter, { f: { must: true, limit: 'x' } }, ['filter', 'limit']],
  [filter, { f: { must: true, deep: { codes: [] } } }, ['filter', 'deep']],
  [
    filter,
    { f: { must: true, deep: { must: true, codes: ['x'] } } },
    ['filter', 'deep', 'codes', '0'],
  ],
  [
    'query ($codes: [[Code]]) { list(codes: $codes) { name } }',
    { codes: [[], [null, 1]] },
    ['codes', '1', '1'],
  ],
  ['query ($n: String!) { domain(name: $n) { name } }', {}, ['name']],
  [
    'query ($n: Int) { list(filter: { deep: { codes: [], must: true }, must: true, limit: $n }) { name } }',
    { n: 'x' },
    ['filter', 'limit'],
  ],
  // Text in a value is not its place.
  [filter, { n: 'a at "n.x"; b' }, ['limit']],
])(
  'the path of a value in a variable leads from the argument that has the variable: %s %j',
  (document, variables, path) => {
    expect(inputPathOf(errorOf(document, variables))).toEqual(path);
  },
);

test.each([
  ['in another operation, which is another variable', '{ list(limit: $n) { name } }', ['name']],
  ['nowhere', '{ name }', ['n']],
])('the path of a variable that is used %s', (_where, selection, path) => {
  const use = selection === '{ name }' ? selection : '{ domain(name: $n) { name } }';
  const { definitions } = parse(`query A($n: Int) ${selection} query B($n: String) ${use}`);
  const [, operation] = definitions as readonly OperationDefinitionNode[];

  const nodes = operation?.variableDefinitions;
  expect(
    inputPathOf(new GraphQLError('Variable "$n" got invalid value 1.', nodes && { nodes })),
  ).toEqual(path);
});

test.each([
  ...['{ nope }', '{ name @nope }', '{', '{ domain(name: "a") }', '{ name(x: $a) { y } }'],
  ...['query ($a: Int) { name }', 'query ($a: Int) { domain(name: $a) { name } }'],
])('an error about the document has no path: %s', (document) => {
  expect(inputPathOf(errorOf(document))).toBeNull();
});

test('an error without a place in a document has no path', () => {
  const { definitions } = parse('{ a(b: 1) }', { noLocation: true });
  const nodes = JSON.parse(JSON.stringify(definitions[0])).selectionSet.selections[0].arguments;

  expect(inputPathOf(new GraphQLError('It is invalid.', { nodes }))).toBeNull();
  expect(inputPathOf(new GraphQLError('It is invalid.'))).toBeNull();
});
