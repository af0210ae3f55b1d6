import { spawnSync } from 'node:child_process';
import { globSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { parseArgs } from 'node:util';
import { excludedTests, type Part, parts, strykerOptions } from '../test/mutation/config.ts';
import { type EquivalentMutant, equivalentMutants } from '../test/mutation/equivalent.ts';

// npm run mutate -- [--force] FOLDER_OR_FILE...
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

const { values, positionals } = parseArgs({
  options: { force: { type: 'boolean', default: false } },
  allowPositionals: true,
});

const contains = (source: string, file: string) => file === source || file.startsWith(`${source}/`);

const byLength = parts.toSorted((a, b) => b.source.length - a.source.length);
const partOf = (file: string) => byLength.find(({ source }) => contains(source, file));

const filesOf = (path: string) =>
  statSync(path).isDirectory() ? globSync(`${path}/**/*.ts`).sort() : [path];

const testFilesOf = ({ tests }: Part) =>
  tests
    .flatMap((path) => (path.endsWith('.ts') ? [path] : globSync(`${path}/**/*.test.ts`)))
    .filter((file) => !excludedTests.includes(file));

const files = positionals.flatMap((path) => filesOf(relative('', path)));
const byPart = Map.groupBy(files, partOf);
const unknown = byPart.get(undefined) ?? [];
if (files.length === 0 || unknown.length > 0) {
  process.stderr.write(
    'usage: npm run mutate -- [--force] FOLDER_OR_FILE...\n' +
      unknown.map((file) => `${file} is in no part of test/mutation/config.ts.\n`).join(''),
  );
  process.exit(2);
}

for (const [part, mutated] of byPart) if (part) measure(part, mutated);

function measure(part: Part, mutated: readonly string[]): void {
  const started = performance.now();
  const { files: reports } = runStryker(part, mutated);
  const seconds = Math.round((performance.now() - started) / 1_000);

  const mutants = Object.entries(reports)
    .filter(([file]) => mutated.includes(file))
    .flatMap(([file, { source, mutants }]) => mutants.map((one) => describe(file, source, one)));
  for (const [file, ofFile] of Map.groupBy(mutants, ({ file }) => file)) report(file, ofFile);
  const score = scoreOf(mutants);
  const isLow = score < part.threshold;
  const timeouts = mutants.filter(({ status }) => status === 'Timeout').length;
  print(
    `\n${part.source}: ${score.toFixed(1)} % of ${counted(mutants).length} mutants (${timeouts} by a timeout), threshold ${part.threshold} %${isLow ? ', TOO LOW' : ''}, ${seconds} s`,
  );
  const stale = equivalentMutants.filter(
    (one) =>
      mutated.includes(one.file) &&
      !mutants.some((mutant) => isSurvivor(mutant) && isSame(one, mutant)),
  );
  for (const { file, line } of stale)
    print(`Not a survivor, remove it from equivalent.ts: ${file}: ${line}`);
  if (isLow || stale.length > 0) process.exitCode = 1;
}

function runStryker(part: Part, mutated: readonly string[]): Report {
  const base = `node_modules/.cache/mutation/${part.source.replaceAll('/', '-')}`;
  mkdirSync('node_modules/.cache/mutation', { recursive: true });
  const options = {
    ...strykerOptions,
    mutate: mutated,
    testFiles: testFilesOf(part),
    incrementalFile: `${base}.incremental.json`,
    jsonReporter: { fileName: `${base}.report.json` },
    force: values.force,
  };
  writeFileSync(`${base}.options.json`, JSON.stringify(options));
  const { status } = spawnSync('stryker', ['run', `${base}.options.json`], { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
  return JSON.parse(readFileSync(`${base}.report.json`, 'utf8'));
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

function scoreOf(mutants: readonly Mutant[]): number {
  const all = counted(mutants);
  return all.length === 0 ? 100 : (100 * all.filter((one) => !isSurvivor(one)).length) / all.length;
}

function report(file: string, mutants: readonly Mutant[]): void {
  print(`\n${file}  ${scoreOf(mutants).toFixed(1)} %`);
  for (const mutant of counted(mutants).filter(isSurvivor)) {
    const { place, status, mutator, original, replacement } = mutant;
    print(
      `  ${place} ${status === 'NoCoverage' ? 'not covered' : 'survived'}, ${mutator}: ${original} → ${replacement}`,
    );
  }
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
