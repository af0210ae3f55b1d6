import { describe, expect, test } from 'vitest';
import { readText } from '../docs/markdown.ts';
import { promises } from '../promises.ts';
import { productFolders, readSources } from './modules.ts';
import { filesByTag, problemsOf, promisesOfPurchases, promisesOfReadme } from './promise-index.ts';

const pages = {
  readme: readText('README.md'),
  purchases: readText('docs/purchases.md'),
  files: filesByTag(readSources(...productFolders, 'test')),
};

test('every promise has a test with its tag', () => {
  expect(promisesOfReadme(pages.readme).length).toBeGreaterThan(15);
  expect(promisesOfPurchases(pages.purchases).size).toBe(15);

  expect(problemsOf(promises, pages)).toEqual([]);
});

describe('the check reports', () => {
  const without = (tag: string) => new Map([...pages.files].filter(([one]) => one !== tag));
  const { S7: _removed, ...withoutS7 } = promises;

  test.each<[string, Readonly<Record<string, string | null>>, Partial<typeof pages>, string]>([
    ['a promise without a test', promises, { files: without('I1') }, 'The promise I1 has no test.'],
    [
      'a sentence of the README without a row',
      promises,
      { readme: pages.readme.replace('## What you get\n', '## What you get\n\n- It is fast.\n') },
      'README.md promises what test/promises.ts does not have: "It is fast."',
    ],
    [
      'a state of the README without a row',
      promises,
      { readme: pages.readme.replace('| `FAILED` |', '| `LOST` | It is lost. |\n| `FAILED` |') },
      'README.md promises what test/promises.ts does not have: "`LOST`: It is lost."',
    ],
    [
      'a row whose sentence is no longer in the README',
      { ...promises, R9: 'It is always right.' },
      {},
      'README.md no longer has the sentence of R9: "It is always right."',
    ],
    [
      'a promise about purchases without a row',
      withoutS7,
      {},
      'docs/purchases.md has the promise S7, and test/promises.ts does not.',
    ],
    [
      'a row of a promise that docs/purchases.md does not have',
      { ...promises, I99: null },
      {},
      'docs/purchases.md has no promise I99.',
    ],
  ])('%s', (_what, rows, change, sentence) => {
    expect(problemsOf(rows, { ...pages, ...change })).toContain(sentence);
  });
});
