import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { exitCodes, printErrors } from '../src/console/program.ts';

// Packages that only some commands need have a folder with a lock file of its own: node scripts/install.ts FOLDER...

const root = resolve(import.meta.dirname, '..');
const changedAt = (path: string) =>
  statSync(resolve(root, path), { throwIfNoEntry: false })?.mtimeMs ?? 0;

/** Installs the packages of a folder, unless the installed ones are newer than its lock file. */
export function installPackages(folder: string): void {
  const installed = changedAt(`${folder}/node_modules/.package-lock.json`);
  if (installed > changedAt(`${folder}/package-lock.json`)) return;
  printErrors('install', [`Installing the packages of ${folder}.`]);
  const { status } = spawnSync('npm', ['ci', '--prefix', folder], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (status === 0) return;
  printErrors('install', [`The packages of ${folder} cannot be installed.`]);
  process.exit(exitCodes.failed);
}

if (import.meta.main) for (const folder of process.argv.slice(2)) installPackages(folder);
