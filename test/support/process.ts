import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import type { Overrides } from '../../src/app/shared-deps.ts';

/** A program in its own process, once it listens. */
export interface Running {
  /** Without a slash at the end. */
  readonly origin: string;
  /** `kill -9`. */
  kill(): Promise<void>;
  /** Sends SIGTERM and resolves to the exit code. */
  stop(): Promise<number | null>;
  /** Sends a signal without waiting. */
  signal(name: NodeJS.Signals): void;
  /** The exit code, once it has ended. */
  readonly exitCode: Promise<number | null>;
  /** Its standard error; null unless `stderr` is `pipe`. */
  readonly stderr: Readable | null;
}

export interface ProcessOptions {
  /** No file that it writes may have more blocks of 512 bytes, as when a disk is full. */
  readonly fileBlocks?: number;
  /** Kills it with `kill -9` after this time, also before it listens; a whole number. */
  readonly killAfterMs?: number;
  /** For Node, before the program. */
  readonly nodeArgs?: readonly string[];
  /** Runs `npm start` in its own process group, which receives all signals together, as from a terminal. */
  readonly npmStart?: boolean;
  /** Runs the sources and not the bundle. */
  readonly source?: boolean;
  /** Runs the sources of a gateway with these overrides. */
  readonly overrides?: Pick<Overrides, 'jobLeaseMs' | 'quietWindowMs'> | undefined;
  /** A pipe to read from, or a file descriptor; discarded by default. */
  readonly stderr?: 'ignore' | 'pipe' | number;
  /** Receives its standard output. */
  readonly onStdout?: (text: string) => void;
}

const { PATH, NODE_COMPILE_CACHE } = process.env;
/** The environment of a program that a test starts: no setting but that it compares no domains for events, and that prices are costs. */
export const bareEnvironment = {
  ...{ PATH, NODE_COMPILE_CACHE },
  ...{ EVENTS_INTERVAL_SECONDS: '0', PRICES_FILE: 'none' },
};

/** Exit code and output of a program. */
export interface Ended {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The programs run as users run them: from the bundle that `bundle.ts` builds before the tests. */
const run = new URL('../../src/cli/run.mjs', import.meta.url).pathname;

const programWithOverrides = new URL('gateway-program.ts', import.meta.url).pathname;

/** Runs `cli/purchases`, with `bareEnvironment` and `env` as its environment. */
export const runPurchases = (
  env: Readonly<Record<string, string>>,
  ...args: readonly string[]
): Promise<Ended> => runCommand('src/cli/purchases', env, args);

/** Runs a command of the gateway, with `bareEnvironment` and `env` as its environment. SIGINT is sent when `interrupt` resolves. */
export async function runCommand(
  command: string,
  env: Readonly<Record<string, string>>,
  args: readonly string[],
  interrupt?: Promise<unknown>,
): Promise<Ended> {
  const child = spawn(process.execPath, [run, command, ...args], {
    env: { ...bareEnvironment, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  void interrupt?.then(() => child.kill('SIGINT'));
  const texts = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk) => {
    texts.stdout += chunk;
  });
  child.stderr.on('data', (chunk) => {
    texts.stderr += chunk;
  });
  const [exitCode] = await once(child, 'close');
  return { exitCode, ...texts };
}

/** Starts the gateway or the sandbox, with `bareEnvironment` and `env` as its environment. */
export async function startProcess(
  program: 'src/main' | 'sandbox/main',
  env: Readonly<Record<string, string>>,
  args: readonly string[] = [],
  options: ProcessOptions = {},
): Promise<Running> {
  const { fileBlocks, nodeArgs = [], npmStart = false, source = false, overrides } = options;
  const { stderr = 'ignore', killAfterMs, onStdout } = options;
  const script = overrides
    ? [programWithOverrides, JSON.stringify(overrides)]
    : [run, ...(source ? ['--source'] : []), program, ...args];
  const whole = npmStart ? ['npm', 'start'] : [process.execPath, ...nodeArgs, ...script];
  const [command = '', ...rest] =
    fileBlocks === undefined
      ? whole
      : ['/bin/sh', '-c', `ulimit -f ${fileBlocks} && exec "$@"`, 'sh', ...whole];
  const child: ChildProcess = spawn(command, rest, {
    env: { ...bareEnvironment, ...env },
    stdio: ['ignore', 'pipe', stderr],
    detached: npmStart,
    ...(killAfterMs !== undefined && { timeout: killAfterMs, killSignal: 'SIGKILL' }),
  });
  const exited = once(child, 'exit');
  const signal = (name: NodeJS.Signals) => {
    if (npmStart && child.pid !== undefined) process.kill(-child.pid, name);
    else child.kill(name);
  };
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  void exited.then(() => reject(new Error(`${program} ended before it listened.`)));
  child.stdout?.on('data', (chunk) => {
    onStdout?.(String(chunk));
    const origin = /http:\/\/127\.0\.0\.1:\d+/.exec(String(chunk))?.[0];
    if (origin) resolve(origin);
  });
  return {
    origin: await promise,
    async kill() {
      if (child.exitCode === null && child.signalCode === null) signal('SIGKILL');
      await exited;
    },
    async stop() {
      signal('SIGTERM');
      const [exitCode] = await exited;
      return exitCode;
    },
    signal,
    exitCode: exited.then(([exitCode]) => exitCode),
    stderr: child.stderr,
  };
}
