import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { stripVTControlCharacters } from 'node:util';

/** Where commands run. */
export interface Place {
  readonly folder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** A command in a process group of its own. */
export interface Started {
  /** Its output so far, without colours. */
  readonly output: () => string;
  readonly exitCode: Promise<number | null>;
  readonly hasEnded: () => boolean;
  readonly write: (text: string) => void;
  readonly endInput: () => void;
  /** Sends a signal to the process group, as a terminal does. */
  readonly signal: (name: NodeJS.Signals) => void;
}

const running = new Set<ChildProcess>();

/** Ends the commands that still run, when this program ends before them. */
process.once('exit', () => {
  for (const child of running) signalGroup(child, 'SIGKILL');
});
for (const [name, exitCode] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const) {
  process.once(name, () => process.exit(exitCode));
}

export function start(command: string, { folder, env }: Place, hasInput = false): Started {
  const child = spawn('sh', ['-ec', command], {
    ...{ cwd: folder, env, detached: true },
    stdio: [hasInput ? 'pipe' : 'ignore', 'pipe', 'pipe'],
  });
  running.add(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const closed = once(child, 'close').then(([code]) => {
    running.delete(child);
    return code as number | null;
  });
  return {
    output: () => stripVTControlCharacters(output),
    exitCode: closed,
    hasEnded: () => !running.has(child),
    write: (text) => void child.stdin?.write(text),
    endInput: () => void child.stdin?.end(),
    signal: (name) => signalGroup(child, name),
  };
}

function signalGroup({ pid }: ChildProcess, name: NodeJS.Signals): void {
  try {
    if (pid !== undefined) process.kill(-pid, name);
  } catch {
    // The group has ended.
  }
}

/** Repeats `isTrue` until it is, the command has ended, or the time is over. @throws Error with `what` */
export async function until(
  started: Started,
  isTrue: () => boolean | Promise<boolean>,
  timeoutMs: number,
  what: string,
): Promise<void> {
  const endsMs = performance.now() + timeoutMs;
  while (!(await isTrue())) {
    if (started.hasEnded()) throw new Error(`It ended before ${what}.`);
    if (performance.now() > endsMs) {
      throw new Error(`It did not reach this in ${timeoutMs / 1000} s: ${what}.`);
    }
    await sleep(50);
  }
}

/** The exit code; null after a signal. @throws Error when the command does not end in this time */
export async function ended(started: Started, timeoutMs: number): Promise<number | null> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => reject(new Error(`It did not end within ${timeoutMs / 1000} s.`)),
    timeoutMs,
  );
  try {
    return await Promise.race([started.exitCode, promise]);
  } finally {
    clearTimeout(timer);
  }
}
