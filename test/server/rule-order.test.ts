import { hash } from 'node:crypto';
import { afterAll, describe, expect, test } from 'vitest';
import { startTestGateway } from '../support/gateway.ts';
import { persistedQuery, sha256 } from '../support/manifest.ts';
import { requestPaths } from '../support/request-paths.ts';

const keyOf = (name: string) => `a-long-enough-key-of-${name}`;
const keys = Object.fromEntries(
  ['shop', 'office'].map((name) => [
    name,
    { sha256: hash('sha256', keyOf(name)), scopes: ['domains:check'] },
  ]),
);
const env = {
  API_KEYS: JSON.stringify(keys),
  MAX_UPSTREAM_CALLS: '1',
  RATE_LIMIT_PER_MINUTE: '1',
};

/** The scope of the keys does not allow `reseller`. */
const forbidden = '{ reseller { name } }';
const expensive = '{ reseller { name } tld(name: "com") { name } }';

describe.each(requestPaths)('of several reasons on %s the first one is reported', (_n, path) => {
  const starting = startTestGateway({ ...path, env });
  afterAll(async () => (await starting).close());

  const send = async (body: unknown, headers: Record<string, string> = {}) => {
    const { url } = await starting;
    const response = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
    const { errors } = (await response.json()) as { errors: { extensions: { code: string } }[] };
    return `${response.status} ${errors[0]?.extensions.code}`;
  };
  const by = (name: string) => ({ 'x-api-key': keyOf(name) });
  const otherDocument = persistedQuery(sha256('{ __typename }'));

  test('a missing key, before invalid JSON', async () => {
    expect(await send('{')).toBe('401 UNAUTHENTICATED');
    expect(await send('{', by('shop'))).toBe('400 INVALID_REQUEST');
  });

  test('a hash of another document, before an invalid document', async () => {
    const query = '{ missing }';

    expect(await send({ query, ...otherDocument }, by('shop'))).toBe('400 INVALID_REQUEST');
    expect(await send({ query }, by('shop'))).toBe('200 INVALID_REQUEST');
  });

  test('an invalid document, then a response that is no event stream, then the cost', async () => {
    const query = (field: string) => ({ query: `subscription { ${field} }` });
    const search = query('searchDomains(labels: ["a"]) { __typename }');
    const json = { ...by('shop'), accept: 'application/json' };

    expect(await send(query('missing'), json)).toBe('200 INVALID_REQUEST');
    expect(await send(search, json)).toBe('406 INVALID_REQUEST');
    expect(await send(search, by('shop'))).toMatch(/ COST_LIMIT_EXCEEDED$/);
  });

  test('a cost above the limit, then the rate, then a missing scope', async () => {
    // All calls that a key can request at once.
    const sent = Array.from({ length: 100 }, () => send({ query: forbidden }, by('office')));
    expect(new Set(await Promise.all(sent))).toEqual(new Set(['200 FORBIDDEN']));
    expect(await send({ query: forbidden }, by('office'))).toBe('429 RATE_LIMITED');
    expect(await send({ query: expensive }, by('office'))).toMatch(/ COST_LIMIT_EXCEEDED$/);
  });
});
