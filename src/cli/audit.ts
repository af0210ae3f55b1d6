import { accountOf, openJournal, requireJournal } from '../app/journal.ts';
import { readConfig } from '../config/config.ts';
import { UsageError } from '../lib/arguments.ts';
import { commandFor } from '../lib/command-names.ts';
import { chooseTenant, exitCodes, readTenantArguments, runCommand } from './program.ts';

const help = `Verifies the audit log.

Usage: ${commandFor('audit', '[--tenant name] verify')}

  verify         Reads all entries of the tenant, and prints their number and the hash of the last one. The exit
                 code is 1 when an entry was removed or changed; the first wrong position is printed.

  --tenant name  The tenant, by its name in TENANTS; required with several.

The settings are those of the gateway; see ${commandFor('start', '--help')}.
`;

await runCommand('audit', help, async (args) => {
  const { positionals, tenant } = readTenantArguments(args);
  if (positionals.join(' ') !== 'verify') {
    throw new UsageError('Give the command verify; see --help.');
  }
  const config = readConfig();
  const account = accountOf(config, chooseTenant(config, tenant));
  requireJournal(config);
  const journal = await openJournal(config);
  try {
    const { position, hash, deletedUntil, flaw } = await journal.audit.verify(account);
    const old =
      deletedUntil > 0
        ? ` Those up to position ${deletedUntil} were deleted because of their age.`
        : '';
    if (flaw) {
      process.exitCode = exitCodes.failed;
      return `The audit log of ${account} is not intact: the entry at position ${flaw.position} ${flaw.reason}.${old}`;
    }
    if (position === 0) return `The audit log of ${account} has no entry.`;
    return `The audit log of ${account} is intact: ${position - deletedUntil} entries up to position ${position}, with the hash ${hash}.${old}`;
  } finally {
    await journal.close();
  }
});
