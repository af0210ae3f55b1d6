import { afterAll, describe, expect, test } from 'vitest';
import { fieldCosts, rootSamples } from '../samples/all.ts';
import { openStream } from '../support/event-stream.ts';
import { type GraphQLResponse, startTestGateway } from '../support/gateway.ts';

const gateway = await startTestGateway();
afterAll(() => gateway?.close());

interface Made {
  readonly id?: string;
  readonly purchase?: { readonly id: string };
  readonly bulkChange?: { readonly id: string };
}

const costs = fieldCosts
  .map(({ rows, ...cost }) => ({ ...cost, rows: rows.filter(({ counts }) => counts) }))
  .filter(({ rows }) => rows.length > 0);

test('the calls of each query and mutation are counted for a document', () => {
  const counted = costs.map(({ field }) => field);
  const missing = rootSamples.filter(({ field }) => !counted.includes(field));

  expect(missing.filter(({ field }) => !field.startsWith('Subscription'))).toEqual([]);
});

/** The response; of a stream the first event. */
async function sendQuery(
  document: string,
  variables: object,
): Promise<Pick<GraphQLResponse, 'errors' | 'extensions'>> {
  if (!document.startsWith('subscription')) return gateway.query(document, variables);
  const [next] = await (await openStream(gateway.url, { query: document, variables })).rest();
  return next?.data;
}

/** The calls that a job makes in the background are not those of the next document. */
async function waitForJob(id: string): Promise<void> {
  const query = 'subscription ($id: ID!) { bulkChangeProgress(id: $id) { bulkChange { state } } }';
  await (await openStream(gateway.url, { query, variables: { id } })).rest();
}

// Each row uses its own names and keys, so that purchases of different rows are independent.
describe.each(costs)('$field costs $calls', { tags: ['R4', 'R15'] }, ({ rows }) => {
  test.each(rows)('$counts', async ({ before, document, counts, estimate }) => {
    const [made] = before ? Object.values<Made>((await gateway.query(before)).data) : [];
    if (made?.bulkChange) await waitForJob(made.bulkChange.id);
    await gateway.resetCalls();

    const id = made?.purchase?.id ?? made?.bulkChange?.id ?? made?.id;
    const { errors, extensions } = await sendQuery(document, { id });

    expect(errors).toBeUndefined();
    expect(await gateway.countCalls()).toEqual(counts);
    expect(extensions.upstream.byAction).toEqual(counts);
    expect(extensions.cost.upstreamCalls).toBe(estimate);
  });
});
