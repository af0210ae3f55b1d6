import { resolve } from 'node:path';
import { checkBackup, listFiles, restore } from '../app/backup.ts';
import { settings } from '../app/read-config.ts';
import { readStoredSettings } from '../config/config.ts';
import { readFolder, runCommand } from '../console/program.ts';
import { commandFor, parseArguments } from '../lib/programs.ts';

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
  const stored = readStoredSettings(settings);
  const manifest = await restore(stored, folder);
  const missing = manifest.leavesOut.filter((name) => !stored.others.includes(name));
  return [
    `Restored from the backup of ${manifest.madeAt}: ${listFiles(manifest)}.`,
    ...(missing.length > 0 ? [`Still to set or restore: ${missing.join(', ')}.`] : []),
    `Before a gateway starts, run ${commandFor('purchases', 'stop "Restored from a backup."')}. The journal lacks the purchases since the backup: compare them with the account, then run ${commandFor('purchases', 'start')}.`,
  ].join('\n');
});
