import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startApp, type TestApp } from '../support/app.ts';
import { requestPaths } from '../support/request-paths.ts';

describe.each(requestPaths)('on %s', (_name, way) => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startApp(way);
  });
  afterAll(() => app.close());

  const firstError = async (query: string, variables?: object) =>
    (await app.post({ query, variables })).body.errors[0];

  test.each([
    [
      'a fault',
      '{ fault }',
      'The account has no such object.',
      { code: 'NOT_FOUND', executed: 'NO', retryable: false },
    ],
    [
      'a wrapped fault with its upstream code',
      '{ deepFault }',
      'The registrar refused the request.',
      { code: 'UPSTREAM_REJECTED', upstreamCode: 'API_2306_ERROR' },
    ],
    [
      'an unknown outcome',
      '{ unknownOutcome }',
      expect.any(String),
      {
        ...{ code: 'OUTCOME_UNKNOWN' },
        ...{ executed: 'UNKNOWN', retryable: false },
      },
    ],
  ])(
    '%s is returned with its message, code, executed and retryable',
    async (_what, query, message, extensions) => {
      const path = [query.slice(2, -2)];

      expect(await firstError(query)).toMatchObject({ message, path, extensions });
    },
  );

  test.each([
    ['a thrown error', '{ bug }'],
    ['null where the schema forbids it', '{ required }'],
    ['a value that the schema cannot write', '{ color }'],
    ['an unexpected GraphQL error', '{ deliberate }'],
  ])('%s is INTERNAL with a fixed message', async (_what, query) => {
    const error = await firstError(query);

    expect(error.message).toBe('The gateway failed because of an internal error.');
    expect(error.extensions).toMatchObject({ code: 'INTERNAL', executed: 'UNKNOWN' });
  });

  test('a bug is logged once with stack and request id, and the response reveals nothing about it', async () => {
    const before = app.lines.length;
    const { body, headers } = await app.post({ query: '{ bug }' });

    const [line, ...more] = app.lines.slice(before);
    expect(more).toEqual([]);
    expect(line).toMatchObject({ level: 'error', requestId: headers.get('x-request-id') });
    expect(JSON.stringify(line)).toContain('test/support/app.ts');
    expect(JSON.stringify(body)).not.toContain('hunter2');
  });

  test.each<[string, string, string, object?]>([
    ['a syntax error', 'INVALID_REQUEST', '{'],
    ['an unknown field', 'INVALID_REQUEST', '{ nothing }'],
    ['a missing variable', 'INVALID_INPUT', 'query ($n: Name!) { named(name: $n) }'],
    ['a wrong variable', 'INVALID_INPUT', 'query ($y: Int!) { period(years: $y) }', { y: 'two' }],
    ['a null', 'INVALID_REQUEST', 'query ($y: Int) { period(years: $y) }', { y: null }],
  ])('%s is %s and executes nothing', async (_what, code, query, variables = {}) => {
    const { extensions } = await firstError(query, variables);

    expect(extensions).toMatchObject({ code, executed: 'NO', retryable: false });
  });

  test.each([
    ['variable', 'query ($n: Name!) { named(name: $n) }', { n: 'a..com' }],
    ['literal', '{ named(name: "a..com") }', {}],
  ])('a scalar that refuses a %s returns its own message', async (_what, query, variables) => {
    const error = await firstError(query, variables);

    expect(error.message).toBe('"a..com" has an empty label: two dots in a row.');
    expect(error.extensions).toMatchObject({ code: 'INVALID_INPUT' });
  });

  test('every error has the id of its request', async () => {
    const { body, headers } = await app.post(
      { query: '{ bug fault required }' },
      { 'x-request-id': 'caller-chose-this' },
    );

    expect(headers.get('x-request-id')).toBe('caller-chose-this');
    for (const { extensions } of body.errors)
      expect(extensions.requestId).toBe('caller-chose-this');
  });

  test('outside development an error suggests no names of the schema, and introspection is refused', async () => {
    const closed = await startApp({
      ...way,
      settings: { development: false, introspection: 'off' },
    });

    const typo = await closed.post({ query: '{ okk }' });
    const introspection = await closed.post({ query: '{ __schema { types { name } } }' });
    await closed.close();

    expect(typo.body.errors[0].message).toBe('Cannot query field "okk".');
    expect(introspection.body.errors[0].extensions.code).toBe('INVALID_REQUEST');
    expect(introspection.body.data).toBeUndefined();
  });

  test('in development an unknown field gets a suggestion', async () => {
    expect((await firstError('{ okk }')).message).toContain('Did you mean "ok"?');
  });
});
