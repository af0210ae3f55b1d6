import { DatabaseSync } from 'node:sqlite';
import { beforeEach, expect, test } from 'vitest';
import { createExecute } from '../../src/persistence/statements.ts';

let prepared: string[];
let run: (sql: string, ...parameters: readonly unknown[]) => unknown;

beforeEach(() => {
  prepared = [];
  const database = new DatabaseSync(':memory:');
  const prepare = database.prepare.bind(database);
  database.prepare = (sql: string) => {
    prepared.push(sql);
    return prepare(sql);
  };
  const execute = createExecute(database);
  run = (sql, ...parameters) => execute({ sql, parameters });
  run('create table words (word text)');
});

test('a query returns its rows, and a change the number of rows that it changed', () => {
  const insert = 'insert into words values (?), (?)';

  expect(run(insert, 'one', 'two')).toEqual({ rows: [], numAffectedRows: 2n });
  expect(run('select word from words where word > ?', 'p')).toEqual({ rows: [{ word: 'two' }] });
  expect(run(`${insert} returning word`, 'a', 'b')).toEqual({
    rows: [{ word: 'a' }, { word: 'b' }],
  });
});

test('a statement is prepared again only when a hundred others ran after it', () => {
  const select = (number: number) => run(`select ${number}`);
  for (let number = 1; number <= 100; number += 1) select(number);
  prepared = [];

  select(1);
  select(101);
  select(1);
  select(2);

  expect(prepared).toEqual(['select 101', 'select 2']);
});
