import { resolve } from 'node:path';
import { accountOf, backUp, missingFile, openJournal } from '../app/journal.ts';
import { type Config, readConfig } from '../config/config.ts';
import type { TenantConfig } from '../config/tenants.ts';
import { Fault } from '../kernel/faults.ts';
import { systemClock } from '../lib/system.ts';
import { runCommand, UsageError } from './program.ts';

const help = `Stops and starts purchases, and backs up their journal.

Usage: npm run purchases -- [--tenant name] <command>

  stop "reason"  Refuses new purchases, for every gateway with the same journal and tenant. Clients
                 see the reason.
  start          Allows purchases again.
  status         Prints whether purchases are stopped, since when and why.
  backup FILE    Copies the SQLite journal of all tenants to a new file, while gateways are running. A copy of
                 journal.sqlite by other means misses purchases. To restore: stop every gateway, remove
                 journal.sqlite, journal.sqlite-wal and journal.sqlite-shm, and copy the backup to
                 journal.sqlite. A sandbox has sandbox-journal.sqlite instead.

  --tenant name  The tenant, by its name in TENANTS; required with several, except for backup.

The settings are those of the gateway; see npm start -- --help.
`;

const longestReason = 200;

type SwitchOrder =
  | { readonly to: 'stop'; readonly reason: string }
  | { readonly to: 'start' | 'status' };
type Order = SwitchOrder | { readonly to: 'backup'; readonly file: string };

await runCommand('purchases', [Fault], async () => {
  const { tenant, words } = readArguments(process.argv.slice(2));
  const [name = '', ...rest] = words;
  if (name === '--help') return help;
  const order = parseOrder(name, rest.join(' ').trim());
  const config = readConfig();
  requireJournal(config);
  return order.to === 'backup'
    ? copyJournal(config, order.file)
    : setSwitch(order, config, accountOf(config, chooseTenant(config, tenant)));
});

/** The option comes first. All words after the command are the reason or the path. */
function readArguments(words: readonly string[]) {
  const [option, tenant = '', ...rest] = words;
  return option === '--tenant' ? { tenant, words: rest } : { tenant: null, words };
}

/** @throws UsageError when the tenant is not clear. */
function chooseTenant({ tenants }: Config, name: string | null): TenantConfig {
  const [only, ...others] = tenants;
  const chosen =
    name === null && others.length === 0 ? only : tenants.find((one) => one.name === name);
  if (chosen) return chosen;
  const names = tenants.map((one) => one.name).join(', ');
  throw new UsageError(
    `Choose a tenant: --tenant with one of ${names}, before stop, start or status.`,
  );
}

/** @throws UsageError */
function parseOrder(name: string, rest: string): Order {
  if (name === 'stop') {
    const isValid = rest !== '' && rest.length <= longestReason && !/\p{Cc}/u.test(rest);
    if (isValid) return { to: name, reason: rest };
    throw new UsageError(
      `stop needs a reason of 1 to ${longestReason} characters, which clients see: stop "reason".`,
    );
  }
  if (name === 'backup') {
    if (rest !== '') return { to: name, file: rest };
    throw new UsageError('backup needs the path of a new file; see --help.');
  }
  if (name !== 'start' && name !== 'status') {
    throw new UsageError(
      'Give a command: stop "reason", start, status or backup FILE; see --help.',
    );
  }
  if (rest !== '') throw new UsageError(`${name} takes no further words; see --help.`);
  return { to: name };
}

/** Opening a missing journal would create one that no gateway uses. */
function requireJournal(config: Config): void {
  const missing = missingFile(config);
  if (missing) {
    throw new Fault('JOURNAL_UNAVAILABLE', {
      message: `There is no journal at ${missing}; use the settings of the gateway, and start it once first.`,
    });
  }
}

/** Returns one sentence for the operator. */
async function copyJournal(config: Config, file: string): Promise<string> {
  const copy = resolve(file);
  const purchases = await backUp(config, copy);
  return `${copy} is a backup of the journal with ${purchases} purchases.`;
}

/** Returns the state of the switch in one sentence. */
async function setSwitch(order: SwitchOrder, config: Config, account: string): Promise<string> {
  const journal = await openJournal(config);
  try {
    if (order.to === 'stop') {
      await journal.stop(account, { since: systemClock.now(), reason: order.reason });
    }
    if (order.to === 'start') await journal.resume(account);
    const stop = await journal.stopped(account);
    return stop
      ? `Purchases of ${account} are stopped since ${stop.since.toISOString()}: "${stop.reason}".`
      : `Purchases of ${account} are allowed.`;
  } finally {
    await journal.close();
  }
}
