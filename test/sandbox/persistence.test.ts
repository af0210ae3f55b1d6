import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { SandboxOptions } from '../../sandbox/server.ts';
import { systemClock } from '../../src/lib/system.ts';
import { newFolder } from '../support/folder.ts';
import { order, startTestSandbox, type TestSandbox } from './client.ts';
import { startedAt } from './service.ts';

let directory: string;
let file: string;
const open: TestSandbox[] = [];
beforeEach(async () => {
  directory = await newFolder('sandbox');
  file = join(directory, 'deep', 'sandbox.sqlite');
});
afterEach(async () => {
  for (const sandbox of open.splice(0)) await sandbox.close();
  await rm(directory, { recursive: true });
});

const start = async (options: Partial<SandboxOptions> = {}) => {
  const clock = { ...systemClock, now: () => new Date(startedAt) };
  const sandbox = await startTestSandbox({ file, clock, ...options });
  open.push(sandbox);
  return sandbox;
};

/** All data that a client can read, except values that change with the clock. */
const everything = async ({ act, admin, details }: TestSandbox) => ({
  names: (await act('getdomainlist')).body.data.Domains.map((one: object) => ({
    ...one,
    Dates: null,
  })),
  state: await admin('GET', '/state'),
  carts: await admin('GET', '/carts'),
  groups: await admin('GET', '/hosting-groups'),
  logs: await admin('GET', '/logs'),
  glue: (await details('unlocked-demo.com')).ChildNameServers,
});

const changeAll = async (sandbox: TestSandbox) => {
  const item = { description: 'a', quantity: 1, price: 1, total: 1, productType: 'b' };
  await sandbox.advance(40);
  await sandbox.act('registerdomain', order('maple-stays.com'));
  await sandbox.act('addchildnameserver', {
    domain: 'unlocked-demo.com',
    nameServer: 'ns1.unlocked-demo.com',
    ipAddress: '9.9.9.9',
  });
  await sandbox.account('POST', '/carts', { cartDetails: [item] });
  await sandbox.account('DELETE', '/hosting/group');
  await sandbox.account('POST', '/auth/logout');
};
const clockOf = async ({ admin }: TestSandbox) => (await admin('GET', '/clock')).now;

describe('the sandbox with a file', () => {
  test('has the same data and clock after a restart', { tags: ['R14'] }, async () => {
    const first = await start();
    await changeAll(first);
    const before = await everything(first);
    await first.close();

    const second = await start();

    expect(await everything(second)).toEqual(before);
    expect(before.state.purchases).toHaveLength(1);
    expect(before.carts).toHaveLength(2);
    expect(await clockOf(second)).toBe('2026-04-10T12:00:00.000Z');
    expect((await second.account('DELETE', '/logs')).status).toBe(401);
  });

  test('restores the seed, its token and the real time on a reset', async () => {
    const sandbox = await start();
    const seeded = await everything(sandbox);
    await changeAll(sandbox);
    await sandbox.arm({ fault: 'gateway' });

    await sandbox.admin('POST', '/reset');

    const again = await everything(sandbox);
    expect(again.names).toEqual(seeded.names);
    expect(again.state).toEqual(seeded.state);
    expect(again.groups).toHaveLength(3);
    expect(await clockOf(sandbox)).toBe('2026-03-01T12:00:00.000Z');
    expect((await sandbox.account('DELETE', '/logs')).status).toBe(200);
  });

  test('restores the seed on a start with reset, with another size if configured', async () => {
    const first = await start();
    await changeAll(first);
    await first.close();

    const second = await start({ reset: true, domains: 100 });

    expect((await second.act('getdomainlist')).body.TotalCount).toBe(100);
    expect(await second.balance()).toBe('2500.0000');
    expect((await second.account('DELETE', '/logs')).status).toBe(200);
  });

  test('ends pending calls on a reset, which do not change the new data', async () => {
    const sandbox = await start();
    await sandbox.arm({ fault: 'hold-before' });
    const call = sandbox.act('registerdomain', order('maple-held.com'));
    await expect.poll(() => sandbox.admin('GET', '/held'), { interval: 5 }).toEqual({ held: 1 });

    await sandbox.admin('POST', '/reset');

    expect((await call).status).toBe(500);
    expect(await sandbox.balance()).toBe('2500.0000');
    expect(await sandbox.admin('GET', '/held')).toEqual({ held: 0 });
  });

  test('seeds the configured number of domains', async () => {
    const sandbox = await start({ domains: 320 });

    expect((await sandbox.admin('GET', '/state')).domains).toBe(320);
  });

  test('names a file that it cannot use in the error, and not the port', async () => {
    await writeFile(join(directory, 'text'), 'no database, and long enough to be seen as none\n');
    for (const bad of [directory, join(directory, 'text'), join(directory, 'text', 'file')]) {
      const error = await start({ file: bad }).catch((one) => one);
      expect(error.message).toMatch(/^The sandbox cannot (open|use) .*file.*\.$/);
      expect(error.message).toContain(bad);
      expect(error.message).not.toMatch(/port|listen/);
    }
  });

  test('refuses a file of another version until it is reset', async () => {
    await (await start()).close();
    const database = new DatabaseSync(file);
    database.exec("UPDATE meta SET value = '0' WHERE key = 'schema_version'");
    database.close();

    await expect(start()).rejects.toThrow(/another version.*--reset/);
    expect((await (await start({ reset: true })).act('getdomainlist')).status).toBe(200);
  });

  test('names a port that is in use, and starts on it later', async () => {
    const first = await start({ file: ':memory:' });
    const port = Number(new URL(first.url).port);

    await expect(start({ port })).rejects.toThrow(`127.0.0.1:${port}: the port is taken`);
    await first.close();
    expect((await start({ port })).url).toBe(first.url);
  });
});
