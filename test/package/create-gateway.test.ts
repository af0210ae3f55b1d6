import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import fastify from 'fastify';
import { buildSchema } from 'graphql';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { createGateway, type Gateway, type GatewaySettings } from '../../src/package/index.ts';
import { newFolder } from '../support/folder.ts';
import { freePort } from '../support/free-port.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';

const json = { 'content-type': 'application/json' };

const post = (query: string, init: RequestInit = {}, origin = 'http://localhost') =>
  new Request(`${origin}/graphql`, {
    method: 'POST',
    body: JSON.stringify({ query }),
    ...init,
    headers: { ...json, ...(init.headers as object) },
  });

const listenOn = async (server: Server): Promise<string> => {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

/** A sandbox and a listening gateway over it. */
let listening: TestGateway;
let folder: string;
let settings: GatewaySettings;
let gateway: Gateway;
const lines: Record<string, unknown>[] = [];
const closing: (() => unknown)[] = [];

beforeAll(async () => {
  folder = await newFolder('package');
  const access = { AUTH: 'keys' as const, API_KEY: 'a-key-of-sixteen-characters' };
  listening = await startTestGateway({
    accountToken: null,
    env: { ...access, DEVELOPMENT: 'false' },
  });
  settings = {
    ...access,
    ...{ DOMAIN_API_URL: `${listening.sandboxUrl}/domain-api`, DATA_DIR: folder },
    ...{ DOMAIN_API_USERNAME: 'demo', DOMAIN_API_PASSWORD: 'demo-password' },
    ...{ ACCOUNT_API_URL: `${listening.sandboxUrl}/account-api`, DEVELOPMENT: false },
    ...{ ALLOWED_HOSTS: 'localhost,127.0.0.1', SUBGRAPH: undefined, MAX_STREAMS: 5 },
  };
  gateway = await createGateway(settings, { log: (line) => lines.push(JSON.parse(line)) });
});
afterAll(async () => {
  for (const close of closing) await close();
  await gateway?.close();
  await listening?.close();
  await rm(folder, { recursive: true, force: true });
});
const key = { 'x-api-key': 'a-key-of-sixteen-characters' };

/** Each way into the gateway, and the listening gateway as the measure. */
async function openWays(): Promise<
  Readonly<Record<string, (request: Request) => Promise<Response>>>
> {
  const plain = createServer(gateway.nodeHandler);
  // As Express: it removes the path of the mount, and adds members that name it.
  const decorated = createServer((node, response) => {
    Object.assign(node, { originalUrl: `/api${node.url}`, query: { query: '{ no }' }, body: {} });
    gateway.nodeHandler(node, response);
  });
  const mounted = createServer((node, response) => {
    node.url = `/api${node.url}`;
    gateway.nodeHandler(node, response);
  });
  const app = fastify();
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, _body, done) => done(null));
    scope.all('/*', (request, reply) => {
      reply.hijack();
      gateway.nodeHandler(request.raw, reply.raw);
    });
  });
  const onFastify = await app.listen({ port: 0, host: '127.0.0.1' });
  closing.push(() => app.close());
  for (const server of [plain, decorated, mounted]) closing.push(() => server.close());
  const to = (origin: string) => async (request: Request) => {
    const { pathname, search } = new URL(request.url);
    const body = request.body ? await request.text() : null;
    return fetch(`${origin}${pathname}${search}`, {
      ...{ method: request.method, headers: request.headers, body },
    });
  };
  return {
    handle: (request) => gateway.handle(request),
    'node:http': to(await listenOn(plain)),
    'node:http, as Express decorates it': to(await listenOn(decorated)),
    'node:http below a path': to(await listenOn(mounted)),
    Fastify: to(onFastify),
  };
}

/** Status, headers and body without what differs between two responses of one server. */
async function measured(response: Response) {
  const ofConnection = ['connection', 'content-length', 'date', 'keep-alive', 'transfer-encoding'];
  const headers = [...response.headers].filter(([name]) => !ofConnection.includes(name));
  const text = await response.text();
  return {
    status: response.status,
    headers: headers.map(([name, value]) => [name, name === 'last-modified' ? '' : value]),
    body: text.replace(/[\da-f]{8}-[\da-f-]{27}/g, '<id>'),
  };
}

