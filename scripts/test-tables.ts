import { globSync } from 'node:fs';
import { join } from 'node:path';
import { schema } from '../src/app/graph.ts';
import { boundaries } from '../test/architecture/boundaries.ts';
import { productFolders, readSources, root } from '../test/architecture/modules.ts';
import { filesByTag, promisesOfPurchases } from '../test/architecture/promise-index.ts';
import { readText } from '../test/docs/markdown.ts';
import { promises } from '../test/promises.ts';
import { fieldCosts } from '../test/samples/all.ts';
import { peers } from './compatibility.ts';
import { code, codes, table } from './markdown.ts';
import type { TablePage } from './tables.ts';

const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()];
/** The fields of the graph, those of the root types first. */
const fields = [...roots, ...Object.values(schema.getTypeMap())].flatMap((type) =>
  type && 'getFields' in type
    ? Object.keys(type.getFields()).map((field) => `${type.name}.${field}`)
    : [],
);
const orderedCosts = fieldCosts.toSorted(
  (one, other) => fields.indexOf(one.field) - fields.indexOf(other.field),
);

/** Root fields are shown without their type. */
const costField = (field: string): string =>
  code(field.replace(/^(Query|Mutation|Subscription)\./, ''));

/** The numbers of `runs(short, long)` in a test file. */
const formsOf = (source: string): string =>
  [...source.matchAll(/\bruns\(\s*([\d_]+),\s*([\d_]+)/g)]
    .map(([, short, long]) => `${short} / ${long}`.replaceAll('_', ','))
    .join(', ') || '–';

/** The pages of features. */
const ofFeatures: readonly Readonly<Record<string, TablePage>>[] = await Promise.all(
  globSync('src/features/*/test/tables.ts', { cwd: root }).map(
    async (file) => (await import(join(root, file))).pages,
  ),
);

/** The pages of docs/reference that are made from the tests, by name. */
export const testPages: Readonly<Record<string, TablePage>> = {
  ...Object.assign({}, ...ofFeatures),
  costs: {
    title: 'Upstream calls of each field',
    text: () =>
      table(
        ['query, mutation, subscription or field', 'upstream calls', 'exceptions'],
        orderedCosts.map(({ field, calls, exceptions = '–' }) => [
          costField(field),
          calls,
          exceptions,
        ]),
      ),
  },
  compatibility: {
    title: 'Clients and servers in the tests',
    text: () =>
      table(
        ['client or server', 'version', 'tried', 'test'],
        peers.map(({ name, version, tried, test }) => [name, version, tried, `${test}.test.ts`]),
      ),
  },
  promises: {
    title: 'Promises and their tests',
    text: () => {
      const files = filesByTag(readSources(...productFolders, 'test'));
      const ofPurchases = promisesOfPurchases(readText('docs/purchases.md'));
      return table(
        ['id', 'promise', 'tests'],
        Object.entries(promises).map(([id, promise]) => [
          id,
          promise ?? ofPurchases.get(id) ?? '–',
          (files.get(id) ?? []).join('<br>'),
        ]),
      );
    },
  },
  'long-tests': {
    title: 'Tests with a long form',
    text: () =>
      table(
        ['test file', 'runs in the short and the long form'],
        [...readSources(...productFolders, 'test')]
          .filter(([path, source]) => /\.test\.ts$/.test(path) && /support\/long\.ts'/.test(source))
          .map(([path, source]) => [path, formsOf(source)]),
      ),
  },
  boundaries: {
    title: 'What each folder may import',
    text: () =>
      table(
        ['folder', 'may import', 'may import types of'],
        Object.entries(boundaries).map(([folder, { imports, types }]) => [
          code(folder),
          codes(imports),
          codes(types),
        ]),
      ),
  },
};
