import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface ChildOptions {
  /** From the root of the repository. */
  readonly file: string;
  readonly args?: readonly string[];
  readonly nodeArgs?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** The core to run on; any when null. */
  readonly core: string | null;
}

/** A program of ours in a process of its own. */
export interface Child {
  /** As it printed it when it listened; no slash at the end. */
  readonly url: string;
  /** `performance.now()` when it was started. */
  readonly startedAt: number;
  /** CPU that it has used so far, in milliseconds, counted in steps of 10; null where there is no /proc. */
  cpuMs(): number | null;
  /** Memory that it holds; null where there is no /proc. */
  rssBytes(): number | null;
  stop(): Promise<void>;
}

const root = join(import.meta.dirname, '..', '..');

/** The unit of CPU time in /proc: hundredths of a second on every Linux that Node runs on. */
const tickMs = 10;

/** @throws Error with its standard error when it ends before it listens. */
export async function startChild(options: ChildOptions): Promise<Child> {
  const { file, args = [], nodeArgs = [], env = {}, core } = options;
  const command = [process.execPath, ...nodeArgs, join(root, file), ...args];
  const [program = '', ...rest] = core === null ? command : ['taskset', '-c', core, ...command];
  const startedAt = performance.now();
  const child = spawn(program, rest, {
    cwd: root,
    // None of the caller's own settings may reach a server that is measured. Every server starts from compiled code that
    // an earlier start has left, as `npm start` does.
    env: {
      PATH: process.env.PATH,
      NODE_ENV: 'production',
      NODE_COMPILE_CACHE: join(root, 'node_modules', '.cache', 'compiled'),
      // Background reads would be measured too. With a live upstream they run every five minutes.
      EVENTS_INTERVAL_SECONDS: '0',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const url = await addressOf(child, file);

  return {
    url,
    startedAt,
    cpuMs() {
      const fields = readProc(child, 'stat')?.split(') ')[1]?.split(' ');
      return fields ? (Number(fields[11]) + Number(fields[12])) * tickMs : null;
    },
    rssBytes() {
      const kibibytes = /^VmRSS:\s*(\d+)/m.exec(readProc(child, 'status') ?? '')?.[1];
      return kibibytes ? Number(kibibytes) * 1024 : null;
    },
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    },
  };
}

function readProc({ pid }: ChildProcess, name: string): string | null {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8');
  } catch {
    return null;
  }
}

function addressOf(child: ChildProcess, file: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const output = { stdout: '', stderr: '' };
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      output.stderr += text;
    });
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      output.stdout += text;
      const url = /http:\/\/127\.0\.0\.1:\d+/.exec(output.stdout)?.[0];
      if (url) resolve(url);
    });
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`${file} ended with ${code}: ${output.stderr}`)));
  });
}
