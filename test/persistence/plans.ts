import { DatabaseSync } from 'node:sqlite';
import { vi } from 'vitest';
import type { Journal } from '../../src/persistence/journal.ts';
import { openSqliteJournal } from '../../src/persistence/sqlite.ts';
import type { Table } from '../../src/persistence/table.ts';

/** The plans of the statements of some work with a new journal, one text for each statement. */
export async function sqlitePlansOf(
  file: string,
  work: (journal: Journal) => Promise<unknown>,
  tables: readonly Table[] = [],
): Promise<readonly string[]> {
  const prepare = vi.spyOn(DatabaseSync.prototype, 'prepare');
  const journal = await openSqliteJournal({ file, tables });
  prepare.mockClear();
  await work(journal);
  const statements = prepare.mock.calls.map(([sql]) => sql);
  prepare.mockRestore();
  await journal.close();

  const database = new DatabaseSync(file);
  const plans = statements.map((sql) =>
    database
      .prepare(`explain query plan ${sql}`)
      .all()
      .map(({ detail }) => String(detail))
      .join('; '),
  );
  database.close();
  return plans;
}
