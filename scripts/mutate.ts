import { spawnSync } from 'node:child_process';
import { globSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { print, readArguments } from '../src/cli/program.ts';
import { type Part, partOf, slowTests, strykerOptions } from '../test/mutation/config.ts';
import { type EquivalentMutant, equivalentMutants } from '../test/mutation/equivalent.ts';
import { percentOf, type Score, writeScores } from '../test/mutation/scores.ts';
import { changedLines, type Lines } from './changed-lines.ts';

// Each part of `src` in test/mutation/config.ts is one run of Stryker, with the tests of that part.

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

const help = `Changes operators, conditions and literals one by one, and runs the tests of each change (Stryker).

Usage: npm run mutate -- [--force] FOLDER_OR_FILE...
       npm run mutate -- --since COMMIT [--minutes N]

  --force         Runs every change again, also those with a stored result.
  --since COMMIT  Only the lines of src that changed since the commit.
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
  statSync(path).isDirectory() ? globSync(`${path}/**/*.ts`).sort() : [path];

const testFilesOf = ({ tests }: Part) =>
  tests.flatMap((path) =>
    path.endsWith('.ts')
      ? [path]
      : globSync(`${path}/**/*.test.ts`).filter((file) => !slowTests.includes(file)),
  );

const mutated =
  values.since === undefined
    ? positionals
        .flatMap((path) => filesOf(relative('', path)))
        .map((file): Lines => ({ file, from: 1, to: Number.MAX_SAFE_INTEGER }))
    : changedLines(values.since, 'src').filter(({ file }) => file.endsWith('.ts'));
const byPart = Map.groupBy(mutated, ({ file }) => partOf(file));
const unknown = new Set(byPart.get(undefined)?.map(({ file }) => file));
const isUsable = !isWhole || (positionals.length > 0 && unknown.size === 0);
for (const file of unknown) print(`${file} is in no part of test/mutation/config.ts.`);
if (!isUsable || Number.isNaN(deadlineMs)) {
  process.stderr.write(help);
  process.exit(2);
}

const strictestFirst = [...byPart].toSorted(
  ([a], [b]) => (b?.threshold ?? 0) - (a?.threshold ?? 0),
);
for (const [part, lines] of strictestFirst) if (part) measure(part, lines);
if (mutated.length === 0) print('No line of src has changed.');

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
  const byFile = Map.groupBy(mutants, ({ file }) => file);
  for (const [file, ofFile] of byFile) report(file, ofFile);
  if (isWhole) writeScores(new Map(files.map((file) => [file, scoreOf(byFile.get(file) ?? [])])));
  const score = percentOf(scoreOf(mutants));
  const isLow = isWhole ? score < part.threshold : !isWithinAllowance(mutants, part);
  const timeouts = mutants.filter(({ status }) => status === 'Timeout').length;
  print(
    `\n${part.source}: ${score.toFixed(1)} % of ${counted(mutants).length} mutants (${timeouts} by a timeout), threshold ${part.threshold} %${isLow ? ', TOO LOW' : ''}, ${seconds} s`,
  );
  const untested = mutants.filter(({ status }) => status === 'RuntimeError').length;
  if (untested > 0) print(`Not tested, because something failed outside of the tests: ${untested}`);
  const stale = equivalentMutants.filter(
    (one) =>
      isWhole &&
      files.includes(one.file) &&
      !mutants.some((mutant) => isSurvivor(mutant) && isSame(one, mutant)),
  );
  for (const { file, line } of stale)
    print(`Not a survivor, remove it from equivalent.ts: ${file}: ${line}`);
  if (isLow || stale.length > 0) process.exitCode = 1;
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
  const { status, error } = spawnSync('stryker', ['run', `${base}.options.json`], {
    stdio: 'inherit',
    timeout,
  });
  if (error && 'code' in error && error.code === 'ETIMEDOUT') {
    rmSync(strykerOptions.tempDirName, { recursive: true, force: true });
    return undefined;
  }
  if (status !== 0) process.exit(status ?? 1);
  return JSON.parse(readFileSync(options.jsonReporter.fileName, 'utf8'));
}

interface Mutant extends Omit<EquivalentMutant, 'reason'> {
  readonly status: string;
  readonly place: string;
}

function describe(file: string, source: string, result: Result): Mutant {
  const { start, end } = result.location;
  const line = source.split('\n')[start.line - 1] ?? '';
  const last = start.line === end.line ? end.column - 1 : undefined;
  return {
    ...{ file, status: result.status, place: `${start.line}:${start.column}` },
    mutator: result.mutatorName,
    line: line.trim(),
    original: line.slice(start.column - 1, last),
    replacement: result.replacement?.split('\n')[0] ?? '',
  };
}

function isSame(one: EquivalentMutant, mutant: Mutant): boolean {
  const keys = ['file', 'mutator', 'line', 'original', 'replacement'] as const;
  return keys.every((key) => one[key] === mutant[key]);
}

function isSurvivor({ status }: Mutant): boolean {
  return status === 'Survived' || status === 'NoCoverage';
}

function isEquivalent(mutant: Mutant): boolean {
  return equivalentMutants.some((one) => isSame(one, mutant));
}

/** Mutants that a test found or should find. */
function counted(mutants: readonly Mutant[]): readonly Mutant[] {
  return mutants.filter(
    (mutant) =>
      ['Killed', 'Timeout'].includes(mutant.status) ||
      (isSurvivor(mutant) && !isEquivalent(mutant)),
  );
}

function scoreOf(mutants: readonly Mutant[]): Score {
  const all = counted(mutants);
  return [all.filter((one) => !isSurvivor(one)).length, all.length];
}

/** Of few changed lines one survivor is more than the threshold permits, so that their number is rounded up. */
function isWithinAllowance(mutants: readonly Mutant[], { threshold }: Part): boolean {
  const all = counted(mutants);
  const allowed = Math.ceil((all.length * (100 - threshold)) / 100);
  return all.filter(isSurvivor).length <= allowed;
}

function report(file: string, mutants: readonly Mutant[]): void {
  print(`\n${file}  ${percentOf(scoreOf(mutants)).toFixed(1)} %`);
  for (const mutant of counted(mutants).filter(isSurvivor)) {
    const { place, status, mutator, original, replacement } = mutant;
    print(
      `  ${place} ${status === 'NoCoverage' ? 'not covered' : 'survived'}, ${mutator}: ${original} → ${replacement}`,
    );
  }
}
