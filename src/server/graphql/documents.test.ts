import { buildSchema } from 'graphql';
import { describe, expect, test } from 'vitest';
import { cachedByText, createDocuments } from './documents.ts';

const schema = buildSchema('type Query { a: Int } type Mutation { a: Int }');

/** The kind of the operation that is found, or the number of errors. */
function readerOf(isIntrospectable = true) {
  const { read } = createDocuments(schema, isIntrospectable);
  return (text: string, operationName?: string | null) => {
    const found = read(text, operationName);
    return 'errors' in found ? found.errors.length : found.operation.operation;
  };
}

const two = 'query A { a } mutation B { a }';

describe('the requested operation', () => {
  test.each([
    ['{ a }', undefined, 'query'],
    ['{ a }', null, 'query'],
    [two, 'A', 'query'],
    [two, 'B', 'mutation'],
    [two, undefined, 1],
    [two, 'C', 1],
    ['fragment F on Query { a }', undefined, 1],
  ])(
    'of %s with the name %s is found, also when the document is cached: %s',
    (text, name, found) => {
      const read = readerOf();
      read(two, 'A');

      expect([read(text, name), read(text, name)]).toEqual([found, found]);
    },
  );
});

describe('a document', () => {
  test.each([
    ['that cannot be parsed', '{', 1],
    ['beyond the limits', `{ ${'a '.repeat(5_000)} }`, 1],
    ['with one error', '{ b }', 1],
    ['with ten errors', `{ ${'b '.repeat(9)} ...F }`, 10],
    ['with more errors', `{ ${'b '.repeat(30)} }`, 10],
  ])('%s is refused with at most ten errors', (_what, text, count) => {
    expect(readerOf()(text)).toBe(count);
  });

  test.each([
    [true, 'query'],
    [false, 2],
  ])(
    'with introspection is valid when the graph is introspectable: %s',
    (isIntrospectable, found) => {
      expect(readerOf(isIntrospectable)('{ __schema { queryType { name } } }')).toBe(found);
    },
  );

  test.each([
    ['{ a }', true],
    ['{ b }', false],
  ])('%s is validated once, and cached if it is valid: %s', (text, isCached) => {
    const documents = createDocuments(schema, true);

    const document = documents.parse(text);
    expect(documents.parse(text)).toBe(document);
    expect(documents.validate(document)).toBe(documents.validate(document));
    expect(documents.parse(text) === document).toBe(isCached);
  });

  test.each([
    ['{', 'GRAPHQL_PARSE_FAILED', { spec: true, status: 400 }],
    [`{ ${'a '.repeat(5_000)} }`, 'GRAPHQL_VALIDATION_FAILED', { spec: true, status: 422 }],
    ['{ b }', 'GRAPHQL_VALIDATION_FAILED', { spec: true, status: 422 }],
    ['fragment F on Query { a }', 'OPERATION_RESOLUTION_FAILURE', { status: 422 }],
  ])('%s is refused with the code and the status of Yoga', (text, code, http) => {
    const found = createDocuments(schema, true).read(text, null);

    expect('errors' in found && found.errors[0]?.extensions).toMatchObject({ code, http });
  });
});

test('values are cached by texts of up to 20,000 characters, a thousand of them', () => {
  const cache = cachedByText<{ readonly at: number }>();
  const value = { at: 0 };
  for (const text of ['', 'x'.repeat(20_000), 'x'.repeat(20_001)]) cache.set(text, value);

  expect([cache.has(''), cache.has('x'.repeat(20_000)), cache.has('x'.repeat(20_001))]).toEqual([
    true,
    true,
    false,
  ]);
  for (let at = 0; at < 998; at += 1) cache.set(String(at), { at });
  expect(cache.has('')).toBe(true);
  cache.set('998', value);
  expect(cache.has('')).toBe(false);
});

test('values are cached by texts of 300,000 characters together', () => {
  const cache = cachedByText<true>();
  for (let at = 0; at < 20; at += 1) cache.set(String(at).padStart(20_000), true);

  expect([4, 5, 19].map((at) => cache.has(String(at).padStart(20_000)))).toEqual([
    false,
    true,
    true,
  ]);
});
