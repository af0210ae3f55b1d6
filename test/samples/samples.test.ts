import { expect, test } from 'vitest';
import { rootFieldsOf } from '../../src/app/features.ts';
import { features } from '../../src/features/index.ts';
import { rootFields, rootSamples } from './all.ts';

test('each root field has one sample in its module', () => {
  const sampled = rootSamples.map(({ field }) => field);
  const missing = rootFields.filter((field) => !sampled.includes(field));

  expect(
    missing.map(
      (field) =>
        `${field} has no sample. Add it to test/samples.ts in the folder of its module, with the members of Sample in test/samples/sample.ts.`,
    ),
  ).toEqual([]);
  expect(sampled).toEqual(rootFields);
});

test.each(features)('$name has its root fields in its row `rootFields`', (feature) => {
  const sampled = rootSamples.flatMap(({ field, module }) =>
    module === feature.name ? [field] : [],
  );

  expect([...rootFieldsOf(feature)].sort()).toEqual(sampled.sort());
});
