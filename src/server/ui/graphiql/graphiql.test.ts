import { readdirSync, readFileSync } from 'node:fs';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { createRequest } from '../../../../test/support/server/request.ts';
import { exampleTabs } from './examples.ts';
import { assetRoutes, graphiqlRoute } from './page.ts';

const built = new URL('./built/', import.meta.url);
const compressed = readdirSync(built).filter((name) => name.endsWith('.br'));
const style = compressed.find((name) => name.endsWith('.css.br')) ?? '';

const types: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  ttf: 'font/ttf',
};

/** The response of a route for one file, of which the folder has the form `.br` only. */
async function read(file: string, acceptEncoding?: string) {
  const headers = acceptEncoding === undefined ? {} : { 'accept-encoding': acceptEncoding };
  const path = `/files/${file.slice(0, -'.br'.length)}`;
  const response = await assetRoutes('/files')[path]?.(createRequest({ method: 'GET', headers }));
  if (!response) throw new Error(`${path} has no response.`);
  return { headers: response.headers, body: Buffer.from(response.body as Uint8Array) };
}

describe('the files of GraphiQL', () => {
  test('have one route for each compressed file, and no other', () => {
    const names = Object.keys(assetRoutes('/files')).map((path) => `${path}.br`);

    expect(names).toEqual(compressed.map((name) => `/files/${name}`));
  });

  test.each(compressed)('are cached by browsers for a year: %s', async (file) => {
    const { headers, body } = await read(file, 'br');

    // Each name contains a digest of the content.
    expect(file).toMatch(/-[\w-]{8}\.\w+\.br$/);
    expect(body.equals(readFileSync(new URL(file, built)))).toBe(true);
    expect(headers).toEqual({
      'content-type': types[file.split('.').at(-2) ?? ''],
      'cache-control': 'public, max-age=31536000, immutable',
      'content-encoding': 'br',
      vary: 'accept-encoding',
    });
  });

  test.each([
    ['gzip, deflate, br, zstd', 'br'],
    ['br;q=1.0, gzip;q=0.8', 'br'],
    ['gzip, deflate', 'gzip'],
    ['brotli, gzipped', undefined],
    ['', undefined],
    [undefined, undefined],
  ])('have for accept-encoding %j the encoding %j', async (accepted, encoding) => {
    const { headers } = await read(style, accepted);

    expect(headers['content-encoding']).toBe(encoding);
  });

  test('have the same content in every encoding', async () => {
    const br = await read(style, 'br');
    const zipped = await read(style, 'gzip');
    const plain = await read(style);

    expect(plain.body.toString()).toContain('.graphiql');
    expect(brotliDecompressSync(br.body).equals(plain.body)).toBe(true);
    expect(gunzipSync(zipped.body).equals(plain.body)).toBe(true);
  });
});

test.each(['sandbox', 'live'] as const)(
  'the page of GraphiQL has the options of its script: %s',
  async (environment) => {
    const query = 'query Example { tlds { totalCount } }';
    const examples = [{ query }, { query, isForLive: true as const }];
    const request = createRequest({ method: 'GET', headers: { accept: 'text/html' } });
    const html = String((await graphiqlRoute(environment, false, examples)(request))?.body);
    const [, options = ''] = /<script [^>]*id="options">(.*)<\/script>/.exec(html) ?? [];

    expect(JSON.parse(options)).toEqual({
      ...{ graph: '/graphql', environment },
      tabs: exampleTabs(environment, examples),
    });
  },
);
