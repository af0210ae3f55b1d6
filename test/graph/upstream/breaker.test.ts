import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { gateLimits } from '../../../src/upstream/client/gate.ts';
import { leapingClock } from '../../support/leaping-clock.ts';
import { countPurchases, openShop } from '../purchases/shop.ts';

const { clock, pass } = leapingClock();
/** Longer than any pause and than the window of counted failures. */
const untilItIsOver = 1_000;
/** Pauses that no slow machine outlasts. */
const breaker = {
  ...gateLimits.breaker,
  windowMs: 600_000,
  firstMs: 100_000,
  maxMs: 100_000,
};
const shop = await openShop({ clock, upstreamLimits: { ...gateLimits, breaker } });
const nervous = await openShop({
  clock,
  upstreamLimits: { ...gateLimits, breaker: { ...breaker, failures: 2 } },
});
afterAll(() => Promise.all([shop.close(), nervous.close()]));
afterEach(async () => {
  await shop.gateway.admin('DELETE', '/faults');
  await nervous.gateway.admin('DELETE', '/faults');
  pass(untilItIsOver);
});

const detailsOf = ({ gateway }: typeof shop, name: string) =>
  gateway.query(`{ domain(name: "${name}") { state } }`);
const many = (on: typeof shop, label: string, count: number) =>
  Promise.all(Array.from({ length: count }, (_, at) => detailsOf(on, `${label}-${at}.com`)));

test('ten failures open the breaker of their action only, and one successful trial closes it', async () => {
  await shop.gateway.resetCalls();
  await shop.arm('gateway', { action: 'getdetails', times: 1_000 });
  await many(shop, 'fails', 5);
  const { getdetails: opening } = await shop.gateway.countCalls();
  expect(opening).toBeGreaterThanOrEqual(10);
  expect(opening).toBeLessThanOrEqual(15);

  const refused = await many(shop, 'refused', 20);
  const other = await shop.gateway.query('{ reseller { name } }');

  for (const { errors } of refused) {
    expect(errors).toMatchObject([
      { extensions: { code: 'UPSTREAM_UNAVAILABLE', executed: 'NO', retryable: true } },
    ]);
    expect(errors[0].message).toMatch(/so it was not called/);
  }
  expect(other.errors).toBeUndefined();
  expect(await shop.gateway.countCalls()).toEqual({ getdetails: opening, resellerdetails: 1 });

  // One trial call is sent at a time; while it fails no other call is sent.
  pass(130);
  await many(shop, 'tried', 20);
  expect((await shop.gateway.countCalls()).getdetails).toBe(Number(opening) + 1);

  await shop.gateway.admin('DELETE', '/faults');
  pass(untilItIsOver);
  await shop.gateway.resetCalls();
  const trial = await detailsOf(shop, 'back.com');
  const after = await many(shop, 'works', 5);
  expect([trial, ...after].every(({ errors }) => errors === undefined)).toBe(true);
  expect(await shop.gateway.countCalls()).toEqual({ getdetails: 6 });
});

test('an open breaker rejects refreshed reads too, because clients can send any number of them', async () => {
  await shop.arm('gateway', { action: 'getdetails', times: 1_000 });
  await many(shop, 'opens', 5);
  await shop.gateway.resetCalls();

  const { errors } = await shop.gateway.query(
    '{ domain(name: "reseller-demo.com", refresh: true) { state } }',
  );

  expect(errors).toMatchObject([{ extensions: { code: 'UPSTREAM_UNAVAILABLE' } }]);
  expect(await shop.gateway.countCalls()).toEqual({});
});

test('an upstream that cannot reach its backend is read three times, and opens the breaker', async () => {
  const read = () => shop.gateway.query('{ reseller { name } }');
  const unreachable = { action: 'resellerdetails', code: 'INVALID_RESPONSE' };
  await shop.gateway.resetCalls();
  await shop.arm('code', { ...unreachable, times: 2 });
  expect((await read()).errors).toBeUndefined();
  expect(await shop.gateway.countCalls()).toEqual({ resellerdetails: 3 });

  await shop.arm('code', { ...unreachable, times: 1_000 });
  for (let reads = 0; reads < 4; reads += 1) await read();
  await shop.gateway.resetCalls();
  const { errors } = await read();

  expect(errors[0].message).toMatch(/so it was not called/);
  expect(await shop.gateway.countCalls()).toEqual({});
});

test('a refusal by the upstream does not open the breaker', async () => {
  await shop.arm('code', { action: 'getdetails', code: 'API_364_ERROR', times: 1_000 });
  await many(shop, 'refusal', 5);
  await shop.gateway.admin('DELETE', '/faults');

  expect((await detailsOf(shop, 'after-refusals.com')).errors).toBeUndefined();
});

describe('a purchase', () => {
  test('that an open breaker rejects is FAILED with executed NO', async () => {
    await nervous.arm('gateway', { action: 'registerdomain', times: 2 });
    const [one, other] = await nervous.makeAll('register', [
      { domain: 'opens-one.com' },
      { domain: 'opens-two.com' },
    ]);
    expect([one?.purchase.state, other?.purchase.state]).toEqual(['PENDING', 'PENDING']);

    const stopped = await nervous.register({ domain: 'stopped.com' });
    const health = await fetch(`${nervous.gateway.url}/health/ready`);

    expect(stopped.purchase).toMatchObject({ state: 'FAILED' });
    expect(stopped.errors).toMatchObject([{ code: 'UPSTREAM_UNAVAILABLE', executed: 'NO' }]);
    expect(await countPurchases(nervous)).toBe(0);
    expect(await health.json()).toMatchObject({ status: 'ready', upstream: { domain: 'open' } });

    pass(untilItIsOver);
    const made = await nervous.register({ domain: 'sent-again.com' });
    expect(made.purchase).toMatchObject({ state: 'SUCCEEDED' });
    expect(await countPurchases(nervous)).toBe(1);
  });

  test('with an unknown outcome is read while the breaker is open, and a successful read closes it', async () => {
    await nervous.arm('lost-answer', { action: 'registerdomain' });
    await nervous.arm('gateway', { action: 'getdetails', after: 1, times: 1_000 });
    const made = await nervous.register({ domain: 'looked-for.com' });
    expect(made.purchase.state).toBe('PENDING');
    await nervous.gateway.admin('DELETE', '/faults');
    await nervous.gateway.resetCalls();

    const ordinary = await detailsOf(nervous, 'reseller-demo.com');
    const found = await nervous.purchase(made.purchase.id);
    const afterwards = await detailsOf(nervous, 'reseller-demo.com');

    expect(ordinary.errors).toMatchObject([{ extensions: { code: 'UPSTREAM_UNAVAILABLE' } }]);
    expect(found).toMatchObject({ state: 'SUCCEEDED' });
    expect(afterwards.errors).toBeUndefined();
    expect(await nervous.gateway.countCalls()).toEqual({ getdetails: 2 });
  });
});
