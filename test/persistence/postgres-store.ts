import { afterAll } from 'vitest';
import { Secret } from '../../src/kernel/secret.ts';
import { openPostgresJournal } from '../../src/persistence/postgres.ts';
import { createDatabase, runOnPostgres, type TestDatabase } from '../support/postgres.ts';

const emptyDatabase = `
  select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid();
  drop schema public cascade;
  create schema public`;

/** Returns the function that makes an empty store of the journal. */
export function usePostgresStores() {
  /** Empty databases of earlier tests, because creating one takes longer than most tests. */
  const unused: TestDatabase[] = [];
  afterAll(() => Promise.all(unused.map((database) => database.remove())));

  return async () => {
    const database = unused.pop() ?? (await createDatabase());
    const { url } = database;
    return {
      url,
      connect: () => openPostgresJournal({ url: new Secret(url) }),
      execute: (sql: string) => runOnPostgres(sql, url),
      async remove() {
        await runOnPostgres(emptyDatabase, url);
        unused.push(database);
      },
    };
  };
}
