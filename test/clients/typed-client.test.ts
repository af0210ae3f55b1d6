import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import {
  ClientError,
  createClient,
  type GraphEvent,
  type OrderUpdate,
  type TypedDocument,
} from '../../client/index.ts';
import { defaults, placeOrder, readOrder, registration } from '../graph/orders/order-shop.ts';
import { openShop, order as registerInput, transferCode } from '../graph/purchases/shop.ts';
import { freePort } from '../support/free-port.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { collect } from '../support/scripted-fetch.ts';
import { startTcpProxy } from '../support/tcp-proxy.ts';
import { changeFive, facts, five, intervalMs, startWatched } from '../support/watched-gateway.ts';

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

describe('from one gateway', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startTestGateway({ sandboxDomains: 40 });
  });
  afterAll(() => gateway?.close());

  test('every page of a connection is read', async () => {
    const { data } = await gateway.query('{ domains(first: 100) { nodes { name } } }');

    const all = await collect(
      connect(gateway.url).paginate(names, { first: 15 }, (page) => page.domains),
    );

    expect(all).toEqual(data.domains.nodes);
    expect(all.length).toBeGreaterThan(30);
  });

  test('an error has its code and its data, which onErrors passes on', async () => {
    const client = connect(gateway.url);
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
      ...{ code: 'UPSTREAM_AUTH', category: 'UPSTREAM', status: 200, isTemporary: false },
      data: { reseller: { name: 'Demo Reseller' }, domain: null },
    });
    expect(partial).toEqual({ reseller: { name: 'Demo Reseller' }, domain: null });
    expect(errors).toMatchObject([{ path: ['domain'] }]);
  });

  test('its methods read and change domains, and return the errors of a mutation as data', async () => {
    const { availability, domains, purchases } = connect(gateway.url);

    expect(await availability.check(['sdk-checks.com', 'example.com', 'no name'])).toMatchObject([
      { name: 'sdk-checks.com', state: 'AVAILABLE', quote: { highest: { currency: 'USD' } } },
      { state: 'TAKEN', quote: { highest: null } },
      { state: 'INVALID' },
    ]);
    const found = await availability.search('sdk-checks', { tlds: ['com', 'net'], suggestions: 1 });
    expect(found.map(({ availability: { name }, suggested }) => [name, suggested])).toMatchObject([
      ['sdk-checks.com', false],
      ['sdk-checks.net', false],
      [expect.any(String), true],
    ]);
    const domain = await domains.get('reseller-demo.com');
    expect(domain).toMatchObject({ state: 'ACTIVE', transferLocked: expect.any(Boolean) });
    expect(await domains.get('not-in-the-account.com')).toBeNull();
    expect(await collect(domains.list({ filter: { contains: 'reseller-demo.com' } }))).toEqual([
      domain,
    ]);
    const [hosts, wrong] = [['ns1.b-host.net', 'ns2.b-host.net'], ['not a host']];
    expect(await domains.setNameServers('unlocked-demo.com', hosts)).toEqual({
      ...{ nameServers: hosts, errors: [] },
    });
    expect(await domains.setNameServers('unlocked-demo.com', wrong)).toMatchObject({
      errors: [{ code: 'INVALID_INPUT', path: ['input', 'nameServers', '0'] }],
    });
    expect(await domains.setPrivacyProtection('private-demo.net', false)).toEqual({
      ...{ privacyProtected: false, errors: [] },
    });
    const transfer = { domain: 'reseller-demo.com', authCode: transferCode };
    expect(await purchases.transfer(transfer)).toMatchObject({
      ...{ purchase: null, keyUsed: false, errors: [{ code: 'ALREADY_OWNED' }] },
    });
  });

  test('a purchase that does not exist is an error, not a wait', async () => {
    await expect(connect(gateway.url).purchases.wait('none')).rejects.toBeInstanceOf(ClientError);
  });
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

/** A client whose first connection is lost when `received` resolves, or else when the response has arrived. */
function connectLosing(url: string, received?: () => Promise<unknown>) {
  const bodies: string[] = [];
  const client = createClient({
    url: `${url}/graphql`,
    async fetch(input, init) {
      if (bodies.push(String(init?.body)) > 1) return fetch(input, init);
      const cut = new AbortController();
      const sent = fetch(input, { ...init, signal: cut.signal }).then((response) =>
        response.text(),
      );
      await Promise.any([sent, ...(received ? [received()] : [])]);
      cut.abort();
      await sent.catch(() => undefined);
      throw new TypeError('The connection was lost.');
    },
  });
  return { client, bodies };
}

