import { chooseTenant, exitCodes, readTenantArguments, runCommand } from '../../console/program.ts';
import { StartError } from '../../lib/errors.ts';
import { commandFor, UsageError } from '../../lib/programs.ts';
import type { CommandContext } from '../../seam/feature.ts';
import { type AuditCheck, createAuditStore, type KnownRow } from './store.ts';

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

/** The result of a verification in sentences. @throws StartError when the known row was deleted because of its age */
export function reportOf(
  account: string,
  { position, hash, deletedUntil, flaw }: AuditCheck,
  known: KnownRow | undefined,
) {
  const log = `The audit log of ${account}`;
  const old =
    deletedUntil > 0
      ? ` Those up to position ${deletedUntil} were deleted because of their age.`
      : '';
  if (flaw) {
    const row = `the row at position ${flaw.position} ${flaw.reason}`;
    return { isIntact: false, text: `${log} is not intact: ${row}.${old}` };
  }
  if (known && known.position < deletedUntil) {
    throw new StartError(`The row at position ${known.position} cannot be compared.${old}`);
  }
  if (position === 0) return { isIntact: true, text: `${log} has no row.` };
  const rows = `${position - deletedUntil} rows up to position ${position}`;
  return { isIntact: true, text: `${log} is intact: ${rows}, with the hash ${hash}.${old}` };
}
