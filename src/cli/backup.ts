import { resolve } from 'node:path';
import { backUp, listFiles } from '../app/backup.ts';
import { settings } from '../app/read-config.ts';
import { readStoredSettings } from '../config/config.ts';
import { readFolder, runCommand } from '../console/program.ts';
import { commandFor, parseArguments } from '../lib/programs.ts';
import { systemClock } from '../lib/system.ts';

const help = `Copies the journal and the files of the settings to a new folder, while gateways are running.

Usage: ${commandFor('backup', 'FOLDER')}

The folder has the SQLite journal of all tenants, the files that settings such as KEYS_FILE name, and manifest.json
with their SHA-256. It has no values of settings: the command prints the names of those that are set. A journal in
PostgreSQL is not copied; use pg_dump.
The settings are those of the gateway; see ${commandFor('start', '--help')}.
`;

await runCommand('backup', help, async (args) => {
  const { positionals } = parseArguments({ args, allowPositionals: true });
  const folder = resolve(readFolder(positionals));
  const manifest = await backUp(readStoredSettings(settings), folder, systemClock.now());
  return [
    `${folder} is a backup of ${listFiles(manifest)}.`,
    `It leaves out: ${manifest.leavesOut.join(', ') || 'nothing'}.`,
  ].join('\n');
});
