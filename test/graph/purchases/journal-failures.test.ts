import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, describe, expect, test } from 'vitest';
import { createLog } from '../../../src/observability/log.ts';
import { newFolder } from '../../support/folder.ts';
import { createGatewayClock } from '../../support/gateway-clock.ts';
import { createDatabase, runOnPostgres, whyNoPostgres } from '../../support/postgres.ts';
import { because } from '../../support/skipped.ts';
import { countPurchases, openShop, type Shop } from './shop.ts';

const clean: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const one of clean.splice(0).toReversed()) await one();
});

const open = async (env: Record<string, string>): Promise<Shop> => {
  const shop = await openShop({ env });
  clean.push(() => shop.close());
  return shop;
};

const makeFolder = async () => {
  const folder = await newFolder('purchases');
  clean.push(() => rm(folder, { recursive: true, force: true }));
  return folder;
};

const unavailable = {
  __typename: 'PlainError',
  code: 'JOURNAL_UNAVAILABLE',
  executed: 'NO',
};
const unwritten = 'The journal cannot be written, so nothing was sent; reads still work.';

/** Asserts that nothing is bought, that the error says so, and that domains can be read. */
async function expectNoPurchase(shop: Shop, message: string): Promise<void> {
  const made = await shop.register({ domain: 'no-journal.com' });
  const sent = await countPurchases(shop);
  const { data } = await shop.gateway.query('{ domain(name: "reseller-demo.com") { name } }');

  expect(made.purchase).toBeNull();
  expect(made.errors).toMatchObject([{ ...unavailable, message }]);
  expect(sent).toBe(0);
  expect(await shop.ledger()).toHaveLength(0);
  expect(data.domain).toEqual({ name: 'reseller-demo.com' });
}

describe('a journal in a file', () => {
  test('that another process locks delays no other request, and the purchase succeeds once the lock is released', async () => {
    const folder = await makeFolder();
    const time = createGatewayClock();
    const timeoutMs = 1_000;
    const shop = await openShop({
      env: { DATA_DIR: folder, UPSTREAM_TIMEOUT_MS: String(timeoutMs) },
      clock: time.clock,
    });
    clean.push(() => shop.close());
    const other = new DatabaseSync(join(folder, 'sandbox-journal.sqlite'));
    other.exec('begin immediate');

    const bought = shop.register({ domain: 'waits-for-the-lock.com' });
    const ready = () => fetch(`${shop.gateway.url}/health/ready`).then((reply) => reply.json());
    const probe = ready();
    // The lock is released below, so a request that waits for it never gets this far.
    for (const path of ['/graphql?query={__typename}', '/health/live']) {
      const headers = { accept: 'application/json' };
      expect((await fetch(`${shop.gateway.url}${path}`, { headers })).status).toBe(200);
    }
    // The wait for the lock does not count as time of the upstream.
    await time.pass(1.5 * timeoutMs);
    expect(await countPurchases(shop)).toBe(0);
    other.exec('rollback');
    other.close();

    expect(await time.during(bought)).toMatchObject({
      purchase: { state: 'SUCCEEDED' },
      errors: [],
    });
    await time.during(probe);
    const upstream = { domain: 'closed', account: 'closed' };
    const readyLater = async () => {
      await time.pass(1_000);
      return time.during(ready());
    };
    await expect.poll(readyLater).toEqual({ status: 'ready', upstream });
  });

  test.each(['-wal', '-shm'])(
    'whose %s file was removed is not ready and buys nothing',
    async (ending) => {
      const folder = await makeFolder();
      const shop = await open({ DATA_DIR: folder });
      const before = { domain: 'before-the-removal.com', idempotencyKey: 'before' };
      await shop.register(before);
      await rm(join(folder, `sandbox-journal.sqlite${ending}`));

      const made = await shop.register({ domain: 'no-journal.com' });
      const sent = await countPurchases(shop);
      const ready = await fetch(`${shop.gateway.url}/health/ready`);

      expect(made).toMatchObject({
        purchase: null,
        errors: [{ ...unavailable, message: unwritten }],
      });
      expect(sent).toBe(0);
      expect(ready.status).toBe(503);
      expect(await ready.json()).toMatchObject({
        reason: expect.stringContaining(`sandbox-journal.sqlite${ending} was removed or replaced`),
      });
      await shop.gateway.restart();
      expect(await shop.register(before)).toMatchObject({ replayed: true });
    },
  );

  test.each([
    ['was removed with its folder', (folder: string) => rm(folder, { recursive: true })],
    ['was moved away', (folder: string) => rename(folder, `${folder}-moved`)],
  ])('that %s buys nothing, although the file is still open', async (_what, spoil) => {
    const folder = await makeFolder();
    clean.push(() => rm(`${folder}-moved`, { recursive: true, force: true }));
    const shop = await open({ DATA_DIR: folder });
    await spoil(folder);

    await expectNoPurchase(shop, unwritten);
  });

  test('that was replaced by another file buys nothing', async () => {
    const folder = await makeFolder();
    const shop = await open({ DATA_DIR: folder });
    const file = join(folder, 'sandbox-journal.sqlite');
    await rename(file, `${file}.old`);
    new DatabaseSync(file).close();

    await expectNoPurchase(shop, unwritten);
  });
});

