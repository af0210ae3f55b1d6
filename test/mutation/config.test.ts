import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { readProduct } from '../architecture/modules.ts';
import { carelessFiles, partOf, parts, slowTests, unmeasured } from './config.ts';

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

test('every careless change applies to its file, and has tests', () => {
  const changes: { id: string; file: string; from: string; root?: string; tests: string[] }[] =
    globSync(carelessFiles).flatMap((path) => parse(readFileSync(path, 'utf8')));
  const wrong = changes.filter(
    ({ file, from, root = '.', tests }) =>
      globSync(file).length === 0 ||
      readFileSync(file, 'utf8').split(from).length !== 2 ||
      tests.some((path) => globSync(`${root}/${path}`).length === 0),
  );

  expect(changes.length).toBeGreaterThan(100);
  expect(wrong.map(({ id }) => id)).toEqual([]);
});
