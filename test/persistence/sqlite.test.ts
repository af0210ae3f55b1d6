import { once } from 'node:events';
import { copyFileSync, readdirSync, readlinkSync } from 'node:fs';
import { copyFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { inspect } from 'node:util';
import { Worker } from 'node:worker_threads';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { parseDomainName } from '../../src/kernel/domain-name.ts';
import { unsettledStates } from '../../src/kernel/purchase-states.ts';
import type { Journal } from '../../src/persistence/journal.ts';
import { openDatabase, openSqliteJournal } from '../../src/persistence/sqlite.ts';
import type { Table } from '../../src/persistence/table.ts';
import { failureOf } from '../../src/persistence/unavailable.ts';
import { newFolder } from '../support/folder.ts';
import { endOfTurn } from '../support/simulated-clock.ts';
import { because, whyNotLinux } from '../support/skipped.ts';
import { account, claimNumber, minute, unlimited } from './claims.ts';
import { describeCustomers } from './describe-customers.ts';
import { describeJobLeases } from './describe-job-leases.ts';
import { describeJobs } from './describe-jobs.ts';
import { describeJournal } from './describe-journal.ts';
import { describeSpending } from './describe-spending.ts';
import { sqlitePlansOf } from './plans.ts';
import { createSqliteStore } from './sqlite-store.ts';

/** Turns of the event loop. */
async function turns(count: number): Promise<void> {
  for (let at = 0; at < count; at += 1) await endOfTurn();
}

describeJournal('SQLite', createSqliteStore);
describeSpending('SQLite', createSqliteStore);
describeJobs('SQLite', createSqliteStore);
describeJobLeases('SQLite', createSqliteStore);
describeCustomers('SQLite', createSqliteStore);

describe('the SQLite file', () => {
  let folder: string;
  let file: string;

  beforeEach(async () => {
    folder = await newFolder('journal');
    file = join(folder, 'journal.db');
  });

  afterEach(async () => {
    await rm(folder, { recursive: true });
  });

  /** Executes one statement without the journal. */
  const tamper = (sql: string) => {
    const database = new DatabaseSync(file);
    database.exec(sql);
    database.close();
  };

  test('SQLite waits for no disk in a commit, and for no lock', () => {
    const database = openDatabase({ file });

    const pragmas = ['journal_mode', 'synchronous', 'busy_timeout'].map((name) =>
      Object.values(database.prepare(`pragma ${name}`).get() ?? {}).at(0),
    );
    database.close();

    // synchronous 1 is NORMAL.
    expect(pragmas).toEqual(['wal', 1, 0]);
  });

  test('a settled write survives a power failure', { tags: ['I1'] }, async () => {
    /** The files as the last sync that has ended found them at its start. */
    let onDisk = '';
    let syncs = 0;
    const syncFile = async () => {
      syncs += 1;
      const copy = join(folder, `on-disk-${syncs}`);
      for (const ending of ['', '-wal']) copyFileSync(`${file}${ending}`, `${copy}${ending}`);
      await turns(syncs % 4);
      onDisk = copy;
    };
    const journal = await openSqliteJournal({ file, syncFile });
    const lost = await Promise.all(
      Array.from({ length: 40 }, async (_, at) => {
        await turns(at % 13);
        const claim = claimNumber(at);
        await journal.claim(claim, unlimited);
        using database = new DatabaseSync(onDisk);
        const find = database.prepare('select 1 from purchases where "key" = ?');
        return find.get(claim.key) ? [] : [claim.key];
      }),
    );
    await journal.close();

    expect(lost.flat()).toEqual([]);
    // Writes that commit during a sync share the next one.
    expect(syncs).toBeLessThan(30);
  });

  test('a write that changes nothing waits for no disk', async () => {
    let syncs = 0;
    const syncFile = async () => {
      syncs += 1;
    };
    const journal = await openSqliteJournal({ file, syncFile });
    await journal.claim(claimNumber(1), unlimited);
    const before = syncs;

    await sql`update purchases set state = 'FAILED' where "key" = 'none'`.execute(journal.database);
    await journal.close();

    expect(syncs).toBe(before);
  });

  test('no write succeeds after the disk has failed once', async () => {
    let fails = false;
    const syncFile = async () => {
      if (!fails) return;
      fails = false;
      throw Object.assign(new Error('EIO: i/o error, fdatasync'), { code: 'EIO' });
    };
    const journal = await openSqliteJournal({ file, syncFile });
    await journal.claim(claimNumber(1), unlimited);
    fails = true;

    for (const at of [2, 3]) {
      const failed = journal.claim(claimNumber(at), unlimited);
      await expect(failed.catch(failureOf)).resolves.toBe(
        'The file journal.db-wal cannot be written to the disk: EIO: i/o error, fdatasync; restart the gateway.',
      );
    }
    await journal.close();
  });

  test('writes that were not awaited are stored before the file closes', async () => {
    const journal = await openSqliteJournal({ file });
    const claims = [1, 2, 3].map((at) => journal.claim(claimNumber(at), unlimited));
    await Promise.all([...claims, journal.close()]);

    const reopened = await openSqliteJournal({ file });
    expect(await reopened.count(account)).toBe(3);
    await reopened.close();
  });

  test('a missing folder is created', async () => {
    const journal = await openSqliteJournal({ file: join(folder, 'a', 'b', 'journal.db') });

    expect(await journal.count(account)).toBe(0);
    await journal.close();
  });

  test.each(['0001-operations', '0001-purchases', '0001-first-release', '0001-core'])(
    'a file of a development version with the step %s is refused',
    async (step) => {
      await (await openSqliteJournal({ file })).close();
      tamper(`update kysely_migration set name = '${step}' where name = '0001-base'`);

      await expect(openSqliteJournal({ file })).rejects.toMatchObject({
        code: 'JOURNAL_UNAVAILABLE',
        message: expect.stringContaining('development version before the first release'),
      });
    },
  );

  test('a file of a newer version is refused by name and is unchanged', async () => {
    await (await openSqliteJournal({ file })).close();
    tamper(`insert into kysely_migration values ('9999-from-the-future', '2030-01-01T00:00:00Z')`);

    const opening = openSqliteJournal({ file });

    await expect(opening).rejects.toMatchObject({
      code: 'JOURNAL_UNAVAILABLE',
      message: expect.stringContaining(
        'newer version of this gateway (step "9999-from-the-future")',
      ),
    });
    tamper(`delete from kysely_migration where name = '9999-from-the-future'`);
    await (await openSqliteJournal({ file })).close();
  });

  test('a step of the table of a feature is taken once, and a later gateway needs not have the feature', async () => {
    const table = (...steps: readonly string[]) => ({
      name: 'feeds',
      steps: steps.map((sql) => [sql]),
    });
    const [create, extend] = ['create table feeds (id text)', 'alter table feeds add name text'];
    const open = async (...tables: readonly Table[]) =>
      (await openSqliteJournal({ file, tables })).close();
    await open(table(create));
    await open(table(create));
    await open();
    await open(table(create, extend));
    await open({ name: 'others', steps: [['create table others (id text)']] });
    const parent = { name: 'zebras', steps: [['create table zebras (id text)']] };
    const child = { name: 'ants', steps: [['create view ants as select id from zebras']] };
    await Promise.all([open(parent, child), open(), open(table(create, extend))]);

    await expect(open(table(create))).rejects.toMatchObject({
      message: expect.stringContaining('newer version of this gateway (step "feeds.0002")'),
    });
    await open(table(create, extend));
  });

  test('the schema has the columns and indexes that later migrations refer to', async () => {
    await (await openSqliteJournal({ file })).close();

    const database = new DatabaseSync(file);
    const namesOf = (sql: string) =>
      database
        .prepare(sql)
        .all()
        .map(({ name }) => name);
    const columns = namesOf("select name from pragma_table_info('purchases')");
    const indexes = namesOf(
      "select name from sqlite_schema where type = 'index' and sql is not null",
    );
    database.close();

    expect(columns.toSorted()).toEqual([
      ...['accepted_at', 'account', 'balance_after', 'call_until', 'caller', 'claimed_at'],
      ...['cost_amount', 'cost_currency', 'customer'],
      'domain',
      ...['fault_code', 'fault_executed', 'fault_message'],
      ...['fault_upstream_code', 'fault_upstream_message', 'fingerprint', 'id', 'key', 'kind'],
      ...['next_read_at', 'order_id', 'order_line', 'ordinal', 'period'],

      ...['quiet_until', 'read_at', 'refunded', 'retail_amount', 'retail_currency'],
      ...['retail_rate', 'retail_rule', 'settled_at', 'spend', 'state', 'submitted_at'],
    ]);
    expect(indexes.toSorted()).toEqual([
      ...['domain_customers_by_customer', 'domain_labels_by_label'],
      ...['job_items_open', 'job_items_owned', 'jobs_by_customer', 'jobs_by_key', 'jobs_by_time'],
      'outbox_by_account',
      'purchases_accepted',
      ...[
        'purchases_by_customer',
        'purchases_by_domain',
        'purchases_by_key',
        'purchases_by_order',
        'purchases_by_ordinal',
        'purchases_by_time',
      ],
      ...['purchases_open', 'purchases_reads', 'purchases_reversed'],
      'purchases_unsettled',
    ]);
  });

  test('the index allows a second purchase of a domain only when the first has ended', async () => {
    const journal = await openSqliteJournal({ file });
    await journal.claim(claimNumber(1), unlimited);
    await journal.close();
    const copy = (state: string) =>
      tamper(
        `insert into purchases (id, account, kind, domain, key, fingerprint, period, state, claimed_at, ordinal)
         select '${state}', account, kind, domain, '${state}', fingerprint, period, '${state}', claimed_at,
           (select max(ordinal) + 1 from purchases)
         from purchases where id = 'operation-001'`,
      );

    for (const state of unsettledStates) expect(() => copy(state)).toThrow('UNIQUE');
    for (const state of ['SUCCEEDED', 'FAILED', 'UNKNOWN']) copy(state);
  });

  test.each([
    ['a folder', async () => folder],
    [
      'below a file',
      async () => {
        await writeFile(join(folder, 'plain'), '');
        return join(folder, 'plain', 'journal.db');
      },
    ],
    [
      'no database',
      async () => {
        await writeFile(file, 'This is a letter, not a database. '.repeat(100));
        return file;
      },
    ],
  ])('a path that is %s is refused by name', async (_what, pathOf) => {
    const path = await pathOf();

    const opening = openSqliteJournal({ file: path });

    await expect(opening).rejects.toMatchObject({
      code: 'JOURNAL_UNAVAILABLE',
      message: expect.stringContaining(path),
    });
  });

  describe('a file that another process locks', () => {
    let other: DatabaseSync;
    let waits: number[];

    const open = async (busyTimeoutMs: number, onWait: () => unknown) => {
      let nowMs = 0;
      waits = [];
      const journal = await openSqliteJournal({
        file,
        busyTimeoutMs,
        clock: {
          monotonicMs: () => nowMs,
          async wait(ms) {
            // The end of a turn.
            if (ms === 0) return;
            waits.push(ms);
            nowMs += ms;
            await onWait();
          },
        },
      });
      other = new DatabaseSync(file);
      other.exec('begin immediate');
      return journal;
    };
    afterEach(() => other.close());

    test('can be read while a write waits, which is made after the lock', async () => {
      let read = Number.NaN;
      const journal: Journal = await open(1_000, async () => {
        read = await journal.count(account);
        if (waits.length === 6) other.exec('rollback');
      });

      const { outcome } = await journal.claim(claimNumber(1), unlimited);
      await journal.close();

      expect([read, outcome]).toEqual([0, 'claimed']);
      expect(waits).toEqual([5, 10, 20, 40, 50, 50]);
    });

    test.each([
      [224, 6],
      [225, 7],
    ])(
      'fails a write after %i ms, and the next write works after the lock',
      async (busyTimeoutMs, count) => {
        const journal = await open(busyTimeoutMs, () => undefined);

        const failed = await journal.claim(claimNumber(1), unlimited).catch((error) => error);
        other.exec('rollback');
        const { outcome } = await journal.claim(claimNumber(1), unlimited);
        await journal.close();

        expect(waits).toHaveLength(count);
        expect(failed).toMatchObject({
          code: 'JOURNAL_UNAVAILABLE',
          executed: 'NO',
          message: 'The journal cannot be written, so nothing was sent; reads still work.',
          cause: {
            name: 'JournalFailure',
            message: 'Another process has locked the file journal.db.',
          },
        });
        expect(failureOf(failed)).toBe('Another process has locked the file journal.db.');
        expect(outcome).toBe('claimed');
      },
    );
  });

  test('opening waits for the lock of another process', async () => {
    const locking = new Worker(
      `const { DatabaseSync } = require('node:sqlite');
       const { parentPort, workerData } = require('node:worker_threads');
       const database = new DatabaseSync(workerData);
       database.exec('begin exclusive');
       parentPort.postMessage('locked');
       setTimeout(() => { database.exec('commit'); database.close(); }, 50);`,
      { eval: true, workerData: file },
    );
    const ended = once(locking, 'exit');
    await once(locking, 'message');

    const journal = await openSqliteJournal({ file, busyTimeoutMs: 60_000 });

    expect(await journal.count(account)).toBe(0);
    await journal.close();
    await ended;
  });

  test.each(['journal.db', 'journal.db-wal', 'journal.db-shm'])(
    'a write fails when %s was removed or replaced, and a read does not',
    async (name) => {
      const journal = await openSqliteJournal({ file });
      await journal.claim(claimNumber(1), unlimited);
      const path = join(folder, name);
      const claim = () => journal.claim(claimNumber(2), unlimited).catch(failureOf);
      const failure = expect.stringContaining(`The file ${name} was removed or replaced`);

      await rename(path, join(folder, 'moved'));
      expect(await claim()).toEqual(failure);
      expect(await journal.count(account)).toBe(1);
      await copyFile(join(folder, 'moved'), path);
      expect(await claim()).toEqual(failure);
      await rename(join(folder, 'moved'), path);

      expect(await claim()).toMatchObject({ outcome: 'claimed' });
      await journal.close();
    },
  );

  test.skipIf(whyNotLinux)(
    `a failed start leaves no file open${because(whyNotLinux)}`,
    async () => {
      const openFiles = () =>
        readdirSync('/proc/self/fd').filter((fd) => {
          try {
            return readlinkSync(`/proc/self/fd/${fd}`).startsWith(folder);
          } catch {
            return false;
          }
        });
      const letter = join(folder, 'letter');
      await writeFile(letter, 'This is a letter, not a database. '.repeat(100));
      await (await openSqliteJournal({ file })).close();
      tamper(
        `insert into kysely_migration values ('9999-from-the-future', '2030-01-01T00:00:00Z')`,
      );

      for (const path of [letter, file]) {
        await expect(openSqliteJournal({ file: path })).rejects.toThrow();
      }

      expect(openFiles()).toEqual([]);
    },
  );

  test('the error of the driver is the cause for the log and not part of the message', async () => {
    const journal = await openSqliteJournal({ file });
    tamper('drop table purchases');

    const failed = await journal.claim(claimNumber(1), unlimited).catch((error: unknown) => error);
    await journal.close();

    expect(failed).toMatchObject({
      code: 'JOURNAL_UNAVAILABLE',
      message: 'The journal cannot be written, so nothing was sent; reads still work.',
    });
    expect(JSON.stringify(failed)).not.toContain('no such table');
    expect(inspect(failed)).toContain('no such table: purchases');
    expect([failureOf(failed), failureOf(null)]).toEqual([null, null]);
  });

  test('a corrupt row makes the journal unavailable and is no input error', async () => {
    const journal = await openSqliteJournal({ file });
    await journal.claim(claimNumber(1), unlimited);
    tamper(`update purchases set cost_amount = 'plenty'`);

    const failed = await journal.byId(account, 'operation-001').catch((error: unknown) => error);
    await journal.close();

    expect(failed).toMatchObject({
      code: 'JOURNAL_UNAVAILABLE',
      message: 'The journal cannot be read.',
    });
  });

  /** The query plans of the statements of `work`. */
  const plansOf = (work: (journal: Journal) => Promise<unknown>) => sqlitePlansOf(file, work);

  test('the customers and labels of a page are found by their domains, and charges by their times', async () => {
    const names = [parseDomainName('a.com'), parseDomainName('b.com')];
    const span = { from: minute(1), until: minute(2) };
    const plans = await plansOf(async (journal) => {
      await journal.customers.of(account, names);
      await journal.customers.labels(account, names);
      await journal.customers.labelled(account, { name: 'x', value: null }, null, 9);
      await journal.charges(account, 'ACCEPTED', span, { after: undefined, limit: 9 });
      await journal.charges(account, 'REVERSED', span, { after: undefined, limit: 9 });
      await journal.firstCharge(account);
    });

    expect(plans).toEqual([
      expect.stringContaining('domain_customers_1 (account=? AND domain=?)'),
      expect.stringContaining('domain_labels_1 (account=? AND domain=?)'),
      expect.stringContaining('domain_labels_by_label (account=? AND name=? AND domain>?)'),
      expect.stringContaining('purchases_accepted (account=? AND accepted_at>?'),
      expect.stringContaining('purchases_reversed (account=? AND settled_at>?'),
      expect.stringContaining('purchases_accepted (account=?'),
    ]);
  });

  test('the purchases of an order are read with their index, so that other purchases cost nothing', async () => {
    const plans = await plansOf(async ({ jobs, byLines }) => {
      await jobs.states('job-001', minute(1));
      await byLines(account, 'job-001', [1]);
      await byLines(account, 'job-001', [1, 2, 3]);
    });

    expect(plans).toHaveLength(3);
    for (const plan of plans) expect(plan).toContain('USING INDEX purchases_by_order');
  });

  test('open purchases are read with an index of their own', async () => {
    const states = ['CLAIMED', 'SENDING', 'PENDING'] as const;
    const [open, unknown] = [{ states }, { states: ['UNKNOWN'] as const, statesAt: minute(3) }];
    const plans = await plansOf(async ({ list, count, openTransfers }) => {
      await list(account, { filter: open, limit: 100, fromEnd: true });
      await list(account, {
        ...{ filter: open, limit: 100, fromEnd: true },
        before: { claimedAt: minute(1), id: 'operation-001' },
      });
      await list(account, { filter: unknown, limit: 5 });
      await count(account, open);
      await count(account, unknown);
      await openTransfers(account);
    });

    expect(plans).toEqual([
      ...Array.from({ length: 5 }, () => expect.stringContaining('INDEX purchases_unsettled (')),
      expect.stringContaining('INDEX purchases_open (account=?'),
    ]);
    for (const plan of plans) expect(plan).not.toContain('TEMP B-TREE');
  });

  test('the purchases of a domain are read in their order with an index', async () => {
    const [filter, limit] = [{ domain: parseDomainName('a.com') }, 1];
    const plans = await plansOf(async ({ list, count }) => {
      await list(account, { filter, limit });
      await list(account, { filter: { ...filter, caller: 'shop' }, limit, fromEnd: true });
      await count(account, filter);
    });

    expect(plans).toHaveLength(3);
    for (const plan of plans) {
      expect(plan).toMatch(/INDEX purchases_by_domain \(account=\? AND domain=\?/);
      expect(plan).not.toContain('TEMP B-TREE');
    }
  });

  test('a read by ids works for every number of ids, whatever statements are cached', async () => {
    const journal = await openSqliteJournal({ file });
    await journal.claim(claimNumber(1), unlimited);
    await journal.move('operation-001', ['CLAIMED'], { to: 'SENDING', at: minute(2) });
    const ids = ['operation-001'];

    for (let length = 1; length <= 150; length += 1) {
      expect(await journal.byIds(account, ids)).toHaveLength(1);
      ids.push(`no-such-${length}`);
    }
    await journal.close();
  });
});
