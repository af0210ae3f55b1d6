import { getOperationAST, parse, validate } from 'graphql';
import { expect, test } from 'vitest';
import { fieldCosts } from '../../test/samples/all.ts';
import { schema } from '../app/graph.ts';
import { createEstimate } from '../server/graphql/cost-estimate.ts';

const estimateOf = createEstimate(schema);

/** The highest number of upstream calls of a document. */
function costOf(text: string): number | undefined {
  const document = parse(text);
  expect(validate(schema, document)).toEqual([]);
  const operation = getOperationAST(document);
  if (!operation) throw new Error('There is no operation.');
  return estimateOf({ document, operation, variables: undefined })?.upstreamCalls;
}

const rows = fieldCosts.flatMap((cost) => cost.rows);

test.each(rows.filter(({ document }) => !document.includes('$id')))(
  '$document costs at most $estimate calls',
  ({ document, estimate }) => {
    expect(costOf(document)).toBe(estimate);
  },
);
