import { existsSync, globSync } from 'node:fs';
import { expect, test } from 'vitest';
import { partOf, parts, slowTests, unmeasured } from './config.ts';

test('every file and folder of the mutation configuration exists', () => {
  const paths = [
    ...parts.flatMap(({ source, tests }) => [source, ...tests]),
    ...slowTests,
    ...unmeasured,
  ];

  expect(paths.filter((path) => !existsSync(path))).toEqual([]);
});

test('every file of src is in a part, except the programs', () => {
  const without = globSync('src/**/*.ts').filter(
    (file) =>
      !partOf(file) && !unmeasured.some((path) => file === path || file.startsWith(`${path}/`)),
  );

  expect(without).toEqual([]);
});
