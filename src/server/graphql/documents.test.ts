import fc from 'fast-check';
import { buildSchema, isObjectType, parse, specifiedRules, validate } from 'graphql';
import { describe, expect, test } from 'vitest';
import { schema as graph } from '../../app/graph.ts';
import { cachedByText, createDocuments, OnePurchaseRule } from './documents.ts';

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

describe('one purchase', () => {
  /** With directives of other servers, so that no other rule refuses them. */
  const schema = buildSchema(/* GraphQL */ `
  directive @defer(if: Boolean) on FRAGMENT_SPREAD | INLINE_FRAGMENT
  directive @repeat on FIELD | FRAGMENT_DEFINITION | MUTATION
  type Query { ok: Boolean }
  type Mutation { buy(name: String): Bought, move(name: String): Bought, write: Boolean }
  type Bought { id: ID, more: Bought }
`);
  for (const name of ['buy', 'move']) {
    Object.assign(schema.getMutationType()?.getFields()[name] ?? {}, {
      extensions: { purchase: true },
    });
  }

  const complaints = (document: string) => validate(schema, parse(document), [OnePurchaseRule]);
  const sentences = (document: string) => complaints(document).map(({ message }) => message);
  const several = 'A document may hold one purchase; send each in a request of its own.';
  const hasAlias = 'A purchase has no alias; write "buy" alone.';
  const has = (directive: string) =>
    `"@${directive}" must not be on a purchase or around it, where only "@skip" and "@include" may be.`;

  test('exactly the mutation fields whose payload has a purchase are marked as purchases', () => {
    const marked = Object.values(graph.getMutationType()?.getFields() ?? {}).map(
      ({ name, type, extensions }) => {
        const payload = graph.getType(`${type}`.replace('!', ''));
        const fields = isObjectType(payload) ? payload.getFields() : {};
        // They change purchases that were made before.
        const isPurchase =
          ('purchase' in fields || 'order' in fields) && !/^(?:cancel|resolve)/.test(name);
        return { name, isPurchase, isMarked: extensions.purchase === true };
      },
    );

    expect(marked.filter(({ isPurchase }) => isPurchase)).toHaveLength(4);
    expect(marked.filter(({ isPurchase, isMarked }) => isPurchase !== isMarked)).toEqual([]);
  });

  describe('a document with one purchase is accepted', () => {
    test.each([
      ['alone', 'mutation { buy { id } }'],
      ['beside other writes', 'mutation { write buy { id } again: write }'],
      ['in a fragment', 'mutation { ...A } fragment A on Mutation { ... { buy { id } } }'],
      [
        'with @include and @skip',
        'mutation ($a: Boolean!) { ... @include(if: $a) { buy @skip(if: $a) { id } } }',
      ],
      ['with aliases and more below', 'mutation { buy { a: id ... @defer { b: more { id } } } }'],
      ['beside other operations', 'mutation A { buy { id } } query B { ok } mutation C { write }'],
    ])('%s', (_how, document) => {
      expect(sentences(document)).toEqual([]);
      expect(validate(schema, parse(document), [...specifiedRules, OnePurchaseRule])).toEqual([]);
    });

    test('beside a deferred fragment, which another rule may refuse', () => {
      expect(sentences('mutation { buy { id } ... @defer { write } }')).toEqual([]);
    });
  });

  describe('a document that could buy twice is refused:', () => {
    test.each([
      ['two fields', 'mutation { buy { id } move { id } }', [several]],
      ['the same field again', 'mutation { buy { id } buy { more { id } } }', [several]],
      ['an alias', 'mutation { a: buy { id } }', [hasAlias]],
      ['two aliases', 'mutation { a: buy { id } b: buy { id } }', [several, hasAlias, hasAlias]],
      ['two operations', 'mutation A { buy { id } } mutation B { move { id } }', [several]],
      [
        'a fragment of two operations',
        'mutation A { ...F } mutation B { ...F } fragment F on Mutation { buy { id } }',
        [several],
      ],
      [
        'a fragment twice',
        'mutation { ...F ...F } fragment F on Mutation { buy { id } }',
        [several],
      ],
      [
        'inline fragments',
        'mutation { ... { buy { id } } ... on Mutation { buy { id } } }',
        [several],
      ],
      [
        'an unused fragment',
        'mutation { buy { id } } fragment F on Mutation { buy { id } }',
        [several],
      ],
      [
        'a fragment behind fragments',
        `mutation { buy { id } ...A } fragment A on Mutation { ...B } fragment B on Mutation { ... { ...C } }
       fragment C on Mutation { move { id } }`,
        [several],
      ],
      ['a directive on it', 'mutation { buy @repeat { id } }', [has('repeat')]],
      ['one on its operation', 'mutation @repeat { buy { id } }', [has('repeat')]],
      [
        'one on a fragment around it',
        'mutation { ... @defer { ... { buy { id } } } }',
        [has('defer')],
      ],
      [
        'one on a fragment that leads to it',
        `mutation { ...A @defer } fragment A on Mutation { ...B } fragment B on Mutation @repeat { buy { id } }`,
        [has('defer'), has('repeat')],
      ],
      [
        'one beside @include',
        'mutation { buy @include(if: true) @repeat { id } }',
        [has('repeat')],
      ],
    ])('%s', (_how, document, expected) => {
      expect(sentences(document)).toEqual(expected);
    });

    test('with the locations of the first two of them', () => {
      const [error] = complaints('mutation { buy { id } move { id } ... { buy { more { id } } } }');

      expect(error?.locations).toHaveLength(2);
    });

    test('beside fields and fragments that do not exist', () => {
      expect(sentences('mutation { nope ...Nope buy { id } }')).toEqual([]);
      expect(sentences('mutation { nope ...Nope buy { id } move { id } }')).toEqual([several]);
    });

    test('with the location of each purchase', () => {
      const [one, ...more] = complaints(
        'mutation {\n  write\n  buy { id }\n  ... @defer { a: move { id } }\n}',
      );

      expect(one?.locations).toEqual([
        { line: 3, column: 3 },
        { line: 4, column: 16 },
      ]);
      expect(more.map(({ locations }) => locations)).toEqual([
        [{ line: 4, column: 16 }],
        [{ line: 4, column: 7 }],
      ]);
    });
  });

  test('cyclic fragments are left to the rule of the specification', () => {
    const document = parse(
      'mutation { ...A } fragment A on Mutation { buy { id } ...B } fragment B on Mutation { ...A }',
    );

    expect(validate(schema, document, [OnePurchaseRule])).toEqual([]);
    expect(validate(schema, document)).not.toEqual([]);
  });

  test('fifty fragments that each spread the next one twice are checked at once', () => {
    const chain = Array.from(
      { length: 50 },
      (_, at) => `fragment F${at} on Mutation { ...F${at + 1} ...F${at + 1} }`,
    );
    const document = `mutation { ...F0 } ${chain.join(' ')} fragment F50 on Mutation { buy { id } }`;

    expect(sentences(document)).toEqual([several]);
    expect(sentences(document.replace('buy { id }', 'write'))).toEqual([]);
  });

  /** A selection of a mutation and its number of purchases. */
  interface Shape {
    readonly text: string;
    readonly fragments: readonly string[];
    readonly purchases: number;
  }

  const { shape } = fc.letrec<{ shape: Shape }>((tie) => {
    const leaf = fc.constantFrom<Shape>(
      { text: 'buy { id }', fragments: [], purchases: 1 },
      { text: 'move(name: "a") { id }', fragments: [], purchases: 1 },
      { text: 'write', fragments: [], purchases: 0 },
    );
    const some = fc.array(tie('shape'), { minLength: 1, maxLength: 3 }).map((parts) => ({
      text: parts.map(({ text }) => text).join(' '),
      fragments: parts.flatMap(({ fragments }) => fragments),
      purchases: parts.reduce((sum, { purchases }) => sum + purchases, 0),
    }));
    const inline = fc
      .record({ some, type: fc.constantFrom('', 'on Mutation', '@include(if: true)') })
      .map(({ some: inner, type }) => ({ ...inner, text: `... ${type} { ${inner.text} }` }));
    const spread = fc
      .record({ some, times: fc.integer({ min: 1, max: 2 }), name: fc.uuid() })
      .map(({ some: inner, times, name }) => {
        const fragment = `F${name.replaceAll('-', '')}`;
        return {
          text: `...${fragment} `.repeat(times),
          fragments: [...inner.fragments, `fragment ${fragment} on Mutation { ${inner.text} }`],
          purchases: times * inner.purchases,
        };
      });
    return { shape: fc.oneof({ maxDepth: 4 }, leaf, inline, spread) };
  });

  test('a document of any shape is refused exactly when it has two purchases', () => {
    fc.assert(
      fc.property(fc.array(shape, { minLength: 1, maxLength: 3 }), (operations) => {
        const parts = operations.map(({ text }, at) => `mutation M${at} { ${text} }`);
        const fragments = operations.flatMap((operation) => operation.fragments);
        const purchases = operations.reduce((sum, operation) => sum + operation.purchases, 0);

        expect(sentences([...parts, ...fragments].join('\n'))).toEqual(
          purchases > 1 ? [several] : [],
        );
      }),
    );
  });
});
