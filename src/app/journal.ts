import { existsSync, statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../config/config.ts';
import type { TenantConfig } from '../config/tenants.ts';
import { features } from '../features/index.ts';
import { Fault } from '../kernel/faults.ts';
import type { CommandTrail } from '../kernel/recorder.ts';
import type { Journal } from '../persistence/journal.ts';
import type { PostgresOptions } from '../persistence/postgres.ts';
import type { SqliteOptions } from '../persistence/sqlite.ts';
import type { Table } from '../persistence/table.ts';
import type { OpenAccount } from '../seam/feature.ts';
import { selectFeatures } from './features.ts';

/** Identifies a tenant in the journal. A sandbox and the real registrar never have the same one. */
export const accountOf = ({ isSandbox }: Config, { login }: TenantConfig): string =>
  `${isSandbox ? 'sandbox' : 'live'}:${login.username.reveal()}`;

export type JournalPlace = Pick<Config, 'storage' | 'isSandbox'>;

/** Purchases in a sandbox have their own file, so that a reset never deletes real ones. */
export const journalFileOf = ({ storage, isSandbox }: JournalPlace): string =>
  join(storage.dataDir, isSandbox ? 'sandbox-journal.sqlite' : 'journal.sqlite');

/**
 * Opening a missing journal would create one that no gateway uses.
 *
 * @throws Fault `JOURNAL_UNAVAILABLE` when the SQLite file does not exist.
 */
export function requireJournal(config: JournalPlace): void {
  const file = journalFileOf(config);
  if (config.storage.databaseUrl || existsSync(file)) return;
  const { dataDir } = config.storage;
  if (existsSync(dataDir) && !statSync(dataDir).isDirectory()) {
    throw new Fault('JOURNAL_UNAVAILABLE', {
      message: `The journal cannot use the file ${file}: a part of its path is a file, not a folder.`,
    });
  }
  throw new Fault('JOURNAL_UNAVAILABLE', {
    message: `There is no journal at ${file}; use the settings of the gateway, and start it once first.`,
  });
}

/**
 * Reads every page of a SQLite journal. PostgreSQL checks its own pages.
 *
 * @throws Fault `JOURNAL_UNAVAILABLE` when one is damaged.
 */
export async function checkPages(config: JournalPlace): Promise<void> {
  if (config.storage.databaseUrl) return;
  const sqlite = await import('../persistence/sqlite-file.ts');
  sqlite.checkPages(journalFileOf(config));
}

interface OpenOptions {
  /** Deletes the journal of the embedded sandbox first. */
  readonly reset?: boolean;
  /** Called when PostgreSQL is unavailable at the start, and when it becomes available. Without it opening fails. */
  readonly onAvailability?: PostgresOptions['onAvailability'];
  readonly syncFile?: SqliteOptions['syncFile'];
  /** The tables of features; default none, which leaves theirs as they are. */
  readonly tables?: readonly Table[];
}

/** Opens the journal, and creates it when it does not exist. */
export async function openJournal(
  config: Config,
  { reset = false, onAvailability, syncFile, tables }: OpenOptions = {},
): Promise<Journal> {
  const { databaseUrl: url } = config.storage;
  // Only the driver in use is loaded.
  if (url) {
    const { openPostgresJournal } = await import('../persistence/postgres.ts');
    return openPostgresJournal({ url, tables, ...(onAvailability && { onAvailability }) });
  }
  const { openSqliteJournal } = await import('../persistence/sqlite.ts');
  const file = journalFileOf(config);
  if (reset && config.hasEmbeddedSandbox) {
    for (const ending of ['', '-wal', '-shm']) await rm(`${file}${ending}`, { force: true });
  }
  return openSqliteJournal({ file, syncFile, tables });
}

/** Opens the journal of a gateway that was started before, for a command. @throws StartError or Fault `JOURNAL_UNAVAILABLE` */
export async function openAccount(config: Config, tenant: TenantConfig): Promise<OpenAccount> {
  requireJournal(config);
  const account = accountOf(config, tenant);
  const selected = selectFeatures(features, config.server.features);
  const tables = selected.flatMap((feature) => feature.tables ?? []);
  const createTrail = await selected.find((feature) => feature.commandTrail)?.commandTrail?.();
  const journal = await openJournal(config, { tables });
  return { journal, account, trail: createTrail?.(journal.database, account) ?? noTrail };
}

const noTrail: CommandTrail = {
  begin: async () => async () => undefined,
  add: async () => undefined,
};
