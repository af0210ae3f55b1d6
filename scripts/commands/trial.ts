import { paths, type Run } from '../../test/docs/commands.ts';
import { blocksOf } from '../../test/docs/markdown.ts';
import type { Form } from './forms.ts';
import { ended, type Place, type Started, start, until } from './shell.ts';

export interface Outcome extends Trial {
  readonly name: string;
  readonly form: Form['name'];
}

interface Trial {
  /** Why it failed, with the end of its output. */
  readonly failure: string | null;
  readonly seconds: number;
  /** From its start to its first response, of a command that listens. */
  readonly firstResponseSeconds: number | null;
}

const maxMs = 300_000;
const maxStopMs = 40_000;

const readmeQuery = blocksOf('README.md', 'graphql')[0] ?? '';

/** The text with the folder and the ports of the form. */
const adapt = (text: string, { folder, ports }: Form): string =>
  [
    ...Object.entries(paths),
    ...Object.entries(ports).map(([from, to]) => [`127.0.0.1:${from}`, `127.0.0.1:${to}`] as const),
    ...['4100', '4200'].map((port) => [`PORT=${port}`, `PORT=${ports[port]}`] as const),
  ]
    .reduce((result, [from, to]) => result.replaceAll(from, to), text)
    .replaceAll('FOLDER', folder);

/** Runs `text` as `run` describes, while the command `run.during` listens. */
export async function tryCommand(text: string, run: Run, form: Form): Promise<Trial> {
  const beganMs = performance.now();
  const all: Started[] = [];
  const startIn = (command: string, place: Place) => {
    const started = start(adapt(command, form), place, run.input !== undefined);
    all.push(started);
    return started;
  };
  let firstResponseSeconds: number | null = null;
  let failure: string | null = null;
  try {
    const other = run.during === undefined ? null : startIn(run.during, form);
    if (other) await until(other, () => isListening(other), maxMs, 'it listened');
    const settings = Object.entries(run.env ?? {}).map(([name, value]) => [
      name,
      adapt(value, form),
    ]);
    const env = { ...form.env, ...Object.fromEntries(settings) };
    const started = startIn(text, { ...form, env });
    firstResponseSeconds = await follow(started, run, form);
    if (other) await stop(other);
  } catch (error) {
    for (const one of all) one.signal('SIGKILL');
    for (const one of all) await one.exitCode;
    const outputs = all.map((one) => one.output().slice(-2_000)).join('\n');
    failure = `${error instanceof Error ? error.message : error}\n${outputs}`;
  }
  const seconds = (performance.now() - beganMs) / 1000;
  return { failure, seconds, firstResponseSeconds };
}

/** A program that listens has printed its address. */
const isListening = (started: Started) => /http:\/\/127\.0\.0\.1:\d+/.test(started.output());

async function stop(started: Started): Promise<void> {
  started.signal('SIGTERM');
  await ended(started, maxStopMs);
}

/** Waits for what `run` expects, and returns the seconds to the first response. @throws Error with the difference */
async function follow(started: Started, run: Run, form: Form): Promise<number | null> {
  const beganMs = performance.now();
  const { prints = '', responds, input, exitCode = 0 } = run;
  const hasPrinted = () => started.output().includes(prints);
  let firstResponseSeconds: number | null = null;
  if (responds !== undefined) {
    await until(started, () => hasResponded(responds, form), maxMs, 'its first response');
    firstResponseSeconds = (performance.now() - beganMs) / 1000;
    await stop(started);
  } else {
    if (input !== undefined) {
      started.write(input);
      await until(started, hasPrinted, maxMs, `its output "${prints}"`);
      started.endInput();
    }
    const code = await ended(started, maxMs);
    if (code !== exitCode) throw new Error(`It ended with ${code}.`);
  }
  if (!hasPrinted()) throw new Error(`It did not print "${prints}".`);
  // Node prints its version after an error that nothing handles.
  if (/^Node\.js v\d/m.test(started.output())) throw new Error('It printed a stack trace.');
  return firstResponseSeconds;
}

/** Whether the program responds: to the query of the README with its data, at other paths with any response but a failure. */
async function hasResponded(address: string, { ports }: Form): Promise<boolean> {
  const [port = '', ...path] = address.split('/');
  const url = `http://127.0.0.1:${ports[port]}/${path.join('/')}`;
  const isGraph = path[0] === 'graphql' || path[1] === 'graphql';
  try {
    const signal = AbortSignal.timeout(10_000);
    if (!isGraph) return (await fetch(url, { signal })).status < 500;
    const response = await fetch(url, {
      ...{ method: 'POST', signal, headers: { 'content-type': 'application/json' } },
      body: JSON.stringify({ query: readmeQuery }),
    });
    const { data } = (await response.json()) as {
      data?: { availabilities?: readonly { state: string }[] };
    };
    return data?.availabilities?.[0]?.state === 'AVAILABLE';
  } catch {
    // It does not listen yet.
    return false;
  }
}
