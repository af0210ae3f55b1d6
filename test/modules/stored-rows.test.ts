import { DatabaseSync, StatementSync } from 'node:sqlite';
import {
  array,
  assert,
  asyncProperty,
  constantFrom,
  integer,
  oneof,
  record,
  subarray,
} from 'fast-check';
import { afterAll, beforeEach, expect, test, vi } from 'vitest';
import { cursorText, globalId } from '../../src/kernel/ids.ts';
import { systemClock } from '../../src/lib/system.ts';
import { defaults } from '../graph/orders/order-shop.ts';
import { openStream } from '../support/event-stream.ts';
import { newFolder } from '../support/folder.ts';
import { startTestGateway } from '../support/gateway.ts';
import { runs } from '../support/long.ts';

const folder = await newFolder('stored-rows');
const gateway = await startTestGateway({
  sandboxDomains: 30,
  env: {
    ...{ DATA_DIR: folder, MAX_STORED_ROWS: '1000000', MAX_UPSTREAM_CALLS: '1000' },
    WEBHOOKS_ALLOW_PRIVATE: 'true',
  },
});
afterAll(async () => {
  await gateway.close();
  // The next files of the worker share the class.
  vi.restoreAllMocks();
});

const tables = 'from "(jobs|job_items|purchases|events|webhook_attempts)"';
const ofLists = new RegExp(`^select (\\*|"job_items"\\.\\*) ${tables}`);
/** Counts, sums and filters, and the search for a domain. */
const sums = new RegExp(
  `^select (count\\(.*|"position") ${tables}|left join "purchases" as "purchase"`,
);
/** What a sum, a filter or a search counts for, as in docs/limits.md. */
const rowsOfSum = 20;
/** The rows that SQLite returned since the start of the test, and those of its sums. */
let rowsRead = 0;
const { all } = StatementSync.prototype;
vi.spyOn(StatementSync.prototype, 'all').mockImplementation(function (
  this: StatementSync,
  ...values: Parameters<typeof all>
) {
  const rows = Reflect.apply(all, this, values);
  if (ofLists.test(this.sourceSQL)) rowsRead += rows.length;
  if (sums.test(this.sourceSQL)) rowsRead += rowsOfSum;
  return rows;
});
beforeEach(() => {
  rowsRead = 0;
});

async function ask(document: string, variables: object = {}) {
  const { data, errors } = await gateway.query(document, variables);
  if (errors) throw new Error(JSON.stringify(errors));
  return data;
}

async function placeOrder(at: number): Promise<string> {
  const lines = Array.from({ length: 12 }, (_, line) => ({
    registration: { domain: `rows-${at}-${line}.com` },
  }));
  const { placeOrder: placed } = await ask(
    'mutation ($input: PlaceOrderInput!) { placeOrder(input: $input) { order { id } errors { message } } }',
    { input: { idempotencyKey: `order-${at}`, defaults, lines } },
  );
  return placed.order.id;
}

async function changeDomains(at: number, names: readonly string[]): Promise<string> {
  const change = { privacyProtected: at % 2 === 0 };
  const { changeDomains: created } = await ask(
    'mutation ($input: ChangeDomainsInput!) { changeDomains(input: $input) { bulkChange { id } errors { message } } }',
    { input: { idempotencyKey: `job-${at}`, names, expectedCount: names.length, change } },
  );
  return created.bulkChange.id;
}

async function untilEnded(field: string, id: string): Promise<void> {
  const document = `query ($id: ID!) { ${field}(by: { id: $id }) { state } }`;
  while ((await ask(document, { id }))[field].state === 'RUNNING') await systemClock.wait(10);
}

