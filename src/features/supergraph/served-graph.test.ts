import { buildSchema, printSchema } from 'graphql';
import { expect, test } from 'vitest';
import { servedSchema } from '../../app/graph.ts';
import { features } from '../index.ts';

const serving = { featureValues: { SUBGRAPH: true }, introspection: 'caller' } as const;
const whole = new Set(printSchema(servedSchema(serving, features)).split('\n'));

test.each(
  features.filter(({ name }) => name !== 'supergraph').map((one) => [one.name, one] as const),
)('a subgraph without the feature %s has only lines of the whole subgraph', (_name, feature) => {
  const selected = features.filter((one) => one !== feature && !one.uses.includes(feature.name));
  const text = printSchema(servedSchema(serving, selected));
  // Lines that shorten: members of a union, and the codes of an error.
  const shortened = /^union |^ {2}\| |^An error without facts/;
  const added = text.split('\n').filter((line) => !whole.has(line) && !shortened.test(line));

  expect(added).toEqual([]);
  expect(() => buildSchema(text)).not.toThrow();
});
