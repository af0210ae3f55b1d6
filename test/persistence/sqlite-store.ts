import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openTestJournal } from '../support/empty-journal.ts';
import { newFolder } from '../support/folder.ts';
import type { JournalStore } from './journal-store.ts';

/** Makes an empty store of the journal. */
export async function createSqliteStore(): Promise<JournalStore> {
  const folder = await newFolder('journal');
  const file = join(folder, 'journal.db');
  return {
    connect: (tables) => openTestJournal(file, tables),
    async execute(sql: string) {
      const database = new DatabaseSync(file);
      database.exec(sql);
      database.close();
    },
    remove: () => rm(folder, { recursive: true }),
  };
}
