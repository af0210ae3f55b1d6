import { buildSchema, GraphQLError, parse, validate } from 'graphql';
import { describe, expect, test } from 'vitest';
import { cachedByText, createDocumentReader, type Envelop } from './documents.ts';
import { Rules } from './rule.ts';
import { createYogaPath } from './yoga-path.ts';

const schema = buildSchema('type Query { a: Int } type Mutation { a: Int }');

function envelopOf(isIntrospectable = true): Envelop {
  return createYogaPath({
    ...{ schema, rules: new Rules([]), routes: {}, isIntrospectable, maxBodyBytes: 1_000 },
    createScope: () => ({ upstreamCalls: [], cachedReads: [] }),
  }).envelop;
}

/** The kind of the operation that is found, or the number of errors. */
function readerOf(isIntrospectable?: boolean) {
  const read = createDocumentReader(envelopOf(isIntrospectable));
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

  test('that was valid is not validated again, and an invalid one is', () => {
    let count = 0;
    const envelop = envelopOf();
    const read = createDocumentReader((context) => {
      count += 1;
      return envelop(context);
    });

    for (const text of ['{ a }', '{ a }', '{ b }', '{ b }']) read(text, null);

    expect(count).toBe(3);
  });

  test('whose validation fails unexpectedly throws that error', () => {
    const failing = (error: Error) =>
      createDocumentReader((() => ({
        ...{ schema, parse },
        validate: () => {
          throw error;
        },
      })) as unknown as Envelop);
    const refused = new GraphQLError('No.');

    expect(() => failing(new TypeError('hunter2'))('{ a }', null)).toThrow('hunter2');
    expect(failing(refused)('{ a }', null)).toEqual({ errors: [refused] });
  });

  test('without the operation that Yoga accepted is a bug', () => {
    const read = createDocumentReader((() => ({ schema, parse, validate })) as unknown as Envelop);

    expect(() => read(two, 'C')).toThrow('without the requested operation');
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
