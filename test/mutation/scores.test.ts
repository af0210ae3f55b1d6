import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { folderScores, percentOf, readScores } from './scores.ts';

test('every folder reached its threshold in the last mutation run', () => {
  const low = folderScores().filter(({ score, threshold }) => percentOf(score) < threshold);

  expect(low).toEqual([]);
});

test('every file with a score exists', () => {
  expect(Object.keys(readScores()).filter((file) => !existsSync(file))).toEqual([]);
});
