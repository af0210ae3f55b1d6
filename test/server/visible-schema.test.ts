import { buildClientSchema, getIntrospectionQuery, printSchema } from 'graphql';
import { afterAll, describe, expect, test } from 'vitest';
import { apiKeysOf, by } from '../access/keys.ts';
import { startTestGateway } from '../support/gateway.ts';

const everything = { schemaDescription: true, specifiedByUrl: true, oneOf: true };

const env = {
  API_KEYS: apiKeysOf({
    visitor: ['domains:check'],
    reader: ['domains:check', 'domains:read'],
  }),
};

describe.each([true, false])('with the fast path %s', (fastPath) => {
  const started = startTestGateway({ fastPath, sandboxDomains: 1, env });
  afterAll(async () => (await started).close());

  const query = async (document: string, name = 'visitor') =>
    (await started).query(document, {}, by(name));
  const sdlFor = async (headers: Record<string, string>) => {
    const response = await fetch(`${(await started).url}/schema.graphql`, { headers });
    return { status: response.status, text: await response.text() };
  };
  const introspected = async (name: string) => {
    const { data } = await query(getIntrospectionQuery(everything), name);
    return printSchema(buildClientSchema(data));
  };

  test('introspection and /schema.graphql show a caller the same, by its scopes', async () => {
    const [visitor, reader] = [await introspected('visitor'), await introspected('reader')];

    expect(visitor).toContain('type DomainAvailability');
    expect(visitor).not.toContain('type Domain ');
    expect(reader).toContain('type Domain ');
    for (const [name, sdl] of [
      ['visitor', visitor],
      ['reader', reader],
    ] as const) {
      const { status, text } = await sdlFor(by(name));
      expect(status).toBe(200);
      expect(text).toBe(sdl);
    }
  });

  test('a type is found by its name only with its scope', async () => {
    const document = '{ __type(name: "Domain") { name } }';

    expect((await query(document)).data).toEqual({ __type: null });
    expect((await query(document, 'reader')).data).toEqual({ __type: { name: 'Domain' } });
  });

  test('a document can read the schema and data that the caller may use', async () => {
    const { data } = await query(
      '{ __schema { queryType { name } } gateway { caller } availability(name: "no-such.com") { state } }',
    );

    expect(data).toEqual({
      __schema: { queryType: { name: 'Query' } },
      gateway: { caller: 'visitor' },
      availability: { state: 'AVAILABLE' },
    });
  });

  test('a document that reads the schema cannot select what the caller may not use', async () => {
    const { data, errors } = await query(
      '{ __schema { queryType { name } } domain(name: "a.com") { name } }',
    );

    expect(data ?? null).toBeNull();
    expect(errors[0].message).toMatch(/^Cannot query field "domain" on type "Query"\./);
  });

  test('a field that the caller may not use is FORBIDDEN in any other document', async () => {
    const { errors } = await query('{ domain(name: "a.com") { name } }');

    expect(errors[0].extensions.code).toBe('FORBIDDEN');
  });

  test.each([
    ['visitor', '{ domai { name } }', 'Cannot query field "domai" on type "Query".'],
    [
      'reader',
      '{ domai { name } }',
      'Cannot query field "domai" on type "Query". Did you mean "domain" or "domains"?',
    ],
    [
      'visitor',
      '{ availabilit(name: "a.com") { name } }',
      'Cannot query field "availabilit" on type "Query". Did you mean "availability" or "availabilities"?',
    ],
  ])('for the %s %s suggests only fields that it may use', async (name, document, message) => {
    expect((await query(document, name)).errors[0].message).toBe(message);
  });

  test('/schema.graphql needs a credential', async () => {
    expect((await sdlFor({})).status).toBe(401);
  });
});

describe.each([
  ['caller', { DEVELOPMENT: 'false', INTROSPECTION: 'caller' }, 200],
  ['off', { INTROSPECTION: 'off' }, 404],
])('with INTROSPECTION=%s, whatever DEVELOPMENT is,', (_value, settings, expected) => {
  const started = startTestGateway({ sandboxDomains: 1, env: { ...env, ...settings } });
  afterAll(async () => (await started).close());

  test('the schema is shown or not', async () => {
    const { query, url } = await started;
    const { data } = await query('{ __schema { queryType { name } } }', {}, by('visitor'));
    const { status } = await fetch(`${url}/schema.graphql`, { headers: by('visitor') });

    expect(Boolean(data)).toBe(expected === 200);
    expect(status).toBe(expected);
  });
});
