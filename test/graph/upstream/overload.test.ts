import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { startSandbox } from '../../../sandbox/server.ts';
import type { Clock } from '../../../src/lib/clock.ts';
import { systemRandomness } from '../../../src/lib/system.ts';
import { gateLimits } from '../../../src/upstream/client/gate.ts';
import { type GraphQLResponse, startTestGateway } from '../../support/gateway.ts';
import { createGatewayClock } from '../../support/gateway-clock.ts';
import { portfolioNames } from '../reads/reads.ts';

const start = async (perCallMs: number, env: Readonly<Record<string, string>>) => {
  const time = createGatewayClock();
  const gateway = await startTestGateway({ sandboxDomains: 60, env, clock: time.clock });
  onTestFinished(() => gateway.close());
  await gateway.admin('POST', '/latency', { perCallMs });
  return { gateway, time };
};

const defaults = { QUEUE_BUDGET_MS: '' };
const faultsOf = (responses: readonly GraphQLResponse[]) =>
  responses.flatMap(({ errors = [] }) => errors).map((error) => error.extensions.code);

test('64 clients that each wait for their response are never refused with the default settings', {
  tags: ['S5'],
}, async () => {
  const { gateway, time } = await start(150, defaults);
  const names = portfolioNames(60);
  const document =
    'query ($name: String!) { domain(name: $name) { contacts { registrant { email } } } }';
  const client = async (first: number) => {
    const responses: GraphQLResponse[] = [];
    for (let at = 0; at < 3; at += 1) {
      responses.push(await gateway.query(document, { name: names[(first + at * 7) % 60] }));
    }
    return responses;
  };

  const clients = Array.from({ length: 64 }, (_, at) => client(at));
  const responses = (await time.during(Promise.all(clients))).flat();

  expect(responses).toHaveLength(192);
  expect(faultsOf(responses)).toEqual([]);
});

test('an idle gateway serves a page of one client with any number of queued calls, and other clients wait', {
  tags: ['S5'],
}, async () => {
  const { gateway, time } = await start(300, { ...defaults, UPSTREAM_CONCURRENCY: '16' });
  const page = gateway.query(
    '{ domains(first: 60) { nodes { contacts { registrant { email } } } } }',
  );

  const others = [];
  for (let at = 0; at < 3; at += 1) {
    await time.pass(150);
    others.push(gateway.query('{ domain(name: "reseller-demo.com", refresh: true) { name } }'));
  }

  expect(faultsOf(await time.during(Promise.all([page, ...others])))).toEqual([]);
});

test('requests that would wait longer than the budget are refused without a call, but reads of purchases are not', {
  tags: ['S5'],
}, async () => {
  const { gateway, time } = await start(200, { QUEUE_BUDGET_MS: '500', UPSTREAM_CONCURRENCY: '8' });
  const send = (label: string, count: number) =>
    Array.from({ length: count }, (_, at) =>
      gateway.query(`{ domain(name: "${label}-${at}.com") { name } }`),
    );
  // The gateway measures the duration of a call.
  await time.during(Promise.all(send('learn', 40)));
  await gateway.resetCalls();

  const burst = send('burst', 60);
  await time.pass(100);
  const later = await Promise.all(send('later', 5));
  const outcome = await gateway.query('{ purchases(first: 1) { totalCount } }');
  const served = (await time.during(Promise.all(burst))).filter(
    ({ errors }) => errors === undefined,
  );

  expect(later.map(({ status }) => status)).toEqual(Array(5).fill(503));
  expect(new Set(faultsOf(later))).toEqual(new Set(['OVERLOADED']));
  expect(outcome.data).toEqual({ purchases: { totalCount: 0 } });
  expect(served.length).toBeGreaterThan(8);
  expect(await gateway.countCalls()).toEqual({ getdetails: served.length });
});

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
        gateway.query('query ($name: String!) { domain(name: $name) { name } }', { name }),
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
