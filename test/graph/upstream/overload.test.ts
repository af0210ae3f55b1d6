import { expect, onTestFinished, test } from 'vitest';
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
  responses.flatMap(({ errors = [] }) => errors).map((error) => error.extensions.fault);

test('64 clients that each wait for their response are never refused with the default settings', {
  tags: ['S5'],
}, async () => {
  const { gateway, time } = await start(150, defaults);
  const names = portfolioNames(60);
  const document =
    'query ($name: DomainName!) { domain(name: $name) { contacts { registrant { email } } } }';
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
