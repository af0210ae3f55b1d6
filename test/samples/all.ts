import { globSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { schema } from '../../src/app/graph.ts';
import { documentOf } from './document-of.ts';
import type { FieldCost, NestedCosts, QuerySample, Sample, Samples } from './sample.ts';
import { unknownTarget } from './target.ts';

interface SampleFile {
  readonly samples?: Samples;
  readonly nestedCosts?: NestedCosts;
}

/** A sample with its root field, such as `Query.domain`. */
export type RootSample = Sample & Partial<QuerySample> & { readonly field: string };

const root = fileURLToPath(new URL('../../', import.meta.url));
const files: readonly SampleFile[] = await Promise.all(
  globSync('src/**/test/samples.ts', { cwd: root })
    .sort()
    .map((file) => import(join(root, file))),
);

/** The root fields of the graph, such as `Query.domain`. */
export const rootFields: readonly string[] = [
  schema.getQueryType(),
  schema.getMutationType(),
  schema.getSubscriptionType(),
].flatMap((type) => Object.keys(type?.getFields() ?? {}).map((field) => `${type?.name}.${field}`));

/** The samples of all modules, in the order of the fields in the schema. */
export const rootSamples: readonly RootSample[] = files
  .flatMap(({ samples = {} }) =>
    Object.entries(samples).map(([field, sample]: [string, Sample]) => ({ field, ...sample })),
  )
  .toSorted((one, other) => rootFields.indexOf(one.field) - rootFields.indexOf(other.field));

function measuredOf(sample: RootSample): FieldCost['measured'] {
  const { measured = [], counts = sample.measured ? null : {} } = sample;
  if (!counts) return measured;
  return [
    { document: documentOf(sample, unknownTarget('unknown-harbor.com')), counts },
    ...measured,
  ];
}

/** The costs of all fields that cause upstream calls, and of all root fields. */
export const fieldCosts: readonly (FieldCost & { readonly field: string })[] = [
  ...rootSamples.map((sample) => ({ ...sample, measured: measuredOf(sample) })),
  ...files.flatMap(({ nestedCosts = {} }) =>
    Object.entries(nestedCosts).map(([field, cost]) => ({ field, ...cost })),
  ),
];
