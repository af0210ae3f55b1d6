import { accountOf, openJournal } from './compose.ts';
import { type Config, ConfigError, readConfig } from './config/config.ts';
import { Fault } from './kernel/faults.ts';
import { systemClock } from './kernel/system.ts';
import type { Journal, PurchaseStop } from './persistence/store.ts';

const help = `The stop switch of purchases, for every gateway with the same journal and reseller account.

Usage: npm run purchases -- stop "reason" | start | status

Settings are those of the gateway; see npm start -- --help.
`;

// Exit codes: 0 when it was done, 1 when the journal cannot be used, 2 when it was told to do something it can't.
const exitOf = { failed: 1, misused: 2 } as const;

const longestReason = 200;

type Command = (journal: Journal, account: string) => Promise<string>;

const say = (text: string) => process.stdout.write(`${text}\n`);

await main();

async function main(): Promise<void> {
  const [name = '', ...words] = process.argv.slice(2);
  if (name === '--help') return void say(help);
  const command = commandOf(name, words);
  if (typeof command === 'string') return complain(exitOf.misused, [command]);
  try {
    say(await run(command, readConfig()));
  } catch (error) {
    if (error instanceof ConfigError) complain(exitOf.misused, error.problems);
    else if (error instanceof Fault) complain(exitOf.failed, [error.message]);
    else throw error;
  }
}

function complain(exitCode: number, sentences: readonly string[]): void {
  process.exitCode = exitCode;
  process.stderr.write(`${sentences.map((one) => `purchases: ${one}`).join('\n')}\n`);
}

/** What to do, or one sentence that says why nothing is. */
function commandOf(name: string, words: readonly string[]): Command | string {
  const reason = words.join(' ').trim();
  if (name === 'stop') {
    return reason === '' || reason.length > longestReason || /\p{Cc}/u.test(reason)
      ? `stop needs a reason of 1 to ${longestReason} characters, which callers are told: stop "reason".`
      : stop(reason);
  }
  if (reason !== '') return `${name} takes no further words; see --help.`;
  if (name === 'start') return start;
  if (name === 'status') return status;
  return 'Say stop "reason", start or status; see --help.';
}

async function run(command: Command, config: Config): Promise<string> {
  const journal = await openJournal(config);
  try {
    return await command(journal, accountOf(config));
  } finally {
    await journal.close();
  }
}

const stop =
  (reason: string): Command =>
  async (journal, account) => {
    await journal.stop(account, { since: systemClock.now(), reason });
    return tell(account, await journal.stopped(account));
  };

const start: Command = async (journal, account) => {
  await journal.resume(account);
  return tell(account, await journal.stopped(account));
};

const status: Command = async (journal, account) => tell(account, await journal.stopped(account));

const tell = (account: string, found: PurchaseStop | null) =>
  found
    ? `Purchases of ${account} are stopped since ${found.since.toISOString()}: "${found.reason}".`
    : `Purchases of ${account} are allowed.`;
