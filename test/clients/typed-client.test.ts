import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { parse, print } from 'graphql';
import { expect, onTestFinished, test, vi } from 'vitest';
import {
  ClientError,
  createClient,
  type GraphEvent,
  type Order,
  type TypedDocument,
} from '../../src/client/index.ts';
import { Transport } from '../../src/client/transport.ts';
import { root } from '../docs/markdown.ts';
import {
  changeFive,
  facts,
  five,
  intervalMs,
  startWatched,
} from '../graph/events/watched-gateway.ts';
import { placeOrder, registration } from '../graph/orders/order-shop.ts';
import { openShop } from '../graph/purchases/shop.ts';
import { freePort } from '../support/free-port.ts';
import { startTestGateway } from '../support/gateway.ts';
import { startTcpProxy } from '../support/tcp-proxy.ts';

const connect = (url: string) => createClient({ url: `${url}/graphql` });

/** A client, and a wait for its first response: from then on it knows where its events start. */
function connectCounting(url: string) {
  let responses = 0;
  const client = createClient({
    url: `${url}/graphql`,
    async fetch(input, init) {
      const response = await fetch(input, init);
      responses += 1;
      return response;
    },
  });
  const started = () => vi.waitFor(() => expect(responses).toBeGreaterThan(0), 10_000);
  return { client, started };
}

async function startGateway() {
  const gateway = await startTestGateway({ sandboxDomains: 40 });
  onTestFinished(() => gateway.close());
  return { gateway, client: connect(gateway.url) };
}

/** A proxy before a gateway, and a client of it. */
async function startProxied(url: string) {
  const proxy = await startTcpProxy('127.0.0.1', Number(new URL(url).port));
  onTestFinished(() => proxy.cut());
  return { proxy, url: `http://${proxy.host}` };
}

interface Names {
  readonly domains: {
    readonly nodes: readonly ({ readonly name: string } | null)[];
    readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
  };
}
interface PageVariables {
  readonly first: number;
  readonly after?: string | null;
}
const key = 'typed-client-key-0123456789abcdef';

const names: TypedDocument<Names, PageVariables> =
  'query ($first: Int, $after: String) { domains(first: $first, after: $after) { nodes { name } pageInfo { hasNextPage endCursor } } }';

async function collect<Node>(nodes: AsyncIterable<Node>): Promise<readonly Node[]> {
  const all: Node[] = [];
  for await (const node of nodes) all.push(node);
  return all;
}

test('every page is read, one request each, and no page after the caller stops', async () => {
  const { gateway, client } = await startGateway();
  const { data } = await gateway.query('{ domains(first: 100) { totalCount nodes { name } } }');
  const requests: string[] = [];
  const counting = createClient({
    url: `${gateway.url}/graphql`,
    fetch: (input, init) => {
      requests.push(String(init?.body));
      return fetch(input, init);
    },
  });

  const all = await collect(client.paginate(names, { first: 15 }, (page) => page.domains));
  const some: string[] = [];
  for await (const { name } of counting.paginate(names, { first: 15 }, ({ domains }) => domains)) {
    some.push(name);
    if (some.length === 20) break;
  }

  expect(all).toEqual(data.domains.nodes);
  expect(all.length).toBeGreaterThan(30);
  expect(some).toEqual(all.slice(0, 20).map(({ name }) => name));
  expect(requests).toHaveLength(2);
});

test('a document that ignores the cursor is an error, and no endless loop', async () => {
  const { client } = await startGateway();
  const first: TypedDocument<Names, PageVariables> =
    'query { domains(first: 5) { nodes { name } pageInfo { hasNextPage endCursor } } }';

  const read = collect(client.paginate(first, { first: 5 }, (page) => page.domains));

  await expect(read).rejects.toMatchObject({ code: 'BAD_USER_INPUT' });
});

test('an error of the graph has its code and its data, which onErrors passes on', async () => {
  const { gateway, client } = await startGateway();
  const document: TypedDocument<
    Record<string, unknown>,
    Record<string, never>
  > = '{ reseller { name } domain(name: "unlocked-demo.com") { name } }';
  const fail = () =>
    gateway.admin('POST', '/faults', { fault: 'code', code: '300', action: 'getdetails' });
  const errors: unknown[] = [];

  await fail();
  const refused = await client.request(document).catch((error: unknown) => error);
  await fail();
  const partial = await client.request(document, {}, { onErrors: (all) => errors.push(...all) });

  expect(refused).toBeInstanceOf(ClientError);
  expect(refused).toMatchObject({
    ...{ code: 'UPSTREAM_UNAVAILABLE', status: 200, isTemporary: true },
    data: { reseller: { name: 'Demo Reseller' }, domain: null },
  });
  expect(partial).toEqual({ reseller: { name: 'Demo Reseller' }, domain: null });
  expect(errors).toMatchObject([{ path: ['domain'] }]);
});

