import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, type TestContext, test } from 'vitest';
import type { AccessScope } from '../../src/kernel/caller.ts';
import { apiKeysOf, by } from '../access/keys.ts';
import { writeSites } from '../simulation/points.ts';
import { createRandom } from '../simulation/random.ts';
import { newFolder } from '../support/folder.ts';
import { isLong } from '../support/long.ts';
import { createDatabase, whyNoPostgres } from '../support/postgres.ts';
import type { Running } from '../support/process.ts';
import { compareWithBooks, operations } from './compare-with-books.ts';
import { openDeployment, sendQuery } from './deployment.ts';
import { flows } from './kill-flows.ts';
import { createClients, startRandomReceiver } from './random-clients.ts';

/** The context of a concurrent test, for which the global `expect` does not work. */
type Here = Pick<TestContext, 'expect' | 'onTestFinished'>;

const nodeArgs = ['--import', new URL('kill-at-point.ts', import.meta.url).pathname];
const scopes: readonly AccessScope[] = [
  ...(['domains:check', 'domains:read', 'domains:write', 'domains:spend'] as const),
  ...(['prices:cost', 'events:read', 'webhooks:write', 'audit:read', 'ops'] as const),
];
const keys = { shop: scopes, desk: scopes, chief: ['approvals:decide'] as const };
const approvals = { rules: [{ operations: ['REGISTRATION'], when: { keys: ['desk'] } }] };
const create = `mutation ($input: CreateWebhookInput!) {
  createWebhook(input: $input) { webhook { deliveredUntil } secret errors { message } } }`;
const lastEntries = '{ auditLog(first: 100) { nodes { operation domainName outcome } } }';

const all = Object.entries(flows).flatMap(([flowName, flow]) =>
  flow.points.map((point, at) => ({ ...flow, point, name: `${flowName}-${at}` })),
);
const kills = isLong ? all : all.filter(({ name }) => name === 'purchase-5');

/** The time for which a killed gateway makes the next one wait. */
const passTime = () => {
  const claimedAt = new Date(Date.now() - 120_000).toISOString();
  return `update purchases set claimed_at = '${claimedAt}' where state = 'CLAIMED';
    delete from leases`;
};

/** A gateway that ends at the point in a file, its clients and its webhook. */
async function openAccount({ expect, onTestFinished }: Here, databaseUrl: string | null) {
  const folder = await newFolder('kills');
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const [killFile, approvalsFile] = [join(folder, 'point'), join(folder, 'approvals.json')];
  writeFileSync(approvalsFile, JSON.stringify(approvals));
  const deployment = await openDeployment({
    databaseUrl,
    overrides: { jobLeaseMs: 1_000, quietWindowMs: 1_000 },
    env: {
      API_KEYS: apiKeysOf(keys),
      APPROVALS_FILE: approvalsFile,
      BALANCE_LOW: 'USD:2499',
      EVENTS_INTERVAL_SECONDS: '1',
      JOB_CONCURRENCY: '2',
      KILL_FILE: killFile,
      UPSTREAM_TIMEOUT_MS: '2000',
      WEBHOOKS_ALLOW_PRIVATE: 'true',
    },
  });
  onTestFinished(() => deployment.close());
  const over = new AbortController();
  onTestFinished(() => over.abort());
  let gateway: Running | null = null;
  const start = async () => {
    gateway = await deployment.start({ nodeArgs });
  };
  const sendAs = async (name: string, query: string, variables: object = {}) => {
    while (!over.signal.aborted) {
      const data =
        gateway && (await sendQuery(gateway, query, variables, by(name)).catch(() => null));
      if (data) return data;
      await sleep(50);
    }
    throw new Error('The test is over.');
  };
  const fleet = {
    next: () => gateway,
    send: (query: string, variables?: object) => sendAs('shop', query, variables),
    readBackups: () => [],
  };
  const clients = createClients(deployment, fleet, 0);
  const receiver = await startRandomReceiver(createRandom(1));
  onTestFinished(() => receiver.close());
  receiver.calm();

  for (const { names, name } of kills)
    for (const domain of names?.(name) ?? []) await clients.createDomain(domain);
  await start();
  // The first comparison only stores the states.
  await expect
    .poll(() => deployment.countCalls('getdomainlist'), { timeout: 60_000 })
    .toBeGreaterThan(2);
  const input = { url: receiver.url, types: [] };
  const { secret, webhook } = (await fleet.send(create, { input })).createWebhook;
  void clients.followEvents(webhook.deliveredUntil, over.signal, by('shop'));
  const { deliveries } = receiver;
  const hasAccepted = (text: string) =>
    deliveries.some(({ status, body }) => status === 204 && body.includes(text));
  return {
    ...{ deployment, fleet, clients, sendAs, hasAccepted, admin: deployment.admin },
    /** Runs the work until the gateway ends at the point; it never does when the work has ended long before. */
    async killAt(point: string, work: Promise<void>) {
      const ended = gateway?.exitCode;
      await Promise.race([ended, work.then(() => sleep(30_000, null, { ref: false }))]);
      expect(existsSync(killFile), `${point} was not reached`).toBe(false);
      await ended;
      await deployment.statement(passTime());
      await start();
    },
    arm(point: string) {
      writeFileSync(`${killFile}.new`, point);
      renameSync(`${killFile}.new`, killFile);
    },
    compare: () =>
      compareWithBooks(deployment, fleet, clients, [{ secret, types: [], deliveries }]),
  };
}

