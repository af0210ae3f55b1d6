import './server/garbage.ts';
import { parseArgs } from 'node:util';
import { type Gateway, StartError, startGateway } from './compose.ts';
import { type Config, ConfigError, readConfig } from './config/config.ts';
import { helpText } from './config/help.ts';
import { Fault } from './kernel/faults.ts';
import { systemClock } from './kernel/system.ts';
import { createLog, type Log } from './observability/log.ts';
import { standardError } from './observability/standard-error.ts';
import { greeting } from './server/greeting.ts';
import { ListenError } from './server/listen.ts';
import { ManifestError } from './server/manifest.ts';

// Exit codes: 0 after a clean stop, 1 when starting or running failed, 2 for wrong arguments or settings.
const exitOf = { stopped: 0, failed: 1, misused: 2, killed: 130 } as const;

/** How long the last lines may take to be written before the process ends. */
const lastLinesMs = 500;

/** What starting fails with for a reason outside the program, each with a sentence that says it. */
const outside = [StartError, ListenError, ManifestError, Fault];

const say = (text: string) => process.stdout.write(`${text}\n`);
const complain = (sentences: readonly string[]) => {
  for (const one of sentences) standardError.write(`reseller-graph: ${one}\n`);
};

await main();

async function main(): Promise<void> {
  const options = readArguments();
  if (!options) return end(exitOf.misused);
  if (options.help) return void say(helpText());
  const config = readSettings(options);
  if (!config) return end(exitOf.misused);
  complain(config.warnings);

  const log = createLog({ level: config.logLevel });
  standardError.onRecovery((count) => log.warn('log lines were dropped', { count }));
  endOnUnexpectedError(log);
  try {
    const gateway = await startGateway(config, {
      reset: options.reset,
      ...(options.fast && { sandboxLatency: 'none' }),
      log,
    });
    // Before the greeting: a client that has read it may send a signal.
    stopOnSignal(gateway);
    say(greeting(config, gateway));
  } catch (error) {
    const isOutside = outside.some((kind) => error instanceof kind);
    if (!(error instanceof Error && isOutside)) throw error;
    complain([error.message]);
    await end(exitOf.failed);
  }
}

/** Ends the process once its last lines are written, or could not be written in time. */
async function end(exitCode: number): Promise<never> {
  await standardError.end(systemClock, lastLinesMs);
  process.exit(exitCode);
}

interface Options {
  readonly help: boolean;
  readonly reset: boolean;
  readonly fast: boolean;
}

function readArguments(): Options | null {
  const options = {
    help: { type: 'boolean', default: false },
    reset: { type: 'boolean', default: false },
    fast: { type: 'boolean', default: false },
  } as const;
  try {
    return parseArgs({ options }).values;
  } catch (error) {
    complain([error instanceof Error ? error.message : 'The arguments cannot be read.']);
    return null;
  }
}

function readSettings({ reset, fast }: Options): Config | null {
  try {
    const config = readConfig();
    const isEmbedded = config.upstream.kind === 'embedded';
    const problems = [
      ...(reset && (!isEmbedded || config.databaseUrl)
        ? ['--reset works only with the sandbox and the journal that are started along.']
        : []),
      ...(fast && !isEmbedded ? ['--fast works only with the sandbox that is started along.'] : []),
    ];
    if (problems.length === 0) return config;
    complain(problems);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    complain(error.problems);
  }
  return null;
}

/** An error that no code expects, such as a bug in a listener, is logged with its stack before it ends the process. */
function endOnUnexpectedError(log: Log): void {
  process.once('uncaughtException', (error) => {
    log.error('fatal error', { error });
    void end(exitOf.failed);
  });
}

/** npm and a process group deliver one signal twice; a person who presses Ctrl-C again takes longer than this. */
const sameSignalMs = 1_000;

/** The first signal lets open requests finish; a later one ends the process at once. */
function stopOnSignal(gateway: Gateway): void {
  let stoppingSinceMs: number | null = null;
  const stop = async (signal: NodeJS.Signals) => {
    const nowMs = systemClock.monotonicMs();
    if (stoppingSinceMs !== null) {
      return nowMs - stoppingSinceMs > sameSignalMs ? end(exitOf.killed) : undefined;
    }
    stoppingSinceMs = nowMs;
    complain([
      `${signal}: finishing open requests; another ${signal} after a second ends the process at once.`,
    ]);
    const isClean = await gateway.close();
    if (!isClean) {
      complain([
        'unfinished purchases are in the journal; the next gateway that uses it settles them.',
      ]);
    }
    return end(exitOf.stopped);
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}