test('a refused request and a refused subscription have the status and the code', async () => {
  const gateway = await startTestGateway({ env: { AUTH: 'keys', API_KEY: key } });
  onTestFinished(() => gateway.close());
  const anonymous = connect(gateway.url);
  const known = createClient({
    url: `${gateway.url}/graphql`,
    headers: async () => ({ 'x-api-key': key }),
  });

  await expect(anonymous.request('{ gateway { version } }')).rejects.toMatchObject({
    ...{ code: 'UNAUTHENTICATED', status: 401, isTemporary: false },
  });
  await expect(known.request('{ gateway { version } }')).resolves.toHaveProperty('gateway');
  await expect(anonymous.subscribe('subscription { events { id } }').next()).rejects.toMatchObject({
    code: 'UNAUTHENTICATED',
    status: 401,
  });
});

test('a response that is not one of a gateway, and none, have codes of their own', async () => {
  const { gateway } = await startGateway();
  const page = createClient({ url: `${gateway.sandboxUrl}/nothing` });
  const nothing = createClient({ url: `http://127.0.0.1:${await freePort()}/graphql` });

  await expect(page.request('{ __typename }')).rejects.toMatchObject({
    code: 'UNEXPECTED_RESPONSE',
    isTemporary: false,
  });
  await expect(nothing.request('{ __typename }')).rejects.toMatchObject({
    ...{ code: 'NETWORK_ERROR', status: null, isTemporary: true },
  });
});

test('an aborted signal ends requests, subscriptions and waits with its reason', async () => {
  const { gateway, client } = await startGateway();
  await gateway.admin('POST', '/faults', { fault: 'delay', ms: 1_500, action: 'getdetails' });
  const reason = new Error('The user left.');
  const abortSoon = () => {
    const controller = new AbortController();
    setTimeout(() => controller.abort(reason), 100);
    return controller.signal;
  };
  const slow = '{ domain(name: "unlocked-demo.com") { name } }';

  const ended = await Promise.allSettled([
    client.request(slow, {}, { signal: abortSoon() }),
    client.subscribe('subscription { events { id } }', {}, { signal: abortSoon() }).next(),
    client.events({ signal: abortSoon() }).next(),
    client.orderProgress('none', { signal: AbortSignal.abort(reason) }).next(),
  ]);

  expect(ended).toEqual(ended.map(() => ({ status: 'rejected', reason })));
});

test('waitForPurchase continues after a lost connection and a restart, and the purchase is sent once', async () => {
  const shop = await openShop({
    env: { PORT: String(await freePort()), UPSTREAM_TIMEOUT_MS: '800' },
  });
  onTestFinished(() => shop.close());
  const { proxy, url } = await startProxied(shop.gateway.url);
  await shop.arm('lost-answer', { action: 'registerdomain' });
  await shop.arm('gateway', { action: 'getdetails', after: 1, times: 3 });
  const { purchase } = await shop.register({ domain: 'client-waits.com' });
  expect(purchase.state).toBe('PENDING');

  const settled = connect(url).waitForPurchase(purchase.id);
  await sleep(200);
  await proxy.cut();
  await shop.gateway.restart();
  await proxy.restore();

  await expect(settled).resolves.toMatchObject({
    id: purchase.id,
    state: 'SUCCEEDED',
    error: null,
  });
  expect(await shop.ledger()).toMatchObject([{ domain: 'client-waits.com' }]);
}, 60_000);

test('a purchase that does not exist is an error, not a wait', async () => {
  const { client } = await startGateway();

  await expect(client.waitForPurchase('none')).rejects.toBeInstanceOf(ClientError);
});

test('orderProgress continues after a lost connection, repeats no state, and ends with the order', async () => {
  const shop = await openShop();
  onTestFinished(() => shop.close());
  const { proxy, url } = await startProxied(shop.gateway.url);
  await shop.arm('delay', { action: 'registerdomain', ms: 300, times: 12 });
  const lines = Array.from({ length: 12 }, (_, at) => registration(`followed-${at}.com`));
  const { order } = await placeOrder(shop, { lines });
  const seen: Order[] = [];

  for await (const now of connect(url).orderProgress(order.id)) {
    seen.push(now);
    if (seen.length !== 2) continue;
    await proxy.cut();
    await proxy.restore();
  }

  expect(seen.at(-1)).toMatchObject({ state: 'SUCCEEDED', progress: { succeeded: 12 } });
  expect(new Set(seen.map((one) => JSON.stringify(one))).size).toBe(seen.length);
  expect(seen.length).toBeGreaterThan(2);
  expect(await shop.gateway.countCalls()).toMatchObject({ registerdomain: 12 });
}, 60_000);