async function killAtPoints(here: Here, databaseUrl: string | null) {
  const { expect } = here;
  const account = await openAccount(here, databaseUrl);
  for (const { name, point, prepare, run, isOfSqlite } of kills) {
    if (isOfSqlite && databaseUrl !== null) continue;
    await prepare?.(account, name);
    account.arm(point);
    const work = run(account, name);
    await account.killAt(`${name} ${point}`, work);
    const operation = operations[/^(?:after|reply) send (\w+)/.exec(point)?.[1] ?? ''];
    if (operation) {
      const { nodes } = (await account.fleet.send(lastEntries)).auditLog;
      const domainName = expect.stringContaining(name);
      // The entry is stored before the call; the killed gateway did not add the outcome.
      expect(nodes, point).toContainEqual({ operation, domainName, outcome: null });
    }
    await work;
  }
  // The transfers end.
  await account.admin('POST', '/clock', { advanceDays: 6 });

  await expect.poll(account.compare, { timeout: 120_000, interval: 500 }).toEqual([]);
  const calls: readonly { readonly action: string; readonly domain: string }[] =
    await account.admin('GET', '/calls');
  const changed = calls.filter(({ action }) => action === 'modifynameserver');
  expect(changed.map(({ domain }) => domain).toSorted()).toEqual(
    kills
      .filter(({ name }) => name.startsWith('change'))
      .flatMap(({ names, name }) => names?.(name) ?? [])
      .toSorted(),
  );
}

test('each point of a kill has a name of the simulation', () => {
  const names = all.map(({ point }) => point.replace(/^\w+ | \(\d\)$/g, ''));
  const calls = Object.keys(operations).map((action) => `send ${action}`);
  const known = new Set([...writeSites, ...calls, 'send webhook', 'commit']);
  expect(names.filter((name) => !known.has(name))).toEqual([]);
});

describe.concurrent('a gateway that is killed at a point breaks no promise', () => {
  const timeout = 1_200_000;

  test('with a SQLite journal', { tags: ['R8', 'I1', 'A3', 'W3'], timeout }, async (here) => {
    here.skip(!isLong && whyNoPostgres === null, 'only in npm run test:long');
    await killAtPoints(here, null);
  });

  test('with a PostgreSQL journal', { tags: ['R8', 'I1', 'A3', 'W3'], timeout }, async (here) => {
    here.skip(whyNoPostgres !== null, whyNoPostgres ?? '');
    const database = await createDatabase();
    here.onTestFinished(() => database.remove());

    await killAtPoints(here, database.url);
  });
});
