import { type Config, ConfigError, readConfig } from './config/config.ts';
import type { TenantConfig } from './config/tenants.ts';
import { Fault } from './kernel/faults.ts';
import { systemClock } from './kernel/system.ts';
import { accountOf, missingFile, openJournal } from './open-journal.ts';

const help = `The stop switch of purchases, for every gateway with the same journal and reseller account.

Usage: npm run purchases -- [--tenant name] stop "reason" | start | status

  --tenant name  The reseller account, by its name in TENANTS; needed where there are several.

Settings are those of the gateway; see npm start -- --help.
`;

// Exit codes: 0 when it was done, 1 when the journal cannot be used, 2 when it was told to do something it can't.
const exitOf = { failed: 1, misused: 2 } as const;

const longestReason = 200;

/** What the switch is to be: stopped with a reason, started, or as it is. */
type Order = { readonly to: 'stop'; readonly reason: string } | { readonly to: 'start' | 'status' };

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
    const chosen = chooseTenant(config, tenant);
    if (typeof chosen === 'string') return complain(exitOf.misused, [chosen]);
    say(await obey(order, config, accountOf(config, chosen)));
  } catch (error) {
    if (error instanceof ConfigError) complain(exitOf.misused, error.problems);
    else if (error instanceof Fault) complain(exitOf.failed, [error.message]);
    else throw error;
  }
}

/** The option comes first: whatever follows the order is the reason, in any words. */
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
function orderOf(name: string, reason: string): Order | string {
  if (name === 'stop') {
    const isTold = reason !== '' && reason.length <= longestReason && !/\p{Cc}/u.test(reason);
    if (isTold) return { to: name, reason };
    return `stop needs a reason of 1 to ${longestReason} characters, which callers are told: stop "reason".`;
  }
  if (name !== 'start' && name !== 'status') {
    return 'Say stop "reason", start or status; see --help.';
  }
  return reason === '' ? { to: name } : `${name} takes no further words; see --help.`;
}

/** Does it, and says in one sentence how the switch stands now. */
async function obey(order: Order, config: Config, account: string): Promise<string> {
  // A switch in a journal of its own would stop nothing.
  const missing = missingFile(config);
  if (missing) {
    throw new Fault('JOURNAL_UNAVAILABLE', {
      message: `There is no journal at ${missing}: give the settings of the gateway, and start that once before.`,
    });
  }
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
