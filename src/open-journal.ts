import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from './config/config.ts';
import { Fault } from './kernel/faults.ts';
import type { PostgresOptions } from './persistence/postgres.ts';
import type { Journal } from './persistence/store.ts';

/** Whether nothing that is bought costs real money. */
export const isSandbox = ({ upstream }: Config): boolean =>
  upstream.kind === 'embedded' || upstream.isSandbox;

/** The account that pays. One of the sandbox and one of the real service are never the same, whatever their names. */
export const accountOf = (config: Config, { login }: Config['tenants'][number]): string =>
  `${isSandbox(config) ? 'sandbox' : 'live'}:${login.username.reveal()}`;

/** Purchases in a sandbox have a file of their own, so that a reset can never take a real one with it. */
const fileOf = (config: Config): string =>
  join(config.dataDir, isSandbox(config) ? 'sandbox-journal.sqlite' : 'journal.sqlite');

/** Where the journal is to be, when it is not there yet; null when it is, or is a database. */
export function missingFile(config: Config): string | null {
  const file = fileOf(config);
  return config.databaseUrl || existsSync(file) ? null : file;
}

/**
 * Copies the journal to a new file, and returns how many purchases the copy has.
 *
 * @throws Fault `JOURNAL_UNAVAILABLE` when it is in PostgreSQL, or the copy cannot be made.
 */
export async function backUp(config: Config, copy: string): Promise<number> {
  if (config.databaseUrl) {
    throw new Fault('JOURNAL_UNAVAILABLE', {
      message: 'The journal is in PostgreSQL; back it up with pg_dump.',
    });
  }
  const { backUpJournal } = await import('./persistence/backup.ts');
  return backUpJournal(fileOf(config), copy);
}

interface OpenOptions {
  readonly reset?: boolean;
  /** Is called when PostgreSQL is not available at the start, and once it is; without it opening fails. */
  readonly onAvailability?: PostgresOptions['onAvailability'];
}

/** Makes the journal where it is not there yet. */
export async function openJournal(
  config: Config,
  { reset = false, onAvailability }: OpenOptions = {},
): Promise<Journal> {
  const { upstream, databaseUrl } = config;
  // Each brings its driver along, so only the one in use is loaded.
  if (databaseUrl) {
    const { openPostgresJournal } = await import('./persistence/postgres.ts');
    return openPostgresJournal({ url: databaseUrl, ...(onAvailability && { onAvailability }) });
  }
  const { openSqliteJournal } = await import('./persistence/sqlite.ts');
  const file = fileOf(config);
  if (reset && upstream.kind === 'embedded') {
    for (const ending of ['', '-wal', '-shm']) await rm(`${file}${ending}`, { force: true });
  }
  return openSqliteJournal({ file });
}
