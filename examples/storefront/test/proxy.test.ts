import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  request,
  type Server,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { newFolder } from '../../../test/support/folder.ts';
import { startTestGateway, type TestGateway } from '../../../test/support/gateway.ts';
import { program } from './storefront.ts';

const query = JSON.stringify({ query: '{ gateway { caller scopes } domains { totalCount } }' });
const json = { 'content-type': 'application/json' };

let folder: string;
let gateway: TestGateway;
let server: Server;
/** A server that takes payments, and the payments and webhooks that it received. */
let paid: Server;
let handled: { readonly url: unknown; readonly authorization: unknown; readonly body: string }[];
beforeAll(async () => {
  folder = await newFolder('storefront-keys');
  const JWT_ISSUERS = JSON.stringify((await sessionsIn(folder)).issuers);
  gateway = await startTestGateway({
    accountToken: null,
    env: { AUTH: 'keys', JWT_ISSUERS, MAX_STREAMS_PER_CALLER: '1' },
  });
  server = await serve(gateway.url);
  const handle: RequestListener = async (sent, response) => {
    const body = Buffer.concat(await sent.toArray()).toString();
    handled.push({ url: sent.url, authorization: sent.headers.authorization, body });
    response.end();
  };
  paid = await serve(gateway.url, Promise.resolve({ handle }));
});
beforeEach(() => {
  handled = [];
});
afterAll(async () => {
  server.close();
  paid.close();
  await gateway.close();
  await rm(folder, { recursive: true });
});

const sessionsIn = async (directory: string) =>
  (await program('session.js')).createSessions(directory);

/** The middleware of the storefront in a server of Node, which responds 404 to all other paths. */
async function serve(gatewayUrl: string, payments: object | null = null): Promise<Server> {
  const { gatewayProxy } = await program('proxy.js');
  const sessions = await sessionsIn(folder);
  type Handle = (...request: [...Parameters<RequestListener>, () => void]) => void;
  let handle: Handle = () => undefined;
  const use = (one: Handle) => {
    handle = one;
  };
  gatewayProxy({ gateway: gatewayUrl, sessions, payments }).configureServer({
    middlewares: { use },
  });
  const listening = createServer((sent, response) =>
    handle(sent, response, () => response.writeHead(404).end('no such path')),
  ).listen(0, '127.0.0.1');
  await once(listening, 'listening');
  return listening;
}

interface Sent {
  readonly status: number;
  readonly text: string;
  readonly headers: IncomingMessage['headers'];
}

/** As `fetch`, which sets Host and Origin itself. */
const send = (path: string, method: string, headers = {}, body = '', to = server) =>
  new Promise<Sent>((resolve, reject) => {
    const { port } = to.address() as AddressInfo;
    const host = '127.0.0.1';
    const sent = request({ host, port, path, method, headers }, async (response) => {
      const text = Buffer.concat(await response.toArray()).toString();
      resolve({ status: response.statusCode ?? 0, text, headers: response.headers });
    });
    sent.on('error', reject).end(body);
  });

/** The header of a browser that has signed in. */
async function signIn(account: string): Promise<{ readonly cookie: string }> {
  const { headers } = await send('/session', 'POST', json, JSON.stringify({ account }));
  return { cookie: headers['set-cookie']?.[0]?.split(';')[0] ?? '' };
}

const graph = async (headers: object, document = query) =>
  JSON.parse((await send('/graphql', 'POST', { ...json, ...headers }, document)).text);

test('a visitor may search, and read nothing', async () => {
  const { data, errors } = await graph({});

  expect(data).toEqual({
    gateway: { caller: 'shop:visitor', scopes: ['domains:check'] },
    domains: null,
  });
  expect(errors[0].extensions.code).toBe('FORBIDDEN');
});

test.each([
  ['adas-bakery', 'shop:adas-bakery', false],
  ['staff', 'staff:staff', true],
])(
  '%s is the caller %s after its sign-in, and its right to read costs is %s',
  async (id, caller, knowsCosts) => {
    const { data } = await graph(await signIn(id));

    expect(data.gateway.caller).toBe(caller);
    const { scopes } = data.gateway;
    const ofStaff = ['account:read', 'customers:write', 'ops', 'prices:cost'];
    expect(ofStaff.filter((scope) => scopes.includes(scope))).toEqual(knowsCosts ? ofStaff : []);
  },
);

