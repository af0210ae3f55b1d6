import { describe, expect, onTestFinished, test } from 'vitest';
import { schema } from '../../src/app/graph.ts';
import { isPublicType } from '../../src/kernel/schema-extensions.ts';
import { blocksOf } from '../docs/markdown.ts';
import { startProxiedSandbox } from '../graph/purchases/proxy.ts';
import { arm } from '../graph/reads/reads.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { sha256, writeManifest } from '../support/manifest.ts';
import { startNginx, whyNoNginx } from '../support/nginx.ts';
import { because } from '../support/skipped.ts';

const texts = {
  price: `query ($name: String!, $refresh: Boolean! = false) {
    tld(name: $name, refresh: $refresh) {
      ...Prices
      ... on Node { id __typename }
      quote(operation: REGISTRATION, period: 2) { certainty lowest { amount currency } }
    }
  }
  fragment Prices on Tld { name prices(operation: REGISTRATION, period: 1) { price { amount } } }`,
  list: '{ tlds(first: 2) { totalCount pageInfo { hasNextPage } nodes { name } edges { cursor } } tld(name: ".РФ") { name } }',
  many: `{ ${Array.from({ length: 51 }, (_, at) => `t${at}: tld(name: "${'x'.repeat(at + 2)}") { name }`).join()} }`,
  cost: '{ tld(name: "com") { price(operation: REGISTRATION) { cost { amount } } } }',
  mixed: '{ tld(name: "com") { name } domain(name: "reseller-demo.com") { name } }',
  skipped:
    'query ($no: Boolean! = false) { tld(name: "com") { name } gateway @include(if: $no) { __typename } }',
  twoOperations: 'query A { tld(name: "com") { name } } query B { reseller { name } }',
  schema: '{ tld(name: "com") { name } __type(name: "Tld") { name } }',
  deferred: '{ tld(name: "com") { name ... @defer { status } } }',
  node: '{ node(id: "x") { id } }',
};
type Id = keyof typeof texts;

const key = 'a-key-of-a-test-0123456789';
const env = { PUBLIC_CACHE_SECONDS: '60', TLD_MAX_AGE_SECONDS: '0' };

async function start(more: Readonly<Record<string, string>> = {}): Promise<TestGateway> {
  const manifest = writeManifest(JSON.stringify(texts));
  onTestFinished(() => manifest.remove());
  const gateway = await startTestGateway({
    env: { ...env, DOCUMENT_MANIFEST: manifest.path, ...more },
  });
  onTestFinished(() => gateway.close());
  return gateway;
}

/** A GET with parameters; `variables` and others are JSON. */
async function get(
  url: string,
  parameters: object,
  headers: Readonly<Record<string, string>> = {},
) {
  const query = new URLSearchParams(
    Object.entries(parameters).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]),
  );
  const response = await fetch(`${url}/graphql?${query}`, {
    headers: { 'content-type': 'application/json', accept: 'application/json', ...headers },
  });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

const price = (name: string, headers = {}) =>
  [{ documentId: 'price', variables: { name } }, headers] as const;

