import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { plainKey } from '../../src/config/credentials.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { requestPaths } from '../support/request-paths.ts';

describe.each(requestPaths)('on %s', (_name, way) => {
  describe('the API key', () => {
    const key = 'a-key-of-sixteen-characters';
    let guarded: TestApp;
    beforeAll(async () => {
      guarded = await startApp({
        ...way,
        settings: { auth: { kind: 'keys', keys: [plainKey(key)] } },
      });
    });
    afterAll(() => guarded.close());

    test.each([
      ['no key', {}],
      ['another key', { 'x-api-key': 'not-the-key' }],
      ['a prefix of the key', { 'x-api-key': key.slice(0, -1) }],
      ['the key as a Bearer token', { authorization: `Bearer ${key}` }],
    ])('%s is refused with 401', async (_what, headers: Record<string, string>) => {
      const { status, body } = await guarded.post({ query: '{ ok }' }, headers);

      expect(status).toBe(401);
      expect(body.errors[0].extensions).toMatchObject({ code: 'UNAUTHENTICATED', executed: 'NO' });
      expect(body.data).toBeUndefined();
    });

    test('the key gives access to the graph', { tags: ['R12'] }, async () => {
      const { body } = await guarded.post({ query: '{ ok }' }, { 'x-api-key': key });

      expect(body.data).toEqual({ ok: true });
    });

    test('health checks and the page of GraphiQL need no key', async () => {
      const health = await guarded.request('/health/ready');
      const page = await guarded.request('/graphql', { headers: { accept: 'text/html' } });

      expect([health.status, page.status]).toEqual([200, 200]);
    });

    test('a GET without the key is refused', async () => {
      const headers = { accept: 'application/json' };
      const { status } = await guarded.request('/graphql?query=%7Bok%7D', { headers });

      expect(status).toBe(401);
    });
  });
});