test.each([
  ['from now on, in an account that had no event', undefined],
  ['after a cursor', 'first'],
])(
  'events %s are complete and come once, across lost connections and a restart',
  async (_title, from) => {
    const [PORT, SANDBOX_PORT] = [String(await freePort()), String(await freePort())];
    const here = await startWatched({ env: { PORT, SANDBOX_PORT } });
    const { gateway, time, write } = here;
    if (from) {
      await write('modifyprivacystatus', { domain: 'reseller-demo.com', status: true });
      await time.pass(intervalMs);
    }
    const [earlier] = (await here.events()).nodes;
    const { proxy, url } = await startProxied(gateway.url);
    const { client, started } = connectCounting(url);
    const followed = client.events(earlier && { after: earlier.cursor });
    const seen: GraphEvent[] = [];
    const read = async () => {
      for await (const event of followed) if (seen.push(event) === six.length) break;
    };

    const whole = read();
    await started();
    await changeFive(here);
    await proxy.cut();
    await time.pass(intervalMs);
    await proxy.restore();
    await vi.waitFor(() => expect(seen).toHaveLength(5), 10_000);
    await gateway.restart();
    await write('modifyprivacystatus', { domain: 'private-demo.net', status: true });
    await time.pass(intervalMs);
    await whole;

    expect(seen.map(facts)).toEqual(six);
    expect(new Set(seen.map(({ id }) => id)).size).toBe(6);
  },
  60_000,
);

const six = [...five, ['PRIVACY_CHANGED', 'private-demo.net', 'false', 'true']];

test('events of a filter start now, although the account has older ones', async () => {
  const here = await startWatched();
  await changeFive(here);
  await here.time.pass(intervalMs);
  const { client, started } = connectCounting(here.gateway.url);

  const next = client.events({ filter: { types: ['PRIVACY_CHANGED'] } }).next();
  await started();
  await here.write('modifyprivacystatus', { domain: 'private-demo.net', status: true });
  await here.time.pass(intervalMs);

  const { value } = await next;
  expect(value).toMatchObject({ type: 'PRIVACY_CHANGED', before: 'false', after: 'true' });
});

test('a connection that is silent without an error is lost', async () => {
  const { gateway } = await startGateway();
  const { proxy, url } = await startProxied(gateway.url);
  let hasHead = () => {};
  const head = new Promise<void>((resolve) => {
    hasHead = resolve;
  });
  const transport = new Transport(
    {
      url: `${url}/graphql`,
      async fetch(input, init) {
        const response = await fetch(input, init);
        hasHead();
        return response;
      },
    },
    500,
  );
  const next = transport.subscribe('subscription { events { id } }', {}).next();
  const lost = expect(next).rejects.toMatchObject({ code: 'NETWORK_ERROR' });
  await head;

  proxy.fallSilent();

  await lost;
});

test('a server that accepts connections and never responds is a lost connection', async () => {
  const mute = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void mute.close());
  await once(mute, 'listening');
  const { port } = mute.address() as AddressInfo;
  const transport = new Transport({ url: `http://127.0.0.1:${port}/graphql` }, 300);
  const subscribed = transport.subscribe('subscription { events { id } }', {}).next();
  const requested = transport.request('{ __typename }', {}, { timeoutMs: 300 });

  const ended = await Promise.allSettled([subscribed, requested]);
  const lost = { status: 'rejected', reason: { code: 'NETWORK_ERROR' } };
  expect(ended).toMatchObject([lost, lost]);
});

test('a parsed document is sent as its text, or as `print` writes it', async () => {
  const { gateway, client } = await startGateway();
  const parsed = parse('{ __typename }');
  const without = parse('{ __typename }', { noLocation: true });
  const printing = createClient({ url: `${gateway.url}/graphql`, print });

  expect(await client.request(parsed)).toEqual({ __typename: 'Query' });
  expect(await printing.request(without)).toEqual({ __typename: 'Query' });
  await expect(client.request(without)).rejects.toThrow('pass `print`');
});

test('the operations of the client are valid for the graph, and current', async () => {
  const run = promisify(execFile);

  await expect(
    run(process.execPath, ['scripts/client-operations.ts', '--check'], { cwd: root }),
  ).resolves.toMatchObject({ stderr: '' });
});
