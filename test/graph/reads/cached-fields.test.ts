import { afterAll, expect, test } from 'vitest';
import { schema } from '../../../src/app/graph.ts';
import { globalId } from '../../../src/kernel/global-id.ts';
import { systemClock } from '../../../src/lib/system.ts';
import { startTestGateway } from '../../support/gateway.ts';
import { read } from './reads.ts';

// The response cache is off in development. Nothing in a cache expires, because the clock of the caches stands still.

const gateway = await startTestGateway({
  clock: { ...systemClock, monotonicMs: () => 5_000 },
  env: {
    DEVELOPMENT: 'false',
    TLD_MAX_AGE_SECONDS: '600',
    DOMAIN_MAX_AGE_SECONDS: '600',
    AVAILABILITY_MAX_AGE_SECONDS: '60',
    METRICS_PORT: '0',
    SPEND_LIMITS: '{"perDay":["25 USD"]}',
  },
});
afterAll(() => gateway.close());

const idOf = (type: string) =>
  JSON.stringify(globalId(type, '00000000-0000-4000-8000-000000000000'));

const lookups = (type: string) => [
  `(by: { id: ${idOf(type)} }) { id }`,
  '(by: { key: "k" }) { id }',
];

/** For each field of `Query` some selections of data that only the registrar changes, or the settings. */
const cacheable: Readonly<Record<string, readonly string[]>> = {
  availabilities: ['(names: ["not-registered.com"]) { status }'],
  availability: ['(name: "not-registered.com") { status }'],
  domain: ['(name: "reseller-demo.com") { status }'],
  domainStats: ['{ totalCount }'],
  domains: ['{ totalCount }'],
  domainsByName: ['(names: ["reseller-demo.com"]) { status }'],
  gateway: ['{ version scopes }'],
  node: [`(id: ${JSON.stringify(globalId('Domain', 'reseller-demo.com'))}) { id }`],
  nodes: [`(ids: [${JSON.stringify(globalId('Domain', 'reseller-demo.com'))}]) { id }`],
  previewBulkChange: ['(filter: {}, change: { privacyProtected: true }) { count }'],
  tld: ['(name: "com") { name }'],
  tlds: ['{ totalCount }'],
};

/** The same of data that this gateway or another replica changes, or that is read from the registrar each time. */
const uncacheable: Readonly<Record<string, readonly string[]>> = {
  bulkChange: lookups('BulkChange'),
  bulkChanges: ['{ totalCount }', '{ nodes { id } }'],
  approvals: ['{ totalCount }', '{ nodes { id } }'],
  auditLog: ['{ totalCount }', '{ nodes { operation } }'],
  calendarFeeds: ['{ id }'],
  contactProfiles: ['{ totalCount }', '{ nodes { id } }'],
  domain: ['purchases', 'events'].map(
    (list) => `(name: "reseller-demo.com") { ${list} { totalCount } }`,
  ),
  events: ['{ totalCount }', '{ nodes { id } }'],
  gateway: [
    '{ upstream { state } }',
    '{ purchasesStopped { reason } }',
    '{ spendLeft { amount } }',
  ],
  node: ['Purchase', 'Order', 'BulkChange', 'Webhook', 'ContactProfile', 'CalendarFeed'].map(
    (type) => `(id: ${idOf(type)}) { id }`,
  ),
  nodes: [`(ids: [${idOf('Purchase')}]) { id }`],
  order: lookups('Order'),
  orders: ['{ totalCount }', '{ nodes { id } }'],
  purchase: lookups('Purchase'),
  purchases: ['{ totalCount }', '{ nodes { id } }'],
  purchaseDefaults: ['{ customer }'],
  quoteOrder: [
    '(input: { lines: [{ registration: { domain: "not-registered.com" } }] }) { affordable }',
  ],
  reseller: ['{ name }'],
  searchDomains: ['(labels: ["not-registered"], tlds: ["com"]) { position }'],
  webhook: [`(id: ${idOf('Webhook')}) { id }`],
  webhooks: ['{ id }'],
};

async function countCached(): Promise<number> {
  const text = await (await fetch(`${gateway.metricsUrl}/metrics`)).text();
  return Number(/^reseller_graph_cached_responses_total (\d+)$/m.exec(text)?.[1]);
}

/** Whether the fourth of equal responses comes from the cache. The first one fills the caches of values, the third one is stored. */
async function isCached(field: string, selection: string): Promise<boolean> {
  const before = await countCached();
  for (let at = 0; at < 4; at += 1) await read(gateway, `{ ${field}${selection} }`);
  return (await countCached()) > before;
}

const rowsOf = (table: typeof cacheable) =>
  Object.entries(table).flatMap(([field, selections]) =>
    selections.map((selection): [string, string] => [field, selection]),
  );

test.each(rowsOf(cacheable))('a response with %s%s is cached', async (field, selection) => {
  expect(await isCached(field, selection)).toBe(true);
});

test.each(rowsOf(uncacheable))('a response with %s%s is never cached', async (field, selection) => {
  expect(await isCached(field, selection)).toBe(false);
});

test('each field of the graph is cached or not', () => {
  const tested = new Set([...Object.keys(cacheable), ...Object.keys(uncacheable)]);

  expect([...tested].sort()).toEqual(Object.keys(schema.getQueryType()?.getFields() ?? {}).sort());
});