/** A migration that this version does not have. */
const fromTheFuture = `insert into kysely_migration values ('9999-from-the-future', '2030-01-01T00:00:00Z')`;
const newer =
  'The journal was written by a newer version of this gateway (step "9999-from-the-future"); start that version, or name another journal.';

test('a gateway does not start with a journal file of a newer version', async () => {
  const env = { DATA_DIR: await makeFolder() };
  await (await openShop({ env })).close();
  const journal = new DatabaseSync(join(env.DATA_DIR, 'sandbox-journal.sqlite'));
  journal.exec(fromTheFuture);
  journal.close();

  await expect(openShop({ env })).rejects.toMatchObject({ ...journalFault, message: newer });
});

const journalFault = { name: 'Fault', code: 'JOURNAL_UNAVAILABLE', executed: 'NO' };

describe.skipIf(whyNoPostgres)(
  `a journal in a PostgreSQL database${because(whyNoPostgres)}`,
  () => {
    const openOnDatabase = async () => {
      const database = await createDatabase();
      clean.push(() => database.remove().catch(() => undefined));
      const env = { DATA_DIR: await makeFolder(), DATABASE_URL: database.url };
      const name = new URL(database.url).pathname.slice(1);
      const cut = () =>
        runOnPostgres(
          `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`,
        );
      return { ...database, env, name, cut };
    };

    test('that was dropped buys nothing', async () => {
      const { env, remove } = await openOnDatabase();
      const shop = await open(env);
      await remove();

      await expectNoPurchase(shop, unwritten);
      const { errors } = await shop.gateway.query('{ purchases { totalCount } }');
      expect(errors).toMatchObject([
        { message: 'The journal cannot be read.', extensions: { code: 'JOURNAL_UNAVAILABLE' } },
      ]);
    });

    test('that is read-only buys nothing, and its purchases can be read', async () => {
      const { env, name, cut } = await openOnDatabase();
      const shop = await open(env);
      await runOnPostgres(`alter database ${name} set default_transaction_read_only = on`);
      await cut();
      const read = async () => (await shop.gateway.query('{ purchases { totalCount } }')).data;
      // A connection that was cut fails the statement that uses it first.
      await expect.poll(read).toEqual({ purchases: { totalCount: 0 } });

      await expectNoPurchase(shop, unwritten);
      expect(await read()).toEqual({ purchases: { totalCount: 0 } });
    });

    test('whose connections are cut buys once when the client repeats the request', async () => {
      const { env, cut } = await openOnDatabase();
      const shop = await open(env);
      const input = { domain: 'lost-connection.com', idempotencyKey: 'cut' };

      const made = [];
      for (let at = 0; at < 5; at += 1) {
        await cut();
        made.push(await shop.register(input));
      }
      made.push(await shop.register(input));

      for (const { purchase, errors } of made) {
        if (purchase === null) expect(errors).toMatchObject([unavailable]);
        else expect(purchase.state).toBe('SUCCEEDED');
      }
      expect(made.at(-1)).toMatchObject({ purchase: { state: 'SUCCEEDED' }, errors: [] });
      expect(await shop.ledger()).toHaveLength(1);
    });

    test('that is missing at the start is reported, and purchases succeed once it exists', async () => {
      const { env, name, remove } = await openOnDatabase();
      await remove();
      const lines: string[] = [];
      const log = createLog({ level: 'info', write: (line) => lines.push(line) });
      const shop = await openShop({ env, log });
      clean.push(() => shop.close());
      const health = () => fetch(`${shop.gateway.url}/health/ready`).then((reply) => reply.json());
      const { host } = new URL(env.DATABASE_URL);
      const reason = `The database "${name}" at ${host} is not available: database "${name}" does not exist.`;

      await expectNoPurchase(shop, unwritten);
      expect(await health()).toMatchObject({ status: 'not ready', reason });
      expect(lines.map((line) => JSON.parse(line))).toContainEqual(
        expect.objectContaining({ level: 'error', msg: 'journal is not available', reason }),
      );
      await runOnPostgres(`create database ${name}`);

      expect((await shop.register({ domain: 'no-journal.com' })).purchase.state).toBe('SUCCEEDED');
      await expect.poll(health).toMatchObject({ status: 'ready' });
      expect(lines.join()).toContain('journal is available');
    });

    test('of a newer version prevents the start of the gateway', async () => {
      const { env, url } = await openOnDatabase();
      await (await openShop({ env })).close();
      await runOnPostgres(fromTheFuture, url);

      await expect(openShop({ env })).rejects.toMatchObject({ ...journalFault, message: newer });
    });
  },
);
