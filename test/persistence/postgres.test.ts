import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { inspect } from 'node:util';
import { Client } from 'pg';
import { afterAll, describe, expect, test } from 'vitest';
import { Secret } from '../../src/kernel/secret.ts';
import { openPostgresJournal } from '../../src/persistence/postgres.ts';
import {
  createDatabase,
  runOnPostgres,
  type TestDatabase,
  whyNoPostgres,
} from '../support/postgres.ts';
import { startTcpProxy } from '../support/tcp-proxy.ts';
import { claimNumber, unlimited } from './claims.ts';
import { describeJournal } from './describe-journal.ts';
import { describeSpending } from './describe-spending.ts';

/** Empty databases of earlier tests, because creating one takes longer than most tests. */
const unused: TestDatabase[] = [];
afterAll(() => Promise.all(unused.map((database) => database.remove())));

const emptyDatabase = `
  select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid();
  drop schema public cascade;
  create schema public`;

async function createStore() {
  const database = unused.pop() ?? (await createDatabase());
  const { url } = database;
  return {
    url,
    connect: () => openPostgresJournal({ url: new Secret(url) }),
    execute: (sql: string) => runOnPostgres(sql, url),
    async remove() {
      await runOnPostgres(emptyDatabase, url);
      unused.push(database);
    },
  };
}

if (whyNoPostgres) {
  describe(`journal on PostgreSQL: skipped, ${whyNoPostgres}`, () => {
    test.skip('the contract of the journal', () => undefined);
  });
} else {
  describeJournal('PostgreSQL', createStore);
  describeSpending('PostgreSQL', createStore);

  describe('the PostgreSQL database', () => {
    test('replicas that start at once on an empty database all get a journal', async () => {
      const store = await createStore();

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

    test('a database that terminates connections makes the journal unavailable at most once, and it recovers', async () => {
      const store = await createStore();
      const journal = await store.connect();

      const killed = `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${new URL(store.url).pathname.slice(1)}'`;
      await runOnPostgres(killed);
      const outcomes = [];
      for (let attempt = 0; attempt < 3; attempt += 1) {
        outcomes.push(await journal.count('any').catch((error) => error.code));
      }

      expect(outcomes.at(-1)).toBe(0);
      expect(outcomes.every((one) => one === 0 || one === 'JOURNAL_UNAVAILABLE')).toBe(true);
      await journal.close();
      await store.remove();
    });

    test('a connection that is reset during a statement fails that statement only', async () => {
      const store = await createStore();
      const { hostname, port } = new URL(store.url);
      const connections = new Set<Socket>();
      const proxy = createServer((near) => {
        const far = connect(Number(port || 5432), hostname);
        near.on('error', () => undefined).pipe(far);
        far.on('error', () => undefined).pipe(near);
        connections.add(near);
      }).listen(0, '127.0.0.1');
      await once(proxy, 'listening');
      const { port: proxyPort } = proxy.address() as AddressInfo;
      const host = `127.0.0.1:${proxyPort}`;
      const url = new Secret(Object.assign(new URL(store.url), { host }).href);
      const journal = await openPostgresJournal({ url });
      const holder = new Client({ connectionString: store.url });
      await holder.connect();
      await holder.query('begin; lock table operations');

      const waiting = journal.count('any').catch((error) => error.code);
      const isWaiting = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
      await expect.poll(async () => (await holder.query(isWaiting)).rowCount).toBe(1);
      for (const connection of connections) connection.resetAndDestroy();

      expect(await waiting).toBe('JOURNAL_UNAVAILABLE');
      await holder.end();
      expect(await journal.count('any')).toBe(0);
      await journal.close();
      proxy.close();
      await store.remove();
    });

    test('a silent connection ends at its timeout, and the next one is used', async () => {
      const store = await createStore();
      const { hostname, port } = new URL(store.url);
      const way = await startTcpProxy(hostname, Number(port || 5432));
      const url = new Secret(Object.assign(new URL(store.url), { host: way.host }).href);
      const journal = await openPostgresJournal({ url, timeoutMs: 1_000 });

      way.fallSilent();
      const outcome = await journal.count('any').catch((error) => error.code);

      expect(outcome).toBe('JOURNAL_UNAVAILABLE');
      expect(await journal.count('any')).toBe(0);
      await journal.close();
      await way.cut();
      await store.remove();
    });

    test('an unreachable database fails the start without revealing its password', async () => {
      const url = 'postgres://someone:swordfish@127.0.0.1:1/nothing';

      const error = await openPostgresJournal({ url: new Secret(url), timeoutMs: 500 }).catch(
        (thrown) => thrown,
      );

      expect(error).toMatchObject({
        code: 'JOURNAL_UNAVAILABLE',
        executed: 'NO',
        message: 'The database "nothing" at 127.0.0.1:1 is not available: ECONNREFUSED.',
      });
      expect(inspect(error)).not.toContain('swordfish');
    });
  });
}
