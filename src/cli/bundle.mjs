// @ts-check
import { hash } from 'node:crypto';
import { accessSync, constants, existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

// The bundle of the programs in `dist/`, which `scripts/build.ts` writes. Every start loads this file.

export const root = join(import.meta.dirname, '../..');
export const dist = join(root, 'dist');

/** In `dist/`. */
export const recordName = 'build.json';

/**
 * @typedef {object} BuildRecord
 * @property {readonly string[]} inputs files that the bundle was built from, from the root; package.json for a package
 * @property {string | null} state of the inputs; null when one of them changed during the build
 */

/**
 * @param {string} program its path from the root, without its ending
 * @returns {string} the file in `dist/`
 */
export const bundleName = (program) => `${program.replace(/^src\//, '').replaceAll('/', '-')}.js`;

/**
 * The URL of a program: its bundle if that is current, otherwise its source. `--build` builds a bundle that is not
 * current, where that is possible; `--source` always chooses the source.
 *
 * @param {string} program such as `src/main`
 * @param {string | undefined} option
 */
export async function locate(program, option) {
  const bundle = join(dist, bundleName(program));
  const isBundled =
    option !== '--source' && (isCurrent() || (option === '--build' && (await build())));
  return pathToFileURL(isBundled && existsSync(bundle) ? bundle : `${root}/${program}.ts`).href;
}

/** Whether no file that the bundle was built from has changed since. */
export function isCurrent() {
  try {
    /** @type {BuildRecord} */
    const { inputs, state } = JSON.parse(readFileSync(join(dist, recordName), 'utf8'));
    return state === stateOf(inputs);
  } catch {
    // There is no bundle, or one of another version of this file.
    return false;
  }
}

/**
 * A digest of sizes and times of change. Reading 400 files would take longer.
 *
 * @param {readonly string[]} paths from the root
 */
export function stateOf(paths) {
  const states = paths.map((path) => {
    const found = statSync(join(root, path), { throwIfNoEntry: false });
    return `${path} ${found?.size} ${found?.mtimeMs}`;
  });
  return hash('sha256', states.join('\n'));
}

/** Builds in a process of its own, whose memory is free afterwards. False where the bundler or the permission is missing. */
async function build() {
  if (!existsSync(join(root, 'node_modules/rolldown')) || !isWritable(root)) return false;
  process.stderr.write(
    'reseller-graph: building dist/, which takes a few seconds; later starts use it.\n',
  );
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
