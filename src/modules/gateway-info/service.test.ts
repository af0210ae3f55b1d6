import { expect, test } from 'vitest';
import { partOf } from '../../../test/support/with-parts.ts';
import { anonymous } from '../../kernel/caller.ts';
import { Decimal, formatMoney, money } from '../../kernel/money.ts';
import type { ScopedLimits } from '../../kernel/spend-limits.ts';
import { systemClock } from '../../lib/system.ts';
import { gatewayInfo } from './service.ts';

const moneyOf = (text: string) => {
  const [amount = '', currency = ''] = text.split(' ');
  return money(Decimal.parse(amount), currency);
};
const perDay = (...texts: readonly string[]) => ({ perDay: texts.map(moneyOf) });

/** `spent` is in dollars, of all callers and of this one. */
function start(
  limits: Partial<ScopedLimits>,
  spent = { GATEWAY: 0n, KEY: 0n },
  customer: string | null = null,
  apis: Readonly<Record<'domain' | 'account', object | null>> = { domain: {}, account: null },
) {
  const requested: unknown[] = [];
  const now = new Date('2026-01-31T12:00:00Z');
  const journal = {
    spending: async ({ cost: price, ...of }: { cost: { currency: string } }) => {
      requested.push(of);
      const units = (dollars: bigint) => (price.currency === 'USD' ? dollars * 10_000n : 0n);
      const one = (dollars: bigint) => ({ units: units(dollars), count: 0 });
      return { spent: { GATEWAY: one(spent.GATEWAY), KEY: one(spent.KEY) } };
    },
    stopped: async (account: string) => ({ since: now, reason: account }),
  };
  const tenant = {
    ...{
      gateway: { environment: 'LIVE', version: '1.2.3' },
      maxUpstreamCalls: 30,
      journal,
    },
    ...{ account: 'reseller-1', clock: { ...systemClock, now: () => now } },
    limitsOf: () => ({ GATEWAY: {}, KEY: {}, ...limits }),
    upstreamState: () => apis,
  };
  const caller = {
    ...anonymous,
    ...{ name: 'shop', tenant: 'acme', scopes: new Set(['ops', 'account:read']), customer },
  };
  const info = partOf(gatewayInfo, {}, { tenant, caller, hidesCosts: false });
  return { info, requested, now };
}

test('the gateway reports the caller, its tenant, its scopes in alphabetical order and its limits', async () => {
  const { info, now } = start({ KEY: { perHour: 3 } });

  expect(info).toMatchObject({
    ...{
      environment: 'LIVE',
      version: '1.2.3',
      tenant: 'acme',
      caller: 'shop',
    },
    ...{ scopes: ['account:read', 'ops'], upstreamCalls: 30 },
    spendLimits: [{ scope: 'KEY', perHour: 3 }],
  });
  expect(info.spendLimits).toHaveLength(1);
  expect(await info.purchasesStopped()).toEqual({ since: now, reason: 'reseller-1' });
});

test.each<[string, Partial<ScopedLimits>, { GATEWAY: bigint; KEY: bigint }, unknown]>([
  ['without a limit', { KEY: { perHour: 1 } }, { GATEWAY: 9n, KEY: 9n }, null],
  [
    'of the gateway alone',
    { GATEWAY: perDay('100 USD', '7 TRY') },
    { GATEWAY: 9n, KEY: 50n },
    ['91.0000 USD', '7.0000 TRY'],
  ],
  ['of the key alone', { KEY: perDay('100 USD') }, { GATEWAY: 50n, KEY: 9n }, ['91.0000 USD']],
  [
    'where the key has less left',
    { GATEWAY: perDay('100 USD'), KEY: perDay('30 USD') },
    { GATEWAY: 60n, KEY: 20n },
    ['10.0000 USD'],
  ],
  [
    'where the gateway has less left',
    { GATEWAY: perDay('100 USD'), KEY: perDay('30 USD') },
    { GATEWAY: 95n, KEY: 20n },
    ['5.0000 USD'],
  ],
  [
    'in currencies of both',
    { GATEWAY: perDay('9 USD', '9 EUR'), KEY: perDay('5 EUR', '5 TRY') },
    { GATEWAY: 0n, KEY: 0n },
    ['5.0000 EUR'],
  ],
  [
    'in no currency of both',
    { GATEWAY: perDay('9 USD'), KEY: perDay('5 TRY') },
    { GATEWAY: 0n, KEY: 0n },
    [],
  ],
  [
    'when more than the limit was spent',
    { KEY: perDay('10 USD') },
    { GATEWAY: 0n, KEY: 11n },
    ['0.0000 USD'],
  ],
])('the spend that is left %s', async (_what, limits, spent, expected) => {
  const { info } = start(limits, spent);
  const left = await info.spendLeft();

  expect(left?.map(formatMoney) ?? null).toEqual(expected);
});

test('the spend that is left for a caller of a customer is that of its key, and its scopes are those that it can use', async () => {
  const limits = { GATEWAY: perDay('100 USD'), KEY: perDay('30 USD') };
  const { info } = start(limits, { GATEWAY: 95n, KEY: 20n }, 'acme');

  expect((await info.spendLeft())?.map(formatMoney)).toEqual(['10.0000 USD']);
  expect(info).toMatchObject({ customer: 'acme', scopes: [] });
});

test('the spend that is left is that of the account and the caller now', async () => {
  const { info, requested, now } = start({ KEY: perDay('10 USD') });
  await info.spendLeft();

  expect(requested).toEqual([{ account: 'reseller-1', caller: 'shop', claimedAt: now }]);
});

test.each([
  [{}, 'AVAILABLE', [], null],
  [{ breakers: { b: 'open', a: 'half-open', c: 'closed' } }, 'FAILING', ['a', 'b'], null],
  [{ pausedForMs: 10_000, breakers: { a: 'open' } }, 'PAUSED', ['a'], 10_000],
  [{ pausedForMs: 10_000, loginPausedForMs: 20_000 }, 'LOGIN_REFUSED', [], 20_000],
  [{ pausedForMs: 20_000, loginPausedForMs: 10_000 }, 'LOGIN_REFUSED', [], 20_000],
] as const)('an API with %j is %s', (found, state, failingActions, resumesInMs) => {
  const working = { breakers: {}, pausedForMs: 0, loginPausedForMs: 0 };
  const { info, now } = start({}, undefined, null, {
    domain: working,
    account: { ...working, ...found },
  });

  expect(info.upstream()).toMatchObject([
    { api: 'DOMAIN', state: 'AVAILABLE', resumesAt: null },
    {
      ...{ api: 'ACCOUNT', state, failingActions },
      resumesAt: resumesInMs && new Date(now.getTime() + resumesInMs),
    },
  ]);
});
