import { createHash } from 'node:crypto';
import * as fs from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';
import packageFile from '../../package.json' with { type: 'json' };
import type { StoredSettings } from '../config/config.ts';
import { features } from '../features/index.ts';
import { Fault } from '../kernel/faults.ts';
import { StartError } from '../lib/errors.ts';
import { fileProblem, makePrivateFolder, syncFolder } from '../lib/files.ts';
import { parseJson } from '../lib/json.ts';
import { backUpJournal, recordBackup } from '../persistence/backup.ts';
import { newerStep } from '../persistence/migrations.ts';
import { checkPages } from '../persistence/sqlite-file.ts';
import { journalFileOf, requireJournal } from './journal.ts';

// A backup is a folder of private files: the journal, the files that settings name, each under the name of its setting, and
// a manifest. A folder that has its final name is complete.

const newPrivateFile = { mode: 0o600, flush: true };
const manifestName = 'manifest.json';
const inPostgres = 'PostgreSQL';

const manifestSchema = z
  .strictObject({
    /** Of the program that made it. */
    version: z.string(),
    madeAt: z.iso.datetime(),
    /** Null when it is in PostgreSQL. */
    journal: z
      .strictObject({ file: z.string(), purchases: z.number(), steps: z.array(z.string()) })
      .nullable(),
    /** The journal is the last. */
    files: z.record(z.string(), z.strictObject({ size: z.number(), sha256: z.string() })),
    /** Names of settings that were set, and sentences. */
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
  if (fs.existsSync(folder)) throw new StartError(`${folder} exists already; name a new folder.`);
  requireJournal(settings);
  const manifest = await described(`The backup to ${folder} failed`, async () => {
    const draft = fs.mkdtempSync(`${folder}.new-`);
    try {
      const written = await writeBackup(settings, draft, now);
      fs.renameSync(draft, folder);
      return written;
    } catch (error) {
      fs.rmSync(draft, { recursive: true, force: true });
      throw error;
    }
  });
  syncFolder(dirname(folder));
  if (manifest.journal) recordBackup(journalFileOf(settings), now);
  return manifest;
}

async function writeBackup(settings: StoredSettings, folder: string, now: Date) {
  const { storage, isSandbox, files: paths, others } = settings;
  const source = journalFileOf(settings);
  const file = basename(source);
  const journal = storage.databaseUrl
    ? null
    : { file, ...backUpJournal(source, join(folder, file)) };
  for (const [name, path] of Object.entries(paths)) {
    // A gateway without made keys has no such file.
    if (name === 'KEYS_FILE' && !fs.existsSync(path)) continue;
    await described(name, () => copyPrivately(path, join(folder, name)));
  }
  const files: Record<string, Manifest['files'][string]> = {};
  for (const name of fs.readdirSync(folder).toSorted())
    files[name] = await factsOf(join(folder, name));
  const leavesOut = [
    ...(journal ? [] : ['the journal in PostgreSQL, which pg_dump copies']),
    ...(isSandbox ? ['the data of the sandbox'] : []),
    ...others,
  ];
  const { version } = packageFile;
  const manifest: Manifest = { version, madeAt: now.toISOString(), journal, files, leavesOut };
  const text = `${JSON.stringify(manifest, null, 2)}\n`;
  fs.writeFileSync(join(folder, manifestName), text, { ...newPrivateFile, flag: 'wx' });
  syncFolder(folder);
  return manifest;
}

/** Reads every byte of a backup. @throws StartError, or Fault `JOURNAL_UNAVAILABLE`, when it cannot be restored */
export async function checkBackup(folder: string): Promise<Manifest> {
  const manifest = readManifest(folder);
  for (const [name, { sha256 }] of Object.entries(manifest.files)) {
    const file = join(folder, name);
    if (basename(name) !== name || !fs.existsSync(file)) {
      throw new StartError(`${folder} is incomplete: it has no ${name}.`);
    }
    if ((await factsOf(file)).sha256 !== sha256) {
      throw new StartError(`${folder} is damaged: ${name} is not the file of ${manifestName}.`);
    }
  }
  const { journal, version } = manifest;
  const tables = features.flatMap((feature) => feature.tables ?? []);
  const step = journal && newerStep(journal.steps, tables);
  if (step) {
    throw new StartError(
      `The journal in ${folder} was written by a newer version of the gateway (${version}, step "${step}"); restore it with that version.`,
    );
  }
  if (journal) checkPages(join(folder, journal.file), 'integrity_check');
  return manifest;
}

function readManifest(folder: string): Manifest {
  const file = join(folder, manifestName);
  if (!fs.existsSync(file))
    throw new StartError(`${folder} is no backup: it has no ${manifestName}.`);
  const read = manifestSchema.safeParse(parseJson(fs.readFileSync(file, 'utf8')));
  if (read.success) return read.data;
  throw new StartError(
    `${file} is damaged, or was written by another version of the program; name another backup.`,
  );
}

/**
 * Copies the files of a backup to the places that the settings name. A file that is there already with the same content
 * remains, so that an interrupted restore can be repeated.
 *
 * @throws StartError before any change, when the backup or the settings are wrong, or a place has another file
 */
export async function restore(settings: StoredSettings, folder: string): Promise<Manifest> {
  const manifest = await checkBackup(folder);
  const journalFile = journalFileOf(settings);
  const stored = manifest.journal?.file ?? inPostgres;
  const expected = settings.storage.databaseUrl ? inPostgres : basename(journalFile);
  if (stored !== expected) {
    throw new StartError(
      `The journal of the backup is ${stored}, and that of the settings is ${expected}; set UPSTREAM and DATABASE_URL as in the backup.`,
    );
  }
  const places = new Map(Object.entries({ ...settings.files, [expected]: journalFile }));
  const missing: (readonly [from: string, to: string])[] = [];
  for (const [name, { sha256 }] of Object.entries(manifest.files)) {
    const to = places.get(name);
    if (!to) throw new StartError(`Set ${name} to the path at which to restore the file.`);
    const isThere = fs.existsSync(to);
    if (isThere && (await factsOf(to)).sha256 !== sha256) throw occupied(to);
    const beside = [`${to}-wal`, `${to}-shm`].find(fs.existsSync);
    if (name === stored && beside !== undefined) throw occupied(beside);
    if (!isThere) missing.push([join(folder, name), to]);
  }
  for (const [from, to] of missing)
    await described(`${to} cannot be restored`, () => put(from, to));
  return manifest;
}

const occupied = (file: string) =>
  new StartError(`${file} exists already, and restore overwrites no file; move it away.`);

async function put(from: string, to: string): Promise<void> {
  makePrivateFolder(dirname(to));
  const draft = `${to}.new`;
  fs.rmSync(draft, { force: true });
  await copyPrivately(from, draft);
  fs.renameSync(draft, to);
  syncFolder(dirname(to));
}

const copyPrivately = (from: string, to: string): Promise<void> =>
  pipeline(fs.createReadStream(from), fs.createWriteStream(to, { ...newPrivateFile, flags: 'wx' }));

const factsOf = (file: string) =>
  described(file, async () => {
    const digest = createHash('sha256');
    for await (const chunk of fs.createReadStream(file)) digest.update(chunk);
    return { size: fs.statSync(file).size, sha256: digest.digest('hex') };
  });

/** The result of `work`. @throws StartError with its failure after `what` and a colon */
async function described<T>(what: string, work: () => Promise<T>): Promise<T> {
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
