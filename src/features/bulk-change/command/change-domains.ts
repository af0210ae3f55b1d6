import { fstatSync, readFileSync } from 'node:fs';
import type { Config } from '../../../config/config.ts';
import { withGateway } from '../../../console/gateway-client.ts';
import {
  exitCodes,
  print,
  printErrors,
  RefusedRows,
  readInput,
  withRest,
} from '../../../console/program.ts';
import { CsvError } from '../../../lib/csv.ts';
import { StartError } from '../../../lib/errors.ts';
import { decodeText } from '../../../lib/files.ts';
import {
  desiredOf,
  differencesOf,
  type Entry,
  emptyEntries,
  parseDesired,
} from './desired-domains.ts';
import { readTargets } from './read-targets.ts';
import {
  isComplete,
  itemChanges,
  type NewChange,
  privacyChanges,
  runChanges,
} from './run-changes.ts';

/** Sets the name servers of the domains of a CSV file. @throws StartError when a row is not valid */
export async function changeByFile(config: Config, fd: number): Promise<string> {
  const refused = new RefusedRows();
  const items = await readTargets(readInput(fd), refused).catch((error: unknown) => {
    throw error instanceof CsvError
      ? new StartError(`${error.message} Nothing was changed.`)
      : error;
  });
  refused.print('domains');
  if (refused.count > 0) {
    throw new StartError(`Rows refused: ${refused.count}. Nothing was changed.`);
  }
  if (items.length === 0) throw new StartError('The file has no domain.');
  return change(config, itemChanges(items));
}

/** Domains that are printed with the reason why they were not changed; of the others only their number. */
const maxReported = 100;

async function change(config: Config, changes: readonly NewChange[]): Promise<string> {
  const failures: string[] = [];
  const interrupt = new AbortController();
  const stop = () => {
    printErrors('domains', [
      'The domains for which nothing was sent are cancelled. A second signal ends the command.',
    ]);
    interrupt.abort();
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stop);
  const progress = await withGateway(config, (gateway) =>
    runChanges(gateway, changes, { failures, signal: interrupt.signal }),
  ).finally(() => {
    const shown = failures.slice(0, maxReported);
    printErrors('domains', withRest(shown, failures.length - maxReported, 'domains'));
  });
  const { succeeded, unchanged, failed, unknown, cancelled, waiting, running } = progress;
  if (!isComplete(progress)) process.exitCode = exitCodes.failed;
  if (interrupt.signal.aborted) process.exitCode = exitCodes.killed;
  const open = waiting + running > 0 ? `; open: ${waiting + running}` : '';
  return `Changes made: ${succeeded}; not needed: ${unchanged}; failed: ${failed}; unknown: ${unknown}; cancelled: ${cancelled}${open}.`;
}

/** Bytes of a file of desired domains at most: some 100,000 domains. */
const maxBytes = 5_000_000;

function readDesired(fd: number): readonly Entry[] {
  const { size } = fstatSync(fd);
  if (size > maxBytes) {
    throw new StartError(
      `The file has ${size} bytes; a file of desired domains has at most ${maxBytes}.`,
    );
  }
  try {
    return parseDesired(decodeText(readFileSync(fd)));
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new StartError('The text is neither UTF-8 nor UTF-16; save it as UTF-8.');
  }
}

/** Prints what differs from a YAML file. */
export async function plan(config: Config, fd: number): Promise<string> {
  const { differences, count } = await compare(config, readDesired(fd));
  for (const { domain, desired } of differences) {
    print(domain.name);
    const { nameServers: hosts, privacyProtected: isOn } = desired;
    if (hosts)
      print(`  nameServers: ${domain.nameServers?.join(' ') ?? 'unknown'} -> ${hosts.join(' ')}`);
    if (isOn !== undefined)
      print(`  privacyProtected: ${domain.privacyProtected ?? 'unknown'} -> ${isOn}`);
  }
  if (differences.length > 0) process.exitCode = exitCodes.different;
  return `${differences.length} of ${count} domains differ.`;
}

/** Changes what differs from a YAML file. */
export async function apply(config: Config, fd: number): Promise<string> {
  const { differences, count } = await compare(config, readDesired(fd));
  if (differences.length === 0) return `0 of ${count} domains differ.`;
  const items = differences.flatMap(({ domain, desired: { nameServers } }) =>
    nameServers ? [{ domain: domain.name, nameServers }] : [],
  );
  const namesWith = (isOn: boolean) =>
    differences
      .filter(({ desired }) => desired.privacyProtected === isOn)
      .map(({ domain }) => domain.name);
  return change(config, [
    ...itemChanges(items),
    ...privacyChanges(namesWith(true), true),
    ...privacyChanges(namesWith(false), false),
  ]);
}

const incomplete =
  'The gateway does not know the values of all domains of the account, so patterns and labels may select too few. Name the missing domains in "names", or add them with "domains import".';

const compare = (config: Config, entries: readonly Entry[]) =>
  withGateway(config, async ({ readDomains, readUnlisted }) => {
    const { domains: listed, complete } = await readDomains();
    const known = new Set(listed.map(({ name }) => name));
    const named = new Set(entries.flatMap(({ names = [] }) => names));
    const unlisted = await readUnlisted([...named].filter((name) => !known.has(name)));
    const all = [...listed, ...unlisted];
    for (const entry of emptyEntries(entries, all)) {
      printErrors('domains', [`Entry ${entry} selects no domain in use.`]);
    }
    if (!complete && entries.some(({ names }) => !names)) printErrors('domains', [incomplete]);
    const desired = desiredOf(entries, all);
    return { differences: differencesOf(desired), count: desired.size };
  });
