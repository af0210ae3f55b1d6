import { afterAll, describe, expect, test } from 'vitest';
import { fieldCosts } from '../samples/all.ts';
import { openStream } from '../support/event-stream.ts';
import { type GraphQLResponse, startTestGateway } from '../support/gateway.ts';

const gateway = await startTestGateway();
afterAll(() => gateway?.close());

interface Made {
  readonly id?: string;
  readonly purchase?: { readonly id: string };
  readonly bulkChange?: { readonly id: string };
}

const costs = fieldCosts.filter(({ measured }) => measured.length > 0);

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
describe.each(costs)('$field costs $calls', { tags: ['R4', 'R15'] }, ({ measured }) => {
  test.each(measured)('$counts', async ({ before, document, counts, counted }) => {
    const [made] = before ? Object.values<Made>((await gateway.query(before)).data) : [];
    if (made?.bulkChange) await waitForJob(made.bulkChange.id);
    await gateway.resetCalls();

    const id = made?.purchase?.id ?? made?.bulkChange?.id ?? made?.id;
    const { errors, extensions } = await sendQuery(document, { id });

    expect(errors).toBeUndefined();
    expect(await gateway.countCalls()).toEqual(counts);
    expect(extensions.upstream.byAction).toEqual(counts);
    const received = Object.values(counts).reduce((sum, calls) => sum + calls, 0);
    expect(extensions.cost.upstreamCalls).toBe(counted ?? received);
  });
});
