import { getIntrospectionQuery } from 'graphql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
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
      expect(status).toBe(422);
      expect(body.errors).toHaveLength(1);
      expect(body.errors[0].message).toMatch(new RegExp(`${what}.*has ${count}\\.$`));
      expect(body.errors[0].extensions).toMatchObject({
        ...{ code: 'DOCUMENT_TOO_LARGE' },
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
