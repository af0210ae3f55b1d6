import { expect, test } from 'vitest';
import type { Notice } from '../../src/kernel/notice.ts';
import { parseDomainName } from '../../src/kernel/domain-name.ts';
import { Secret } from '../../src/kernel/secret.ts';
import { openPostgresJournal } from '../../src/persistence/postgres.ts';
import { Kysely, type KyselyPlugin, PostgresDialect } from 'kysely';
import { Client, Pool } from 'pg';
import { systemClock, systemRandomness } from '../../src/lib/system.ts';
import { createReplicas } from '../../src/persistence/replicas.ts';
import type { JournalTables } from '../../src/persistence/tables.ts';
import { describe, onTestFinished } from 'vitest';
import { whyNoPostgres } from '../support/postgres.ts';
import { because } from '../support/skipped.ts';
import { dropNotifications, startTcpProxy } from '../support/tcp-proxy.ts';
import { usePostgresStores } from './postgres-store.ts';

const account = 'live:shop';
const domain = parseDomainName('some.com');

describe.skipIf(whyNoPostgres)(`replicas that share a database${because(whyNoPostgres)}`, () => {
  const createStore = usePostgresStores();

  /** A database, and replicas of it whose notices of one account are recorded. */
  async function open(filter?: typeof dropNotifications) {
    const store = await createStore();
    await (await store.connect()).close();
    const { hostname, port } = new URL(store.url);
    const way = await startTcpProxy(hostname, Number(port || 5432), filter);
    const url = new Secret(Object.assign(new URL(store.url), { host: way.host }).href);
    const client = new Client({ connectionString: store.url });
    await client.connect();
    const opened: { close(): Promise<void> }[] = [];
    onTestFinished(async () => {
      await Promise.all(opened.map((one) => one.close()));
      await client.end();
      await way.cut();
      await store.remove();
    });
    const replica = async () => {
      const journal = await openPostgresJournal({ url, timeoutMs: 1_000 });
      opened.push(journal);
      const { replicas } = journal;
      if (!replicas) throw new Error('PostgreSQL has replicas.');
      return replicas;
    };
    return {
      url: store.url,
      way,
      replica,
      async follow(of = account) {
        const notices = (await replica()).noticesOf(of);
        const received: Notice[] = [];
        notices.follow((notice) => void received.push(notice));
        return { ...notices, received };
      },
      query: async (sql: string, values?: unknown[]) => (await client.query(sql, values)).rows,
    };
  }

  const kinds: readonly Notice[] = [
    { kind: 'write', action: 'modifynameserver', domain },
    { kind: 'settled', id: 'purchase-1', domain },
    { kind: 'pause', api: 'account', ms: 0 },
    { kind: 'jobs' },
  ];

  test.each([
    ['by a notification', undefined],
    ['without notifications', dropNotifications],
  ])('each notice reaches the other replicas of its account once, %s', async (_how, filter) => {
    const { follow } = await open(filter);
    const [sender, one, other] = [await follow(), await follow(), await follow()];
    const stranger = await follow('live:other');

    for (const notice of kinds) sender.send(notice);

    await expect.poll(() => one.received).toHaveLength(kinds.length);
    await expect.poll(() => other.received).toHaveLength(kinds.length);
    // The notice that is sent last is read last, also when the table of notices is read again.
    stranger.send({ kind: 'jobs' });
    other.send(kinds[0] as Notice);
    await expect.poll(() => sender.received).toEqual(kinds.slice(0, 1));
    expect(new Set(one.received.slice(0, 4))).toEqual(new Set(kinds));
    expect(other.received).toHaveLength(kinds.length);
    expect(stranger.received).toEqual([]);
  });

  test('notices that are sent while the listening connection is broken arrive', async () => {
    const { follow, query } = await open();
    const [sender, receiver] = [await follow(), await follow()];
    for (let at = 0; at < 3; at += 1) {
      await query(`select pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and query like 'listen %'`);
      sender.send({ kind: 'settled', id: `purchase-${at}`, domain });
      await expect.poll(() => receiver.received).toHaveLength(at + 1);
    }
  });

  test('a notice that is sent between a read and the start of notifications arrives', async () => {
    const { follow, query, url } = await open();
    const sender = await follow();
    const mayListen = Promise.withResolvers<void>();
    const listening = async () =>
      (
        await query(`select pid from pg_stat_activity
          where datname = current_database() and query like 'listen %' and state = 'idle'`)
      ).length;
    const stored = async () => (await query('select text from notices')).length;
    const reads = new Set<object>();
    const afterFirstRead: KyselyPlugin = {
      transformQuery({ node, queryId }) {
        const [text = ''] = node.kind === 'RawNode' ? node.sqlFragments : [];
        if (reads.size === 0 && text.includes('from notices') && text.includes('select')) {
          reads.add(queryId);
        }
        return node;
      },
      async transformResult({ result, queryId }) {
        if (reads.has(queryId)) {
          sender.send({ kind: 'jobs' });
          await expect.poll(stored).toBe(1);
          mayListen.resolve();
          await expect.poll(listening).toBe(2);
        }
        return result;
      },
    };
    const db = new Kysely<JournalTables>({
      dialect: new PostgresDialect({ pool: new Pool({ connectionString: url }) }),
      plugins: [afterFirstRead],
    });
    const createClient = () => {
      const client = new Client({ connectionString: url });
      const connect = client.connect.bind(client) as unknown as () => Promise<Client>;
      return Object.assign(client, { connect: () => mayListen.promise.then(connect) }) as Client;
    };
    const replicas = createReplicas(db, {
      ...{ createClient, clock: systemClock, randomness: systemRandomness },
    });
    const received: Notice[] = [];
    replicas.noticesOf(account).follow((notice) => void received.push(notice));
    try {
      await expect.poll(() => received).toEqual([{ kind: 'jobs' }]);
    } finally {
      await replicas.close();
      await db.destroy();
    }
  });

  test('a replica goes on after the database was away, and no function throws during that time', async () => {
    const { way, follow, replica } = await open();
    const [sender, receiver] = [await follow(), await follow()];
    const { report } = (await replica()).bucketsOf('shop');
    await way.cut();

    sender.send({ kind: 'jobs' });
    await expect(report('key', { seconds: 1, untilFull: 1 })).rejects.toThrow();
    await way.restore();

    const arrives = async () => {
      sender.send({ kind: 'jobs' });
      return receiver.received.length;
    };
    await expect.poll(arrives).toBeGreaterThan(0);
    expect(await report('key', { seconds: 1, untilFull: 1 })).toBeCloseTo(1, 1);
  });

  const pause = { kind: 'pause', api: 'domain', ms: 5 };
  const textOf = (notice: object, more: object = {}) =>
    JSON.stringify({ id: 'one', account, notice, ...more });
  const ofLength = (length: number) => {
    const text = textOf(pause, { rest: '' });
    return text.replace('""', `"${'x'.repeat(length - text.length)}"`);
  };

  test('an invalid notice is ignored, and the domain of a valid one is normalized', async () => {
    const { follow, query } = await open();
    const { received } = await follow();
    const invalid = [
      '{"id":',
      'null',
      JSON.stringify({ account, notice: pause }),
      JSON.stringify({ id: 'one', notice: pause }),
      textOf({ ...pause, kind: 'other' }),
      textOf({ kind: 'write', action: 'sync', domain: 'no name' }),
      textOf({ kind: 'write', action: 1, domain }),
      textOf({ kind: 'settled', id: 7, domain }),
      textOf({ ...pause, api: 'other' }),
      textOf({ ...pause, ms: -1 }),
      textOf({ ...pause, ms: '5' }),
      ofLength(2_001),
    ];
    const valid = [
      ofLength(2_000),
      textOf({ kind: 'write', action: 'sync', domain: 'Some.COM' }, { id: 'two' }),
    ];

    for (const text of [...invalid, ...valid]) {
      await query('insert into notices values (now(), $1)', [text]);
      await query("select pg_notify('reseller_graph', $1)", [text]);
    }

    await expect.poll(() => received).toEqual([pause, { kind: 'write', action: 'sync', domain }]);
  });

  test('old notices and full buckets are deleted', async () => {
    const { follow, query } = await open();
    await query("insert into notices values (now() - interval '11 seconds', 'old')");
    await query("insert into token_buckets values ('full', now(), 0)");
    await query("insert into token_buckets values ('used', now() + interval '1 hour', 0)");

    await follow();

    await expect.poll(() => query('select * from notices')).toEqual([]);
    const names = () => query('select name from token_buckets');
    await expect.poll(names).toEqual([{ name: 'used' }]);
  });

  test('a bucket has the tokens of all replicas, and another bucket none of them', async () => {
    const { replica } = await open();
    const replicas = [await replica(), await replica(), await replica()];
    const longName = 'x'.repeat(10_000);

    await Promise.all(
      Array.from({ length: 60 }, (_, at) =>
        replicas[at % 3]
          ?.bucketsOf(at % 2 ? 'a' : 'b')
          .report(longName, { seconds: 100, untilFull: 100 }),
      ),
    );

    const nothing = { seconds: 0, untilFull: 0 };
    for (const [prefix, key, seconds] of [
      ['a', longName, 3_000],
      ['b', longName, 3_000],
      ['a', 'other', 0],
      ['c', longName, 0],
    ] as const) {
      const found = await replicas[0]?.bucketsOf(prefix).report(key, nothing);
      expect(Math.abs((found ?? 0) - seconds)).toBeLessThan(100);
    }
  });

  test('tokens that were taken before the report have refilled since', async () => {
    const { replica } = await open();
    const { report } = (await replica()).bucketsOf('shop');

    expect(await report('key', { seconds: 500, untilFull: 200 })).toBe(200);
    const found = await report('key', { seconds: 100, untilFull: 50 });

    expect(Math.round(found / 10)).toBe(30);
  });
});
