import { GraphQLError, Source } from 'graphql';
import { describe, expect, test } from 'vitest';
import { Fault } from '../../kernel/faults.ts';
import {
  documentLimits,
  findDocumentFlaw,
  findJsonFlaw,
  parseWithinLimits,
} from './check-document.ts';

type LimitName = keyof typeof documentLimits;

/** The fault and the message that refuse a document; null when it is within all limits. */
function flawOf(text: string) {
  try {
    const flaw = findDocumentFlaw(parseWithinLimits(text));
    return flaw && describeFlaw(flaw);
  } catch (error) {
    if (error instanceof GraphQLError && error.originalError) return describeFlaw(error);
    throw error;
  }
}

const describeFlaw = ({ originalError, message }: GraphQLError) => ({
  code: originalError instanceof Fault ? originalError.code : null,
  message,
});

const excess = (name: LimitName, count: number | 'more') => {
  const { most, what } = documentLimits[name];
  return {
    code: 'DOCUMENT_TOO_LARGE',
    message: `A document may have at most ${most} ${what}; this one has ${count}.`,
  };
};

const many = (count: number, make: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => make(at)).join(' ');
const nested = (depth: number, open: string, inner: string, close: string) =>
  open.repeat(depth) + inner + close.repeat(depth);
const skip = (count: number) => '@skip(if: false) '.repeat(count);
/** This number of fields: at most a hundred below each of several fields. */
const manyFields = (count: number) =>
  many(Math.ceil(count / 100), (at) => {
    const below = Math.min(100, count - at * 100) - 1;
    return below > 0 ? `r${at} { ${many(below, (index) => `x${index}`)} }` : `r${at}`;
  });

