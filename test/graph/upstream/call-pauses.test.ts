import { afterAll, afterEach, describe, expect, onTestFinished, test } from 'vitest';
import { gateLimits } from '../../../src/upstream/client/gate.ts';
import { createGatewayClock } from '../../support/gateway-clock.ts';
import { leapingClock } from '../../support/leaping-clock.ts';
import { countPurchases, openShop, type Shop } from '../purchases/shop.ts';
import { startRecordedGateway } from '../writes/recorded-gateway.ts';

const { clock, pass } = leapingClock();
/** Pauses that no slow machine outlasts. */
const loginPause = { firstMs: 100_000, maxMs: 1_000_000 };
const upstreamLimits = { ...gateLimits, loginPause };
const options = { clock, upstreamLimits };
const shop = await openShop(options);
afterAll(() => shop.close());
afterEach(async () => {
  await shop.gateway.admin('DELETE', '/faults');
  pass(60);
});

const many = ({ gateway }: Shop, label: string, count: number) =>
  Promise.all(
    Array.from({ length: count }, (_, at) =>
      gateway.query(`{ domain(name: "${label}-${at}.com") { state } }`),
    ),
  );
const calls = async ({ gateway }: Shop) => (await gateway.upstreamCalls()).length;

/** A gateway on a simulated clock, which passes in `time.during`. */
async function openSimulated(env: Readonly<Record<string, string>>) {
  const time = createGatewayClock();
  const slow = await openShop({ ...options, clock: time.clock, env });
  onTestFinished(() => slow.close());
  return { slow, time };
}

describe('Retry-After', () => {
  test('pauses all calls of the account, and a purchase is refused before it is sent', async () => {
    await shop.gateway.resetCalls();
    await shop.arm('busy', { action: 'resellerdetails', ms: 30_000 });
    await shop.gateway.query('{ reseller { name } }');
    const callsSoFar = await calls(shop);

    const refused = await many(shop, 'held', 20);
    const bought = await shop.register({ domain: 'held-purchase.com' });

    expect(callsSoFar).toBe(1);
    for (const { errors } of refused) {
      expect(errors).toMatchObject([
        { extensions: { code: 'RATE_LIMITED', executed: 'NO', retryable: true } },
      ]);
    }
    expect(bought.purchase).toBeNull();
    expect(bought.errors).toMatchObject([{ code: 'RATE_LIMITED', executed: 'NO' }]);
    // `register` resets the count.
    expect(await calls(shop)).toBe(0);

    pass(31);
    const made = await shop.register({ domain: 'held-purchase.com' });
    expect(made.purchase).toMatchObject({ state: 'SUCCEEDED' });
    expect(await countPurchases(shop)).toBe(1);
  });

  test('that is shorter than the deadline delays the calls', async () => {
    const { slow, time } = await openSimulated({});
    await slow.arm('busy', { action: 'getdetails', ms: 1_000 });
    await time.during(slow.gateway.query('{ domain(name: "first.com") { state } }'));

    const waited = await time.during(many(slow, 'waited', 3));

    expect(waited.every(({ errors }) => errors === undefined)).toBe(true);
  });
});

test('wrong credentials cause no more logins than there are slots, and then one at a time', async () => {
  const wrong = await openShop({
    ...options,
    env: { DOMAIN_API_USERNAME: 'demo', DOMAIN_API_PASSWORD: 'no-such-password' },
  });
  onTestFinished(() => wrong.close());

  const burst = await many(wrong, 'burst', 200);
  const ofTheBurst = await calls(wrong);
  pass(130);
  await many(wrong, 'tried', 20);
  const withTheTrial = await calls(wrong);
  // The second pause is twice as long.
  pass(130);
  const bought = await wrong.gateway.query('{ reseller { name } }');

  for (const { errors } of burst) {
    expect(errors).toMatchObject([{ extensions: { code: 'UPSTREAM_AUTH', executed: 'NO' } }]);
  }
  expect(ofTheBurst).toBeGreaterThan(0);
  expect(ofTheBurst).toBeLessThanOrEqual(16);
  expect(withTheTrial).toBe(ofTheBurst + 1);
  expect(bought.errors).toMatchObject([{ extensions: { code: 'UPSTREAM_AUTH' } }]);
  expect(await calls(wrong)).toBe(withTheTrial);
});

test.each([401, 403])(
  '%i without a reason of the API fails one read and stops no other call',
  async (status) => {
    const { gateway, replyNext, seen, close } = await startRecordedGateway({ upstreamLimits });
    onTestFinished(close);
    for (let attempt = 1; attempt <= 3; attempt += 1) {
      replyNext({ status, body: '<html>Blocked by the firewall</html>' });
    }

    const refused = await gateway.query('{ reseller { name } }');
    const next = await gateway.query(
      '{ reseller { name } domain(name: "unlocked-demo.com") { name } }',
    );

    expect(refused.errors).toMatchObject([
      {
        message: expect.stringContaining(`HTTP ${status} and no reason`),
        extensions: { code: 'UPSTREAM_UNAVAILABLE', executed: 'NO' },
      },
    ]);
    expect(next.errors).toBeUndefined();
    expect(seen).toHaveLength(5);
  },
);

test('a call that UPSTREAM_RATE_PER_SECOND would delay beyond its deadline is refused at once', async () => {
  const { slow, time } = await openSimulated({
    UPSTREAM_RATE_PER_SECOND: '5',
    UPSTREAM_TIMEOUT_MS: '1000',
  });

  const results = await time.during(many(slow, 'rate', 60));

  const refused = results.filter(({ errors }) => errors !== undefined);
  for (const { errors } of refused) {
    expect(errors).toMatchObject([{ extensions: { executed: 'NO' } }]);
  }
  expect(await calls(slow)).toBeLessThan(40);
  expect(refused.some(({ errors }) => errors[0].extensions.code === 'RATE_LIMITED')).toBe(true);
});
