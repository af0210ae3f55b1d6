import { expect, test } from 'vitest';
import { findFileCycles, findFolderCycles } from './cycles.ts';
import { type Files, readProduct } from './modules.ts';

const product = readProduct();
const filesOf = (sources: Readonly<Record<string, string>>): Files =>
  new Map(Object.entries(sources));

test('no folders import each other', () => {
  expect(findFolderCycles(product)).toEqual([]);
});

test('no files import each other, not even for a type', () => {
  expect(findFileCycles(product)).toEqual([]);
});

test.each([
  [
    'two folders',
    { 'src/a/x.ts': "import { y } from '../b/y.ts';", 'src/b/y.ts': "export * from '../a/z.ts';" },
    ['src/a', 'src/b'],
  ],
  [
    'three folders',
    {
      'src/a/x.ts': "import { y } from '../b/y.ts';",
      'src/b/y.ts': "import { z } from '../c/z.ts';",
      'src/c/z.ts': "import '../a/other.ts';",
    },
    ['src/a', 'src/b', 'src/c'],
  ],
  [
    'a folder and its sub-folder',
    {
      'src/a/x.ts': "import { y } from './inner/y.ts';",
      'src/a/inner/y.ts': "import { z } from '../z.ts';",
    },
    ['src/a', 'src/a/inner'],
  ],
  [
    'types',
    {
      'src/modules/a/x.ts': "import type { Y } from '../b/y.ts';",
      'src/modules/b/y.ts': "import type { Z } from '../a/z.ts';",
    },
    ['src/modules/a', 'src/modules/b'],
  ],
])('a cycle of %s is found', (_what, sources, cycle) => {
  expect(findFolderCycles(filesOf(sources))).toEqual([cycle]);
});

test('imports within a folder or in one direction are no cycle of folders', () => {
  const sources = {
    'src/modules/a/x.ts': "import { b } from '../b/b.ts';\nimport { z } from './z.ts';",
    'src/modules/a/y.ts': "import type { Scope } from '../../scope/scope.ts';",
    'src/modules/a/z.ts': "import { x } from './x.ts';",
  };

  expect(findFolderCycles(filesOf(sources))).toEqual([]);
});

test.each([
  ['a value', "import { x } from './x.ts';"],
  ['a type', "import type { X } from './x.ts';"],
  ['a type beside a value', "import { type X } from './x.ts';"],
  ['a type that it exports', "export type { X } from './x.ts';"],
  ['a type inside a type', "export type X = import('./x.ts').X;"],
])('a cycle of files is found when one imports %s', (_what, source) => {
  const sources = { 'src/a/x.ts': "import { y } from './y.ts';", 'src/a/y.ts': source };

  expect(findFileCycles(filesOf(sources))).toEqual([['src/a/x.ts', 'src/a/y.ts']]);
});

test('a cycle of three files in several folders is found, and imports in one direction are none', () => {
  const sources = {
    'src/a/x.ts': "import type { Y } from '../b/y.ts';\nimport { w } from './w.ts';",
    'src/b/y.ts': "import type { Z } from '../c/z.ts';",
    'src/c/z.ts': "import type { X } from '../a/x.ts';\nimport { w } from '../a/w.ts';",
    'src/a/w.ts': '',
  };

  expect(findFileCycles(filesOf(sources))).toEqual([['src/a/x.ts', 'src/b/y.ts', 'src/c/z.ts']]);
});
