import { checkLive, type Finding } from '../app/live-checks.ts';
import { readConfig } from '../app/read-config.ts';
import { type Config, ConfigError } from '../config/config.ts';
import { exitCodes, print, runCommand } from '../console/program.ts';
import { commandFor, parseArguments } from '../lib/programs.ts';

const help = `Checks the settings, the login, the journal and what live use needs.

Usage: ${commandFor('check', '[--help]')}

Each line is "ok", "warning" or "failed", the point, and a sentence. The exit code is 1 when a point failed.
The calls at the registrar only read. A journal that does not exist is created.
The settings are those of the gateway; see ${commandFor('start', '--help')}.
`;

await runCommand('check', help, async (args) => {
  parseArguments({ args });
  const config = readSettings();
  const counts = { ok: 0, warning: 0, failed: 0 };
  const report = ({ status, point, sentence }: Finding) => {
    counts[status] += 1;
    print(`${status.padEnd(7)}  ${point}: ${sentence}`);
  };
  if (Array.isArray(config)) config.forEach(report);
  else for await (const finding of checkLive(config as Config)) report(finding);
  if (counts.failed > 0) process.exitCode = exitCodes.failed;
  return `${counts.ok} ok, ${counts.warning} warnings, ${counts.failed} failed.`;
});

/** The settings, or their errors. The login can be checked before a client has a key. */
function readSettings(): Config | Finding[] {
  try {
    return readConfig(undefined, { needsKey: false });
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.errors.map((sentence) => ({ status: 'failed', point: 'settings', sentence }));
  }
}
