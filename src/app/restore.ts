import { existsSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { StoredSettings } from '../config/config.ts';
import { features } from '../features/index.ts';
import { parseJson } from '../lib/json.ts';
import { copyPrivately, makePrivateFolder, syncFolder } from '../lib/private-files.ts';
import { StartError } from '../lib/start-error.ts';
import { described, factsOf, type Manifest, manifestName, manifestSchema } from './backup.ts';
import { journalFileOf } from './journal.ts';

/** Reads every byte of a backup. @throws StartError when it is not complete and undamaged, or of a newer version */
export async function checkBackup(folder: string): Promise<Manifest> {
  const manifest = readManifest(folder);
  for (const [name, facts] of Object.entries(manifest.files)) {
    const file = join(folder, name);
    if (basename(name) !== name || !existsSync(file)) {
      throw new StartError(`${folder} is incomplete: it has no ${name}.`);
    }
    if ((await digestOf(file)) !== facts.sha256) {
      throw new StartError(`${folder} is damaged: ${name} is not the file of ${manifestName}.`);
    }
  }
  await checkJournal(folder, manifest);
  return manifest;
}

function readManifest(folder: string): Manifest {
  const file = join(folder, manifestName);
  if (!existsSync(file)) {
    throw new StartError(`${folder} is no backup: it has no ${manifestName}.`);
  }
  const read = manifestSchema.safeParse(parseJson(readFileSync(file, 'utf8')));
  if (read.success) return read.data;
  throw new StartError(
    `${file} is damaged, or was written by another version of the program; name another backup.`,
  );
}

async function checkJournal(folder: string, { journal, version }: Manifest): Promise<void> {
  if (!journal) return;
  const { newerStep } = await import('../persistence/migrations.ts');
  const step = newerStep(
    journal.steps,
    features.flatMap(({ tables = [] }) => tables),
  );
  if (step !== undefined) {
    throw new StartError(
      `The journal in ${folder} was written by a newer version of the gateway (${version}, step "${step}"); restore it with that version.`,
    );
  }
  const { checkPages } = await import('../persistence/sqlite-file.ts');
  checkPages(join(folder, journal.file), 'integrity_check');
}

/**
 * Copies the files of a backup to the places that the settings name. A file that is there already with the same content
 * remains, so that an interrupted restore can be repeated.
 *
 * @throws StartError before any change, when the backup or the settings are wrong, or a place has another file
 */
export async function restore(settings: StoredSettings, folder: string): Promise<Manifest> {
  const manifest = await checkBackup(folder);
  const places = placesOf(settings, manifest);
  const missing = places.filter(({ to }) => !existsSync(to));
  for (const { name, to } of places) {
    if (existsSync(to) && (await digestOf(to)) !== manifest.files[name]?.sha256) throw occupied(to);
  }
  for (const { name, to } of missing) {
    await described(`${to} cannot be restored`, () => restoreFile(join(folder, name), to));
  }
  return manifest;
}

/** The journal is last: without it no gateway continues from an interrupted restore. */
function placesOf(settings: StoredSettings, { journal, files }: Manifest) {
  const journalFile = journalFileOf(settings);
  const expected = settings.storage.databaseUrl ? 'PostgreSQL' : basename(journalFile);
  const stored = journal?.file ?? 'PostgreSQL';
  if (stored !== expected) {
    throw new StartError(
      `The journal of the backup is ${stored}, and that of the settings is ${expected}; set UPSTREAM and DATABASE_URL as in the backup.`,
    );
  }
  const beside = ['-wal', '-shm'].map((ending) => `${journalFile}${ending}`).find(existsSync);
  if (journal && beside !== undefined) throw occupied(beside);
  const paths = new Map(Object.entries(settings.files));
  const places = Object.keys(files).flatMap((name) => {
    const to = paths.get(name);
    return to === undefined ? [] : { name, to };
  });
  const unset = Object.keys(files).filter((name) => name !== stored && !paths.has(name));
  if (unset.length > 0) {
    throw new StartError(`Set ${unset.join(', ')} to the path at which to restore the file.`);
  }
  return journal ? [...places, { name: stored, to: journalFile }] : places;
}

const digestOf = async (file: string): Promise<string> =>
  (await described(file, () => factsOf(file))).sha256;

const occupied = (file: string) =>
  new StartError(`${file} exists already, and restore overwrites no file; move it away.`);

async function restoreFile(from: string, to: string): Promise<void> {
  makePrivateFolder(dirname(to));
  const draft = `${to}.new`;
  rmSync(draft, { force: true });
  await copyPrivately(from, draft);
  renameSync(draft, to);
  syncFolder(dirname(to));
}
