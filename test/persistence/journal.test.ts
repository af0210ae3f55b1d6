import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
} from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createJournal, type Journal } from '../../src/persistence/journal.ts';
import type { JournalTables } from '../../src/persistence/tables.ts';
import { openTestJournal } from '../support/empty-journal.ts';
import { newFolder } from '../support/folder.ts';
import { account, claimNumber, unlimited } from './claims.ts';

describe('a claim that loses its number to other claims', () => {
  let folder: string;
  let journal: Journal;

  /** Makes the database write nothing for this number of claims, as if another claim took the number each time. */
  const loseRounds = (count: number) => {
    const database = new DatabaseSync(join(folder, 'journal.db'));
    database.exec(`create table rounds (lost integer);
      create trigger lose before insert on purchases when (select count(*) from rounds) < ${count} begin
        insert into rounds values (1);
        select raise(ignore);
      end`);
    database.close();
  };

  beforeEach(async () => {
    folder = await newFolder('journal');
    journal = await openTestJournal(join(folder, 'journal.db'));
  });
  afterEach(async () => {
    await journal.close();
    await rm(folder, { recursive: true });
  });

  test.each([
    ['without limits', unlimited],
    ['within limits', { GATEWAY: { perHour: 1 }, KEY: {} }],
  ])('tries again with the next one, %s', async (_what, limits) => {
    loseRounds(3);

    expect(await journal.claim(claimNumber(1), limits)).toMatchObject({ outcome: 'claimed' });
  });

  test('fails without a purchase when it loses again and again', async () => {
    loseRounds(1_000_000);

    await expect(journal.claim(claimNumber(1), unlimited)).rejects.toMatchObject({
      code: 'JOURNAL_UNAVAILABLE',
      executed: 'NO',
      message: expect.stringContaining('Too many purchases'),
    });
    expect(await journal.count(account)).toBe(0);
  });
});

test('no statement has an empty list, which PostgreSQL refuses', async () => {
  const statements: string[] = [];
  const journal = createJournal(
    new Kysely<JournalTables>({
      dialect: {
        createAdapter: () => new PostgresAdapter(),
        createDriver: () => new DummyDriver(),
        createIntrospector: (db) => new PostgresIntrospector(db),
        createQueryCompiler: () => new PostgresQueryCompiler(),
      },
      log: ({ query }) => void statements.push(query.sql),
    }),
  );

  await journal.byIds(account, []);
  for (const name of ['states', 'kinds', 'stages']) {
    await journal.list(account, { filter: { [name]: [] }, limit: 1 });
  }

  expect(statements).toHaveLength(4);
  expect(statements.filter((sql) => sql.includes('()'))).toEqual([]);
});
