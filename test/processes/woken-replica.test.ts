import { expect, onTestFinished, test } from 'vitest';
import { whyNotShort } from '../support/long.ts';
import { createDatabase, whyNoPostgres } from '../support/postgres.ts';
import { hourMs } from '../support/simulated-clock.ts';
import { openDeployment, sendQuery } from './deployment.ts';

const domains = `{ domains(first: 2, filter: { states: [ACTIVE] }) { nodes { name } } }`;
const change = `mutation ($names: [String!]!) {
  changeDomains(input: { idempotencyKey: "two", expectedCount: 2, names: $names, change: { sync: true } }) {
    bulkChange { id } errors { message } } }`;
const read = `{ bulkChange(by: { key: "two" }) { items(first: 2) { domainName state } } }`;

test.skipIf(whyNotShort)(
  'a replica starts an item at once that another replica created and cannot start itself',
  async ({ skip }) => {
    skip(whyNoPostgres !== null, whyNoPostgres ?? '');
    const database = await createDatabase();
    onTestFinished(() => database.remove());
    const deployment = await openDeployment({
      databaseUrl: database.url,
      env: { JOB_CONCURRENCY: '1', UPSTREAM_TIMEOUT_MS: '60000' },
      // Replicas poll every ten minutes.
      overrides: { jobLeaseMs: hourMs },
    });
    onTestFinished(() => deployment.close());
    const replicas = await Promise.all([deployment.start(), deployment.start()]);
    const [replica] = replicas;
    const { nodes } = (await sendQuery(replica, domains)).domains;
    const [slow, quick] = nodes.map(({ name }: { name: string }) => name);
    const delay = { fault: 'delay', action: 'getdetails', domain: slow, ms: 100_000 };
    await deployment.admin('POST', '/faults', delay);

    const { errors } = (await sendQuery(replica, change, { names: [slow, quick] })).changeDomains;
    const states = async () => (await sendQuery(replica, read)).bulkChange.items;

    expect(errors).toEqual([]);
    await expect
      .poll(async () => (await states())[1].state, { timeout: 90_000 })
      .not.toMatch(/WAITING|RUNNING/);
    // One replica still works on the first item, so the other one was woken.
    expect(await states()).toEqual([
      { domainName: slow, state: 'RUNNING' },
      { domainName: quick, state: 'SUCCEEDED' },
    ]);
  },
);
