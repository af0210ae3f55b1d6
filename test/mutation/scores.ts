import { readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { partOf } from './config.ts';

/** Changes of one file that a test found, and all of its changes that count. */
export type Score = readonly [found: number, of: number];

const url = new URL('scores.json', import.meta.url);

/** The last scores of the files of `src` that have changes, by path. `npm run mutate` writes them. */
export const readScores = (): Readonly<Record<string, Score>> =>
  JSON.parse(readFileSync(url, 'utf8'));

/** Replaces the scores of some files. A file without changes has none. */
export function writeScores(measured: ReadonlyMap<string, Score>): void {
  const all = new Map(Object.entries(readScores()));
  for (const [file, score] of measured) {
    if (score[1] > 0) all.set(file, score);
    else all.delete(file);
  }
  const rows = [...all].sort(([a], [b]) => (a < b ? -1 : 1));
  const lines = rows.map(([file, [found, of]]) => `  "${file}": [${found}, ${of}]`);
  writeFileSync(url, `{\n${lines.join(',\n')}\n}\n`);
}

export const percentOf = ([found, of]: Score): number => (of === 0 ? 100 : (100 * found) / of);

/** The scores by folder, at most one level below the part of the configuration. */
export function folderScores(): readonly {
  readonly folder: string;
  readonly threshold: number;
  readonly score: Score;
}[] {
  const folders = new Map<string, { threshold: number; score: Score }>();
  for (const [file, [found, of]] of Object.entries(readScores())) {
    const part = partOf(file);
    if (!part) continue;
    const folder = folderOf(file, part.source);
    const [foundBefore, ofBefore] = folders.get(folder)?.score ?? [0, 0];
    folders.set(folder, {
      threshold: part.threshold,
      score: [foundBefore + found, ofBefore + of],
    });
  }
  return [...folders].map(([folder, scores]) => ({ folder, ...scores }));
}

function folderOf(file: string, source: string): string {
  if (file === source) return file;
  const [below = ''] = dirname(file)
    .slice(source.length + 1)
    .split('/');
  return below === '' ? source : `${source}/${below}`;
}