describe('a document may have as many as the limit, and not one more:', () => {
  test.each<[LimitName, string, (count: number) => string]>([
    ['fragments', '', (count) => `{ a } ${many(count, (at) => `fragment F${at} on Q { a }`)}`],
    [
      'fragmentChain',
      '',
      (count) =>
        `{ ...F1 } ${many(count - 1, (at) => `fragment F${at + 1} on Q { ...F${at + 2} }`)} fragment F${count} on Q { a }`,
    ],
    ['operations', '', (count) => many(count, (at) => `query A${at} { a }`)],
    ['variables', '', (count) => `query (${many(count, (at) => `$v${at}: Int`)}) { a }`],
    ['depth', '', (count) => nested(count - 1, '{ a ', '{ a }', '}')],
    ['depth', 'in inline fragments', (count) => nested(count - 1, '{ ... { a ', '{ a }', '} }')],
    [
      'depth',
      'in a fragment',
      (count) => `{ a { ...F } } fragment F on Q ${nested(count - 2, '{ a ', '{ a }', '}')}`,
    ],
    ['fields', '', (count) => `{ ${manyFields(count)} }`],
    [
      'fields',
      'in spread fragments',
      (count) =>
        `{ ${many(10, (at) => `r${at} { ...F }`)} ${many(count - 1_000, () => 'more')} } fragment F on Q { ${many(99, (at) => `x${at}`)} }`,
    ],
    ['sameField', '', (count) => `{ b { ${many(count, () => 'a')} } }`],
    [
      'sameField',
      'as an alias',
      (count) => `{ b { ${many(50, () => 'a: b')} ${many(count - 50, () => 'a')} } }`,
    ],
    [
      'sameField',
      'with different aliases of others',
      (count) => `{ b { x: a y: a ${many(count, () => 'a')} } }`,
    ],
    ['rootFields', '', (count) => `{ ${many(count, (at) => `a${at}`)} }`],
    ['rootFields', 'of a mutation', (count) => `mutation { ${many(count, () => 'a')} }`],
    [
      'rootFields',
      'in fragments',
      (count) =>
        `{ ...F ... { ...F } ${many(count - 40, () => 'b')} } fragment F on Q { ${many(20, (at) => `a${at}`)} }`,
    ],
    ['aliases', '', (count) => `{ b { ${many(count, (at) => `x${at}: a`)} } }`],
    [
      'aliases',
      'on several levels',
      (count) => `{ x: b { ${many(count - 1, (at) => `x${at}: a`)} } }`,
    ],
    [
      'directives',
      '',
      (count) => `{ b { ${many(20, (at) => `a${at} ${skip(5)}`)} c ${skip(count - 100)} } }`,
    ],
    [
      'directives',
      'at every place',
      (count) =>
        `query ($v: Int ${skip(5)}, $w: Int ${skip(5)}) ${skip(5)} { ${many(16, (at) => `a${at} ${skip(5)}`)} ...F ${skip(2)} ... ${skip(1)} { b } c ${skip(count - 100)} } fragment F on Q ${skip(2)} { a }`,
    ],
    ['directivesHere', 'on a field', (count) => `{ a ${skip(count)} }`],
    ['directivesHere', 'on a deeper field', (count) => `{ a { b ${skip(count)} } }`],
    ['directivesHere', 'on an inline fragment', (count) => `{ ... ${skip(count)} { a } }`],
    ['directivesHere', 'on a spread', (count) => `{ ...F ${skip(count)} } fragment F on Q { a }`],
    ['directivesHere', 'on an operation', (count) => `query ${skip(count)} { a }`],
    ['directivesHere', 'on a variable', (count) => `query ($v: Int ${skip(count)}) { a }`],
    ['directivesHere', 'on a fragment', (count) => `{ a } fragment F on Q ${skip(count)} { a }`],
    ['listItems', '', (count) => `{ a(b: [${many(count, String)}]) }`],
    [
      'listItems',
      'in a default value',
      (count) => `query ($v: [Int] = [${many(count, String)}]) { a }`,
    ],
  ])('%s %s', (name, _where, make) => {
    const { most } = documentLimits[name];

    expect(flawOf(make(most))).toBeNull();
    expect(flawOf(make(most + 1))).toEqual(excess(name, most + 1));
  });

  test('tokens', () => {
    expect(() => parseWithinLimits(`{ ${'a '.repeat(4_998)} }`)).not.toThrow();
    expect(flawOf(`{ ${'a '.repeat(4_999)} }`)).toEqual(excess('tokens', 'more'));
  });

  test.each([
    ['braces', (depth: number) => nested(depth, '{ a ', '', '}')],
    ['lists', (depth: number) => `{ a(b: ${nested(depth - 2, '[', '', ']')}) }`],
    ['objects', (depth: number) => `{ a(b: ${nested(depth - 2, '{ c: ', '1', '}')}) }`],
  ])('nested %s', (_what, make) => {
    expect(() => parseWithinLimits(make(60))).not.toThrow();
    expect(flawOf(make(61))).toEqual(excess('nesting', 'more'));
  });
});

test('brackets beside one another are not nested', () => {
  const text = `{ ${many(70, (at) => `a${at}(b: [[1], { c: 1 }]) { c }`)} }`;

  expect(() => parseWithinLimits(text)).not.toThrow();
});

test('comments and commas are no tokens', () => {
  expect(flawOf(`{ a,,, } ${'# comment\n'.repeat(6_000)}`)).toBeNull();
});

test('fields below the root, and those of a fragment that is spread there, are no root fields', () => {
  const fields = many(70, (at) => `x${at}`);

  expect(flawOf(`{ a { ${fields} } }`)).toBeNull();
  expect(flawOf(`{ a { ...F } } fragment F on Q { ${fields} }`)).toBeNull();
  expect(flawOf(`{ a } fragment F on Q { ${fields} }`)).toBeNull();
});

test('each operation has limits of its own', () => {
  const fields = many(60, (at) => `x${at}: a`);

  expect(flawOf(`query A { ${fields} } query B { ${fields} }`)).toBeNull();
  expect(flawOf(`query A { a } query B { ${fields} y: a }`)).toEqual(excess('aliases', 61));
});

