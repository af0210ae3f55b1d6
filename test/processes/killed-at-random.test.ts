import { setTimeout as sleep } from 'node:timers/promises';
import { describe, type TestContext, test } from 'vitest';
import { createRandom } from '../simulation/random.ts';
import { whyNotShort } from '../support/long.ts';
import { createDatabase, whyNoPostgres } from '../support/postgres.ts';
import { compareWithBooks } from './compare-with-books.ts';
import { openDeployment } from './deployment.ts';
import { createFleet } from './fleet.ts';
import { createClients, startRandomReceiver } from './random-clients.ts';

/** The context of a concurrent test, for which the global `expect` does not work. */
type Here = Pick<TestContext, 'expect' | 'onTestFinished'>;

/** `KILL_SEED` repeats the choices of a run; the moments also depend on the machine. */
const seed = Number(process.env.KILL_SEED ?? Math.floor(Math.random() * 1_000_000));
const killMs = 60_000;
const env = {
  BALANCE_LOW: 'USD:2400',
  EVENTS_INTERVAL_SECONDS: '1',
  JOB_CONCURRENCY: '2',
  UPSTREAM_TIMEOUT_MS: '1000',
  WEBHOOKS_ALLOW_PRIVATE: 'true',
};
const overrides = {
  jobLeaseMs: 1_000,
  // With the deadline of a write it ends seconds after the late calls of the sandbox.
  quietWindowMs: 8_000,
};
const create = `mutation ($input: CreateWebhookInput!) {
  createWebhook(input: $input) { webhook { deliveredUntil } secret errors { message } } }`;

async function killAtRandom({ expect, onTestFinished }: Here, databaseUrl: string | null) {
  const deployment = await openDeployment({ databaseUrl, env, overrides });
  onTestFinished(() => deployment.close());
  await deployment.admin('POST', '/latency', { perCallMs: 50, spreadMs: 250, purchaseMs: 300 });
  const receivers = await Promise.all(
    [7, 8].map((at) => startRandomReceiver(createRandom(seed * 100 + at))),
  );
  onTestFinished(async () => void (await Promise.all(receivers.map(({ close }) => close()))));
  const over = new AbortController();
  onTestFinished(() => over.abort());
  const fleet = createFleet({
    ...{ deployment, isFile: databaseUrl === null, replicas: databaseUrl === null ? 1 : 2 },
    ...{ random: createRandom(seed), signal: over.signal },
    isDelivering: () => receivers.some(({ isWaiting }) => isWaiting()),
  });
  const clients = createClients(deployment, fleet, seed);
  await clients.createDomains();
  await fleet.open();
  // The first comparison has ended when the next one begins.
  await expect
    .poll(() => deployment.countCalls('getdomainlist'), { timeout: 60_000 })
    .toBeGreaterThan(2);
  const types = [[], ['PURCHASE_SETTLED', 'NAME_SERVERS_CHANGED']];
  const webhooks = await Promise.all(
    receivers.map(async ({ url, deliveries }, at) => {
      const input = { url, types: types[at] };
      const { secret, webhook } = (await fleet.send(create, { input })).createWebhook;
      return { secret, deliveries, types: types[at] ?? [], start: webhook.deliveredUntil };
    }),
  );
  void clients.followEvents(webhooks[0]?.start, over.signal);

  clients.begin();
  await fleet.endOften(killMs);
  const ended = clients.end();
  for (const receiver of receivers) receiver.calm();
  await ended;
  // A transfer that begins after the clock was set does not end.
  const openLines = async () => {
    const document = '{ orders { nodes { progress { waiting sending pending } } } }';
    const { nodes } = (await fleet.send(document)).orders;
    return nodes
      .flatMap(({ progress }: { progress: object }) => Object.values(progress))
      .filter(Boolean);
  };
  await expect.poll(openLines, { timeout: 120_000 }).toEqual([]);
  // The transfers end, and the books have no other change.
  await deployment.admin('POST', '/clock', { advanceDays: 6 });

  const compare = () => compareWithBooks(deployment, fleet, clients, webhooks);
  const untilMs = performance.now() + 150_000;
  while ((await compare()).length > 0 && performance.now() < untilMs) await sleep(1_000);
  // Nothing follows.
  await sleep(3_000);
  expect(await compare()).toEqual([]);
}

describe
  .skipIf(whyNotShort)
  .concurrent(
    `gateways that are killed at random moments break no promise (KILL_SEED=${seed})`,
    { timeout: 600_000 },
    () => {
      test('one gateway with a SQLite journal', (here) => killAtRandom(here, null));

      test('two replicas with a PostgreSQL journal', async (here) => {
        here.skip(whyNoPostgres !== null, whyNoPostgres ?? '');
        const database = await createDatabase();
        here.onTestFinished(() => database.remove());

        await killAtRandom(here, database.url);
      });
    },
  );
