import { gunzipSync } from 'node:zlib';
import { parse, validate } from 'graphql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { schema } from '../../src/modules/index.ts';
import { exampleTabs } from '../../src/server/graphiql/examples.ts';
import { startApp, type TestApp } from '../support/app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

const assets = [
  'app.js',
  'app.css',
  'boot.js',
  'editor-worker.js',
  'graphql-worker.js',
  'json-worker.js',
  'icon.svg',
];
const openPage = () => app.request('/graphql', { headers: { accept: 'text/html,*/*;q=0.8' } });

describe('the page', () => {
  test('a browser gets it where a client gets the graph', async () => {
    const page = await openPage();

    expect(page.status).toBe(200);
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(page.headers.get('vary')).toBe('accept');
  });

  test('it may run, load and call nothing but what comes from here', async () => {
    const policy = (await openPage()).headers.get('content-security-policy') ?? '';

    expect(policy).toContain("default-src 'none'; script-src 'self'; worker-src 'self'");
    expect(policy).toContain("connect-src 'self'");
    expect(policy).not.toMatch(/https?:|unsafe-eval|script-src[^;]*unsafe/);
  });

  test('it names no address outside this server', async () => {
    const html = await (await openPage()).text();

    const addresses = [...html.matchAll(/(?:src|href)=\\?"([^"\\]*)/g)].map(
      ([, address]) => address,
    );
    expect(addresses.length).toBeGreaterThan(4);
    expect(addresses.filter((address) => !address?.startsWith('/graphiql/'))).toEqual([]);
  });

  test.each([
    ['sandbox', 'nothing here costs money'],
    ['live', 'purchases are real'],
  ] as const)('it says that it is %s', async (surroundings, words) => {
    const other = await startApp({ surroundings });
    const page = await other.request('/graphql', { headers: { accept: 'text/html' } });
    await other.close();

    expect(await page.text()).toContain(words);
  });
});

describe('its files', () => {
  test.each(assets)(
    '%s is compressed, and is not sent again while it is the same',
    async (name) => {
      const first = await fetchRaw(`/graphiql/${name}`, { 'accept-encoding': 'gzip' });
      const again = await app.request(`/graphiql/${name}`, {
        headers: { 'if-none-match': first.headers.get('etag') ?? '' },
      });

      expect(first.status).toBe(200);
      expect(first.headers.get('etag')).toMatch(/^"[\w-]{22}"$/);
      expect(first.headers.get('cache-control')).toBe('no-cache');
      expect(first.headers.get('content-type')).toMatch(/^(text\/(javascript|css)|image\/svg)/);
      expect(first.headers.get('content-encoding')).toBe('gzip');
      expect(again.status).toBe(304);
      expect(await again.text()).toBe('');
    },
  );

  test('a client that cannot unzip gets them plain', async () => {
    const plain = await fetchRaw('/graphiql/boot.js', { 'accept-encoding': 'identity' });
    const zipped = await fetchRaw('/graphiql/boot.js', { 'accept-encoding': 'gzip' });

    expect(plain.headers.get('content-encoding')).toBeNull();
    expect(gunzipSync(zipped.body).toString()).toBe(plain.body.toString());
  });
});

describe('its tabs', () => {
  const isWholeGraph = schema.getQueryType()?.getFields().domains !== undefined;

  // Skipped only while the graph is a stub.
  test.skipIf(!isWholeGraph)('each is valid in the graph', () => {
    for (const { query } of [...exampleTabs('sandbox'), ...exampleTabs('live')]) {
      expect(validate(schema, parse(query)).map(String)).toEqual([]);
    }
  });

  test('none changes anything when the upstream is live', () => {
    const operations = exampleTabs('live').flatMap(({ query }) => parse(query).definitions);

    expect(operations.map((one) => 'operation' in one && one.operation)).toEqual([
      'query',
      'query',
    ]);
  });
});

/** Without `fetch`, which unzips by itself. */
async function fetchRaw(path: string, headers: Record<string, string>) {
  const { request } = await import('undici');
  const response = await request(`${app.url}${path}`, { headers });
  const body = Buffer.from(await response.body.arrayBuffer());
  return {
    status: response.statusCode,
    headers: new Headers(response.headers as Record<string, string>),
    body,
  };
}
