import { expect, onTestFinished, test } from 'vitest';
import { gateLimits } from '../../../src/upstream/client/gate.ts';
import { apiKeysOf, by } from '../../access/keys.ts';
import type { TestGatewayOptions } from '../../support/gateway.ts';
import { leapingClock } from '../../support/leaping-clock.ts';
import { openShop } from '../purchases/shop.ts';

const { clock } = leapingClock();
const breaker = { ...gateLimits.breaker, failures: 2, windowMs: 600_000, firstMs: 100_000 };
const loginPause = { firstMs: 100_000, maxMs: 1_000_000 };

async function open(options: TestGatewayOptions = {}) {
  const upstreamLimits = { ...gateLimits, breaker, loginPause };
  const shop = await openShop({ clock, upstreamLimits, sandboxDomains: 5, ...options });
  onTestFinished(() => shop.close());
  const states = async () => {
    const { data } = await shop.gateway.query(`{ gateway { upstream {
      api state failingActions resumesAt respondedAt inFlight waiting concurrencyLimit } } }`);
    return data.gateway.upstream;
  };
  return { ...shop, states };
}

const quiet = {
  ...{ state: 'AVAILABLE', failingActions: [], resumesAt: null, respondedAt: null },
  ...{ inFlight: 0, waiting: 0, concurrencyLimit: 64 },
};
const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/);

test('both APIs are AVAILABLE, with the time of the last reply, and the state costs no call', async () => {
  const { gateway, states } = await open();

  const before = await states();
  await gateway.query('{ reseller { name } }');
  const after = await states();

  expect(before).toEqual([
    { api: 'DOMAIN', ...quiet },
    { api: 'ACCOUNT', ...quiet },
  ]);
  expect(after).toEqual([
    { api: 'DOMAIN', ...quiet, respondedAt: instant },
    { api: 'ACCOUNT', ...quiet },
  ]);
  expect(await gateway.countCalls()).toEqual({ resellerdetails: 1 });
});

test('an open circuit breaker is FAILING and names its action', async () => {
  const { gateway, arm, states } = await open();
  await arm('gateway', { action: 'getdetails', times: 100 });
  await gateway.query('{ domain(name: "reseller-demo.com") { state } }');

  expect(await states()).toMatchObject([
    { api: 'DOMAIN', state: 'FAILING', failingActions: ['getdetails'], respondedAt: null },
    { api: 'ACCOUNT', state: 'AVAILABLE' },
  ]);
});

test('a pause that the registrar requested is PAUSED until its end', async () => {
  const { gateway, arm, states } = await open();
  await arm('busy', { action: 'resellerdetails', ms: 30_000 });
  await gateway.query('{ reseller { name } }');

  const [{ state, resumesAt }] = await states();

  expect(state).toBe('PAUSED');
  const leftMs = Date.parse(resumesAt) - clock.now().getTime();
  expect(leftMs).toBeGreaterThan(20_000);
  expect(leftMs).toBeLessThanOrEqual(30_000);
});

test('a refused login is LOGIN_REFUSED', async () => {
  const { gateway, states } = await open({
    env: { DOMAIN_API_USERNAME: 'demo', DOMAIN_API_PASSWORD: 'no-such-password' },
  });
  await gateway.query('{ reseller { name } }');

  expect(await states()).toMatchObject([
    { api: 'DOMAIN', state: 'LOGIN_REFUSED', resumesAt: instant },
    { api: 'ACCOUNT', state: 'AVAILABLE', resumesAt: null },
  ]);
});

test('calls in flight are counted while the registrar does not respond', async () => {
  const { gateway, arm, states } = await open({ env: { UPSTREAM_CONCURRENCY: '2' } });
  await arm('hold-before', { action: 'getdetails', times: 9 });
  const held = ['one.com', 'two.com', 'three.com', 'four.com'].map((name) =>
    gateway.query(`{ domain(name: "${name}") { state } }`),
  );

  // One of the two slots is reserved for writes.
  await expect.poll(states).toMatchObject([{ inFlight: 1, waiting: 3, concurrencyLimit: 2 }, {}]);
  await gateway.admin('DELETE', '/faults');
  await gateway.admin('POST', '/release', {});
  await Promise.all(held);
  expect(await states()).toMatchObject([{ inFlight: 0, waiting: 0 }, {}]);
});

test('only a caller with the scope `ops` sees the state', async () => {
  const API_KEYS = apiKeysOf({ shop: ['domains:spend', 'domains:read'], operator: ['ops'] });
  const { gateway } = await open({ env: { API_KEYS } });
  const read = (name: string) => gateway.query('{ gateway { upstream { api } } }', {}, by(name));

  expect((await read('operator')).data.gateway.upstream).toEqual([
    { api: 'DOMAIN' },
    { api: 'ACCOUNT' },
  ]);
  expect(await read('shop')).toMatchObject({
    data: { gateway: { upstream: null } },
    errors: [{ extensions: { code: 'FORBIDDEN' } }],
  });
});
