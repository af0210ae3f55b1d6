import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { inspect } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openDatabase, openSqliteJournal } from '../../src/persistence/sqlite.ts';
import { unsettledStates } from '../../src/persistence/store.ts';
import { account, claimNumber, idsOf, minute, unlimited } from './claims.ts';
import { describeJournal } from './describe-journal.ts';
import { describeSpending } from './describe-spending.ts';

async function createStore() {
  const folder = await mkdtemp(join(tmpdir(), 'journal-'));
  const file = join(folder, 'journal.db');
  return {
    connect: () => openSqliteJournal({ file }),
    async execute(sql: string) {
      const database = new DatabaseSync(file);
      database.exec(sql);
      database.close();
    },
    remove: () => rm(folder, { recursive: true }),
  };
}

describeJournal('SQLite', createStore);
describeSpending('SQLite', createStore);

describe('the SQLite file', () => {
  let folder: string;
  let file: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'journal-'));
    file = join(folder, 'journal.db');
  });

  afterEach(async () => {
    await rm(folder, { recursive: true });
  });

  const run = (script: string, ...args: string[]) =>
    spawn(process.execPath, [join(import.meta.dirname, script), ...args], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });

  /** Executes one statement without the journal. */
  const tamper = (sql: string) => {
    const database = new DatabaseSync(file);
    database.exec(sql);
    database.close();
  };

  test('commits are synced to disk, and foreign keys are enforced', () => {
    const database = openDatabase({ file });

    const pragmas = ['journal_mode', 'synchronous', 'busy_timeout', 'foreign_keys'].map((name) =>
      Object.values(database.prepare(`pragma ${name}`).get() ?? {}).at(0),
    );
    database.close();

    // synchronous 2 is FULL. The driver waits for a lock, not SQLite.
    expect(pragmas).toEqual(['wal', 2, 0, 1]);
  });

  test('a missing folder is created', async () => {
    const journal = await openSqliteJournal({ file: join(folder, 'a', 'b', 'journal.db') });

    expect(await journal.count(account)).toBe(0);
    await journal.close();
  });

  test('kill -9 after acknowledged moves loses none of them', async () => {
    const child = run('killed-writer.ts', file);
    let printed = '';
    child.stdout.setEncoding('utf8');
    for await (const chunk of child.stdout) {
      printed += chunk;
      if (printed.split('\n').length > 20) break;
    }
    child.kill('SIGKILL');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    const acknowledged = printed.split('\n').slice(0, -1);

    const journal = await openSqliteJournal({ file });
    const stored = await journal.byIds(account, acknowledged);
    await journal.close();

    expect(child.signalCode).toBe('SIGKILL');
    expect(acknowledged.length).toBeGreaterThanOrEqual(20);
    expect(idsOf(stored).toSorted()).toEqual(acknowledged.toSorted());
    expect(stored.every(({ state }) => state === 'SENDING')).toBe(true);
  });

  test.each([
    ['50', 'share its keys without an error'],
    ['17', 'claim together no more than the limit'],
  ])('four processes that open a new file at once, with %s per hour, %s', async (perHour) => {
    const wins = await Promise.all(
      ['a', 'b', 'c', 'd'].map(async (name) => {
        const child = run('rival-claimer.ts', file, name, perHour);
        let printed = '';
        for await (const chunk of child.stdout) printed += String(chunk);
        return Number(printed || Number.NaN);
      }),
    );

    expect(wins.reduce((sum, won) => sum + won, 0)).toBe(Number(perHour));
  });

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

  test('the index allows a second purchase of a domain only when the first has ended', async () => {
    const journal = await openSqliteJournal({ file });
    await journal.claim(claimNumber(1), unlimited);
    await journal.close();
    const copy = (state: string) =>
      tamper(
        `insert into operations (id, account, kind, domain, key, fingerprint, period, state, claimed_at, ordinal)
         select '${state}', account, kind, domain, '${state}', fingerprint, period, '${state}', claimed_at,
           (select max(ordinal) + 1 from operations)
         from operations where id = 'operation-001'`,
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

  test('a file that another process locks can be read, fails a write after the timeout, and works after the lock', async () => {
    const journal = await openSqliteJournal({ file, busyTimeoutMs: 200 });
    const other = new DatabaseSync(file);
    other.exec('begin immediate');

    const claim = journal.claim(claimNumber(1), unlimited).catch((error: unknown) => error);
    const read = await journal.count(account);
    const early = await Promise.race([claim, Promise.resolve('still waiting')]);
    const failed = await claim;
    other.exec('rollback');
    other.close();
    const { outcome } = await journal.claim(claimNumber(1), unlimited);
    await journal.close();

    expect(failed).toMatchObject({
      code: 'JOURNAL_UNAVAILABLE',
      executed: 'NO',
      message: 'The journal cannot be written, so nothing was bought; reads still work.',
      cause: { message: 'Another process has locked the file journal.db.' },
    });
    expect([read, early, outcome]).toEqual([0, 'still waiting', 'claimed']);
  });

  test('the error of the driver is the cause for the log and not part of the message', async () => {
    const journal = await openSqliteJournal({ file });
    tamper('drop table operations');

    const failed = await journal.claim(claimNumber(1), unlimited).catch((error: unknown) => error);
    await journal.close();

    expect(failed).toMatchObject({
      code: 'JOURNAL_UNAVAILABLE',
      message: 'The journal cannot be written, so nothing was bought; reads still work.',
    });
    expect(JSON.stringify(failed)).not.toContain('no such table');
    expect(inspect(failed)).toContain('no such table: operations');
  });

  test('a corrupt row makes the journal unavailable and is no input error', async () => {
    const journal = await openSqliteJournal({ file });
    await journal.claim(claimNumber(1), unlimited);
    tamper(`update operations set price_amount = 'plenty'`);

    const failed = await journal.byId(account, 'operation-001').catch((error: unknown) => error);
    await journal.close();

    expect(failed).toMatchObject({
      code: 'JOURNAL_UNAVAILABLE',
      message: 'The journal cannot be read.',
    });
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
