import { existsSync, writeFileSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { features } from '../../src/features/index.ts';
import { lazy } from '../../src/lib/lazy.ts';
import { systemClock } from '../../src/lib/system.ts';
import type { Journal } from '../../src/persistence/journal.ts';
import { openSqliteJournal } from '../../src/persistence/sqlite.ts';
import type { Table } from '../../src/persistence/table.ts';
import { newFolder } from './folder.ts';

async function create(tables: readonly Table[]): Promise<Buffer> {
  const folder = await newFolder('empty-journal');
  const file = join(folder, 'journal.db');
  await (await openSqliteJournal({ file, tables })).close();
  const content = await readFile(file);
  await rm(folder, { recursive: true });
  return content;
}

const ofCore = lazy(() => create([]));
const ofAll = lazy(() => create(features.flatMap(({ tables = [] }) => tables)));

/**
 * Writes a journal without entries, unless the file exists: to create its tables takes longer than most tests. `hasFeatures` is
 * whether it has the tables of all features.
 */
export async function writeEmptyJournal(file: string, hasFeatures = false): Promise<void> {
  const content = await (hasFeatures ? ofAll() : ofCore());
  // In one turn: several connections may open the file at once.
  if (!existsSync(file)) writeFileSync(file, content, { mode: 0o600 });
}

/** A journal whose writes wait for no turn of the event loop and no disk, so that tests with a simulated clock know when they have ended. */
export async function openTestJournal(
  file: string,
  tables: readonly Table[] = [],
): Promise<Journal> {
  await writeEmptyJournal(file);
  const wait = async (ms: number) => (ms > 0 ? systemClock.wait(ms) : undefined);
  const syncFile = async () => undefined;
  return openSqliteJournal({ file, clock: { ...systemClock, wait }, syncFile, tables });
}
