// @ts-check
import { hash } from 'node:crypto';
import { accessSync, constants, existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

// The bundle of the programs in `dist/`, which `scripts/build.ts` writes. Every start loads this file.

export const root = join(import.meta.dirname, '../..');
export const dist = join(root, 'dist');

/** In `dist/`: which files the bundle was built from, by their size and time of change. */
export const recordName = 'build.json';

/**
 * @typedef {object} BuildRecord
 * @property {string} sources state of our own files
 * @property {readonly string[]} packageFiles package.json of each bundled package, from the root
 * @property {string} packages state of `packageFiles`
 */

/**
 * @param {string} program as in `src/`, without its ending
 * @returns {string} the file in `dist/`
 */
export const bundleName = (program) => `${program.replaceAll('/', '-')}.js`;

/**
 * The URL of a program: its bundle if that is current, otherwise its source. `--build` builds a bundle that is not
 * current, where that is possible; `--source` always chooses the source.
 *
 * @param {string} program such as `sandbox/main`
 * @param {string | undefined} option
 */
export async function locate(program, option) {
  const bundle = join(dist, bundleName(program));
  const isBundled =
    option !== '--source' && (isCurrent() || (option === '--build' && (await build())));
  return pathToFileURL(isBundled && existsSync(bundle) ? bundle : `${root}/src/${program}.ts`).href;
}

/** Whether no file that the bundle was built from has changed since. */
export function isCurrent() {
  const record = readRecord();
  return (
    record !== null &&
    record.sources === stateOf(sourceFiles()) &&
    record.packages === stateOf(record.packageFiles)
  );
}

/** @returns {BuildRecord | null} */
function readRecord() {
  try {
    return JSON.parse(readFileSync(join(dist, recordName), 'utf8'));
  } catch {
    return null;
  }
}

/** Every file of ours that the bundle depends on, from the root. */
export function sourceFiles() {
  const names = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' }).sort();
  return [
    ...['package.json', 'package-lock.json', 'scripts/build.ts'],
    ...names.map((name) => join('src', name)),
  ];
}

/**
 * A digest of sizes and times of change. Reading 400 files would take longer than the start saves.
 *
 * @param {readonly string[]} paths from the root
 */
export function stateOf(paths) {
  const states = paths.map((path) => {
    const found = statSync(join(root, path), { throwIfNoEntry: false });
    return found?.isFile() ? `${path} ${found.size} ${found.mtimeMs}` : '';
  });
  return hash('sha256', states.join('\n'));
}

/** Builds in a process of its own, whose memory is free afterwards. False where the bundler or the permission is missing. */
async function build() {
  if (!existsSync(join(root, 'node_modules/rolldown')) || !isWritable(root)) return false;
  const { spawnSync } = await import('node:child_process');
  const { status } = spawnSync(process.execPath, [join(root, 'scripts/build.ts')], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return status === 0 && isCurrent();
}

/** @param {string} folder */
function isWritable(folder) {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
