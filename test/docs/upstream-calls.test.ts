import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mutationCosts } from '../../scripts/costs/mutation.ts';
import { nestedCosts } from '../../scripts/costs/nested.ts';
import { queryCosts } from '../../scripts/costs/query.ts';
import { subscriptionCosts } from '../../scripts/costs/subscription.ts';
import { openStream } from '../support/event-stream.ts';
import { type Answer, startTestGateway, type TestGateway } from '../support/gateway.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway?.close());

interface Made {
  readonly id?: string;
  readonly purchase?: { readonly id: string };
}

const costs = [...queryCosts, ...mutationCosts, ...subscriptionCosts, ...nestedCosts];

/** The answer, and of a stream the first one. */
async function ask(
  document: string,
  variables: object,
): Promise<Pick<Answer, 'errors' | 'extensions'>> {
  if (!document.startsWith('subscription')) return gateway.query(document, variables);
  const [next] = await (await openStream(gateway.url, { query: document, variables })).rest();
  return next?.data;
}

// Purchases of one row must not stand in the way of another's: each has names and keys of its own.
describe.each(costs)('$field costs $calls', ({ measured }) => {
  test.each(measured)('$counts', async ({ before, document, counts, counted, fault }) => {
    const [made] = before ? Object.values<Made>((await gateway.query(before)).data) : [];
    if (fault) await gateway.admin('POST', '/faults', fault);
    await gateway.resetCalls();

    const id = made?.purchase?.id ?? made?.id;
    const { errors, extensions } = await ask(document, { id });

    expect(errors).toBeUndefined();
    expect(await gateway.countCalls()).toEqual(counts);
    expect(extensions.upstream.byAction).toEqual(counts);
    // What fails, and is done again, is counted by nobody beforehand.
    const received = Object.values(counts).reduce((sum, calls) => sum + calls, 0);
    if (!fault) expect(extensions.cost.upstreamCalls).toBe(counted ?? received);
  });
});
