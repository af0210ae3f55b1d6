import fc from 'fast-check';
import { getIntrospectionQuery } from 'graphql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findJsonFlaw } from '../../src/server/graphql/limits/json-flaw.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { requestPaths } from '../support/request-paths.ts';

const many = (count: number, make: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => make(at)).join(' ');

describe.each(requestPaths)('on %s', (_name, way) => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startApp({ ...way, settings: { maxBodyBytes: 200_000 } });
  });
  afterAll(() => app.close());

  test.each([
    ['aliases', many(60, (at) => `a${at}: ok`), many(61, (at) => `a${at}: ok`), '61'],
    ['times the same field', many(60, () => 'ok'), many(101, () => 'ok'), '101'],
    [
      'directives at one place',
      `ok ${many(1, () => '@skip(if: false)')}`,
      `ok ${many(6, () => '@skip(if: false)')}`,
      '6',
    ],
  ])(
    'a document may have %s up to the limit, and the error above it reports limit and count',
    async (what, within, past, count) => {
      const served = await app.post({ query: `{ ${within} }` });
      const { status, body } = await app.post(
        { query: `{ ${past} }` },
        { accept: 'application/graphql-response+json' },
      );

      expect(served.body.data).toMatchObject(expect.any(Object));
      expect(status).toBe(400);
      expect(body.errors).toHaveLength(1);
      expect(body.errors[0].message).toMatch(new RegExp(`${what}.*has ${count}\\.$`));
      expect(body.errors[0].extensions).toMatchObject({
        ...{ code: 'COST_LIMIT_EXCEEDED', fault: 'DOCUMENT_TOO_LARGE' },
        ...{ executed: 'NO', retryable: false },
      });
    },
  );

  test('the introspection query of GraphiQL is within all limits', async () => {
    const query = getIntrospectionQuery({ inputValueDeprecation: true, oneOf: false });

    const { body } = await app.post({ query });

    expect(body.errors).toBeUndefined();
    expect(body.data.__schema.queryType.name).toBe('Query');
  });

  test('a response has at most ten errors, each of bounded length', async () => {
    const { body } = await app.post({ query: `{ ${many(50, (at) => `nothing${at}`)} }` });
    const long = await app.post({ query: `{ ${'a'.repeat(100_000)} }` });

    expect(body.errors).toHaveLength(10);
    expect(JSON.stringify(long.body).length).toBeLessThan(2_000);
  });
});

describe('the check of request JSON', () => {
  const key = fc
    .string()
    .filter((text) => !(text in {}) && !['then', 'prototype', 'toJSON'].includes(text));
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      fc.oneof(fc.string(), fc.double(), fc.boolean(), fc.constant(null)),
      fc.array(tie('value'), { maxLength: 4 }),
      fc.dictionary(key, tie('value'), { maxKeys: 4 }),
    ),
  }));

  test('accepts every value that JSON.stringify writes, with or without whitespace', () => {
    fc.assert(
      fc.property(value, fc.constantFrom(0, 2), (one, blanks) => {
        expect(findJsonFlaw(JSON.stringify(one, null, blanks) ?? '')).toBeNull();
      }),
    );
  });

  test('finds a duplicate key at any depth and in any spelling', () => {
    const inCode = (text: string) =>
      [...text].map((one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');
    fc.assert(
      fc.property(value, fc.stringMatching(/^[a-z]{3,8}$/), (one, name) => {
        const inside = JSON.stringify(one) ?? 'null';
        const object = `{"${name}":${inside},"x y":[${inside}],"${inCode(name)}":1}`;
        expect(findJsonFlaw(`[{"around":${object}}]`)).toContain('twice');
      }),
    );
  });

  test('terminates for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'{}[]",:\\u0 a') }), (text) => {
        expect([null, expect.any(String)]).toContainEqual(findJsonFlaw(text));
      }),
    );
  });
});
