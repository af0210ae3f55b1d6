import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { describe, expect, test } from 'vitest';
import { Secret } from '../../src/kernel/secret.ts';
import { openPostgresJournal } from '../../src/persistence/postgres.ts';
import { claimNumber, unlimited } from './claims.ts';
import { describeJournal } from './describe-journal.ts';

/** A server that a test may make databases on: DATABASE_URL, or the usual one of this machine. */
const serverUrl = process.env.DATABASE_URL ?? 'postgres://postgres@127.0.0.1:5432/postgres';

const databaseUrl = (name: string) => Object.assign(new URL(serverUrl), { pathname: name }).href;

async function administer(sql: string): Promise<void> {
  const client = new Client({ connectionString: serverUrl, connectionTimeoutMillis: 2_000 });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

async function createDatabase() {
  const name = `journal_${randomUUID().replaceAll('-', '')}`;
  await administer(`create database ${name}`);
  return {
    url: databaseUrl(name),
    connect: () => openPostgresJournal({ url: new Secret(databaseUrl(name)) }),
    remove: () => administer(`drop database ${name} with (force)`),
  };
}

const whyNot = await administer('select 1').then(
  () => null,
  (error: Error) => `no PostgreSQL at DATABASE_URL or on loopback (${error.message})`,
);

if (whyNot) {
  describe(`journal on PostgreSQL: skipped, ${whyNot}`, () => {
    test.skip('the contract of the journal', () => undefined);
  });
} else {
  describeJournal('PostgreSQL', createDatabase);

  describe('the PostgreSQL database', () => {
    test('two replicas that start at once on an empty database both get a journal', async () => {
      const store = await createDatabase();

      const replicas = await Promise.all([store.connect(), store.connect(), store.connect()]);
      const claims = await Promise.all(
        replicas.map((replica, at) =>
          replica.claim(claimNumber(1, { id: `operation-of-replica-${at}` }), unlimited),
        ),
      );

      expect(claims.map(({ outcome }) => outcome).sort()).toEqual([
        'claimed',
        'replayed',
        'replayed',
      ]);
      for (const replica of replicas) await replica.close();
      await store.remove();
    });

    test('a server that goes away is told as the journal being unavailable, and back is back', async () => {
      const store = await createDatabase();
      const journal = await store.connect();

      const killed = `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${new URL(store.url).pathname.slice(1)}'`;
      await administer(killed);
      const outcomes = [];
      for (let attempt = 0; attempt < 3; attempt += 1) {
        outcomes.push(await journal.count('any').catch((error) => error.code));
      }

      expect(outcomes.at(-1)).toBe(0);
      expect(outcomes.every((one) => one === 0 || one === 'JOURNAL_UNAVAILABLE')).toBe(true);
      await journal.close();
      await store.remove();
    });

    test('a database that cannot be reached is refused, and its password is not told', async () => {
      const url = 'postgres://someone:swordfish@127.0.0.1:1/nothing';

      const error = await openPostgresJournal({ url: new Secret(url), timeoutMs: 500 }).catch(
        (thrown) => thrown,
      );

      expect(error).toMatchObject({ code: 'JOURNAL_UNAVAILABLE', executed: 'NO' });
      expect(`${error.message} ${error.cause}`).not.toContain('swordfish');
    });
  });
}