const id = { 'x-request-id': 'the-id-of-this-request' };
const requests: Readonly<Record<string, () => Request>> = {
  'a query': () =>
    post('{ domain(name: "reseller-demo.com") { name state } }', { headers: { ...key, ...id } }),
  'a query with content-length': () => {
    const body = JSON.stringify({ query: '{ reseller { name } }' });
    const length = { 'content-length': String(body.length) };
    return post('', { body, headers: { ...key, ...id, ...length } });
  },
  'a GET': () =>
    new Request(`http://localhost/graphql?query=${encodeURIComponent('{ __typename }')}`, {
      headers: { ...key, ...id, accept: 'application/json' },
    }),
  '@defer': () =>
    post('{ reseller { name } ... @defer { domains(first: 1) { totalCount } } }', {
      headers: { ...key, ...id, accept: 'multipart/mixed' },
    }),
  'no key': () => post('{ __typename }', { headers: id }),
  'a document that is not valid': () => post('{ nothing }', { headers: { ...key, ...id } }),
  'another media type': () =>
    post('', { headers: { ...key, ...id, 'content-type': 'text/plain' } }),
  'a body that is too long': () =>
    post('', { body: ' '.repeat(300_000), headers: { ...key, ...id, 'content-length': '300000' } }),
  'another method': () => new Request('http://localhost/graphql', { method: 'PUT', headers: id }),
  'another origin': () =>
    post('{ __typename }', { headers: { ...key, ...id, origin: 'https://evil.example' } }),
  'an unknown path': () => new Request('http://localhost/nothing', { headers: id }),
  health: () => new Request('http://localhost/health/live', { headers: id }),
  'an export': () =>
    new Request('http://localhost/export/domains.csv', { headers: { ...key, ...id } }),
  'the head of an export': () =>
    new Request('http://localhost/export/domains.csv', {
      method: 'HEAD',
      headers: { ...key, ...id },
    }),
};

describe('the response is that of a listening gateway', async () => {
  let ways: Awaited<ReturnType<typeof openWays>>;
  beforeAll(async () => {
    ways = await openWays();
  });

  test.each(Object.entries(requests))('to %s', { tags: ['R22'] }, async (name, make) => {
    const { pathname, search } = new URL(make().url);
    const request = make();
    const body = request.body ? await request.text() : null;
    const expected = await measured(
      await fetch(`${listening.url}${pathname}${search}`, {
        ...{ method: request.method, headers: request.headers, body },
      }),
    );

    for (const [way, send] of Object.entries(ways)) {
      expect(await measured(await send(make())), way).toEqual(expected);
    }
    expect(expected.status, name).toBeLessThan(500);
  });
});

describe('a stream', () => {
  const subscription =
    'subscription { searchDomains(labels: ["maple-package"], tlds: ["com", "net"]) { __typename } }';
  const events = { headers: { ...key, accept: 'text/event-stream' } };

  test('arrives in parts and ends', async () => {
    const response = await gateway.handle(post(subscription, events));

    expect([response.status, response.headers.get('content-type')]).toEqual([
      ...[200, 'text/event-stream'],
    ]);
    expect(await response.text()).toMatch(/event: next[\s\S]*event: complete/);
  });

  test('stops its work when its body is cancelled, and when its signal is aborted', async () => {
    const leaving = new AbortController();
    const endless = 'subscription { purchaseSettled(id: "UHVyY2hhc2U6eA") { id } }';
    const before = lines.length;
    const cancelled = await gateway.handle(post(endless, events));
    await cancelled.body?.cancel();
    const aborted = await gateway.handle(post(endless, { ...events, signal: leaving.signal }));
    const text = aborted.text();
    leaving.abort(new Error('gone'));

    await expect(text).rejects.toThrow('gone');
    const ofStreams = () =>
      lines.slice(before).filter(({ msg, kind }) => msg === 'request' && kind === 'subscription');
    await expect
      .poll(() => ofStreams().map(({ outcome }) => outcome))
      .toEqual([...['aborted', 'aborted']]);
  });
});

test('an aborted request rejects, and its upstream call is cancelled', {
  tags: ['R22'],
}, async () => {
  const leaving = new AbortController();
  const before = lines.length;
  const answer = gateway.handle(
    post('{ availability(name: "hang-package.com") { state } }', {
      headers: key,
      signal: leaving.signal,
    }),
  );
  answer.catch(() => undefined);
  const received = async () => (await listening.upstreamCalls()).map(({ action }) => action);
  await expect.poll(received).toContain('singlecheckavailability');
  leaving.abort(new Error('no longer needed'));

  await expect(answer).rejects.toThrow('no longer needed');
  await expect
    .poll(() => lines.slice(before).filter(({ msg }) => msg === 'request'))
    .toMatchObject([{ outcome: 'aborted' }]);
  expect(lines.slice(before).filter(({ level }) => level === 'error')).toEqual([]);
});