describe('with PUBLIC_CACHE_SECONDS', () => {
  test.each<[Id, object, string]>([
    ['price', { name: '.COM' }, 'tld:com'],
    ['price', { name: 'рф' }, 'tld:xn--p1ai'],
    ['list', {}, 'tlds, tld:xn--p1ai'],
    ['many', {}, 'tlds'],
  ])(
    'caches may store %s with %j by id and by hash, with its tags',
    async (id, variables, tags) => {
      const { url } = await start();
      const persistedQuery = { version: 1, sha256Hash: sha256(texts[id]) };
      await fetch(`${url}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ query: texts[id], variables, extensions: { persistedQuery } }),
      });

      for (const named of [{ documentId: id }, { extensions: { persistedQuery } }]) {
        const { status, headers, text } = await get(url, { ...named, variables });

        expect(status).toBe(200);
        expect(Object.keys(JSON.parse(text))).toEqual(['data']);
        expect(Object.fromEntries(headers)).toMatchObject({
          'cache-control': 'public, max-age=60',
          'cache-tag': tags,
          vary: 'origin, accept, authorization, x-api-key, cookie',
        });
        expect(headers.has('x-request-id')).toBe(false);
      }
    },
  );
});

test('no cache may store any other response', async () => {
  const gateway = await start();
  const { url } = gateway;
  const com = { name: 'com' };
  const other: readonly [object, Record<string, string>?][] = [
    [price('com')[0], { authorization: 'Bearer x' }],
    [price('com')[0], { 'x-api-key': 'x' }],
    [price('com')[0], { cookie: 'a=b' }],
    [price('com')[0], { accept: 'text/event-stream' }],
    [{ query: texts.price, variables: com }],
    [{ documentId: 'price', variables: { ...com, refresh: true } }],
    [{ documentId: 'price', variables: {} }],
    [{ documentId: 'twoOperations', operationName: 'A' }],
    ...(['mixed', 'cost', 'skipped', 'schema', 'deferred', 'node'] as const).map(
      (documentId): [object] => [{ documentId }],
    ),
  ];
  for (const [parameters, headers] of other) {
    const response = await get(url, parameters, headers);

    expect([parameters, headers, response.headers.get('cache-control')]).toEqual([
      parameters,
      headers,
      expect.stringContaining('no-'),
    ]);
    expect(response.headers.get('cache-tag')).toBeNull();
  }

  const posted = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(price('com')[0]),
  });
  expect(posted.headers.get('cache-control')).toBe('no-store');

  await arm(gateway, 'gateway', 'tldlist');
  const failed = await get(url, ...price('com'));
  expect(JSON.parse(failed.text).errors).toHaveLength(1);
  expect(failed.headers.get('cache-control')).toBe('no-store');
});

test('only these types are public', () => {
  const types = Object.values(schema.getTypeMap()).filter(isPublicType);

  expect(types.map(({ name }) => name).sort()).toEqual([
    ...['Money', 'PageInfo', 'Quote', 'Tld', 'TldConnection', 'TldEdge', 'TldPrice'],
  ]);
});

test.each([
  ['without the setting', { PUBLIC_CACHE_SECONDS: '0' }, 200],
  ['without the setting and with required keys', { PUBLIC_CACHE_SECONDS: '0', API_KEY: key }, 401],
])('no cache may store a response %s', async (_name, more, status) => {
  const { url } = await start(more);

  const response = await get(url, ...price('com'));
  const keyed = await get(url, ...price('com', { 'x-api-key': key }));

  expect(response.status).toBe(status);
  expect(keyed.status).toBe(200);
  for (const { headers } of [response, keyed]) {
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('x-request-id')).not.toBeNull();
  }
});

test('with required keys only public reads need none', async () => {
  const gateway = await start({ API_KEY: key });
  const { url } = gateway;

  const read = await get(url, ...price('com'));
  expect([read.status, read.headers.get('cache-control')]).toEqual([200, 'public, max-age=60']);
  const keyed = await get(url, ...price('com', { 'x-api-key': key }));
  expect([keyed.status, keyed.headers.get('cache-control')]).toEqual([200, 'no-store']);
  await gateway.resetCalls();

  const refused: readonly [object, Record<string, string>?][] = [
    ...(['mixed', 'cost', 'skipped', 'schema', 'deferred', 'node'] as const).map(
      (documentId): [object] => [{ documentId }],
    ),
    [{}],
    [{ query: '{ tld(name: "com") { name } }' }],
    [{ documentId: 'price', variables: { name: 'com', refresh: true } }],
    [{ documentId: 'twoOperations', operationName: 'A' }],
    price('com', { 'x-api-key': 'another' }) as never,
    price('com', { cookie: 'a=b' }) as never,
  ];
  for (const [parameters, headers] of refused) {
    const { status, headers: received } = await get(url, parameters, headers);
    expect([parameters, headers, status]).toEqual([parameters, headers, 401]);
    expect(received.get('www-authenticate')).toBe('ApiKey');
    expect(received.get('cache-control')).toBe('no-store');
  }
  const posted = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(price('com')[0]),
  });
  expect(posted.status).toBe(401);
  expect(await gateway.countCalls()).toEqual({});
});

test('no cache may store a response with a price list that is out of date', async () => {
  const gateway = await start({ TLD_MAX_AGE_SECONDS: '1' });
  const { url } = gateway;
  await get(url, ...price('com'));
  await arm(gateway, 'gateway', 'tldlist', { times: 1_000 });

  await expect
    .poll(async () => (await get(url, ...price('com'))).headers.get('cache-control'), {
      timeout: 30_000,
    })
    .toBe('no-store');
  const { text } = await get(url, ...price('com'));
  expect(JSON.parse(text).extensions.stale).toEqual([
    { action: 'tldlist', ageSeconds: expect.any(Number) },
  ]);
});

describe.skipIf(whyNoNginx)(`behind the nginx of the documentation${because(whyNoNginx)}`, () => {
  test('hits do not reach the gateway, requests with credentials do, and a refresh replaces a price', async () => {
    const proxy = await startProxiedSandbox();
    onTestFinished(() => proxy.close());
    let amount = '11.2900';
    proxy.intercept('tldlist', async (_fields, forward) => {
      const { status, body } = await forward();
      return { status, body: JSON.parse(JSON.stringify(body).replaceAll('11.2900', amount)) };
    });
    const gateway = await start({ DOMAIN_API_URL: proxy.url, PRICES_FILE: 'none' });
    const [conf = ''] = blocksOf('docs/caching.md', 'nginx');
    const nginx = await startNginx((listen) =>
      conf
        .replace('/var/cache/nginx/', '')
        .replace('listen 8080', `listen ${listen}`)
        .replace('http://127.0.0.1:4000', gateway.url),
    );
    onTestFinished(() => nginx.close());
    const send = async (name: string, headers = {}) => {
      const { text, headers: received } = await get(nginx.url, ...price(name, headers));
      return { text, cacheControl: received.get('cache-control') };
    };
    const credentials = [
      { 'x-api-key': 'any' },
      { authorization: 'Bearer token-of-one-client' },
      { cookie: 'session=1' },
    ];

    // Nothing of a request with credentials is stored.
    for (const headers of credentials) {
      expect(await send('com', headers)).toMatchObject({ cacheControl: 'no-store' });
    }
    expect(proxy.count('tldlist')).toBe(3);

    const com = await send('com');
    const net = await send('net');
    expect(JSON.parse(com.text).data.tld).toMatchObject({
      name: 'com',
      prices: [{ price: { amount: '11.2900' } }],
    });
    expect(JSON.parse(net.text).data.tld.name).toBe('net');
    expect(proxy.count('tldlist')).toBe(5);
    for (let repeated = 0; repeated < 5; repeated += 1) {
      expect(await send('com')).toEqual(com);
      expect(await send('net')).toEqual(net);
    }
    expect(proxy.count('tldlist')).toBe(5);

    // A stored response is not sent to a client with credentials.
    for (const headers of credentials) {
      const { text, cacheControl } = await send('com', headers);
      expect(cacheControl).toBe('no-store');
      expect(JSON.parse(text).extensions.cost).toMatchObject({ upstreamCalls: 1 });
    }
    expect(proxy.count('tldlist')).toBe(8);

    amount = '12.0000';
    expect(await send('com')).toEqual(com);
    const fresh = await send('com', { 'x-cache-refresh': 'a-long-random-text' });
    expect(JSON.parse(fresh.text).data.tld.prices).toEqual([{ price: { amount } }]);
    expect(await send('com')).toEqual(fresh);
    expect(await send('com', { 'x-cache-refresh': 'another' })).toEqual(fresh);
    expect(await send('net')).toEqual(net);
    expect(proxy.count('tldlist')).toBe(9);
  });
});
