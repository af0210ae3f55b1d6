import { resolve } from 'node:path';
import { type Config, ConfigError, readConfig } from './config/config.ts';
import type { TenantConfig } from './config/tenants.ts';
import { Fault } from './kernel/faults.ts';
import { systemClock } from './kernel/system.ts';
import { accountOf, backUp, missingFile, openJournal } from './open-journal.ts';

const help = `Stops and starts purchases, and backs up their journal.

Usage: npm run purchases -- [--tenant name] <command>

  stop "reason"  Refuses new purchases, for every gateway with the same journal and reseller account. Clients
                 see the reason.
  start          Allows purchases again.
  status         Says whether purchases are stopped, since when and why.
  backup FILE    Copies the SQLite journal of all tenants to a new file, while gateways go on. A copy of
                 journal.sqlite by other means misses purchases. To restore: stop every gateway, remove
                 journal.sqlite, journal.sqlite-wal and journal.sqlite-shm, and put the copy in the place of
                 journal.sqlite. A sandbox has sandbox-journal.sqlite instead.

  --tenant name  The reseller account, by its name in TENANTS; needed with several, except for backup.

Settings are those of the gateway; see npm start -- --help.
`;

// Exit codes: 0 when it was done, 1 when the journal or the backup failed, 2 for wrong arguments or settings.
const exitOf = { failed: 1, misused: 2 } as const;

const longestReason = 200;

/** What the switch is to be: stopped with a reason, started, or as it is. */
type SwitchOrder =
  | { readonly to: 'stop'; readonly reason: string }
  | { readonly to: 'start' | 'status' };
type Order = SwitchOrder | { readonly to: 'backup'; readonly file: string };

const say = (text: string) => process.stdout.write(`${text}\n`);

await main();

async function main(): Promise<void> {
  const { tenant, words } = readArguments(process.argv.slice(2));
  const [name = '', ...rest] = words;
  if (name === '--help') return void say(help);
  const order = orderOf(name, rest.join(' ').trim());
  if (typeof order === 'string') return complain(exitOf.misused, [order]);
  try {
    const config = readConfig();
    requireJournal(config);
    if (order.to === 'backup') return void say(await copyJournal(config, order.file));
    const chosen = chooseTenant(config, tenant);
    if (typeof chosen === 'string') return complain(exitOf.misused, [chosen]);
    say(await setSwitch(order, config, accountOf(config, chosen)));
  } catch (error) {
    if (error instanceof ConfigError) complain(exitOf.misused, error.problems);
    else if (error instanceof Fault) complain(exitOf.failed, [error.message]);
    else throw error;
  }
}

/** The option comes first: all words after the command are the reason or the path. */
function readArguments(words: readonly string[]) {
  const [option, tenant = '', ...rest] = words;
  return option === '--tenant' ? { tenant, words: rest } : { tenant: null, words };
}

/** The account to switch, or one sentence that says why there is none. */
function chooseTenant({ tenants }: Config, name: string | null): TenantConfig | string {
  const [only, ...others] = tenants;
  const found = tenants.find((one) => one.name === name) ?? null;
  const chosen = name === null && others.length === 0 ? (only ?? null) : found;
  const names = tenants.map((one) => one.name).join(', ');
  return (
    chosen ?? `Say which account: --tenant with one of ${names}, before stop, start or status.`
  );
}

function complain(exitCode: number, sentences: readonly string[]): void {
  process.exitCode = exitCode;
  process.stderr.write(`${sentences.map((one) => `purchases: ${one}`).join('\n')}\n`);
}

/** The order, or one sentence that says why there is none. */
function orderOf(name: string, rest: string): Order | string {
  if (name === 'stop') {
    const isValid = rest !== '' && rest.length <= longestReason && !/\p{Cc}/u.test(rest);
    if (isValid) return { to: name, reason: rest };
    return `stop needs a reason of 1 to ${longestReason} characters, which clients see: stop "reason".`;
  }
  if (name === 'backup') {
    return rest === ''
      ? 'backup needs the path of a new file; see --help.'
      : { to: name, file: rest };
  }
  if (name !== 'start' && name !== 'status') {
    return 'Give a command: stop "reason", start, status or backup FILE; see --help.';
  }
  return rest === '' ? { to: name } : `${name} takes no further words; see --help.`;
}

/** A journal that this command creates would be the journal of no gateway. */
function requireJournal(config: Config): void {
  const missing = missingFile(config);
  if (missing) {
    throw new Fault('JOURNAL_UNAVAILABLE', {
      message: `There is no journal at ${missing}: give the settings of the gateway, and start that once before.`,
    });
  }
}

/** Makes the copy, and reports it in one sentence. */
async function copyJournal(config: Config, file: string): Promise<string> {
  const copy = resolve(file);
  const purchases = await backUp(config, copy);
  return `${copy} is a backup of the journal with ${purchases} purchases.`;
}

/** Sets the switch, and says in one sentence how it is set now. */
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
