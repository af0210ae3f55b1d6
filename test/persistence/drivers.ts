import { describe } from 'vitest';
import { whyNoPostgres } from '../support/postgres.ts';
import { because } from '../support/skipped.ts';
import type { JournalStore } from './journal-store.ts';
import { usePostgresStores } from './postgres-store.ts';
import { createSqliteStore } from './sqlite-store.ts';

/** Runs the tests of a store on SQLite, and on PostgreSQL where there is one. `isPostgres` is for tests that one driver is enough for. */
export function describeStore(
  what: string,
  run: (create: () => Promise<JournalStore>, isPostgres: boolean) => void,
): void {
  describe(`${what} on SQLite`, () => run(createSqliteStore, false));
  describe.skipIf(whyNoPostgres)(`${what} on PostgreSQL${because(whyNoPostgres)}`, () =>
    run(usePostgresStores({ isQuick: true }), true),
  );
}