test('a customer reads its own domain only, and no cost, balance or other customer', async () => {
  const own = 'reseller-demo.com';
  const foreign = 'grace-demo.com';
  const staff = await signIn('staff');
  const assign = (domain: string, customer: string) => ({
    query: `mutation { setDomainCustomer(input: { names: ["${domain}"], customer: "${customer}" }) { errors { message } } }`,
  });
  for (const [domain, customer] of [
    [own, 'adas-bakery'],
    [foreign, 'blue-bicycle'],
  ] as const) {
    const { data } = await graph(staff, JSON.stringify(assign(domain, customer)));
    expect(data.setDomainCustomer.errors).toEqual([]);
  }
  const ada = await signIn('adas-bakery');

  const { data } = await graph(
    ada,
    JSON.stringify({
      query: `{
        own: domain(name: "${own}") { name }
        foreign: domain(name: "${foreign}") { name }
        domains { totalCount }
        tld(name: "com") { price(operation: REGISTRATION) { price { amount } cost { amount } } }
        reseller { balances { money { amount } } }
      }`,
    }),
  );
  const refused = await graph(ada, JSON.stringify(assign(foreign, 'adas-bakery')));

  expect(data).toEqual({
    own: { name: own },
    foreign: null,
    domains: { totalCount: 1 },
    tld: { price: { price: { amount: expect.any(String) }, cost: null } },
    reseller: null,
  });
  expect(refused.errors[0].extensions.code).toBe('FORBIDDEN');
});

test('the cookie is not for scripts or other sites, and its token is in no body', async () => {
  const start = await send('/session', 'POST', json, JSON.stringify({ account: 'staff' }));
  const [set = ''] = start.headers['set-cookie'] ?? [];
  const cookie = set.split(';')[0] ?? '';
  const token = cookie.split('=')[1] ?? '';
  const bodies = [
    start.text,
    (await send('/session', 'GET', { cookie })).text,
    (await send('/graphql', 'POST', { ...json, cookie }, query)).text,
  ];

  expect(set).toMatch(/; Path=\/; HttpOnly; SameSite=Strict; Max-Age=28800$/);
  expect(JSON.parse(bodies[1] ?? '').account.name).toBe('Reseller (staff)');
  expect(token.split('.')).toHaveLength(3);
  for (const body of bodies) expect(body).not.toContain(token);
});

test('behind TLS the cookie is for TLS only', async () => {
  const headers = { ...json, 'x-forwarded-proto': 'https' };
  const body = JSON.stringify({ account: 'staff' });

  const { headers: received } = await send('/session', 'POST', headers, body);

  expect(received['set-cookie']?.[0]).toMatch(/; Secure$/);
});

test('a sign-out removes the cookie', async () => {
  const { headers } = await send('/session', 'DELETE', await signIn('staff'));

  expect(headers['set-cookie']?.[0]).toMatch(/^storefront=; .*Max-Age=0$/);
});

test.each([
  ['an altered token', (token: string) => token.replace(/\.[^.]+\./, '.e30.')],
  [
    'a token of another key',
    async () => (await sessionsIn(`${folder}/other`)).tokenForServer('staff'),
  ],
  ['no token', () => 'x'],
])('%s is a visitor', async (_name, change) => {
  const { cookie } = await signIn('staff');
  const changed = `storefront=${await change(cookie.split('=')[1] ?? '')}`;

  expect((await graph({ cookie: changed })).data.gateway.caller).toBe('shop:visitor');
});

test('an expired session is a visitor', async () => {
  const { cookie } = await signIn('staff');
  vi.setSystemTime(Date.now() + 8 * 3600_000);
  const { text } = await send('/session', 'GET', { cookie });
  vi.useRealTimers();

  expect(JSON.parse(text).account).toBeNull();
});

test('an unknown account is refused without a cookie', async () => {
  const found = await Promise.all(
    ['{"account":"unknown"}', '{"account":{}}', 'null', '{'].map((body) =>
      send('/session', 'POST', json, body),
    ),
  );

  for (const { status, headers } of found) {
    expect([status, headers['set-cookie']]).toEqual([401, undefined]);
  }
});

test.each(['POST', 'DELETE'])('a page of another site cannot %s a session', async (method) => {
  const headers = { ...json, origin: 'http://evil.example' };

  const { status, headers: received } = await send(
    '/session',
    method,
    headers,
    '{"account":"staff"}',
  );

  expect([status, received['set-cookie']]).toEqual([403, undefined]);
});

test.each([{ 'x-api-key': 'wrong' }, { authorization: 'Bearer wrong' }, { cookie: 'a=b' }])(
  'forwards no credential of the client: %o',
  async (headers) => {
    expect((await graph(headers)).data.gateway.caller).toBe('shop:visitor');
  },
);

const foreign = [
  ['another site', { origin: 'http://evil.example' }, 403],
  ['another port', { origin: 'http://127.0.0.1:1' }, 403],
  ['an opaque origin', { origin: 'null' }, 403],
  ['another site without an origin', { 'sec-fetch-site': 'cross-site' }, 403],
  ['a neighbour site', { 'sec-fetch-site': 'same-site' }, 403],
  ['a form', { 'content-type': 'text/plain' }, 415],
] as const;