const owned = (await ask('{ domains(first: 20) { nodes { name } } }')).domains.nodes.map(
  ({ name }: { name: string }) => name,
);
const orders = [await placeOrder(1), await placeOrder(2), await placeOrder(3)];
const jobs = [await changeDomains(1, owned), await changeDomains(2, owned)];
for (const id of orders) await untilEnded('order', id);
for (const id of jobs) await untilEnded('bulkChange', id);
const { createWebhook } = await ask(
  'mutation { createWebhook(input: { url: "http://127.0.0.1:9/" }) { webhook { id } errors { message } } }',
);
const webhook: string = createWebhook.webhook.id;
for (let at = 0; at < 8; at += 1) {
  await ask('mutation ($id: ID!) { testWebhook(input: { id: $id }) { errors { message } } }', {
    id: webhook,
  });
}
const database = new DatabaseSync(`${folder}/sandbox-journal.sqlite`);
const [{ account } = {}] = database.prepare('select account from jobs').all();
for (let at = 1; at <= 40; at += 1) {
  database
    .prepare(
      `insert into events (account, position, id, type, at, subject, source)
       values (?, ?, ?, 'BALANCE_LOW', '2026-01-31T12:00:00.000Z', 'USD', 'UPSTREAM')`,
    )
    .run(account as string, at, `event-${at}`);
}
// Its events are not delivered, which would read them too.
database.exec(
  `update webhooks set state = 'SUSPENDED', suspended_at = '2026-01-31T12:00:00.000Z', suspended_reason = 'Test.'`,
);
database.close();

const some = (fields: readonly string[]) =>
  subarray([...fields], { minLength: 1, maxLength: 3 }).map((chosen) => chosen.join(' '));
const afterPosition = (position: number) => `after: "${cursorText([String(position)])}"`;
const first = integer({ min: 0, max: 14 });
const line = 'position domainName state purchase { id state nextStep } errors { message }';
const ofOrder = some([
  ...['state', 'progress { succeeded }', 'finishedAt', 'stopReason', '...orderSums'],
  ...[`lines(first: 6) { ${line} }`, `later: lines(first: 3, ${afterPosition(2)}) { ${line} }`],
  ...[`failed: lines(first: 5, states: [FAILED, SUCCEEDED]) { ${line} }`, '...orderLines'],
]);
const ofJob = some([
  ...['jobState: state', 'of: progress { unchanged }', 'finishedAt', 'change { privacyProtected }'],
  ...[
    'items(first: 9) { domainName state }',
    'few: items(first: 4, states: [SUCCEEDED]) { domainName }',
  ],
  `next: items(first: 7, ${afterPosition(3)}) { domainName }`,
]);
const ofDelivery = 'eventId status';
const ids = subarray([...orders, ...jobs, webhook, globalId('Order', 'absent')]);

const field = oneof(
  record({ id: constantFrom(...orders), of: ofOrder }).map(
    ({ id, of }) => `order(by: { id: "${id}" }) { id ${of} }`,
  ),
  ofOrder.map((of) => `order(by: { key: "order-2" }) { ${of} }`),
  record({ first, of: ofOrder, size: constantFrom('first', 'last') }).map(
    (one) =>
      `orders(${one.size}: ${one.first}) { totalCount nodes { ${one.of} } edges { node { ${one.of} } } }`,
  ),
  record({ id: constantFrom(...jobs), of: ofJob }).map(
    ({ id, of }) => `bulkChange(by: { id: "${id}" }) { ${of} }`,
  ),
  record({ first, of: ofJob }).map(
    (one) => `bulkChanges(first: ${one.first}) { nodes { ${one.of} } }`,
  ),
  record({ ids, order: ofOrder, job: ofJob }).map(
    (one) =>
      `nodes(ids: ${JSON.stringify(one.ids)}) { id ... on Order { ${one.order} } ... on BulkChange { ${one.job} } ... on Webhook { deliveries(first: 3) { ${ofDelivery} } } }`,
  ),
  record({ first, state: constantFrom('SUCCEEDED', 'FAILED') }).map(
    (one) =>
      `purchases(first: ${one.first}, filter: { states: [${one.state}] }) { totalCount nodes { id } }`,
  ),
  first.map(
    (most) => `events(first: ${most}) { totalCount nodes { id } pageInfo { hasNextPage } }`,
  ),
  first.map((most) => `webhooks { id deliveries(first: ${most + 1}) { ${ofDelivery} } }`),
);
const fragments = `
  fragment orderSums on Order { quoted { estimated } ... { spent { estimated } } }
  fragment orderLines on Order { two: lines(first: 2) { state } again: lines(first: 2) { ${line} } }`;
