import { createHash } from 'node:crypto';
import {
  createReadStream,
  existsSync,
  mkdtempSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import packageFile from '../../package.json' with { type: 'json' };
import type { StoredSettings } from '../config/config.ts';
import { Fault } from '../kernel/faults.ts';
import { copyPrivately, createPrivateFile, fileProblem, syncFolder } from '../lib/private-files.ts';
import { StartError } from '../lib/start-error.ts';
import { journalFileOf, requireJournal } from './journal.ts';

// A backup is a folder of private files: the journal, the files that settings name, each under the name of its setting, and
// a manifest. A folder that has its final name is complete.

export const manifestName = 'manifest.json';

const fileFacts = z.strictObject({ size: z.number(), sha256: z.string() });

export const manifestSchema = z
  .strictObject({
    /** Increases when an earlier version cannot restore the backup. */
    format: z.literal(1),
    /** Of the program that made it. */
    version: z.string(),
    madeAt: z.iso.datetime(),
    /** Null when it is in PostgreSQL. */
    journal: z
      .strictObject({ file: z.string(), purchases: z.number(), steps: z.array(z.string()) })
      .nullable(),
    files: z.record(z.string(), fileFacts),
    /** The settings that were set, without secrets. */
    settings: z.record(z.string(), z.string()),
    /** The names of the secrets that were set, and sentences. */
    leavesOut: z.array(z.string()),
  })
  .refine(({ journal, files }) => journal === null || journal.file in files);

export type Manifest = z.output<typeof manifestSchema>;

/**
 * Makes a backup in a new folder, while gateways continue to write, and stores its time in a SQLite journal.
 *
 * @throws StartError, or Fault `JOURNAL_UNAVAILABLE`
 */
export async function backUp(settings: StoredSettings, folder: string, now: Date) {
  if (existsSync(folder)) throw new StartError(`${folder} exists already; name a new folder.`);
  requireJournal(settings);
  const manifest = await described(`The backup to ${folder} failed`, () =>
    writeBackup(settings, folder, now),
  );
  if (manifest.journal) {
    const { recordBackup } = await import('../persistence/backup.ts');
    recordBackup(journalFileOf(settings), now);
  }
  return manifest;
}

async function writeBackup(settings: StoredSettings, folder: string, now: Date) {
  const draft = mkdtempSync(`${folder}.new-`);
  try {
    const journal = await copyJournal(settings, draft);
    const names = journal ? [journal.file] : [];
    for (const [name, path] of Object.entries(settings.files)) {
      // A gateway without made keys has no such file.
      if (name === 'KEYS_FILE' && !existsSync(path)) continue;
      await described(name, () => copyPrivately(path, join(draft, name)));
      names.push(name);
    }
    const files: Record<string, z.output<typeof fileFacts>> = {};
    for (const name of names) files[name] = await factsOf(join(draft, name));
    const manifest: Manifest = {
      ...{ format: 1, version: packageFile.version, madeAt: now.toISOString() },
      ...{ journal, files, settings: settings.texts, leavesOut: leftOut(settings) },
    };
    const file = join(draft, manifestName);
    createPrivateFile(file);
    writeFileSync(file, `${JSON.stringify(manifest, null, 2)}\n`, { flush: true });
    syncFolder(draft);
    renameSync(draft, folder);
    syncFolder(dirname(folder));
    return manifest;
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    throw error;
  }
}

async function copyJournal(settings: StoredSettings, folder: string) {
  if (settings.storage.databaseUrl) return null;
  const { backUpJournal } = await import('../persistence/backup.ts');
  const file = journalFileOf(settings);
  return { file: basename(file), ...backUpJournal(file, join(folder, basename(file))) };
}

const leftOut = ({ storage, isSandbox, secrets }: StoredSettings): string[] => [
  ...(storage.databaseUrl ? ['the journal in PostgreSQL, which pg_dump copies'] : []),
  ...(isSandbox ? ['the data of the sandbox'] : []),
  ...secrets,
];

export async function factsOf(file: string) {
  const digest = createHash('sha256');
  let size = 0;
  for await (const chunk of createReadStream(file)) {
    digest.update(chunk);
    size += chunk.length;
  }
  return { size, sha256: digest.digest('hex') };
}

/** The result of `work`. @throws StartError with its failure after `what` and a colon */
export async function described<T>(what: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Fault || error instanceof StartError) throw error;
    throw new StartError(`${what}: ${fileProblem(error)}.`);
  }
}

/** The files of a backup for a sentence. */
export const listFiles = ({ files, journal }: Manifest): string =>
  Object.keys(files)
    .map((name) => (name === journal?.file ? `${name} (${journal.purchases} purchases)` : name))
    .join(', ') || 'no file';
