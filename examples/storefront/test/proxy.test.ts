import { once } from 'node:events';
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  request,
  type Server,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestGateway, type TestGateway } from '../../../test/support/gateway.ts';

const key = 'the-key-of-the-operator';
const query = JSON.stringify({ query: '{ gateway { caller } domains { totalCount } }' });
const json = { 'content-type': 'application/json' };

let gateway: TestGateway;
let server: Server;
beforeAll(async () => {
  gateway = await startTestGateway({
    env: { AUTH: 'keys', API_KEY: key, MAX_STREAMS_PER_CALLER: '1' },
  });
  server = await serve(gateway.url);
});
afterAll(async () => {
  server.close();
  await gateway.close();
});

/** The middleware of the storefront in a server of Node, which responds 404 to all other paths. */
async function serve(gatewayUrl: string): Promise<Server> {
  const proxy = new URL('../proxy.js', import.meta.url);
  const { gatewayProxy } = await import(proxy.href);
  type Handle = (...request: [...Parameters<RequestListener>, () => void]) => void;
  let handle: Handle = () => undefined;
  const use = (one: Handle) => {
    handle = one;
  };
  gatewayProxy({ gateway: gatewayUrl, key }).configureServer({ middlewares: { use } });
  const listening = createServer((sent, response) =>
    handle(sent, response, () => response.writeHead(404).end('no such path')),
  ).listen(0, '127.0.0.1');
  await once(listening, 'listening');
  return listening;
}

/** As `fetch`, which sets Host and Origin itself. */
const send = (path: string, method: string, headers = {}, body = '', to = server) =>
  new Promise<{ readonly status: number; readonly text: string; readonly headers: object }>(
    (resolve, reject) => {
      const { port } = to.address() as AddressInfo;
      const host = '127.0.0.1';
      const sent = request({ host, port, path, method, headers }, async (response) => {
        const text = Buffer.concat(await response.toArray()).toString();
        resolve({ status: response.statusCode ?? 0, text, headers: response.headers });
      });
      sent.on('error', reject).end(body);
    },
  );

test('sends its key to a gateway that requires one, and returns it in no response', async () => {
  const { status, text, headers } = await send('/graphql', 'POST', json, query);

  expect(status).toBe(200);
  expect(JSON.parse(text).data.gateway.caller).toBe('default');
  expect(`${JSON.stringify(headers)} ${text}`).not.toContain(key);
});

test.each([{ 'x-api-key': 'wrong' }, { authorization: 'Bearer wrong' }, { cookie: 'a=b' }])(
  'forwards no credential of the client: %o',
  async (headers) => {
    expect((await send('/graphql', 'POST', { ...json, ...headers }, query)).status).toBe(200);
  },
);

test.each([
  ['another site', { origin: 'http://evil.example' }, 403],
  ['another port', { origin: 'http://127.0.0.1:1' }, 403],
  ['an opaque origin', { origin: 'null' }, 403],
  ['another site without an origin', { 'sec-fetch-site': 'cross-site' }, 403],
  ['a neighbour site', { 'sec-fetch-site': 'same-site' }, 403],
  ['a form', { 'content-type': 'text/plain' }, 415],
])('refuses a request of %s before the gateway', async (_name, headers, expected) => {
  await gateway.resetCalls();

  const { status, text } = await send('/graphql', 'POST', { ...json, ...headers }, query);

  expect(status).toBe(expected);
  expect(text).not.toContain('totalCount');
  expect(await gateway.countCalls()).toEqual({});
});

test('accepts a page of its own', async () => {
  const { port } = server.address() as AddressInfo;
  const origin = `http://127.0.0.1:${port}`;
  const own = { origin, 'sec-fetch-site': 'same-origin' };

  expect((await send('/graphql', 'POST', { ...json, ...own }, query)).status).toBe(200);
});

test('forwards an export to its own pages only', async () => {
  const own = await send('/export/domains.csv', 'GET', { 'sec-fetch-site': 'same-origin' });
  const foreign = await send('/export/domains.csv', 'GET', { 'sec-fetch-site': 'cross-site' });

  expect(own.status).toBe(200);
  expect(own.headers).toHaveProperty('content-disposition');
  expect(own.text).toMatch(/^name,unicodeName,/);
  expect(foreign.status).toBe(403);
});

test.each([
  ['GET', '/graphql?query={gateway{caller}}'],
  ['OPTIONS', '/graphql'],
  ['POST', '/export/domains.csv'],
])('refuses the method of %s %s', async (method, path) => {
  expect((await send(path, method, json)).status).toBe(405);
});

test.each([
  ...['/metrics', '/health/ready', '/export/other.csv', '/graphql/x', '/graphql%2f'],
  ...['//127.0.0.1:1/', 'http://127.0.0.1:1/graphql/'],
])('does not forward %s', async (path) => {
  const { status, text } = await send(path, 'GET', { accept: 'application/json' });

  expect({ status, text }).toEqual({ status: 404, text: 'no such path' });
});

test('refuses a body beyond the limit of the gateway', async () => {
  expect((await send('/graphql', 'POST', json, ' '.repeat(262_145))).status).toBe(413);
});

test('responds 502 when the gateway cannot be reached', async () => {
  const alone = await serve('http://127.0.0.1:1');
  const { status, text } = await send('/graphql', 'POST', json, query, alone);
  alone.close();

  expect({ status, text }).toEqual({ status: 502, text: 'The gateway cannot be reached.\n' });
});

test('forwards a stream, and ends it in the gateway when the client closes it', async () => {
  const { port } = server.address() as AddressInfo;
  const open = async () => {
    const sent = request({
      ...{ host: '127.0.0.1', port, path: '/graphql', method: 'POST' },
      headers: { ...json, accept: 'text/event-stream' },
    });
    sent.end(JSON.stringify({ query: 'subscription { events { id } }' }));
    const [response]: IncomingMessage[] = await once(sent, 'response');
    return { status: response?.statusCode, close: () => sent.destroy() };
  };

  const first = await open();
  // The gateway accepts one stream at a time.
  const second = await open();
  second.close();
  first.close();

  expect([first.status, second.status]).toEqual([200, 429]);
  await expect
    .poll(async () => {
      const next = await open();
      next.close();
      return next.status;
    })
    .toBe(200);
});
