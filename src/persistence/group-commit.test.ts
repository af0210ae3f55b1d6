import { DatabaseSync } from 'node:sqlite';
import { CompiledQuery } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import { systemClock } from '../lib/system.ts';
import { createGroupCommit } from './group-commit.ts';
import { createExecute } from './statements.ts';

/** The value that does not fit on the disk: SQLite ends the transaction. */
const tooLarge = 99;

let database: DatabaseSync;
let transactions: string[];
/** The attempt at which another process has released its lock. */
let lockedUntilAttempt: number;
let write: (value: number) => Promise<unknown>;

beforeEach(() => {
  database = new DatabaseSync(':memory:');
  database.exec('create table numbers (value integer primary key check (value <> 13))');
  [transactions, lockedUntilAttempt] = [[], 1];
  const exec = database.exec.bind(database);
  database.exec = (sql) => {
    transactions.push(sql);
    exec(sql);
  };
  const run = createExecute(database);
  const commit = createGroupCommit({
    database,
    clock: systemClock,
    sync: async () => undefined,
    execute(query) {
      if (query.parameters[0] !== tooLarge) return run(query);
      exec('rollback');
      throw new Error('The disk is full.');
    },
    async retryWhileLocked(attempt) {
      for (let at = 1; at < lockedUntilAttempt; at += 1) {
        transactions.push('locked');
        await undefined;
      }
      return attempt();
    },
  });
  write = (value) => commit(CompiledQuery.raw('insert into numbers values (?)', [value]));
});

const stored = () =>
  database
    .prepare('select value from numbers order by value')
    .all()
    .map(({ value }) => value);
const outcomes = async (values: readonly number[]) =>
  (await Promise.allSettled(values.map(write))).map(({ status }) => status);

test('writes of one turn share a transaction, and a later one has none', async () => {
  expect(await outcomes([1, 2, 3])).toEqual(['fulfilled', 'fulfilled', 'fulfilled']);
  await write(4);
  expect(transactions).toEqual(['begin immediate', 'commit']);
  expect(stored()).toEqual([1, 2, 3, 4]);
});

test('no write is stored before its turn ends', async () => {
  const written = Promise.all([write(1), write(2)]);
  await Promise.resolve();
  expect(stored()).toEqual([]);
  await written;
});

test('a write that fails changes nothing, and the others are committed', async () => {
  expect(await outcomes([1, 13, 1, 2])).toEqual([
    ...['fulfilled', 'rejected', 'rejected', 'fulfilled'],
  ]);
  expect(stored()).toEqual([1, 2]);
});

test('when an error ends the transaction all its writes fail', async () => {
  expect(await outcomes([1, tooLarge, 2])).toEqual(['rejected', 'rejected', 'rejected']);
  expect(stored()).toEqual([]);
  await write(3);
  expect(stored()).toEqual([3]);
});

test('a transaction has at most 100 writes', async () => {
  await outcomes(Array.from({ length: 201 }, (_, at) => at + 100));
  expect(transactions).toEqual(Array(2).fill(['begin immediate', 'commit']).flat());
  expect(stored()).toHaveLength(201);
});

test('a transaction that waits for a lock is executed after it', async () => {
  lockedUntilAttempt = 3;
  expect(await outcomes([1, 2])).toEqual(['fulfilled', 'fulfilled']);
  expect(transactions).toEqual(['locked', 'locked', 'begin immediate', 'commit']);
});
