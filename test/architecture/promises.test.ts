import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { readText, root } from '../docs/markdown.ts';
import { type PromiseRow, promiseRows } from '../promises.ts';
import { problemsOf, promisesOfPurchases, promisesOfReadme, titlesIn } from './promise-index.ts';

const sources = new Map<string, string | null>();
const pages = {
  readme: readText('README.md'),
  purchases: readText('docs/purchases.md'),
  readTest(path: string): string | null {
    const read = () => (existsSync(`${root}test/${path}`) ? readText(`test/${path}`) : null);
    if (!sources.has(path)) sources.set(path, read());
    return sources.get(path) ?? null;
  },
};

test('every promise names tests that exist', () => {
  expect(promisesOfReadme(pages.readme).length).toBeGreaterThan(15);
  expect(promisesOfPurchases(pages.purchases).size).toBe(15);

  expect(problemsOf(promiseRows, pages)).toEqual([]);
});

describe('the check reports', () => {
  const [first] = promiseRows as readonly [PromiseRow];
  const changed = (id: string, change: Partial<PromiseRow>) =>
    promiseRows.map((row) => (row.id === id ? { ...row, ...change } : row));

  test.each<[string, readonly PromiseRow[], Partial<typeof pages>, string]>([
    ['a promise without a test', changed('I1', { tests: {} }), {}, 'The promise I1 has no test.'],
    [
      'a test file that does not exist',
      changed('I2', { tests: { 'graph/nowhere.test.ts': ['buys once'] } }),
      {},
      'The promise I2 names test/graph/nowhere.test.ts, which does not exist.',
    ],
    [
      'a title that does not exist',
      changed('I3', {
        tests: { 'architecture/promises.test.ts': ['every promise', 'names tests'] },
      }),
      {},
      'The promise I3 names a test that test/architecture/promises.test.ts does not have: "every promise"',
    ],
    [
      'a promise with two rows',
      [...promiseRows, first],
      {},
      `The promise ${first.id} has two rows.`,
    ],
    [
      'a sentence of the README without a row',
      promiseRows,
      { readme: pages.readme.replace('## What you get\n', '## What you get\n\n- It is fast.\n') },
      'README.md promises something that no row of test/promises.ts has: "It is fast."',
    ],
    [
      'a state of the README without a row',
      promiseRows,
      { readme: pages.readme.replace('| `FAILED` |', '| `LOST` | It is lost. |\n| `FAILED` |') },
      'README.md promises something that no row of test/promises.ts has: "`LOST`: It is lost."',
    ],
    [
      'a row whose sentence is no longer in the README',
      changed('R9', { promise: 'It is always right.' }),
      {},
      'README.md no longer has the sentence of R9: "It is always right."',
    ],
    [
      'a promise about purchases without a row',
      promiseRows.filter(({ id }) => id !== 'S7'),
      {},
      'docs/purchases.md has the promise S7, and no row has it.',
    ],
    [
      'a row of a promise that docs/purchases.md does not have',
      [...promiseRows, { ...first, id: 'I99', promise: null }],
      {},
      'docs/purchases.md has no promise I99.',
    ],
  ])('%s', (_what, rows, change, sentence) => {
    expect(problemsOf(rows, { ...pages, ...change })).toContain(sentence);
  });

  test.each([
    ["test('it works', () => {", ['it works']],
    ["test.each([1])(\n  'of %s',\n  () => {", ['of %s']],
    [`describe(\`the \${name} of it\`, () => {`, ['the … of it']],
    ["test('the gateway\\'s own', () => {", ["the gateway's own"]],
    ["const text = 'it works';", []],
    ["expect(text).toBe('it works');", []],
  ])('the titles in %j', (source, titles) => {
    expect([...titlesIn(source)]).toEqual(titles);
  });
});
