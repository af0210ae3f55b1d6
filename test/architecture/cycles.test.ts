import { expect, test } from 'vitest';
import { findCycles } from './cycles.ts';
import { readProduct } from './modules.ts';

test('no folders import each other', () => {
  expect(findCycles(readProduct())).toEqual([]);
});

const cyclesIn = (sources: Readonly<Record<string, string>>) =>
  findCycles(new Map(Object.entries(sources)));

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
])('a cycle of %s is found', (_what, sources, cycle) => {
  expect(cyclesIn(sources)).toEqual([cycle]);
});

test('imports of types, within a folder or in one direction are no cycle', () => {
  const sources = {
    'src/a/x.ts': "import { y } from '../b/y.ts';\nimport { z } from './z.ts';",
    'src/a/z.ts': "import { x } from './x.ts';",
    'src/b/y.ts': "import type { X } from '../a/x.ts';\nimport { c } from '../c/c.ts';",
  };

  expect(cyclesIn(sources)).toEqual([]);
});
