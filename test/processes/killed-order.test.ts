import { describe, type TestContext, test } from 'vitest';
import { ada } from '../support/ada.ts';
import { openStream } from '../support/event-stream.ts';
import { whyNotShort } from '../support/long.ts';
import { createDatabase, whyNoPostgres } from '../support/postgres.ts';
import type { Running } from '../support/process.ts';
import { type Deployment, openDeployment, sendQuery } from './deployment.ts';

/** The context of a concurrent test, for which the global `expect` does not work. */
type Here = Pick<TestContext, 'expect' | 'onTestFinished'>;

const place = `mutation ($input: PlaceOrderInput!) {
  placeOrder(input: $input) { order { id } replayed errors { code message } } }`;
const read = `{ order(by: { key: "the-order" }) {
  id state progress { waiting sending pending succeeded failed } lines { domainName state errors { code } } } }`;

const good = Array.from({ length: 18 }, (_, at) => `killed-${at}.com`);
const names = [...good, 'weather.com', 'casino.com'];
// 57.25 each: the balance of demo-three, 900 USD, is enough for 15.
const input = {
  idempotencyKey: 'the-order',
  lines: names.map((domain) => ({ registration: { domain, period: 5 } })),
  defaults: {
    registrant: { fields: ada },
    nameServers: ['ns1.example-dns.net', 'ns2.example-dns.net'],
  },
};
const env = {
  DOMAIN_API_USERNAME: 'demo-three',
  DOMAIN_API_PASSWORD: 'demo-three-password',
  UPSTREAM_TIMEOUT_MS: '2000',
};
const overrides = { jobLeaseMs: 1_000, quietWindowMs: 1_000 };

const readOrder = async (gateway: Running) => (await sendQuery(gateway, read)).order;

/** The end of the order, and that each name was bought at most once. */
async function checkEnd({ expect }: Here, deployment: Deployment, gateway: Running) {
  const order = await readOrder(gateway);
  expect(order).toMatchObject({ state: 'PARTIAL', progress: { succeeded: 15, failed: 5 } });
  expect(order.lines.map(({ state }: { state: string }) => state)).toEqual([
    ...Array(15).fill('SUCCEEDED'),
    ...Array(5).fill('FAILED'),
  ]);
  const { purchases, balances } = await deployment.admin('GET', '/state?reseller=demo-three');
  const bought = purchases.map(({ domain }: { domain: string }) => domain);
  expect(bought.toSorted()).toEqual(good.slice(0, 15).toSorted());
  const usd = balances.find(({ currency }: { currency: string }) => currency === 'USD');
  expect(Number(usd.balance)).toBeCloseTo(900 - 15 * 57.25, 4);
  expect(await deployment.countCalls('registerdomain')).toBe(15);
}

const succeeded = async (gateway: Running): Promise<number> =>
  (await readOrder(gateway)).progress.succeeded;

/** Kills the gateway whenever one more line has succeeded, until the order ends. */
async function killAfterLines(here: Here, databaseUrl: string | null) {
  const { expect, onTestFinished } = here;
  const deployment = await openDeployment({ databaseUrl, env, overrides });
  onTestFinished(() => deployment.close());
  await deployment.admin('POST', '/latency', { perCallMs: 30 });
  let gateway = await deployment.start();
  const placed = await sendQuery(gateway, place, { input });
  expect(placed.placeOrder.errors).toEqual([]);

  for (let target = 1; target < 15; target += 1) {
    await expect
      .poll(() => succeeded(gateway), { timeout: 60_000, interval: 10 })
      .toBeGreaterThanOrEqual(target);
    await gateway.kill();
    gateway = await deployment.start();
    const again = await sendQuery(gateway, place, { input });
    expect(again.placeOrder).toMatchObject({ replayed: true, errors: [] });
  }

  await expect
    .poll(async () => (await readOrder(gateway)).state, { timeout: 120_000, interval: 100 })
    .not.toBe('RUNNING');
  await checkEnd(here, deployment, gateway);
}

describe.skipIf(whyNotShort)(
  'an order of 20 lines whose gateway is killed again and again ends as if it had not been',
  () => {
    test('with a SQLite journal', { timeout: 300_000 }, (here) => killAfterLines(here, null));

    test('with a PostgreSQL journal', { timeout: 300_000 }, async (here) => {
      here.skip(whyNoPostgres !== null, whyNoPostgres ?? '');
      const database = await createDatabase();
      here.onTestFinished(() => database.remove());

      await killAfterLines(here, database.url);
    });
  },
);

test.skipIf(whyNotShort)(
  'an order whose replicas are killed in turn, one per second, ends the same, and its progress continues on the other replica',
  {
    timeout: 300_000,
  },
  async (here) => {
    const { expect, onTestFinished, skip } = here;
    skip(whyNoPostgres !== null, whyNoPostgres ?? '');
    const database = await createDatabase();
    onTestFinished(() => database.remove());
    const deployment = await openDeployment({ databaseUrl: database.url, env, overrides });
    onTestFinished(() => deployment.close());
    await deployment.admin('POST', '/latency', { perCallMs: 250 });
    const replicas = await Promise.all([deployment.start(), deployment.start()]);
    const [first, second] = replicas;
    const { placeOrder } = await sendQuery(first, place, { input });
    const { id } = placeOrder.order;
    const follow = async (gateway: Running) => {
      const stream = await openStream(gateway.origin, {
        query:
          'subscription ($id: ID!) { orderProgress(id: $id) { order { state progress { succeeded } } } }',
        variables: { id },
      });
      onTestFinished(() => stream.hangUp());
      const seen: number[] = [];
      const reading = (async () => {
        for (let event = await stream.next(); event; event = await stream.next()) {
          const order = event.data?.data?.orderProgress?.order;
          if (order) seen.push(order.progress.succeeded);
        }
      })().catch(() => undefined);
      return { seen, reading };
    };

    const before = await follow(first);
    await expect.poll(() => before.seen.at(-1), { timeout: 60_000 }).toBeGreaterThanOrEqual(1);
    await first.kill();
    await before.reading;
    const after = await follow(second);
    await expect.poll(() => after.seen.length, { timeout: 60_000 }).toBeGreaterThanOrEqual(1);
    expect(after.seen[0]).toBeGreaterThanOrEqual(before.seen.at(-1) ?? 0);

    let alive: Running = second;
    for (let kills = 0; kills < 20 && (await readOrder(alive)).state === 'RUNNING'; kills += 1) {
      const next = await deployment.start();
      await alive.kill();
      alive = next;
      await new Promise((resolve) => setTimeout(resolve, 1_000));
    }

    await expect
      .poll(async () => (await readOrder(alive)).state, { timeout: 120_000, interval: 100 })
      .not.toBe('RUNNING');
    await checkEnd(here, deployment, alive);
  },
);
