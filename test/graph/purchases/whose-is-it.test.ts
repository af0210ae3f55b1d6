import { afterEach, expect, test } from 'vitest';
import { systemClock } from '../../../src/lib/system.ts';
import { memberOf } from '../../errors/members.ts';
import { countPurchases, openShop, type Payload, type Shop, transferCode } from './shop.ts';

let shop: Shop;
afterEach(() => shop.close());

/** A clock that a test can set, as an operator or a time server does, beside one that nobody can. */
function createClocks() {
  let wallMs = 0;
  let monotonicMs = 0;
  return {
    ...systemClock,
    now: () => new Date(systemClock.now().getTime() + wallMs),
    monotonicMs: () => systemClock.monotonicMs() + monotonicMs,
    set: (seconds: number) => {
      wallMs += seconds * 1000;
    },
    pass: (seconds: number) => {
      wallMs += seconds * 1000;
      monotonicMs += seconds * 1000;
    },
  };
}

const paidFor = async (domain: string) =>
  (await shop.ledger()).filter((booking) => booking.domain === domain).length;

/** Starts a purchase and stops it between its claim and its call, where it reads whether the account has the domain. */
async function startHeld(
  kind: 'register' | 'transfer',
  input: object,
): Promise<{ answer: Promise<Payload>; release: () => Promise<unknown> }> {
  const after = kind === 'register' ? 0 : 1;
  await shop.arm('hold-before', { action: 'getdetails', after });
  const answer = shop[kind](input);
  const held = async () => ((await shop.gateway.admin('GET', '/held')) as { held: number }).held;
  await expect.poll(held).toBe(1);
  return { answer, release: () => shop.gateway.admin('POST', '/release', {}) };
}

/** Straight at the service, past the gateway: somebody at the reseller's panel. */
async function buyByHand(action: string, request: object): Promise<void> {
  const response = await fetch(`${shop.gateway.sandboxUrl}/domain-api/?action=${action}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...request, username: 'demo', password: 'demo-password' }),
  });
  const answer = await response.json();
  if (answer.result !== 'OK') throw new Error(JSON.stringify(answer));
}

test('what the account got by another way just before is not taken for bought, and nothing is sent', async () => {
  shop = await openShop();
  const domain = 'outside-by-hand.com';
  const { answer, release } = await startHeld('transfer', { domain });
  await buyByHand('transferdomain', { domain, authCode: transferCode, period: 1 });
  await shop.gateway.resetCalls();
  await release();

  const made = await answer;

  expect(made.purchase).toMatchObject({ state: 'FAILED', submittedAt: null });
  expect(made.errors).toMatchObject([{ code: 'TRANSFER_PENDING', executed: 'NO' }]);
  expect(await countPurchases(shop)).toBe(0);
  expect(await paidFor(domain)).toBe(1);
});

test('whether the account has it must be readable, or nothing is sent', async () => {
  shop = await openShop();
  await shop.arm('gateway', { action: 'getdetails', times: 3 });

  const made = await shop.register({ domain: 'not-readable.com' });

  expect(made.purchase).toMatchObject({ state: 'FAILED', submittedAt: null });
  expect(made.errors).toMatchObject([{ code: 'UPSTREAM_UNAVAILABLE', executed: 'NO' }]);
  expect(await countPurchases(shop)).toBe(0);
});

test('a request that arrives twice is answered "exists", and is the yes that it was', async () => {
  shop = await openShop();
  await shop.arm('twice', { action: 'registerdomain' });

  const made = await shop.register({ domain: 'arrives-twice.com' });

  expect(made).toMatchObject({ purchase: { state: 'SUCCEEDED', error: null }, errors: [] });
  expect(await countPurchases(shop)).toBe(1);
  expect(await paidFor('arrives-twice.com')).toBe(1);
});

test.each([
  ['2302', 'ALREADY_EXISTS'],
  ['503', 'NOT_AVAILABLE'],
] as const)(
  '%s alone is no no: it is told as %s when the quiet window is over',
  async (number, code) => {
    const clock = createClocks();
    shop = await openShop({ clock, env: { UPSTREAM_TIMEOUT_MS: '1000' } });
    await shop.arm('code', { action: 'registerdomain', code: number });

    const { purchase } = await shop.register({ domain: 'somebody-was-first.com' });
    expect(purchase.state).toBe('PENDING');
    clock.pass(126);
    await shop.purchase(purchase.id);
    clock.pass(6);

    expect(await shop.purchase(purchase.id)).toMatchObject({
      state: 'FAILED',
      error: { __typename: memberOf[code], code, executed: 'NO' },
    });
  },
);

test('a clock that is set forward by a day makes nobody say no', async () => {
  const clock = createClocks();
  shop = await openShop({ clock });
  await shop.arm('reset', { action: 'registerdomain' });
  const { purchase } = await shop.register({ domain: 'clock-was-set.com' });

  clock.set(86_400);

  expect((await shop.purchase(purchase.id)).state).toBe('PENDING');
  clock.pass(6);
  expect((await shop.purchase(purchase.id)).state).toBe('PENDING');
});
