import { spawnSync } from 'node:child_process';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { exitCodes, print, printErrors, readArguments } from '../src/console/program.ts';
import { carelessFiles } from '../test/mutation/config.ts';

const help = `Plants the careless changes of test/mutation/careless and of features one by one, and prints which of them a test noticed.

Usage: npm run careless -- [PART_OR_ID...]

  PART_OR_ID  The name of a file of test/mutation/careless, or the id of a change. Default: all changes.

A change is written to its file in this checkout, and the file is restored after its tests. Exit code 1: one of them was not noticed.
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

const { positionals } = readArguments('careless', help, { allowPositionals: true });

const chosen = globSync(carelessFiles)
  .sort()
  .flatMap((path) => {
    const isWhole = positionals.length === 0 || positionals.includes(basename(path, '.yaml'));
    const changes = changesSchema.parse(parse(readFileSync(path, 'utf8')));
    return changes.filter(({ id }) => isWhole || positionals.includes(id));
  });
if (chosen.length === 0) {
  printErrors('careless', [`No part and no change has the name ${positionals.join(', ')}.`]);
  process.exit(exitCodes.misused);
}

let noticed = 0;
for (const change of chosen) {
  const result = measure(change);
  if (result === 'noticed') noticed += 1;
  print(`${result.padEnd(14)}  ${change.id}  ${change.file}`);
}
print(`\n${noticed} / ${chosen.length} noticed`);
process.exitCode = noticed === chosen.length ? exitCodes.succeeded : exitCodes.failed;

/** The process must not end before the file has its own text again. */
function measure({ file, from, to, root, tests }: Change): Result {
  const source = readFileSync(file, 'utf8');
  const pieces = source.split(from);
  if (pieces.length !== 2) return 'does not apply';
  const restore = () => writeFileSync(file, source);
  const stop = () => {
    restore();
    process.exit(exitCodes.killed);
  };
  process.on('SIGINT', stop).on('SIGTERM', stop);
  writeFileSync(file, pieces.join(to));
  try {
    const { status } = spawnSync('npx', ['vitest', 'run', '--root', root, '--bail', '1', ...tests]);
    return status === 0 ? 'not noticed' : 'noticed';
  } finally {
    restore();
    process.off('SIGINT', stop).off('SIGTERM', stop);
  }
}
