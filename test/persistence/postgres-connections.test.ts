import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { inspect } from 'node:util';
import { Client } from 'pg';
import { describe, expect, test } from 'vitest';
import { createEventStore } from '../../src/features/event/store.ts';
import { eventTables } from '../../src/features/event/table.ts';
import {
  changeNumber,
  domain,
  eventNumber,
  leaseOf,
  publishAll,
} from '../../src/features/event/test/new-events.ts';
import { Secret } from '../../src/kernel/secret.ts';
import { openPostgresJournal } from '../../src/persistence/postgres.ts';
import { failureOf } from '../../src/persistence/unavailable.ts';
import { runOnPostgres, whyNoPostgres } from '../support/postgres.ts';
import { because } from '../support/skipped.ts';
import { startTcpProxy } from '../support/tcp-proxy.ts';
import { account, claimNumber, minute, unlimited } from './claims.ts';
import { jobNumber, newItems, placesOf, takeAt } from './new-jobs.ts';
import { usePostgresStores } from './postgres-store.ts';

const clientOf = async (url: string) => {
  const client = new Client({ connectionString: url });
  await client.connect();
  return client;
};

/** Of the journal, in the database of the client. */
const sessions = `select pid from pg_stat_activity
  where datname = current_database() and application_name = 'reseller-graph'`;

