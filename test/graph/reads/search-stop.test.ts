import { expect, test } from 'vitest';
import { openStream } from '../../support/event-stream.ts';
import { startTestGateway } from '../../support/gateway.ts';

test('a gateway that stops completes a search in progress and starts no further call for it', async () => {
  const gateway = await startTestGateway({ closeMs: 5_000 });
  await gateway.admin('POST', '/latency', { perNameMs: 200 });
  const stream = await openStream(gateway.url, {
    query: 'subscription { searchDomains(label: "maple-stop", filter: { first: 500 }) { name } }',
  });
  const first = await stream.next();

  await gateway.restart();
  const rest = await stream.rest();
  const calls = await gateway.upstreamCalls();
  await gateway.close();

  expect(first?.event).toBe('next');
  expect(rest.at(-1)?.event).toBe('complete');
  expect(rest.length).toBeLessThan(400);
  expect(calls.length).toBeLessThan(20);
});
