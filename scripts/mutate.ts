import { spawnSync } from 'node:child_process';
import { globSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { print, readArguments } from '../src/console/program.ts';
import { productFolders } from '../test/architecture/modules.ts';
import { type Part, partOf, parts, strykerOptions, testFilesOf } from '../test/mutation/config.ts';
import { changedLines, type Lines } from './changed-lines.ts';
import { installPackages } from './install.ts';

// Each part of the product in test/mutation/config.ts is one run of Stryker, with the tests of that part.

/** The part of the JSON report of Stryker that the script reads. Lines and columns count from 1. */
interface Report {
  readonly files: Readonly<Record<string, { source: string; mutants: readonly Result[] }>>;
}

interface Result {
  readonly mutatorName: string;
  readonly replacement?: string;
  readonly status: string;
  readonly location: { readonly start: Position; readonly end: Position };
}

interface Position {
  readonly line: number;
  readonly column: number;
}

const help = `Changes operators, conditions and literals one by one, runs the tests of each change (Stryker), and prints what no test noticed.

Usage: npm run mutate -- [--force] FOLDER_OR_FILE...
       npm run mutate -- --since COMMIT [--minutes N]

  --force         Runs every change again, also those with a stored result.
  --since COMMIT  Only the lines of the product that changed since the commit.
  --minutes N     Stops after N minutes; default 60.
`;

const { values, positionals } = readArguments('mutate', help, {
  options: {
    force: { type: 'boolean', default: false },
    since: { type: 'string' },
    minutes: { type: 'string', default: '60' },
  },
  allowPositionals: true,
});

const isWhole = values.since === undefined;
const deadlineMs = performance.now() + Number(values.minutes) * 60_000;

const filesOf = (path: string) =>
  statSync(path).isDirectory()
    ? globSync(`${path}/**/*.ts`, { exclude: ['**/*.test.ts', '**/test/**'] }).sort()
    : [path];

const mutated =
  values.since === undefined
    ? positionals
        .flatMap((path) => filesOf(relative('', path)))
        .map((file): Lines => ({ file, from: 1, to: Number.MAX_SAFE_INTEGER }))
    : changedLines(values.since, productFolders).filter(
        ({ file }) => file.endsWith('.ts') && !/\.test\.ts$|\/test\//.test(file),
      );
const byPart = Map.groupBy(mutated, ({ file }) => partOf(file));
const unknown = new Set(byPart.get(undefined)?.map(({ file }) => file));
const isUsable = !isWhole || (positionals.length > 0 && unknown.size === 0);
for (const file of unknown) print(`${file} is in no part of test/mutation/config.ts.`);
if (!isUsable || Number.isNaN(deadlineMs)) {
  process.stderr.write(help);
  process.exit(2);
}

if (mutated.length > 0) installPackages('test/mutation');
// In the order of the configuration: purchases first.
for (const part of parts) {
  const lines = byPart.get(part);
  if (lines) measure(part, lines);
}
if (mutated.length === 0) print('No line of the product has changed.');

function measure(part: Part, lines: readonly Lines[]): void {
  const started = performance.now();
  const reports = runStryker(part, lines)?.files;
  const seconds = Math.round((performance.now() - started) / 1_000);
  const files = [...new Set(lines.map(({ file }) => file))];
  if (!reports) {
    print(`\nNot measured within ${values.minutes} minutes: ${files.join(', ')}`);
    return;
  }

  const isMutated = (file: string, { location: { start, end } }: Result) =>
    lines.some((one) => one.file === file && one.from <= start.line && end.line <= one.to);
  const mutants = Object.entries(reports).flatMap(([file, { source, mutants }]) =>
    mutants.filter((one) => isMutated(file, one)).map((one) => describe(file, source, one)),
  );
  for (const [file, ofFile] of Map.groupBy(mutants, ({ file }) => file)) report(file, ofFile);
  const timeouts = mutants.filter(({ status }) => status === 'Timeout').length;
  print(
    `\n${part.source}: ${scoreOf(mutants)} of ${counted(mutants).length} mutants (${timeouts} by a timeout), ${seconds} s`,
  );
  const untested = mutants.filter(({ status }) => status === 'RuntimeError').length;
  if (untested > 0) print(`Not tested, because something failed outside of the tests: ${untested}`);
}

/** @returns nothing after the deadline */
function runStryker(part: Part, lines: readonly Lines[]): Report | undefined {
  const timeout = Math.max(1, Math.round(deadlineMs - performance.now()));
  const base = `node_modules/.cache/mutation/${part.source.replaceAll('/', '-')}`;
  mkdirSync('node_modules/.cache/mutation', { recursive: true });
  const options = {
    ...strykerOptions,
    mutate: lines.map(({ file, from, to }) => (isWhole ? file : `${file}:${from}-${to}`)),
    testFiles: testFilesOf(part),
    incremental: isWhole,
    incrementalFile: `${base}.incremental.json`,
    jsonReporter: { fileName: `${base}.report.json` },
    force: values.force,
  };
  writeFileSync(`${base}.options.json`, JSON.stringify(options));
  rmSync(options.jsonReporter.fileName, { force: true });
  const { status, error } = spawnSync(
    'test/mutation/node_modules/.bin/stryker',
    ['run', `${base}.options.json`],
    {
      stdio: 'inherit',
      timeout,
    },
  );
  if (error && 'code' in error && error.code === 'ETIMEDOUT') {
    rmSync(strykerOptions.tempDirName, { recursive: true, force: true });
    return undefined;
  }
  if (status !== 0) process.exit(status ?? 1);
  return JSON.parse(readFileSync(options.jsonReporter.fileName, 'utf8'));
}

interface Mutant {
  readonly file: string;
  readonly status: string;
  readonly place: string;
  /** Name of Stryker's mutator. */
  readonly mutator: string;
  /** The first line of the mutated code, and of its replacement. */
  readonly original: string;
  readonly replacement: string;
}

function describe(file: string, source: string, result: Result): Mutant {
  const { start, end } = result.location;
  const line = source.split('\n')[start.line - 1] ?? '';
  const last = start.line === end.line ? end.column - 1 : undefined;
  return {
    file,
    status: result.status,
    place: `${start.line}:${start.column}`,
    mutator: result.mutatorName,
    original: line.slice(start.column - 1, last),
    replacement: result.replacement?.split('\n')[0] ?? '',
  };
}

function isSurvivor({ status }: Mutant): boolean {
  return status === 'Survived' || status === 'NoCoverage';
}

/** Mutants that a test found or should find. */
function counted(mutants: readonly Mutant[]): readonly Mutant[] {
  return mutants.filter((one) => ['Killed', 'Timeout'].includes(one.status) || isSurvivor(one));
}

/** The share that a test found, in percent. */
function scoreOf(mutants: readonly Mutant[]): string {
  const all = counted(mutants);
  const found = all.filter((one) => !isSurvivor(one)).length;
  return `${(all.length === 0 ? 100 : (100 * found) / all.length).toFixed(1)} %`;
}

function report(file: string, mutants: readonly Mutant[]): void {
  print(`\n${file}  ${scoreOf(mutants)}`);
  for (const mutant of mutants.filter(isSurvivor)) {
    const { place, status, mutator, original, replacement } = mutant;
    print(
      `  ${place} ${status === 'NoCoverage' ? 'not covered' : 'survived'}, ${mutator}: ${original} → ${replacement}`,
    );
  }
}
