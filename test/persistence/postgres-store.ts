import { afterAll } from 'vitest';
import { Secret } from '../../src/kernel/secret.ts';
import { openPostgresJournal } from '../../src/persistence/postgres.ts';
import type { Table } from '../../src/persistence/table.ts';
import { createDatabase, runOnPostgres, type TestDatabase } from '../support/postgres.ts';

const dropTables = `
  select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid();
  drop schema public cascade;
  create schema public`;

const deleteRows = `
  do $$ declare name text; begin
    for name in select tablename from pg_tables
        where schemaname = 'public' and tablename not like 'kysely%' loop
      execute format('delete from %I', name);
    end loop;
  end $$`;

const quickCommits = new URLSearchParams({
  options: '-c synchronous_commit=off -c default_transaction_isolation=read\\ committed',
});

/**
 * Returns the function that makes an empty store of the journal. In a quick store commits do not wait for the disk, and the
 * migrated tables of earlier tests remain until a test executes statements of its own.
 */
export function usePostgresStores({ isQuick = false } = {}) {
  /** Empty databases of earlier tests, because creating one takes longer than most tests. */
  const unused: TestDatabase[] = [];
  afterAll(() => Promise.all(unused.map((database) => database.remove())));

  return async () => {
    const database = unused.pop() ?? (await createDatabase());
    const url = isQuick ? `${database.url}?${quickCommits}` : database.url;
    let isConnected = false;
    let isChanged = !isQuick;
    return {
      url,
      async connect(tables: readonly Table[] = []) {
        const journal = await openPostgresJournal({ url: new Secret(url), tables });
        isConnected = true;
        return journal;
      },
      async execute(sql: string) {
        if (!isConnected && !isChanged) await runOnPostgres(dropTables, url);
        isChanged = true;
        await runOnPostgres(sql, url);
      },
      async remove() {
        await runOnPostgres(isConnected && !isChanged ? deleteRows : dropTables, url);
        unused.push(database);
      },
    };
  };
}
