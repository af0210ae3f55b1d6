import { resolve } from 'node:path';
import { listFiles, type Manifest } from '../app/backup.ts';
import { readStoredSettings } from '../app/read-config.ts';
import { checkBackup, restore } from '../app/restore.ts';
import type { StoredSettings } from '../config/config.ts';
import { readFolder, runCommand } from '../console/program.ts';
import { parseArguments } from '../lib/arguments.ts';
import { commandFor } from '../lib/command-names.ts';

const help = `Checks a backup, and copies its files to the places that the settings name.

Usage: ${commandFor('restore', '[--check] FOLDER')}

  --check  Only checks: that every file is there and has its SHA-256, and the journal with all its indexes.

No file is overwritten. The settings are those of the gateway; see ${commandFor('start', '--help')}.
`;

await runCommand('restore', help, async (args) => {
  const options = { check: { type: 'boolean' } } as const;
  const { positionals, values } = parseArguments({ args, options, allowPositionals: true });
  const folder = resolve(readFolder(positionals));
  if (values.check) {
    const manifest = await checkBackup(folder);
    return `${folder} is a complete backup of ${manifest.madeAt} with ${listFiles(manifest)}.`;
  }
  const settings = readStoredSettings();
  return describeNext(await restore(settings, folder), settings);
});

/** What was restored, and what the operator still has to do. */
function describeNext(manifest: Manifest, { secrets, texts }: StoredSettings): string {
  const { madeAt, settings } = manifest;
  const missing = manifest.leavesOut.filter((name) => !secrets.includes(name));
  const different = Object.keys(settings).filter((name) => settings[name] !== texts[name]);
  const stop = commandFor('purchases', 'stop "Restored from a backup."');
  return [
    `Restored from the backup of ${madeAt}: ${listFiles(manifest)}.`,
    ...(missing.length > 0 ? [`Still to set or restore: ${missing.join(', ')}.`] : []),
    ...(different.length > 0
      ? [`Other values than in manifest.json, or none: ${different.join(', ')}.`]
      : []),
    `Before a gateway starts, run ${stop}. The journal lacks the purchases since the backup: compare them with the account, then run ${commandFor('purchases', 'start')}.`,
  ].join('\n');
}
