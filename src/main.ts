import { type RunningGateway, startGateway } from './app/compose.ts';
import { greeting } from './app/greeting.ts';
import { readConfig, settings } from './app/read-config.ts';
import { type Config, ConfigError } from './config/config.ts';
import { helpText } from './config/settings.ts';
import { describeFailure, exitCodes, print, printErrors } from './console/program.ts';
import { dropUnreadOutput, parseArguments } from './lib/programs.ts';
import { systemClock } from './lib/system.ts';
import { createLog, type Log, standardError } from './observability/log.ts';

/** How long writing the last lines of the log may take. */
const lastLinesMs = 500;

const printSentences = (sentences: readonly string[]) =>
  printErrors('reseller-graph', sentences, (text) => standardError.write(text));

await main();

async function main(): Promise<void> {
  dropUnreadOutput(process);
  try {
    await start();
  } catch (error) {
    const failure = describeFailure(error);
    if (!failure) throw error;
    printSentences(failure.sentences);
    await end(failure.exitCode);
  }
}

async function start(): Promise<void> {
  const { values: options } = parseArguments({
    options: {
      help: { type: 'boolean', short: 'h', default: false },
      all: { type: 'boolean', default: false },
      reset: { type: 'boolean', default: false },
      fast: { type: 'boolean', default: false },
    },
  });
  if (options.help) return print(helpText(settings, options.all));
  const config = readConfig();
  checkOptions(options, config);
  printSentences(config.warnings);

  const log = createLog({ level: config.observability.logLevel });
  standardError.onRecovery((count) => log.warn('log lines were dropped', { count }));
  endOnUnexpectedError(log);
  const sandbox = options.fast ? { ...config.sandbox, latency: 'none' as const } : config.sandbox;
  const gateway = await startGateway(
    { ...config, sandbox },
    {
      reset: options.reset,
      log,
      notify: (sentence) => printSentences([sentence]),
    },
  );
  // Before the greeting: a client that has read it may send a signal.
  stopOnSignal(gateway);
  print(greeting(config, gateway));
}

/** @throws ConfigError */
function checkOptions(
  { all, reset, fast }: Readonly<Record<'all' | 'reset' | 'fast', boolean>>,
  { hasEmbeddedSandbox, storage }: Config,
): void {
  const errors = [
    ...(all ? ['--all is used with --help.'] : []),
    ...(reset && (!hasEmbeddedSandbox || storage.databaseUrl)
      ? ['--reset works only with the embedded sandbox and a SQLite journal.']
      : []),
    ...(fast && !hasEmbeddedSandbox ? ['--fast works only with the embedded sandbox.'] : []),
  ];
  if (errors.length > 0) throw new ConfigError(errors);
}

/** Ends the process after its last lines are written, for up to `lastLinesMs`. */
async function end(exitCode: number): Promise<never> {
  await standardError.end(systemClock, lastLinesMs);
  process.exit(exitCode);
}

/** An unexpected error, such as a bug in a listener, is logged with its stack before it ends the process. */
function endOnUnexpectedError(log: Log): void {
  process.once('uncaughtException', (error) => {
    log.error('fatal error', { error });
    void end(exitCodes.failed);
  });
}

/** npm and a process group deliver one signal twice. A second Ctrl-C of a person comes later than this. */
const sameSignalMs = 1_000;

/** The first signal lets open requests finish; a later one ends the process immediately. */
function stopOnSignal(gateway: RunningGateway): void {
  let stoppingSinceMs: number | null = null;
  const stop = async (signal: NodeJS.Signals) => {
    const nowMs = systemClock.monotonicMs();
    if (stoppingSinceMs !== null) {
      return nowMs - stoppingSinceMs > sameSignalMs ? end(exitCodes.killed) : undefined;
    }
    stoppingSinceMs = nowMs;
    printSentences([
      `${signal}: finishing open requests; another ${signal} after a second ends the process at once.`,
    ]);
    const isClean = await gateway.close();
    if (!isClean) {
      printSentences([
        'unfinished purchases are in the journal; the next gateway that uses it settles them.',
      ]);
    }
    return end(exitCodes.succeeded);
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}