test.each(foreign)(
  'refuses a request of %s before the gateway',
  async (_name, headers, expected) => {
    await gateway.resetCalls();

    const { status, text } = await send('/graphql', 'POST', { ...json, ...headers }, query);

    expect(status).toBe(expected);
    expect(text).not.toContain('totalCount');
    expect(await gateway.countCalls()).toEqual({});
  },
);

test('accepts a page of its own', async () => {
  const { port } = server.address() as AddressInfo;
  const origin = `http://127.0.0.1:${port}`;
  const own = { origin, 'sec-fetch-site': 'same-origin' };

  expect((await send('/graphql', 'POST', { ...json, ...own }, query)).status).toBe(200);
});

test('forwards an export to its own pages only', async () => {
  const get = async (site: string) =>
    send('/export/domains.csv', 'GET', { 'sec-fetch-site': site, ...(await signIn('staff')) });
  const own = await get('same-origin');
  const foreign = await get('cross-site');

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
  ...[
    '/payments',
    '/webhooks/stripe',
    '/metrics',
    '/health/ready',
    '/export/other.csv',
    '/graphql/x',
    '/graphql%2f',
  ],
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
  const { cookie } = await signIn('staff');
  const open = async () => {
    const sent = request({
      ...{ host: '127.0.0.1', port, path: '/graphql', method: 'POST' },
      headers: { ...json, cookie, accept: 'text/event-stream' },
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

test('ends a request in the gateway when its page is closed before the response', async () => {
  const received = Promise.withResolvers<IncomingMessage>();
  const slow = createServer((sent) => received.resolve(sent)).listen(0, '127.0.0.1');
  await once(slow, 'listening');
  const { port } = slow.address() as AddressInfo;
  const alone = await serve(`http://127.0.0.1:${port}`);
  const to = { host: '127.0.0.1', port: (alone.address() as AddressInfo).port };
  const sent = request({ ...to, path: '/graphql', method: 'POST', headers: json });
  sent.on('error', () => undefined).end(query);
  const { socket } = await received.promise;
  sent.destroy();

  await expect.poll(() => socket.destroyed).toBe(true);
  for (const one of [alone, slow]) one.close();
});

test.each(foreign)('refuses a payment of %s', async (_name, headers, expected) => {
  const { status } = await send('/payments', 'POST', { ...json, ...headers }, '{}', paid);

  expect({ status, handled }).toEqual({ status: expected, handled: [] });
});

test('a payment has the token of the session, and no other credential', async () => {
  const { cookie } = await signIn('adas-bakery');
  const authorization = `Bearer ${cookie.split('=')[1]}`;
  const body = '{"order":"one"}';

  const headers = { ...json, cookie, authorization: 'Bearer other' };
  await send('/payments', 'POST', headers, body, paid);

  expect(handled).toEqual([{ url: '/payments', authorization, body }]);
});

test('refuses a payment beyond the limit of a body', async () => {
  const { status } = await send('/payments', 'POST', json, ' '.repeat(262_145), paid);

  expect({ status, handled }).toEqual({ status: 413, handled: [] });
});

test('a webhook of Stripe needs no session, and has none', async () => {
  const body = '{"type":"payment_intent.succeeded"}';
  const headers = { ...json, 'stripe-signature': 't=1,v1=00' };

  await send('/webhooks/stripe', 'POST', headers, body, paid);

  expect(handled).toEqual([{ url: '/webhooks/stripe', authorization: undefined, body }]);
});

test('a customer pays by card where payments are taken, and the staff and visitors do not', async () => {
  const paysByCard = async (headers: object, to: Server) =>
    JSON.parse((await send('/session', 'GET', headers, '', to)).text).paysByCard;
  const ada = await signIn('adas-bakery');

  expect(await paysByCard(ada, paid)).toBe(true);
  expect(await paysByCard(ada, server)).toBe(false);
  expect(await paysByCard(await signIn('staff'), paid)).toBe(false);
  expect(await paysByCard({}, paid)).toBe(false);
});

test.each(['/session', '/graphql', '/payments'])(
  'a request to %s that ends before its body is whole does not end the server',
  async (path) => {
    const { port } = paid.address() as AddressInfo;
    const received = once(paid, 'request');
    const headers = { ...json, 'content-length': '100' };
    const sent = request({ host: '127.0.0.1', port, path, method: 'POST', headers });
    sent.on('error', () => undefined).write('{');
    const [{ socket }] = await received;
    sent.destroy();
    await expect.poll(() => socket.destroyed).toBe(true);

    expect((await send('/session', 'GET', {}, '', paid)).status).toBe(200);
  },
);
