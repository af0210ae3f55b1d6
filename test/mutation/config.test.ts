import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parts, slowTests } from './config.ts';
import { equivalentMutants } from './equivalent.ts';

test('every file and folder of the mutation configuration exists', () => {
  const paths = [
    ...parts.flatMap(({ source, tests }) => [source, ...tests]),
    ...slowTests,
    ...equivalentMutants.map(({ file }) => file),
  ];

  expect(paths.filter((path) => !existsSync(path))).toEqual([]);
});
