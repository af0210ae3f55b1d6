import './server/garbage.ts';
import { parseArgs } from 'node:util';
import { type Gateway, StartError, startGateway } from './compose.ts';
import { type Config, ConfigError, readConfig } from './config/config.ts';
import { helpText } from './config/help.ts';
import { Fault } from './kernel/faults.ts';
import { greeting } from './server/greeting.ts';
import { ListenError } from './server/listen.ts';
import { ManifestError } from './server/manifest.ts';

// Exit codes: 0 after a clean stop, 1 when starting failed, 2 when it was told to do something it can't.
const exitOf = { failed: 1, misused: 2, killed: 130 } as const;

/** What starting fails with for a reason outside the program, each with a sentence that says it. */
const outside = [StartError, ListenError, ManifestError, Fault];

const say = (text: string) => process.stdout.write(`${text}\n`);
const complain = (sentences: readonly string[]) =>
  process.stderr.write(`${sentences.map((one) => `reseller-graph: ${one}`).join('\n')}\n`);

await main();

async function main(): Promise<void> {
  const options = readArguments();
  if (!options) return;
  if (options.help) return void say(helpText());
  const config = readSettings(options.reset);
  if (!config) return;
  complainAbout(config.warnings);

  try {
    const gateway = await startGateway(config, { reset: options.reset });
    // Before the greeting: whoever has read it may send a signal.
    stopOnSignal(gateway);
    say(greeting(config, gateway));
  } catch (error) {
    process.exitCode = exitOf.failed;
    const isOutside = outside.some((kind) => error instanceof kind);
    if (!(error instanceof Error && isOutside)) throw error;
    complain([error.message]);
  }
}

function readArguments(): { help: boolean; reset: boolean } | null {
  const options = { help: { type: 'boolean' }, reset: { type: 'boolean' } } as const;
  try {
    const { values } = parseArgs({ options });
    return { help: values.help ?? false, reset: values.reset ?? false };
  } catch (error) {
    process.exitCode = exitOf.misused;
    complain([error instanceof Error ? error.message : 'The arguments cannot be read.']);
    return null;
  }
}

function readSettings(isReset: boolean): Config | null {
  try {
    const config = readConfig();
    const canReset = config.upstream.kind === 'embedded' && !config.databaseUrl;
    if (!isReset || canReset) return config;
    complain(['--reset works only with the sandbox and the journal that are started along.']);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    complain(error.problems);
  }
  process.exitCode = exitOf.misused;
  return null;
}

function complainAbout(warnings: readonly string[]): void {
  if (warnings.length > 0) complain(warnings);
}

/** The first signal lets the requests under way end; the second ends the process at once. */
function stopOnSignal(gateway: Gateway): void {
  let isStopping = false;
  const stop = async (signal: NodeJS.Signals) => {
    if (isStopping) process.exit(exitOf.killed);
    isStopping = true;
    complain([`${signal}: finishing what is under way; a second signal ends it at once.`]);
    const isClean = await gateway.close();
    if (!isClean)
      complain([
        'what is still under way is left to the journal, and settled by the next gateway over it.',
      ]);
    process.exit(0);
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}
