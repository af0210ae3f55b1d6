import { spawnSync } from 'node:child_process';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { exitCodes, print, printErrors, readArguments } from '../src/cli/program.ts';

const help = `Plants the careless changes of test/mutation/careless one by one, and prints which of them a test noticed.

Usage: npm run careless -- [--table] [PART_OR_ID...]

  PART_OR_ID  The name of a file of test/mutation/careless, or the id of a change. Default: all changes.
  --table     Prints a Markdown table of the parts instead of a line for each change.

A change is written to its file in this checkout and taken back after its tests. Exit code 1: one of them was not noticed.
`;

/** `tests`: the files and folders of tests that are run with the change, below `root`. The text `from` is replaced once by `to`. */
const changesSchema = z.array(
  z.strictObject({
    id: z.string(),
    file: z.string(),
    from: z.string(),
    to: z.string(),
    root: z.string().default('.'),
    tests: z.array(z.string()).min(1),
  }),
);

type Change = z.infer<typeof changesSchema>[number];
type Result = 'noticed' | 'not noticed' | 'does not apply';

const { values, positionals } = readArguments('careless', help, {
  options: { table: { type: 'boolean', default: false } },
  allowPositionals: true,
});

const parts = globSync('test/mutation/careless/*.yaml')
  .sort()
  .map((path) => {
    const part = basename(path, '.yaml');
    const changes = changesSchema.parse(parse(readFileSync(path, 'utf8')));
    const isChosen = ({ id }: Change) =>
      positionals.length === 0 || positionals.includes(part) || positionals.includes(id);
    return { part, changes: changes.filter(isChosen) };
  })
  .filter(({ changes }) => changes.length > 0);
if (parts.length === 0) {
  printErrors('careless', [`No part and no change has the name ${positionals.join(', ')}.`]);
  process.exit(exitCodes.misused);
}

const measured = parts.map(({ part, changes }) => ({
  part,
  results: changes.map((change) => {
    const result = measure(change);
    if (!values.table) print(`${result.padEnd(14)}  ${change.id}  ${change.file}`);
    return result;
  }),
}));
const all = measured.flatMap(({ results }) => results);
if (values.table) {
  print('| part | noticed / planted |\n| --- | --- |');
  for (const { part, results } of measured) print(`| ${part} | ${scoreOf(results)} |`);
}
print(`\n${scoreOf(all)} noticed`);
process.exitCode = all.every((one) => one === 'noticed') ? exitCodes.succeeded : exitCodes.failed;

function scoreOf(results: readonly Result[]): string {
  return `${results.filter((one) => one === 'noticed').length} / ${results.length}`;
}

/** The process must not end before the file has its own text again. */
function measure({ file, from, to, root, tests }: Change): Result {
  const source = readFileSync(file, 'utf8');
  const pieces = source.split(from);
  if (pieces.length !== 2) return 'does not apply';
  const takeBack = () => writeFileSync(file, source);
  const stop = () => {
    takeBack();
    process.exit(exitCodes.killed);
  };
  process.on('SIGINT', stop).on('SIGTERM', stop);
  writeFileSync(file, pieces.join(to));
  try {
    const { status } = spawnSync('npx', ['vitest', 'run', '--root', root, '--bail', '1', ...tests]);
    return status === 0 ? 'not noticed' : 'noticed';
  } finally {
    takeBack();
    process.off('SIGINT', stop).off('SIGTERM', stop);
  }
}