describe.skipIf(whyNoPostgres)(
  `the connections to a PostgreSQL database${because(whyNoPostgres)}`,
  () => {
    const createStore = usePostgresStores();

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

    test('a database with other tables can have the journal too', async () => {
      const store = await createStore();
      await store.execute('create table unrelated (id integer)');

      const journal = await store.connect();

      expect(await journal.count(account)).toBe(0);
      await journal.close();
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
      const holder = await clientOf(store.url);
      await holder.query('begin; lock table purchases');

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
        cause: { cause: { syscall: 'connect' } },
      });
      expect(inspect(error)).not.toContain('swordfish');
    });

    test('sessions are named, and no more than allowed; further statements wait for them', async () => {
      const store = await createStore();
      const journal = await openPostgresJournal({ url: new Secret(store.url), connections: 2 });
      const holder = await clientOf(store.url);
      await holder.query('begin; lock table purchases');

      const reader = await clientOf(store.url);
      const waiting = Promise.all([1, 2, 3, 4].map(() => journal.count('any')));
      const isWaiting = `${sessions} and wait_event_type = 'Lock'`;
      await expect.poll(async () => (await reader.query(isWaiting)).rowCount).toBe(2);
      await holder.end();
      await reader.end();

      expect(await waiting).toEqual([0, 0, 0, 0]);
      await journal.close();
      await store.remove();
    });

    test('the settings of the server change neither the isolation nor the durability', async () => {
      const store = await createStore();
      const database = new URL(store.url).pathname.slice(1);
      const defaults = ['synchronous_commit', 'default_transaction_isolation'];
      await store.execute(`alter database ${database} set synchronous_commit = off;
        alter database ${database} set default_transaction_isolation = 'serializable'`);
      const journal = await store.connect();
      await store.execute(`create table seen (settings text);
        create function see() returns trigger language plpgsql as $$ begin
          insert into seen values (current_setting('synchronous_commit') || ', ' || current_setting('transaction_isolation'));
          return new;
        end $$;
        create trigger see before insert on proofs for each row execute function see()`);

      await journal.checkWritable(minute(1));

      const reader = await clientOf(store.url);
      const { rows } = await reader.query('select settings from seen');
      await reader.end();
      expect(rows).toEqual([{ settings: 'on, read committed' }]);
      await journal.close();
      for (const name of defaults) await store.execute(`alter database ${database} reset ${name}`);
      await store.remove();
    });

    test('a take does not wait for items that another gateway takes at the same time', async () => {
      const store = await createStore();
      const journal = await store.connect();
      await journal.jobs.create(jobNumber(1), newItems(3));
      const other = await clientOf(store.url);
      await other.query('begin; update job_items set fence = 1 where position = 0');

      const taken = await journal.jobs.take(account, takeAt(5, { limit: 2 }));
      await other.query('rollback');

      expect(placesOf(taken)).toEqual(['job-001/1', 'job-001/2']);
      expect(placesOf(await journal.jobs.take(account, takeAt(5)))).toEqual(['job-001/0']);
      await other.end();
      await journal.close();
      await store.remove();
    });

    test('a comparison that waits for its lease does not overwrite a state that was revised and published in the meantime', async () => {
      const store = await createStore();
      const { database, close } = await store.connect(eventTables);
      const events = createEventStore(database);
      await events.lease(account, leaseOf('one', 0, 10));
      await events.change(account, 'one', [{ ...changeNumber(1), events: [] }]);
      const holder = await clientOf(store.url);
      await holder.query('begin; select owner from leases for update');
      const change = { ...changeNumber(2), subject: domain(1), before: '{"at":1}' };
      const changing = events.change(account, 'one', [change]);
      const waiting = `${sessions} and wait_event_type = 'Lock'`;
      await expect.poll(async () => (await holder.query(waiting)).rowCount).toBe(1);
      await events.revise(account, domain(1), () => ({ seen: 'new', events: [eventNumber(3)] }));
      await publishAll(events);
      await holder.query('rollback');

      expect(await changing).toBe(false);
      expect(await events.watched(account, null, 9)).toEqual([{ subject: domain(1), seen: 'new' }]);
      await holder.end();
      await close();
      await store.remove();
    });

    test('a database that is away at the start is reported, and used as soon as it is there', async () => {
      const store = await createStore();
      const { hostname, port } = new URL(store.url);
      const proxy = await startTcpProxy(hostname, Number(port || 5432));
      const url = new Secret(Object.assign(new URL(store.url), { host: proxy.host }).href);
      const name = new URL(store.url).pathname.slice(1);
      const isAway = `The database "${name}" at ${proxy.host} is not available: ECONNREFUSED.`;
      await proxy.cut();
      const reports: (string | null)[] = [];

      const journal = await openPostgresJournal({
        url,
        onAvailability: (failure) => reports.push(failure),
      });
      const whileAway = await journal.count('any').catch(failureOf);
      await proxy.restore();
      const atOnce = await Promise.all([journal.count('any'), journal.count('any')]);
      const claimed = await journal.claim(claimNumber(1), unlimited);
      const reported = [...reports];
      await proxy.cut();
      const whyAway = () => journal.count('any').catch(failureOf);
      await expect.poll(whyAway).toBe(isAway);

      expect(whileAway).toBe(isAway);
      expect([atOnce, claimed.outcome]).toEqual([[0, 0], 'claimed']);
      expect(reported).toEqual([isAway, null]);
      expect(reports).toEqual(reported);
      await journal.close();
      await store.remove();
    });

    test('a database that is there at the start is not reported', async () => {
      const store = await createStore();
      const reports: unknown[] = [];

      const journal = await openPostgresJournal({
        url: new Secret(store.url),
        onAvailability: (failure) => reports.push(failure),
      });
      expect(await journal.count('any')).toBe(0);

      expect(reports).toEqual([]);
      await journal.close();
      await store.remove();
    });

    test('a journal that was closed, twice and unused, has no session left', async () => {
      const store = await createStore();
      const journal = await store.connect();
      const reader = await clientOf(store.url);
      expect((await reader.query(sessions)).rowCount).toBe(1);

      await journal.close();
      await journal.close();

      await expect.poll(async () => (await reader.query(sessions)).rowCount).toBe(0);
      await reader.end();
      await store.remove();
    });

    test.each([
      ['without', {}],
      ['with', { onAvailability: () => undefined }],
    ])(
      'a database of a newer version fails the start %s a listener, and no session is left',
      async (_how, options) => {
        const store = await createStore();
        await (await store.connect()).close();
        await store.execute(`insert into kysely_migration values ('9999-future', '2030-01-01')`);

        const opening = openPostgresJournal({ url: new Secret(store.url), ...options });

        await expect(opening).rejects.toMatchObject({
          code: 'JOURNAL_UNAVAILABLE',
          message: expect.stringContaining('newer version of this gateway (step "9999-future")'),
        });
        const reader = await clientOf(store.url);
        await expect.poll(async () => (await reader.query(sessions)).rowCount).toBe(0);
        await reader.end();
        await store.remove();
      },
    );

    test('a missing database fails the start with the sentence of the server', async () => {
      const store = await createStore();
      const { host } = new URL(store.url);
      const url = Object.assign(new URL(store.url), { pathname: 'no%20such' }).href;

      await expect(openPostgresJournal({ url: new Secret(url) })).rejects.toMatchObject({
        code: 'JOURNAL_UNAVAILABLE',
        message: `The database "no such" at ${host} is not available: database "no such" does not exist.`,
      });
      await store.remove();
    });

    test('a server that accepts connections and sends nothing fails the start after the timeout', async () => {
      const server = createServer().listen(0, '127.0.0.1');
      await once(server, 'listening');
      const { port } = server.address() as AddressInfo;
      const url = new Secret(`postgres://someone@127.0.0.1:${port}/shop`);

      await expect(openPostgresJournal({ url, timeoutMs: 200 })).rejects.toMatchObject({
        code: 'JOURNAL_UNAVAILABLE',
        message: expect.stringContaining('is not available: Connection terminated'),
      });
      server.close();
    });

    test('the sentence about a database without a port has the default port', async () => {
      const url = new Secret('postgres://someone@no-such-host.invalid/shop');

      await expect(openPostgresJournal({ url })).rejects.toMatchObject({
        message: expect.stringMatching(
          /^The database "shop" at no-such-host\.invalid:5432 is not available: E[A-Z_]+\.$/,
        ),
      });
    });
  },
);
