import { getOperationAST, parse, validate } from 'graphql';
import { expect, test } from 'vitest';
import { fieldCosts, rootSamples } from '../../test/samples/all.ts';
import { schema } from '../app/graph.ts';
import { createEstimate } from '../server/graphql/cost-estimate.ts';

const estimate = createEstimate(schema);

/** The highest number of upstream calls of a document. */
function costOf(text: string): number | undefined {
  const document = parse(text);
  expect(validate(schema, document)).toEqual([]);
  const operation = getOperationAST(document);
  if (!operation) throw new Error('There is no operation.');
  return estimate({ document, operation, variables: undefined })?.upstreamCalls;
}

const estimates = rootSamples.flatMap(({ field, estimates = {} }) => {
  const [type = ''] = field.split('.');
  return Object.entries(estimates).map(
    ([selection, calls]) => [`${type.toLowerCase()} { ${selection} }`, calls] as const,
  );
});

test.each(estimates)('%s costs at most %i calls', (document, calls) => {
  expect(costOf(document)).toBe(calls);
});

const measured = fieldCosts
  .flatMap((cost) => cost.measured)
  .filter(({ document }) => !document.includes('$id'));

test.each(measured)('$document costs at most its calls', ({ document, counts, counted }) => {
  expect(costOf(document)).toBe(
    counted ?? Object.values(counts).reduce((sum, one) => sum + one, 0),
  );
});
