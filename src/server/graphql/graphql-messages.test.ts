import { GraphQLError, type OperationDefinitionNode, parse } from 'graphql';
import { describe, expect, test } from 'vitest';
import { errorOf, schema } from '../../../test/support/server/invalid-documents.ts';
import { inputPathOf, safeMessage } from './graphql-messages.ts';

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

describe('safe message', () => {
  function messageOf(
    isSchemaShown: boolean,
    document: string,
    variables?: Record<string, unknown>,
  ) {
    const error = errorOf(document, variables);
    return safeMessage(error.message, error, inputPathOf(error), isSchemaShown ? schema : null);
  }

  const limit = 'query ($n: Int) { list(limit: $n) { name } }';
  const filter = 'query ($f: Filter) { list(filter: $f) { name } }';
  const text = 'query ($s: String!) { domain(name: $s) { name } }';

  const noInt = 'Variable "$n" is not valid: Int cannot represent non-integer value.';
  const noText = 'Variable "$s" is not valid: String cannot represent a non string value.';
  const noFilter = 'is not valid: Expected type "Filter" to be an object.';

  describe('a message does not quote', () => {
    test.each<[string, Record<string, unknown>, string]>([
      [limit, { n: 'secret-1' }, noInt],
      // What looks like the end of the value is a part of it.
      [limit, { n: 'x; A secret' }, noInt],
      [limit, { n: 'x" at "n.x"; A secret' }, noInt],
      [limit, { n: 'secret\n; A secret\n' }, noInt],
      [limit, { n: 12345678.5 }, noInt],
      [filter, { f: 'secret-1' }, `Variable "$f" ${noFilter}`],
      [
        filter,
        { f: { must: true, limit: 'secret-1' } },
        'Variable "$f" is not valid at "f.limit": Int cannot represent non-integer value.',
      ],
      [
        filter,
        { f: { must: true, deep: { must: true, codes: ['secret-1'] } } },
        'Variable "$f" is not valid at "f.deep.codes[0]": Code cannot represent value.',
      ],
      [
        filter,
        { f: { limit: 12345678 } },
        'Variable "$f" is not valid: Field "must" of required type "Boolean!" was not provided.',
      ],
      [
        'query ($filter: Filter) { list(filter: $filter) { name } }',
        { filter: 'secret-1' },
        `Variable "$filter" ${noFilter}`,
      ],
      // The key of a value is not its place.
      [
        filter,
        { f: { must: true, 'a at "f.x"; b': 1 } },
        'Variable "$f" is not valid: Field "a at "f.x"; b" is not defined by type "Filter".',
      ],
      // An auth code may be a short number.
      [text, { s: 1 }, noText],
      [text, { s: ['a'] }, noText],
    ])('a value of a variable: %s %j', (document, variables, message) => {
      expect(messageOf(true, document, variables)).toBe(message);
    });

    test.each([
      ['{ domain(name: 1) { name } }', 'String cannot represent a non string value.'],
      [
        '{ list(limit: 12345678901) { name } }',
        'Int cannot represent non 32-bit signed integer value.',
      ],
      ['{ list(limit: "secret-1\\nmore") { name } }', 'Int cannot represent non-integer value.'],
      ['{ list(states: ["secret-1"]) { name } }', 'Enum "State" cannot represent non-enum value.'],
      ['{ list(filter: "secret-1") { name } }', 'Expected value of type "Filter".'],
      ['{ list(codes: ["secret-1"]) { name } }', 'Expected value of type "[Code]".'],
      ['{ name "secret-1" }', 'Syntax Error: Expected Name, found String.'],
      ['{ name(a "secret-1") }', 'Syntax Error: Expected ":", found String.'],
      ['{ name """secret-1\nmore""" }', 'Syntax Error: Expected Name.'],
      ['{ name 12345678 }', 'Syntax Error: Expected Name.'],
      ['12345678', 'Syntax Error: Unexpected Int.'],
    ])('a value of the document: %s', (document, message) => {
      expect(messageOf(true, document)).toBe(message);
    });

    test('a value whose message has no known reason', () => {
      const message = 'Variable "$n" got invalid value "secret-1"; It is odd.';
      const own = 'Variable "$n" is not valid.';
      const wrapped = (reason: string) =>
        new GraphQLError(message, { originalError: new Error(reason) });

      expect(safeMessage(message, new GraphQLError(message), null, schema)).toBe(own);
      expect(safeMessage(message, wrapped('Another.'), null, schema)).toBe(own);
      expect(safeMessage(message, wrapped(''), null, schema)).toBe(own);
      expect(safeMessage(message, wrapped('odd.'), null, schema)).toBe(own);
    });
  });

  test.each<[string, Record<string, unknown>, string]>([
    [limit, { n: 'abcde' }, `${noInt.slice(0, -1)}: "abcde"`],
    [limit, { n: 'abcdef' }, noInt],
    ['{ list(limit: 12345.7) { name } }', {}, 'Int cannot represent non-integer value: 12345.7'],
    ['{ list(states: [7]) { name } }', {}, 'Enum "State" cannot represent non-enum value: 7.'],
    ['{ list(filter: 1234567) { name } }', {}, 'Expected value of type "Filter", found 1234567.'],
    ['{ list(filter: 12345678) { name } }', {}, 'Expected value of type "Filter".'],
    ['{ name "abcde" }', {}, 'Syntax Error: Expected Name, found String "abcde".'],
    ['{ name "abcdef" }', {}, 'Syntax Error: Expected Name, found String.'],
    ['{', {}, 'Syntax Error: Expected Name, found <EOF>.'],
    ['{ name(a: ) }', {}, 'Syntax Error: Unexpected ")".'],
    [
      filter,
      { f: { must: true, state: 'NOPE' } },
      'Variable "$f" is not valid at "f.state": Value "NOPE" does not exist in "State" enum. Did you mean the enum value "OPEN"?',
    ],
  ])('a value of up to seven characters is quoted: %s %j', (document, variables, message) => {
    expect(messageOf(true, document, variables)).toBe(message);
  });

  const noField = 'The use of "domain" does not fit the schema.';
  const atPlace = (place: string) => `The value at "${place}" does not fit the schema.`;
  const noName =
    'Field "domain" argument "name" of type "String!" is required, but it was not provided.';

  test.each<[string, Record<string, unknown>, string]>([
    ['{ nam }', {}, 'Cannot query field "nam".'],
    ['{ domain }', {}, 'Field "domain" must have a selection of subfields.'],
    ['{ name { x } }', {}, 'Field "name" must not have a selection.'],
    ['{ name(nam: 1) }', {}, 'Unknown argument "nam" on field "name".'],
    ['{ name @own(lev: 1) }', {}, 'Unknown argument "lev" on directive "@own".'],
    ['{ domain(name: "a", id: $a) { name } }', {}, 'Variable "$a" is not defined.'],
    ['{ list(filter: { stat: 1, must: true }) { name } }', {}, 'Field "stat" is not defined.'],
    ['{ ...F } fragment F on Nope { x }', {}, 'Unknown type "Nope".'],
    // Names of the document are no secret.
    [
      'query Domain { domain(name: "a") { nam } }',
      {},
      'Cannot query field "nam" on type "Domain".',
    ],
    [
      'query String { name { x } }',
      {},
      'Field "name" must not have a selection since type "String" has no subfields.',
    ],
    // A name of the schema remains.
    ['{ domain { name } }', {}, noField],
    ['{ ... on Domain { name } }', {}, 'The document does not fit the schema.'],
    ['{ list(filter: {}) { name } }', {}, atPlace('filter')],
    ['{ list(states: [OPEN, NOPE]) { name } }', {}, atPlace('states.1')],
    [filter, { f: { must: true, limit: 'x' } }, atPlace('filter.limit')],
    [filter, { f: { must: true, stat: 1 } }, atPlace('filter')],
    ['query ($c: [[Code]]) { list(codes: $c) { name } }', { c: 'nope' }, atPlace('codes')],
    // The types of the language are no secret.
    [
      '{ list(limit: 12345678901) { name } }',
      {},
      'Int cannot represent non 32-bit signed integer value.',
    ],
    [
      '{ domain(name: "a", rate: "secret-1") { name } }',
      {},
      'Float cannot represent non numeric value.',
    ],
    ['{ domain(name: 1) { name } }', {}, 'String cannot represent a non string value.'],
    [
      '{ domain(name: "a", flag: 1) { name } }',
      {},
      'Boolean cannot represent a non boolean value: 1',
    ],
    [
      '{ domain(name: "a", id: 1.5) { name } }',
      {},
      'ID cannot represent a non-string and non-integer value: 1.5',
    ],
    ['{ domain(name: "a" }', {}, 'Syntax Error: Expected Name, found "}".'],
    // Names in comments and in strings are guesses, and so are the parts around a string.
    ['{ name(a: [Str"x"ing]) { x } }', {}, 'Field "name" must not have a selection.'],
    ['# String Domain\n{ domain(id: "String") { name } }', {}, noField],
    ['{ domain(id: "a\\" String") { name } }', {}, noField],
    ['{ domain(id: """ " String """) { name } }', {}, noField],
    ['{ domain(id: """\nString\n""") { name } }', {}, noField],
    ['query String { domain(id: "a") { name } }', {}, noName],
    ['query String { domain(id: """a""") { name } } # "', {}, noName],
  ])(
    'a client that may not see the schema receives no name but those of its document: %s %j',
    (document, variables, message) => {
      expect(messageOf(false, document, variables)).toBe(message);
    },
  );

  describe('an error of another source, for a client that may not see the schema,', () => {
    const messageFor = (message: string, document: string, noLocation = false) => {
      const nodes = parse(document, { noLocation }).definitions;
      return safeMessage(message, new GraphQLError(message, { nodes }), null, null);
    };

    test.each([
      [
        'Code cannot represent value: 5',
        'query A { a }',
        'The use of "A" does not fit the schema.',
      ],
      ['Code cannot represent value: 5', '{ a }', 'The document does not fit the schema.'],
      ['Code cannot represent value: 5', 'query Code { a }', 'Code cannot represent value: 5'],
    ])('has no name of a type: %s in %s', (message, document, expected) => {
      expect(messageFor(message, document)).toBe(expected);
    });

    test('has no name when the text of its document is unknown', () => {
      expect(messageFor('Odd "A".', 'query A { a }')).toBe('Odd "A".');
      expect(messageFor('Odd "A".', 'query A { a }', true)).toBe(
        'The use of "A" does not fit the schema.',
      );
    });
  });

  test('an error without a place in a document is returned as it is, without suggestions', () => {
    const message = 'Unknown operation named "B". Did you mean "A"?';

    expect(safeMessage(message, new GraphQLError(message), null, null)).toBe(
      'Unknown operation named "B".',
    );
  });

  test.each(['; A', ' Did you mean ', '"', ' found ', ' cannot represent a'])(
    'a value of 250,000 characters such as "%s" is removed in a time linear in its length',
    (part) => {
      const value = part.repeat(250_000 / part.length);
      const state = { must: true, state: value };

      expect(messageOf(true, limit, { n: value })).toHaveLength(67);
      expect(messageOf(false, filter, { f: state })).not.toContain(part.repeat(3));
    },
  );
});
