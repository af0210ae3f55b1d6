import { expect, onTestFinished, test } from 'vitest';
import { startTestGateway, type TestGatewayOptions } from '../../support/gateway.ts';
import { createGatewayClock } from '../../support/gateway-clock.ts';
import { minuteMs } from '../../support/simulated-clock.ts';
import { portfolioNames, read } from './reads.ts';

async function start({ env = {}, ...options }: TestGatewayOptions = {}) {
  const time = createGatewayClock();
  const gateway = time.withTime(
    await startTestGateway({
      ...options,
      clock: time.clock,
      // The job engine looks for items every ten minutes, because each timer takes time here.
      jobLeaseMs: 60 * minuteMs,
      env: { DOMAIN_MAX_AGE_SECONDS: '10', ...env },
    }),
  );
  onTestFinished(() => gateway.close());
  const now = () => time.clock.now().toISOString();
  return { time, gateway, now };
}

test('a row has the time of its getdetails, also from the cache', async () => {
  const { time, gateway, now } = await start();
  const one = async () =>
    (await read(gateway, '{ domain(name: "reseller-demo.com") { asOf } }')).domain;
  const first = await one();
  await time.pass(5_000);

  expect(Date.parse(now()) - Date.parse(first.asOf)).toBeGreaterThanOrEqual(5_000);
  expect(await one()).toEqual(first);
  expect(await gateway.countCalls()).toEqual({ getdetails: 1 });
  await time.pass(6_000);

  expect(Date.parse((await one()).asOf)).toBeGreaterThan(Date.parse(first.asOf));
});

test('a row of a list has the time of the list, and one that a write changed the time of its read', async () => {
  const { time, gateway } = await start({ sandboxDomains: 30 });
  const list = async (args = '') => {
    const { domains } = await read(
      gateway,
      `{ domains(first: 100${args}) { asOf nodes { name asOf } } }`,
    );
    return domains;
  };
  const first = await list();
  expect(new Set(first.nodes.map(({ asOf }: { asOf: string }) => asOf))).toEqual(
    new Set([first.asOf]),
  );

  await time.pass(2_000);
  await read(
    gateway,
    'mutation { setPrivacyProtection(input: { domain: "reseller-demo.com", enabled: true }) { errors { code } } }',
  );
  const second = await list();
  const written = second.nodes.find(({ name }: { name: string }) => name === 'reseller-demo.com');
  expect(Date.parse(written.asOf) - Date.parse(first.asOf)).toBeGreaterThanOrEqual(2_000);
  await time.pass(2_000);
  const third = await list(', refresh: true');

  expect(Date.parse(third.asOf)).toBeGreaterThan(Date.parse(written.asOf));
  expect(new Set(third.nodes.map(({ asOf }: { asOf: string }) => asOf))).toEqual(
    new Set([third.asOf]),
  );
});

test('a row that the list leaves out has the time of its own read', async () => {
  const { time, gateway } = await start({
    ...{ sandboxDomains: 202, sandboxListSize: 200 },
    env: { PORTFOLIO_READS_PER_MINUTE: '30' },
  });
  const left = portfolioNames(202).slice(200);
  await read(
    gateway,
    'mutation ($names: [String!]!) { trackDomains(input: { names: $names }) { added } }',
    { names: left },
  );
  await read(gateway, '{ domains { totalCount } }');
  await time.pass(2 * minuteMs);
  const { domains } = await read(
    gateway,
    `{ domains(refresh: true, filter: { contains: "${left[0]}" }) { asOf oldestRowAt nodes { asOf } } }`,
  );

  expect(domains.nodes).toHaveLength(1);
  expect(Date.parse(domains.asOf) - Date.parse(domains.nodes[0].asOf)).toBeGreaterThan(minuteMs);
  expect(domains.oldestRowAt <= domains.nodes[0].asOf).toBe(true);
});

test.each([
  '{ node(id: "RG9tYWluOnJlc2VsbGVyLWRlbW8uY29t") { ... on Domain { asOf } } }',
  '{ domainsByName(names: ["reseller-demo.com", "private-demo.net"]) { asOf } }',
  'mutation { setPrivacyProtection(input: { domain: "reseller-demo.com", enabled: true }) { domain { asOf } } }',
])('%s has a time', async (document) => {
  const { gateway } = await start();
  const found = JSON.stringify(await read(gateway, document));

  expect(found).toMatch(/"asOf":"2/);
  expect(found).not.toContain('null');
});
