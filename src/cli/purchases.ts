import { openAccount, requireJournal } from '../app/journal.ts';
import { readConfig } from '../app/read-config.ts';
import type { Config } from '../config/config.ts';
import type { TenantConfig } from '../config/tenants.ts';
import { chooseTenant, readTenantArguments, runCommand } from '../console/program.ts';
import { recordedCommand } from '../console/recorded-command.ts';
import { commandFor, UsageError } from '../lib/programs.ts';
import { systemClock } from '../lib/system.ts';

const help = `Stops and starts purchases.

Usage: ${commandFor('purchases', '[--tenant name] <command>')}

  stop "reason"  Refuses new purchases, for every gateway with the same journal and tenant. Clients
                 see the reason.
  start          Allows purchases again.
  status         Prints whether purchases are stopped, since when and why.

  --tenant name  The tenant, by its name in TENANTS; required with several.

The settings are those of the gateway; see ${commandFor('start', '--help')}.
`;

const maxReasonLength = 200;

await runCommand('purchases', help, async (args) => {
  const { positionals, tenant } = readTenantArguments(args);
  // All words after the command are the reason.
  const [command = '', ...rest] = positionals;
  const text = rest.join(' ').trim();
  checkUsage(command, text);
  const config = readConfig();
  requireJournal(config);
  return setSwitch(command, text, config, chooseTenant(config, tenant));
});

/** `text` has the words after the command. @throws UsageError */
function checkUsage(command: string, text: string): void {
  if (command === 'stop') {
    if (text !== '' && text.length <= maxReasonLength && !/\p{Cc}/u.test(text)) return;
    throw new UsageError(
      `stop needs a reason of 1 to ${maxReasonLength} characters, which clients see: stop "reason".`,
    );
  }
  if (command !== 'start' && command !== 'status') {
    throw new UsageError('Give a command: stop "reason", start or status; see --help.');
  }
  if (text !== '') throw new UsageError(`${command} takes no further words; see --help.`);
}

/** Returns the state of the switch in one sentence. `reason` is that of the command `stop`. */
async function setSwitch(command: string, reason: string, config: Config, tenant: TenantConfig) {
  const { journal, account, trail } = await openAccount(config, tenant);
  const write = (work: () => Promise<void>) =>
    recordedCommand({ trail, tenant: tenant.name }, `purchases.${command}`, work);
  try {
    if (command === 'stop') {
      await write(() => journal.stop(account, { since: systemClock.now(), reason }));
    }
    if (command === 'start') await write(() => journal.resume(account));
    const stop = await journal.stopped(account);
    return stop
      ? `Purchases of ${account} are stopped since ${stop.since.toISOString()}: "${stop.reason}".`
      : `Purchases of ${account} are allowed.`;
  } finally {
    await journal.close();
  }
}
