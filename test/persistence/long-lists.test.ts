import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { mostCounted } from '../../src/lib/pages.ts';
import type { JobPage } from '../../src/persistence/job-store.ts';
import type { Journal } from '../../src/persistence/journal.ts';
import { openSqliteJournal } from '../../src/persistence/sqlite.ts';
import { newFolder } from '../support/folder.ts';
import { account } from './claims.ts';
import { describeStore } from './drivers.ts';
import { useStore } from './journal-store.ts';

const kind = 'ORDER';

/** More rows than two slices have. Each time is that of seven jobs, and every 900th job is of the caller `rare`. */
const rows = Array.from({ length: 2_500 }, (_, at) => ({
  id: `job-${String(at).padStart(6, '0')}`,
  caller: at % 900 === 450 ? 'rare' : 'common',
  createdAt: new Date(Date.UTC(2026, 0, 1) + Math.floor(at / 7) * 1_000),
}));

const valuesOf = ({ id, caller, createdAt }: (typeof rows)[number]) =>
  `('${id}', '${account}', '${caller}', '${kind}', '${id}', '{}', '${createdAt.toISOString()}')`;

const insert = (values: string) =>
  `insert into jobs (id, account, caller, kind, key, options, created_at) ${values}`;

/** More jobs than are counted. */
const manyRows = insert(
  `with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${mostCounted + 5})
  select 'many-' || n, '${account}', 'many', 'MANY', 'many-' || n, '{}', '2026-02-01T00:00:00.000Z' from numbers`,
);

describeStore('a list that is longer than a slice', (create) => {
  const { connect, execute } = useStore(create);
  let journal: Journal;
  beforeEach(async () => {
    journal = await connect();
    await execute(insert(`values ${rows.map(valuesOf).join()}`));
  });

  const newestFirst = rows.toReversed();
  const isBefore = (one: (typeof rows)[number], other: { createdAt: Date; id: string }) =>
    newestFirst.indexOf(one) < newestFirst.findIndex(({ id }) => id === other.id);

  function expected({ filter, limit, after, before, fromEnd = false }: JobPage): string[] {
    const range = newestFirst.filter(
      (row) =>
        (filter?.caller === undefined || row.caller === filter.caller) &&
        (!filter?.created?.from || row.createdAt >= filter.created.from) &&
        (!after || isBefore(after as never, row)) &&
        (!before || isBefore(row, before)),
    );
    return (fromEnd ? range.slice(-limit) : range.slice(0, limit)).map(({ id }) => id);
  }

  const [early, middle] = [rows[460], rows[1_400]];
  const created = { from: new Date(Date.UTC(2026, 0, 1, 0, 2)) };
  const pages: readonly JobPage[] = [
    { limit: 9 },
    { limit: 2 },
    { limit: 2, fromEnd: true },
    { limit: 9, after: middle },
    { limit: 9, before: middle, fromEnd: true },
    { limit: 9, before: early, after: middle },
    { limit: 1, before: early, after: middle, fromEnd: true },
  ];
  const filters = [{ kind, caller: 'rare' }, { kind, caller: 'rare', created }, { kind }];

  test('has on each page the rows of the filter, in their order, and each once', async () => {
    for (const filter of [...filters, { kind, caller: 'common' }]) {
      for (const page of pages) {
        const found = await journal.jobs.list(account, { ...page, filter });
        expect(found.map(({ id }) => id)).toEqual(expected({ ...page, filter }));
      }
      const whole = expected({ limit: rows.length, filter });
      expect(await journal.jobs.count(account, filter)).toBe(whole.length);
    }
  });

  test('is counted up to a bound', async () => {
    await execute(manyRows);

    expect(await journal.jobs.count(account, { kind: 'MANY' })).toBe(mostCounted + 1);
    expect(await journal.jobs.count(account, { kind: 'MANY', caller: 'many' })).toBe(
      mostCounted + 1,
    );
    expect(await journal.jobs.count(account, { kind: 'MANY', caller: 'absent' })).toBe(0);
  });
});

test('other requests run between the slices of SQLite', async () => {
  const folder = await newFolder('long-lists');
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, 'journal.db');
  let nowMs = 0;
  let turns = 0;
  const journal = await openSqliteJournal({
    file,
    clock: {
      monotonicMs: () => nowMs++,
      wait: async () => {
        turns += 1;
      },
    },
  });
  const database = new DatabaseSync(file);
  database.exec(manyRows);
  database.close();

  const turnsOf = async (work: () => Promise<unknown>) => {
    turns = 0;
    await work();
    return turns;
  };
  const filter = { kind: 'MANY', caller: 'absent' };
  // 10 whole slices and the rest.
  expect(await turnsOf(() => journal.jobs.count(account, filter))).toBe(11);
  expect(await turnsOf(() => journal.jobs.list(account, { filter, limit: 1 }))).toBe(11);
  // A caller counts the slices, and can end the read.
  let slices = 0;
  const onSlice = () => {
    slices += 1;
    if (slices === 3) throw new Error('enough');
  };
  const page = { filter, limit: 1, onSlice };
  expect(await turnsOf(() => journal.jobs.list(account, page).catch(() => undefined))).toBe(2);
  // An index has these rows.
  expect(await turnsOf(() => journal.jobs.list(account, { filter: { kind }, limit: 1 }))).toBe(0);
  await journal.close();
});