const withFragments = (query: string) =>
  query +
  fragments
    .split(/(?=fragment )/)
    .filter((text) => query.includes(`...${text.split(' ')[1]}`))
    .join('');

test('no query reads more stored rows than its cost', async () => {
  await assert(
    asyncProperty(array(field, { minLength: 1, maxLength: 4 }), async (fields) => {
      const query = withFragments(`{ ${fields.map((one, at) => `a${at}: ${one}`).join(' ')} }`);
      rowsRead = 0;

      const { errors, extensions } = await gateway.query(query);

      expect(errors).toBeUndefined();
      expect(rowsRead).toBeLessThanOrEqual(extensions.cost.storedRows ?? 0);
    }),
    { numRuns: runs(60, 400) },
  );
});

test('no update of a subscription reads more stored rows than its cost', async () => {
  const subscription = oneof(
    record({ id: constantFrom(...orders), of: ofOrder }).map(
      ({ id, of }) => `orderProgress(id: "${id}") { order { ${of} } }`,
    ),
    record({ id: constantFrom(...jobs), of: ofJob }).map(
      ({ id, of }) => `bulkChangeProgress(id: "${id}") { bulkChange { ${of} } }`,
    ),
  );
  await assert(
    asyncProperty(subscription, async (selection) => {
      rowsRead = 0;
      const stream = await openStream(gateway.url, {
        query: withFragments(`subscription { ${selection} }`),
      });

      const [update, end] = await stream.rest();

      expect(update?.data.errors).toBeUndefined();
      expect(end?.event).toBe('complete');
      expect(rowsRead).toBeLessThanOrEqual(update?.data.extensions.cost.storedRows);
    }),
    { numRuns: runs(20, 100) },
  );
});

test('the same list under several aliases is read once', async () => {
  const list = `orders { nodes { state quoted { estimated } lines { ${line} } } }`;
  await ask(`{ a: ${list} }`);
  const once = rowsRead;
  rowsRead = 0;

  await ask(`{ a: ${list} b: ${list} c: ${list} }`);

  expect(once).toBeGreaterThan(36);
  expect(rowsRead).toBe(once);
});

test('the lines of an order are read in pages', async () => {
  const positionsOf = async (page: string): Promise<readonly number[]> =>
    (
      await ask(`{ order(by: { id: "${orders[0]}" }) { lines(${page}) { position } } }`)
    ).order.lines.map(({ position }: { position: number }) => position);

  expect(await positionsOf('first: 3')).toEqual([0, 1, 2]);
  expect(await positionsOf(`first: 3, ${afterPosition(2)}`)).toEqual([3, 4, 5]);
  expect(await positionsOf(`first: 3, ${afterPosition(10)}, states: [SUCCEEDED]`)).toEqual([11]);
  expect(await positionsOf('first: 3, states: [FAILED]')).toEqual([]);
  const { errors } = await gateway.query(
    `{ order(by: { id: "${orders[0]}" }) { lines(first: 501) { domainName } } }`,
  );
  expect(errors[0]).toMatchObject({ message: '"first" must be from 0 to 500; it is 501.' });
});

test('each update of a subscription has the lines of its time', async () => {
  const id = await placeOrder(4);
  const stream = await openStream(gateway.url, {
    query: `subscription { orderProgress(id: "${id}") { order { state lines { state } } } }`,
  });

  const last = (await stream.rest()).at(-2)?.data.data.orderProgress.order;

  expect(last.state).toBe('SUCCEEDED');
  expect(last.lines).toEqual(Array(12).fill({ state: 'SUCCEEDED' }));
});