describe('a connection that is lost after the request was received', () => {
  test('causes one purchase, which the same key returns', { tags: ['I1'] }, async () => {
    const shop = await openShop();
    onTestFinished(() => shop.close());
    await shop.arm('delay', { action: 'registerdomain', ms: 1_000 });
    await shop.gateway.resetCalls();
    const isSent = async () =>
      expect(await shop.gateway.countCalls()).toHaveProperty('registerdomain');
    const { client, bodies } = connectLosing(shop.gateway.url, () => vi.waitFor(isSent, 30_000));

    const bought = await client.purchases.register({
      ...registerInput({}),
      domain: 'sent-once.com',
    });

    expect(bodies[1]).toBe(bodies[0]);
    expect(bought).toMatchObject({ replayed: true, keyUsed: true, errors: [] });
    expect(bought.idempotencyKey).toBe(JSON.parse(bodies[0] ?? '').variables.input.idempotencyKey);
    const settled = await client.purchases.wait(bought.purchase?.id ?? '');
    expect(settled.state).toBe('SUCCEEDED');
    expect(await client.purchases.get({ key: bought.idempotencyKey })).toEqual(settled);
    expect(await shop.gateway.countCalls()).toMatchObject({ registerdomain: 1 });
    expect(await shop.ledger()).toMatchObject([{ domain: 'sent-once.com' }]);
  });

  test('causes one order and one bulk change', async () => {
    const shop = await openShop();
    onTestFinished(() => shop.close());
    const { client: buyer } = connectLosing(shop.gateway.url);
    const { client: changer } = connectLosing(shop.gateway.url);

    const placed = await buyer.orders.place({ lines: [registration('one-order.com')], defaults });
    const started = await changer.bulkChanges.start({
      ...{ names: ['private-demo.net'], expectedCount: 1, change: { privacyProtected: false } },
    });
    const orders = await collect(buyer.orders.follow(placed.order?.id ?? ''));
    const changes = await collect(changer.bulkChanges.follow(started.bulkChange?.id ?? ''));

    expect([placed, started]).toMatchObject([{ replayed: true }, { replayed: true }]);
    expect(orders.at(-1)?.order).toMatchObject({ state: 'SUCCEEDED' });
    expect(changes.at(-1)?.bulkChange).toMatchObject({ progress: { succeeded: 1 } });
    expect(await buyer.orders.get({ key: placed.idempotencyKey })).toMatchObject({
      lines: [{ domainName: 'one-order.com', state: 'SUCCEEDED' }],
    });
    expect(await changer.bulkChanges.get({ key: started.idempotencyKey })).toMatchObject({
      items: [{ domainName: 'private-demo.net', state: 'SUCCEEDED' }],
    });
    expect(await shop.gateway.countCalls()).toMatchObject({
      registerdomain: 1,
      modifyprivacystatus: 1,
    });
  });
});

test('purchases.wait continues after a lost connection and a restart, and the purchase is sent once', async () => {
  const shop = await openShop({
    env: { PORT: String(await freePort()) },
  });
  onTestFinished(() => shop.close());
  const { proxy, url } = await startProxied(shop.gateway.url);
  await shop.arm('lost-answer', { action: 'registerdomain' });
  await shop.arm('gateway', { action: 'getdetails', after: 1, times: 3 });
  const { purchase } = await shop.register({ domain: 'client-waits.com' });
  expect(purchase.state).toBe('PENDING');

  const settled = connect(url).purchases.wait(purchase.id);
  await sleep(200);
  await proxy.cut();
  await shop.gateway.restart();
  await proxy.restore();

  await expect(settled).resolves.toMatchObject({
    id: purchase.id,
    state: 'SUCCEEDED',
    errors: [],
  });
  expect(await shop.ledger()).toMatchObject([{ domain: 'client-waits.com' }]);
}, 60_000);

test('orders.follow continues after a lost connection, has each change, and ends with the order', async () => {
  const shop = await openShop();
  onTestFinished(() => shop.close());
  const { proxy, url } = await startProxied(shop.gateway.url);
  await shop.arm('delay', { action: 'registerdomain', ms: 300, times: 12 });
  const lines = Array.from({ length: 12 }, (_, at) => registration(`followed-${at}.com`));
  const { order } = await placeOrder(shop, { lines });
  const seen: OrderUpdate[] = [];
  const states = new Map<number, string>();

  for await (const now of connect(url).orders.follow(order.id)) {
    seen.push(now);
    if (now.changed.length === 0) {
      for (const { position, state } of (await readOrder(shop, order.id)).lines)
        states.set(position, state);
    }
    for (const { position, state } of now.changed) states.set(position, state);
    if (seen.length !== 2) continue;
    await proxy.cut();
    await proxy.restore();
  }

  expect(seen.at(-1)?.order).toMatchObject({ state: 'SUCCEEDED', progress: { succeeded: 12 } });
  expect([...states.values()]).toEqual(lines.map(() => 'SUCCEEDED'));
  expect(seen.filter(({ changed }) => changed.length === 0)).toHaveLength(2);
  expect(await shop.gateway.countCalls()).toMatchObject({ registerdomain: 12 });
}, 60_000);

test('events from now on are complete and come once, across lost connections and a restart', async () => {
  const [PORT, SANDBOX_PORT] = [String(await freePort()), String(await freePort())];
  const here = await startWatched({ env: { PORT, SANDBOX_PORT } });
  const { gateway, time, write } = here;
  const { proxy, url } = await startProxied(gateway.url);
  const { client, started } = connectCounting(url);
  const followed = client.events.stream();
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
  // The client waits longer after each failure, in real time.
  await vi.waitFor(() => expect(seen).toHaveLength(5), 60_000);
  await gateway.restart();
  await write('modifyprivacystatus', { domain: 'private-demo.net', status: true });
  await time.pass(intervalMs);
  // The gateway reads new events for its streams at an interval.
  await time.during(whole);

  expect(seen.map(facts)).toEqual(six);
  expect(new Set(seen.map(({ id }) => id)).size).toBe(6);
});

const six = [...five, ['PRIVACY_CHANGED', 'private-demo.net', 'false', 'true']];
