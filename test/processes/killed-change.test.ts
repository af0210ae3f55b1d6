import { expect, onTestFinished, test } from 'vitest';
import { whyNotShort } from '../support/long.ts';
import { openDeployment, sendQuery } from './deployment.ts';

const change = { setNameServers: ['ns1.moved-dns.net', 'ns2.moved-dns.net'] };
const filter = 'filter: { states: [ACTIVE] }';
const preview = `query ($change: BulkChangeInput!) {
  previewBulkChange(${filter}, change: $change) { count unchanged errors { message } } }`;
const start = `mutation ($count: Int!, $change: BulkChangeInput!) {
  changeDomains(input: { idempotencyKey: "move", expectedCount: $count, change: $change, ${filter} }) {
    bulkChange { id } errors { message } } }`;
const read = `{ bulkChange(by: { key: "move" }) {
  state progress { waiting running succeeded failed }
  items(first: 500) { domainName state before { nameServers } after { nameServers } } } }`;

test.skipIf(whyNotShort)(
  'a change of many domains whose gateway is killed half-way changes each domain once',
  async () => {
    const deployment = await openDeployment({
      databaseUrl: null,
      env: { JOB_CONCURRENCY: '2' },
      overrides: { jobLeaseMs: 1_000 },
    });
    onTestFinished(() => deployment.close());
    await deployment.admin('POST', '/latency', { perCallMs: 30 });
    // Its registry refuses changes. When the kill hits this change, its outcome is UNKNOWN, as it should be.
    await deployment.admin('POST', '/domains', { name: 'held-demo.com' });
    const first = await deployment.start();
    const { count } = (await sendQuery(first, preview, { change })).previewBulkChange;
    expect(count).toBeGreaterThan(10);
    const { errors } = (await sendQuery(first, start, { count, change })).changeDomains;
    expect(errors).toEqual([]);
    const readJob = async (gateway: typeof first) => (await sendQuery(gateway, read)).bulkChange;
    await expect
      .poll(async () => (await readJob(first)).progress.succeeded, {
        timeout: 30_000,
        interval: 10,
      })
      .toBeGreaterThanOrEqual(count / 3);

    await first.kill();
    const second = await deployment.start();

    await expect
      .poll(async () => (await readJob(second)).state, { timeout: 60_000, interval: 100 })
      .not.toBe('RUNNING');
    const job = await readJob(second);
    type Value = { nameServers: readonly string[] };
    const items: readonly { domainName: string; state: string; before: Value; after: Value }[] =
      job.items;
    const changed = items.filter(({ state }) => state === 'SUCCEEDED');
    expect(items).toHaveLength(count);
    expect(items.filter(({ state }) => state !== 'SUCCEEDED')).toEqual([]);
    expect(changed.length).toBeGreaterThan(10);
    for (const { before, after } of changed) {
      expect(after.nameServers).toEqual(change.setNameServers);
      expect(before.nameServers).not.toEqual(change.setNameServers);
    }
    const calls: readonly { action: string; domain?: string }[] = await deployment.admin(
      'GET',
      '/calls',
    );
    const sent = calls.filter(({ action }) => action === 'modifynameserver');
    const names = sent.map(({ domain }) => domain);
    expect(new Set(names).size).toBe(names.length);
  },
);