test('two gateways in one process have their own settings, data and end', {
  tags: ['R22'],
}, async () => {
  const dataDir = await newFolder('package-second');
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  const logged: string[] = [];
  const second = await createGateway(
    { SANDBOX_PORT: 0, SANDBOX_LATENCY: 'none', DATA_DIR: dataDir, TYPE_PREFIX: 'Acme' },
    { log: (line) => logged.push(line) },
  );
  const query = '{ reseller { __typename } }';

  const [first, other] = await Promise.all([
    gateway.handle(post(query, { headers: key })),
    second.handle(post(query)),
  ]);
  expect(await first.json()).toMatchObject({ data: { reseller: { __typename: 'Reseller' } } });
  expect(await other.json()).toMatchObject({ data: { reseller: { __typename: 'AcmeReseller' } } });
  expect(await second.close()).toBe(true);
  expect(logged.filter((line) => line.includes('"msg":"request"'))).toHaveLength(1);

  expect((await second.handle(post(query))).status).toBe(503);
  expect((await gateway.handle(post(query, { headers: key }))).status).toBe(200);
});

test('schema is the graph as SDL, with the settings applied', () => {
  const graph = buildSchema(gateway.schema);

  expect(graph.getQueryType()?.getFields()).toHaveProperty('searchDomains');
  expect(graph.getType('Domain')).toBeDefined();
});

test('wrong settings are one error that names each of them', async () => {
  const wrong = {
    PORT: 'x',
    UPSTREAM: 'real',
    MAX_STREAMS: -1,
    DEVELOPMENT: 'perhaps',
    TENANTS: {},
  };
  const unknown = { PROT: 5, SPEND_LIMIT: '{}', TIMEOUT: undefined, COLOUR: 'red' };
  const given = { ...wrong, ...unknown, DATA_DIR: folder } as never;

  const error = await createGateway(given).catch((one: unknown) => one);

  expect(error).toMatchObject({ name: 'ConfigError' });
  const { message, errors } = error as Error & { errors: readonly string[] };
  expect(message).toBe(errors.join('\n'));
  expect(errors.slice(0, 4)).toEqual([
    'PROT is not a setting; did you mean PORT?',
    'SPEND_LIMIT is not a setting; did you mean SPEND_LIMITS?',
    'COLOUR is not a setting.',
    'TENANTS must be a string, a number or a boolean.',
  ]);
  expect(errors).toHaveLength(8);
  for (const name of Object.keys(wrong)) expect(message).toContain(`${name} must be `);
});

test('settings that are not given come from `env`, where unknown names are allowed', async () => {
  const dataDir = await newFolder('package-environment');
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  const logged: string[] = [];
  const env = { ...{ TYPE_PREFIX: 'Env', SUBGRAPH: 'true', SANDBOX_PORT: 'x' }, SPEND_LIMIT: '{}' };
  const one = await createGateway(
    { SANDBOX_PORT: 0, DATA_DIR: dataDir, TYPE_PREFIX: 'Given', SUBGRAPH: undefined },
    { env, log: (line) => logged.push(line) },
  );
  await one.close();

  expect(one.schema).toContain('type GivenDomain ');
  expect(one.schema).toContain('_entities');
  expect(logged.map((line) => JSON.parse(line))).toContainEqual(
    expect.objectContaining({
      level: 'warn',
      msg: 'setting',
      reason: expect.stringContaining('did you mean SPEND_LIMITS?'),
    }),
  );
});

test('a gateway that cannot start rejects with a sentence and holds no port', async () => {
  const port = await freePort();
  const blocker = createServer();
  await once(blocker.listen(port, '127.0.0.1'), 'listening');
  onTestFinished(() => void blocker.close());
  const dataDir = await newFolder('package-port');
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));

  await expect(
    createGateway({ SANDBOX_PORT: port, DATA_DIR: dataDir }, { log: () => undefined }),
  ).rejects.toThrow('SANDBOX_PORT says which port it takes.');
});
