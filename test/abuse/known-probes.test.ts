import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { sendRaw } from '../support/raw-request.ts';
import { key } from './inputs/input.ts';

// The probes of graphql-cop, with the key of a customer. A probe is successful when its response has data.

describe('a scanner with an API key', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startTestGateway({
      sandboxDomains: 40,
      env: { AUTH: 'keys', API_KEY: key, DEVELOPMENT: 'false' },
    });
  });
  afterAll(() => gateway?.close());

  const scanner = { 'x-api-key': key, 'user-agent': 'graphql-cop/1.14' };
  const send = async (init: RequestInit, path = '/graphql') => {
    const response = await fetch(`${gateway.url}${path}`, init);
    return { status: response.status, text: await response.text() };
  };
  const post = (body: unknown, headers: Record<string, string> = {}) =>
    send({
      method: 'POST',
      headers: { ...scanner, 'content-type': 'application/json', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
  // Not by fetch, whose sec-fetch headers differ from those of images and links.
  const get = async (query: string, headers: Record<string, string> = {}) => {
    const { status } = await sendRaw(gateway.url, {
      ...{ method: 'GET', path: `/graphql?query=${encodeURIComponent(query)}`, body: '' },
      headers: { ...scanner, accept: '*/*', ...headers },
    });
    return { status: Number(status.split(' ')[0]) };
  };
  const times = (count: number, make: (at: number) => string) =>
    Array.from({ length: count }, (_, at) => make(at)).join(' ');
  const circle = `query { __schema { types { fields { type { ${times(4, () => 'fields { type {')} name ${'} }'.repeat(4)} } } } } }`;

  test('gets a response to a valid query', async () => {
    expect((await post({ query: '{ __typename }' })).text).toContain(
      '{"data":{"__typename":"Query"}',
    );
  });

  test.each([
    [
      'alias overloading',
      { query: `query cop { ${times(101, (at) => `alias${at}: __typename`)} }` },
    ],
    ['array-based batching', Array(10).fill({ query: 'query cop { __typename }' })],
    ['circular introspection', { query: circle }],
    ['field duplication', { query: `query cop { ${times(500, () => '__typename')} }` }],
    ['introspection', { query: 'query cop { __schema { types { name fields { name } } } }' }],
  ])('finds no %s', async (_probe, body) => {
    const { text } = await post(body);

    expect(JSON.parse(text)).not.toHaveProperty('data');
    expect(JSON.parse(text).errors).not.toEqual([]);
  });

  test('finds no directive overloading: ten directives at one location are one error', async () => {
    const { text } = await post({ query: `query cop { __typename ${'@aa'.repeat(10)} }` });

    expect(JSON.parse(text).errors).toHaveLength(1);
  });

  test('finds no field suggestions', async () => {
    const { text } = await post({ query: 'query cop { __schema { directive } domian }' });

    expect(text).not.toContain('Did you mean');
  });

  test.each(['/', '/graphql', '/graphiql', '/playground', '/console'])(
    'finds no GraphiQL at %s',
    async (path) => {
      const { text } = await send({ headers: { ...scanner, accept: 'text/html' } }, path);

      expect(text).not.toMatch(/graphiql|GraphQL Playground|graphql-playground/i);
    },
  );

  test('finds no query by GET: it is refused with every header that a page can send', async () => {
    expect((await get('query cop { __typename }')).status).toBe(400);
    expect((await get('query cop { __typename }', { accept: 'text/html' })).status).toBe(400);
    const site = { accept: 'application/json', 'sec-fetch-site': 'cross-site' };
    expect((await get('query cop { __typename }', site)).status).toBe(403);
  });

  test('finds no mutation by GET', async () => {
    const mutation = 'mutation cop { __typename }';

    expect((await get(mutation)).status).toBe(400);
    expect((await get(mutation, { accept: 'application/json' })).status).toBe(405);
  });

  test('finds no support for forms', async () => {
    const form = { 'content-type': 'application/x-www-form-urlencoded' };

    expect((await post('query=query%20cop%20%7B__typename%7D', form)).status).toBe(415);
  });

  test('finds no trace mode', async () => {
    const { text } = await post({ query: 'query cop { __typename }' }, { 'x-apollo-tracing': '1' });

    // The cost, and no trace.
    expect(Object.keys(JSON.parse(text).extensions)).toEqual(['cost']);
  });

  test('finds no unhandled error', async () => {
    const { status, text } = await post({ query: 'qwerty cop { abc }' });

    expect(status).toBe(200);
    expect(text).not.toMatch(/exception|stack|INTERNAL/);
  });
});
