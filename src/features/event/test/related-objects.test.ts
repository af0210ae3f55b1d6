import { expect, test } from 'vitest';
import { apiKeysOf, by } from '../../../../test/access/keys.ts';
import type { Payload } from '../../../../test/graph/purchases/shop.ts';
import { ada } from '../../../../test/support/ada.ts';
import { openStream } from '../../../../test/support/event-stream.ts';
import { startWatched } from '../../../../test/support/watched-gateway.ts';

const names = Array.from({ length: 6 }, (_, at) => `history-${at}.com`);
const ordered = { id: expect.any(String), key: 'history' };

/** A gateway whose key `shop` has bought six domains by one order, with two events for each. */
async function start() {
  const here = await startWatched({
    env: {
      API_KEYS: apiKeysOf({
        shop: ['domains:spend', 'domains:read', 'events:read'],
        rival: ['domains:spend', 'domains:read', 'events:read'],
        reader: ['domains:read', 'events:read'],
        owner: ['domains:read'],
      }),
      EVENTS_INTERVAL_SECONDS: '20',
    },
  });
  const ask = async (name: string, document: string, variables = {}) => {
    const { errors, data, extensions } = await here.gateway.query(document, variables, by(name));
    return {
      data,
      codes: (errors ?? []).map(({ extensions: { code } }: Payload) => code),
      extensions,
    };
  };
  const nameServers = ['ns1.example-dns.net', 'ns2.example-dns.net'];
  const input = {
    ...{ idempotencyKey: 'history', defaults: { registrant: { fields: ada }, nameServers } },
    lines: [...names, 'no name'].map((domain) => ({ registration: { domain } })),
  };
  const placed = await here.time.during(
    ask(
      'shop',
      `mutation ($input: PlaceOrderInput!) { placeOrder(input: $input) {
        order { id } quote { lines { domainName domain { name } errors { message } } } } }`,
      { input },
    ),
  );
  await here.time.pass(30_000);
  await here.gateway.resetCalls();
  return { ...here, ask, placed: placed.data.placeOrder };
}

test('an order, its purchases, their events and their domains lead to each other, for one list of domains', async () => {
  const { ask, gateway, placed } = await start();
  const { data, extensions } = await ask(
    'shop',
    `{ events { nodes { domainName domain { name } purchase { state domainName order { id key } } } }
       order(by: { id: "${placed.order.id}" }) {
         lines(first: 7) { domainName domain { name } state errors { message } purchase { order { key } } } } }`,
  );

  const pairs = data.events.nodes.map((event: { domainName: string }) => event.domainName);
  expect(pairs.toSorted()).toEqual(names.flatMap((name) => [name, name]));
  for (const { domainName, domain, purchase } of data.events.nodes) {
    expect(domain).toEqual({ name: domainName });
    expect(purchase).toEqual({ state: 'SUCCEEDED', domainName, order: ordered });
  }
  expect(data.order.lines).toEqual([
    ...names.map((domainName) => ({
      ...{ domainName, domain: { name: domainName }, state: 'SUCCEEDED', errors: [] },
      purchase: { order: { key: 'history' } },
    })),
    {
      ...{ domainName: null, domain: null, state: 'FAILED', purchase: null },
      errors: [{ message: expect.stringContaining('"no name"') }],
    },
  ]);
  expect(placed.quote.lines[6]).toMatchObject({ domainName: null, domain: null });
  expect(await gateway.countCalls()).toEqual({ getdomainlist: 1 });
  expect(extensions.cost.upstreamCalls).toBe(1 + 20 + 7);
});

test('a domain has its purchases and events without an upstream call, as far as the caller may read them', async () => {
  const { ask, gateway } = await start();
  const document = `{ domainsByName(names: ${JSON.stringify(names)}) {
    name purchases(first: 1) { totalCount nodes { key state } pageInfo { hasNextPage } }
    events(last: 1) { totalCount nodes { type } pageInfo { hasPreviousPage } } } }`;
  const history = (domain: string, purchases: number) => ({
    name: domain,
    purchases: {
      totalCount: purchases,
      nodes: purchases ? [{ key: `history:${names.indexOf(domain)}`, state: 'SUCCEEDED' }] : [],
      pageInfo: { hasNextPage: false },
    },
    events: {
      ...{ totalCount: 2, nodes: [{ type: 'DOMAIN_ADDED' }], pageInfo: { hasPreviousPage: true } },
    },
  });

  const own = await ask('shop', document);
  expect(own.data.domainsByName).toEqual(names.map((name) => history(name, 1)));
  expect(own.extensions.cost.storedRows).toBe(names.length * 2 * (1 + 21));
  const foreign = await ask('rival', document);
  expect(foreign.data.domainsByName).toEqual(names.map((name) => history(name, 0)));
  const reader = await ask('reader', document);
  expect(reader.data.domainsByName[0]).toEqual({ ...history(names[0] ?? '', 0), purchases: null });
  const owner = await ask('owner', document);
  expect(owner.data.domainsByName[0]).toEqual({ name: names[0], purchases: null, events: null });
  expect(new Set([...reader.codes, ...owner.codes])).toEqual(new Set(['FORBIDDEN']));
  // One for each of the four requests, for the domains themselves.
  expect(await gateway.countCalls()).toEqual({ getdomainlist: 4 });
});

test('a caller that may not read a purchase receives null in its place, in events and in errors', async () => {
  const { ask, time } = await start();
  const document = '{ events { nodes { purchase { id } } } }';
  const conflict = `mutation { registerDomain(input: { domain: "history-0.com", idempotencyKey: "history:0",
    nameServers: ["ns1.a.net"], registrant: { fields: ${registrant} } }) {
    errors { code ... on IdempotencyConflict { purchase { key order { key } } } } } }`;

  for (const name of ['rival', 'reader']) {
    const { data, codes } = await ask(name, document);
    expect(data.events.nodes).toEqual(Array(12).fill({ purchase: null }));
    expect(codes).toEqual([]);
  }
  const errorsOf = async (name: string) =>
    (await time.during(ask(name, conflict))).data.registerDomain.errors;
  expect(await errorsOf('rival')).toEqual([{ code: 'IDEMPOTENCY_CONFLICT', purchase: null }]);
  expect(await errorsOf('shop')).toEqual([
    {
      code: 'IDEMPOTENCY_CONFLICT',
      purchase: { key: 'history:0', order: { key: 'history' } },
    },
  ]);
});

test('each event of a subscription shows the domain of its time, within a call budget of its own', async () => {
  const here = await startWatched({
    env: { MAX_UPSTREAM_CALLS: '1', EVENTS_INTERVAL_SECONDS: '10' },
  });
  const query = `subscription { events(filter: { types: [PRIVACY_CHANGED] }) {
    after { text } domain { privacyProtected } } }`;
  const stream = await openStream(here.gateway.url, { query });
  await here.time.pass(1_000);
  for (const status of [true, false, true]) {
    await here.write('modifyprivacystatus', { domain: 'lowercase-demo.org', status });
    const event = await here.time.during(stream.next());
    expect(event?.data.data.events).toEqual({
      after: { text: String(status) },
      domain: { privacyProtected: status },
    });
  }
  stream.hangUp();
});

const registrant = `{ firstName: "Ada", lastName: "Byron", email: "ada@example.com", phone: "+44 20 7946 0958",
  address: { line1: "12 St James's Square", city: "London", zipCode: "SW1Y 4JH", country: "GB" } }`;
