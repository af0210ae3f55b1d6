import { copyFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buy } from '../../processes/deployment.ts';
import { newFolder } from '../../support/folder.ts';
import { startTestGateway } from '../../support/gateway.ts';
import { runPurchases } from '../../support/process.ts';
import { openShop, order, type Shop } from './shop.ts';

let folder: string;
let shop: Shop;
beforeAll(async () => {
  folder = await newFolder('backup');
  shop = await openShop({ env: { DATA_DIR: folder } });
});
afterAll(async () => {
  await shop?.close();
  await rm(folder, { recursive: true, force: true });
});

const register = (number: number) =>
  shop.register({ domain: `backed-up-${number}.com`, idempotencyKey: `key-${number}` });

/** Whether a gateway that uses this journal, with the same upstream, replays the purchase of the key. */
async function isReplayed(journal: string, number: number): Promise<boolean> {
  const restored = await newFolder('restored');
  await copyFile(journal, join(restored, 'sandbox-journal.sqlite'));
  const DOMAIN_API_URL = `${shop.gateway.sandboxUrl}/domain-api`;
  const gateway = await startTestGateway({ env: { DATA_DIR: restored, DOMAIN_API_URL } });
  const input = order({ domain: `backed-up-${number}.com`, idempotencyKey: `key-${number}` });
  const { data } = await gateway.query(buy, { input });
  await gateway.close();
  await rm(restored, { recursive: true, force: true });
  return data.registerDomain.replayed;
}

test('a backup made during purchases contains every purchase that completed before it', async () => {
  for (const number of [1, 2, 3]) await register(number);
  const backup = join(folder, 'backup.sqlite');

  let isOver = false;
  const concurrentPurchases = (async () => {
    for (let number = 4; !isOver; number += 1) await register(number);
  })();
  const { exitCode, stdout, stderr } = await runPurchases({ DATA_DIR: folder }, 'backup', backup);
  isOver = true;
  await concurrentPurchases;
  const booked = (await shop.ledger()).length;

  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  const [, copied] = /backup of the journal with (\d+) purchases\.\n$/.exec(stdout) ?? [];
  expect(Number(copied)).toBeGreaterThanOrEqual(3);
  expect(Number(copied)).toBeLessThanOrEqual(booked);
  expect(await isReplayed(backup, 3)).toBe(true);
  expect(await shop.ledger()).toHaveLength(booked);
});

test('a backup does not overwrite a file', async () => {
  const existing = join(folder, 'existing.sqlite');
  await writeFile(existing, 'precious');

  const { exitCode, stderr } = await runPurchases({ DATA_DIR: folder }, 'backup', existing);

  expect([exitCode, stderr]).toEqual([
    1,
    `purchases: ${existing} exists already; name a new file.\n`,
  ]);
});

test('the backup command refuses a PostgreSQL journal and names pg_dump', async () => {
  const DATABASE_URL = 'postgres://someone:swordfish@127.0.0.1:1/shop';

  const { exitCode, stderr } = await runPurchases({ DATABASE_URL }, 'backup', 'backup.sqlite');

  expect([exitCode, stderr]).toEqual([
    1,
    'purchases: The journal is in PostgreSQL; back it up with pg_dump.\n',
  ]);
});
