import { globSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readProduct } from '../architecture/modules.ts';
import { partOf, parts, slowTests, unmeasured } from './config.ts';

test('every file, folder and pattern of the mutation configuration exists', () => {
  const paths = [
    ...parts.flatMap(({ source, tests }) => [source, ...tests]),
    ...slowTests,
    ...unmeasured,
  ];

  expect(paths.filter((path) => globSync(path).length === 0)).toEqual([]);
});

test('every file of the product is in a part, except the programs', () => {
  const without = [...readProduct().keys()].filter(
    (file) =>
      !partOf(file) && !unmeasured.some((path) => file === path || file.startsWith(`${path}/`)),
  );

  expect(without).toEqual([]);
});
