import { expect, test } from 'vitest';
import { tryParseInstant } from '../kernel/instant.ts';
import { flag, instant, json, nullable, table, text, textOrEmpty, withDefault } from './table.ts';

const notes = table(
  'notes',
  {
    noteId: text,
    owner: textOrEmpty,
    isRead: nullable(flag),
    readAt: nullable(instant),
    tags: json<readonly string[]>(),
  },
  {
    hidden: { account: withDefault(text, "'none'") },
    key: 'account, note_id',
    unique: { by_owner: '(owner)' },
    indexes: { read: '(read_at) where read_at is not null' },
    triggers: [{ sqlite: 'create trigger notes_added' }],
  },
);
const row = { note_id: 'n1', owner: '', is_read: 1, read_at: null, tags: '["a"]' };
const record = { noteId: 'n1', owner: null, isRead: true, readAt: null, tags: ['a'] };

test('the first step of a table creates its columns, then its unique indexes, the others and its triggers', () => {
  expect(notes.steps).toEqual([
    [
      [
        'create table notes (\n  "note_id" text not null',
        '  "owner" text not null',
        '  "is_read" integer',
        '  "read_at" text',
        '  "tags" text not null',
        `  "account" text default 'none' not null`,
        '  constraint notes_pkey primary key (account, note_id)\n)',
      ].join(',\n'),
      'create unique index notes_by_owner on notes (owner)',
      'create index notes_read on notes (read_at) where read_at is not null',
      { sqlite: 'create trigger notes_added' },
    ],
  ]);
});

test('a record has the values of its columns, and a row is made from some of them', () => {
  expect(notes.record({ ...row, ...{ account: 'a' } })).toEqual(record);
  expect(notes.row({ ...record, account: 'a' })).toEqual({ ...row, account: 'a' });
  expect(notes.row({ isRead: false, readAt: undefined, owner: 'o' })).toEqual({
    ...{ is_read: 0, owner: 'o' },
  });
  expect(notes.columns).toEqual(Object.keys(row));
});

test('a stored time is read as `parseInstant` reads it, on each day of a year', () => {
  for (const year of ['2023', '2024']) {
    for (let day = 0; day < 13 * 33; day += 1) {
      const [month, date] = [Math.floor(day / 33), day % 33].map((n) => String(n).padStart(2, '0'));
      const stored = `${year}-${month}-${date}T23:59:58.123Z`;
      const time = tryParseInstant(stored);
      if (time) expect(instant.read(stored)).toEqual(time);
      else expect(() => instant.read(stored)).toThrow('is not a date and time');
    }
  }
});

test.each(['2026-01-31T24:00:00.000Z', '2026-01-31T12:60:00.000Z', 'x2026-01-31T12:00:00.000Z'])(
  '%s is no time',
  (stored) => {
    expect(() => instant.read(stored)).toThrow('is not a date and time');
  },
);
