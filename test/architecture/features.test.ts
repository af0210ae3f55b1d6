import { describe, expect, test } from 'vitest';
import { features } from '../../src/features/index.ts';
import type { Feature } from '../../src/seam/feature.ts';
import { importsOfAll, readProduct } from './modules.ts';
import { codeOf } from './source-text.ts';

const list = 'src/features/index.ts';
const product = readProduct('src', 'sandbox');
const imports = importsOfAll(product);

/** The feature of a file in `src/features`; null for any other file. */
const featureOf = (path: string): string | null =>
  /^src\/features\/([\w-]+)\//.exec(path)?.[1] ?? null;

/** The other feature without which the file is deleted, such as `bulk-change` of `with/bulk-change.ts`. */
const partnerOf = (path: string): string | null =>
  /^src\/features\/[\w-]+\/with\/([\w-]+)\.ts$/.exec(path)?.[1] ?? null;

/** The names that only a feature may have. A table or a root field of one word is a word of the language too. */
const namesOf = ({
  settings,
  scopes = {},
  faults = {},
  tables = [],
  rootFields = {},
  nodes = [],
  fields = [],
}: Feature) => [
  ...Object.keys({ ...settings?.rows, ...scopes, ...faults }),
  ...tables.flatMap(({ name }) => (name.includes('_') ? name : [])),
  ...Object.values(rootFields)
    .flat()
    .filter((name) => /[A-Z]/.test(name)),
  ...nodes,
  ...fields,
];

/** The file without its comments. */
const withoutComments = (source: string): string => {
  const code = codeOf(source);
  return source.replaceAll(/\/\*[\s\S]*?\*\/|\/\/[^\n]*/g, (comment, at: number) =>
    code.slice(at, at + comment.length).trim() === '' && code[at] === ' ' ? '' : comment,
  );
};

describe.each(features.map((feature) => [feature.name, feature] as const))(
  'the feature %s',
  (name, feature) => {
    test('has a folder of its name', () => {
      expect([...product.keys()].some((path) => featureOf(path) === name)).toBe(true);
    });

    test('imports only the features that it uses', () => {
      const others = imports
        .filter(({ from }) => featureOf(from) === name)
        .map(({ from, target }) => [from, featureOf(target ?? '') ?? name] as const)
        .filter(([from, other]) => other !== name && other !== partnerOf(from))
        .map(([, other]) => other);

      expect([...new Set(others)].filter((other) => !feature.uses.includes(other))).toEqual([]);
    });

    test('is imported by the list and by features that use it', () => {
      const from = imports
        .filter(({ target, from: file }) => featureOf(target ?? '') === name && file !== list)
        .filter(({ from: file }) => {
          const user = features.find((one) => one.name === featureOf(file));
          return user !== feature && !user?.uses.includes(name) && partnerOf(file) !== name;
        });

      expect(from.map(({ from: file }) => file)).toEqual([]);
    });

    test('is named in the folders of no feature but those that use it', () => {
      const words = namesOf(feature);
      if (words.length === 0) return;
      const users = features.flatMap((one) => (one.uses.includes(name) ? one.name : []));
      const names = new RegExp(`\\b(?:${words.join('|')})\\b`);
      const found = [...product]
        .filter(([path]) => path !== list && featureOf(path) !== name && partnerOf(path) !== name)
        // A feature that uses it is deleted with it.
        .filter(([path]) => !users.includes(featureOf(path) ?? ''))
        .filter(([, source]) => names.test(withoutComments(source)))
        .map(([path]) => path);

      expect(found).toEqual([]);
    });
  },
);

/** Words that only one feature may have, with the other files and folders that need them. */
const words: readonly (readonly [name: string, word: RegExp, others: readonly string[]])[] = [
  // A condition of the file of approvals.
  ['mcp', /mcp/i, ['src/features/approval/']],
  // Commands and tools show the page on which another person decides.
  ['approval', /approv/i, ['src/features/bulk-change/', 'src/features/mcp/']],
  // A member of the log, which operators parse.
  ['audit', /audit/i, ['src/app/compose.ts', 'src/observability/log.ts']],
];

test.each(words)('only the feature %s has the word %s in its code', (name, word, others) => {
  const ofOthers = [...product].filter(([path]) => {
    const isOfFeature = [featureOf(path), partnerOf(path)].includes(name);
    return path !== list && !isOfFeature && !others.some((other) => path.startsWith(other));
  });
  const codeWithoutJoins = (source: string) =>
    withoutComments(source).replaceAll(new RegExp(`.*'\\./with/${name}\\.ts'.*`, 'g'), '');
  const found = ofOthers.filter(
    ([path, source]) => word.test(path) || word.test(codeWithoutJoins(source)),
  );

  expect(ofOthers.length).toBeGreaterThan(400);
  expect(found.map(([path]) => path)).toEqual([]);
});
