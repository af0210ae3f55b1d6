import { chooseTenant, exitCodes, readTenantArguments, runCommand } from '../../console/program.ts';
import { commandFor, UsageError } from '../../lib/programs.ts';
import type { CommandContext } from '../../seam/feature.ts';
import { reportOf } from './report.ts';
import { createAuditStore } from './store.ts';

const help = `Verifies the audit log.

Usage: ${commandFor('audit', '[--tenant name] verify [POSITION HASH]')}

  verify         Reads all rows of the tenant, and prints their number, and the position and hash of the last one.
                 The exit code is 1 when a row was removed, added or changed; the first wrong position is printed.
                 POSITION and HASH are those that an earlier verification printed: then this row must be there too.

  --tenant name  The tenant, by its name in TENANTS; required with several.

The settings are those of the gateway; see ${commandFor('start', '--help')}.
`;

export const runAudit = (context: CommandContext): Promise<void> =>
  runCommand('audit', help, (args) => verify(context, args));

async function verify(
  { readConfig, openAccount }: CommandContext,
  args: string[],
): Promise<string> {
  const { positionals, tenant } = readTenantArguments(args);
  const known = knownRow(positionals);
  const config = readConfig();
  const { journal, account } = await openAccount(config, chooseTenant(config, tenant));
  try {
    const store = createAuditStore(journal.database);
    const { isIntact, text } = reportOf(account, await store.verify(account, known), known);
    if (!isIntact) process.exitCode = exitCodes.failed;
    return text;
  } finally {
    await journal.close();
  }
}

/** The row of the arguments, if there is one. @throws UsageError */
function knownRow([command, position, hash, ...more]: readonly string[]) {
  const isRow = /^[1-9]\d{0,14}$/.test(position ?? '') && /^[0-9a-f]{64}$/.test(hash ?? '');
  if (command !== 'verify' || (position !== undefined && !isRow) || more.length > 0) {
    throw new UsageError('Give the command verify, or verify POSITION HASH; see --help.');
  }
  return position === undefined ? undefined : { position: Number(position), hash: hash ?? '' };
}