test('fragments that multiply are counted up to a million', () => {
  const chain = many(14, (at) => `fragment F${at} on Q { ${many(100, () => `...F${at + 1}`)} }`);

  expect(flawOf(`{ ...F0 } ${chain} fragment F14 on Q { a }`)).toEqual(excess('fields', 1_000_000));
});

test('cyclic and unknown fragments are left to validation', () => {
  expect(flawOf('{ ...A } fragment A on Q { a ...B } fragment B on Q { ...A ...Nope }')).toBeNull();
});

describe('a reserved name is refused', () => {
  const names = ['__proto__', 'constructor', 'toString', 'prototype', 'then', 'toJSON'];

  test.each(names)('%s', (name) => {
    for (const text of [
      `query ${name} { a }`,
      `query A { a } mutation ${name} { a }`,
      `{ a } fragment ${name} on Q { a }`,
      `query ($${name}: Int) { a }`,
      `{ b { ${name}: a } }`,
    ]) {
      expect(flawOf(text)).toEqual({
        code: 'INVALID_REQUEST',
        message: `"${name}" is a reserved name; choose another one.`,
      });
    }
  });

  test('unless it is the name of a field or an argument, which the schema decides', () => {
    expect(flawOf('{ constructor(then: 1) { toJSON } }')).toBeNull();
    expect(flawOf('query Then($Constructor: Int) { ToJSON: a }')).toBeNull();
  });

  test('with the first one in the document', () => {
    expect(flawOf('{ then: a toJSON: a }')?.message).toContain('"then"');
    expect(flawOf(`query then(${many(101, (at) => `$v${at}: Int`)}) { a }`)?.code).toBe(
      'INVALID_REQUEST',
    );
  });
});

test('an invalid document is reported by the parser, with its place', () => {
  expect(() => parseWithinLimits('{ a ? }')).toThrow(/^Syntax Error/);
  expect(() => parseWithinLimits('{ a')).toThrow(/^Syntax Error/);
});

test('a source and the options of the parser are accepted', () => {
  const source = new Source('{ a }', 'name');

  expect(parseWithinLimits(source).loc?.source).toBe(source);
  expect(parseWithinLimits('{ a }', { noLocation: true }).loc).toBeUndefined();
});

const keys = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, 1]));
const items = (count: number) => Array.from({ length: count }, (_, at) => at);

test.each<[string, (count: number) => unknown, number, string]>([
  ['keys', keys, 5_000, 'keys'],
  [
    'keys of several objects',
    (count) => [keys(2_500), { a: [keys(count - 2_502)], b: 1 }],
    5_000,
    'keys',
  ],
  ['items', items, 10_000, 'items of one list'],
  ['items in an object', (count) => ({ b: 1, a: [items(count)] }), 10_000, 'items of one list'],
])('a value may have as many %s as the limit, and not one more', (_what, make, most, what) => {
  expect(findJsonFlaw(make(most))).toBeNull();
  expect(findJsonFlaw(make(most + 1))).toBe(
    `The JSON of a request may have at most ${most} ${what}; this one has more.`,
  );
});

test.each(['__proto__', 'constructor', 'hasOwnProperty', 'prototype', 'then', 'toJSON'])(
  'the key %s is refused at any depth',
  (key) => {
    for (const text of [`{"${key}":1}`, `{"a":[{"${key}":null}]}`, `[[{"b":1},{"${key}":{}}]]`]) {
      expect(findJsonFlaw(JSON.parse(text))).toBe(
        `"${key}" is a reserved name; choose another one.`,
      );
    }
    expect(findJsonFlaw({ a: key, b: [key] })).toBeNull();
  },
);

test.each([null, 1, 'a', true, [], {}, [null], { a: null }])('%j has no flaw', (value) => {
  expect(findJsonFlaw(value)).toBeNull();
});
