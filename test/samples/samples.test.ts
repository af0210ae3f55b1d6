import { expect, test } from 'vitest';
import { schema } from '../../src/app/graph.ts';
import { rootSamples } from './all.ts';

test('each root field has one sample in its module', () => {
  const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()];
  const fields = roots.flatMap((type) =>
    Object.keys(type?.getFields() ?? {}).map((field) => `${type?.name}.${field}`),
  );
  const sampled = rootSamples.map(({ field }) => field);
  const advice = (field: string) =>
    `${field} has no sample. Add it to test/samples.ts in the folder of its module, with the members of Sample (test/samples/sample.ts).`;

  expect(fields.filter((field) => !sampled.includes(field)).map(advice)).toEqual([]);
  expect(sampled.toSorted()).toEqual(fields.toSorted());
});
