import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { startSandbox } from '../../../sandbox/server.ts';
import type { Clock } from '../../../src/lib/clock.ts';
import { systemRandomness } from '../../../src/lib/system.ts';
import { gateLimits } from '../../../src/upstream/client/gate.ts';
import { startTestGateway } from '../../support/gateway.ts';
import { createGatewayClock } from '../../support/gateway-clock.ts';
import { portfolioNames } from '../reads/reads.ts';

/** A sandbox behind a proxy that responds 429 above that many concurrent calls, as a strict upstream does. */
async function startStrictUpstream(maxAtATime: number, clock: Clock) {
  const time = { clock, randomness: systemRandomness };
  const sandbox = await startSandbox({ ...time, file: ':memory:', domains: 60 });
  const seen = { inFlight: 0, accepted: 0, rejected: 0, last: 0 };
  const server = createServer(async (request, response) => {
    const body: Buffer[] = [];
    for await (const chunk of request) body.push(chunk);
    if (seen.inFlight >= maxAtATime) {
      seen.rejected += 1;
      response.writeHead(429).end();
      return;
    }
    seen.inFlight += 1;
    seen.last = Math.max(seen.last, seen.inFlight);
    await clock.wait(60);
    const reply = await fetch(`${sandbox.url}/domain-api${request.url?.replace(/^\/+/, '/')}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: Buffer.concat(body),
    });
    const text = await reply.text();
    seen.inFlight -= 1;
    seen.accepted += 1;
    response.writeHead(reply.status, { 'content-type': 'application/json' }).end(text);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
    await sandbox.close();
  });
  return { seen, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

test('an upstream that answers 429 above eight concurrent calls gets about eight, and no request fails', async () => {
  const time = createGatewayClock();
  const { seen, url } = await startStrictUpstream(8, time.clock);
  const gateway = await startTestGateway({
    env: { DOMAIN_API_URL: url, QUEUE_BUDGET_MS: '' },
    upstreamLimits: gateLimits,
    clock: time.clock,
  });
  onTestFinished(() => gateway.close());
  const names = portfolioNames(60);
  const readAll = () =>
    Promise.all(
      names.map((name) =>
        gateway.query('query ($name: DomainName!) { domain(name: $name) { name } }', { name }),
      ),
    );

  const first = await time.during(readAll());
  const rejectedAtFirst = seen.rejected;
  const second = await time.during(readAll());

  expect([...first, ...second].filter(({ errors }) => errors !== undefined)).toEqual([]);
  expect(rejectedAtFirst).toBeGreaterThan(0);
  expect(seen.rejected - rejectedAtFirst).toBeLessThanOrEqual(2);
  expect(seen.last).toBe(8);
});
