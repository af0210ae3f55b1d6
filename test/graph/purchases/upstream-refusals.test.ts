import { afterAll, describe, expect, test } from 'vitest';
import type { FaultCode } from '../../../src/kernel/faults.ts';
import { typeOf } from '../../errors/types.ts';
import { ada } from '../../support/ada.ts';
import { createGatewayClock } from '../../support/gateway-clock.ts';
import { countPurchases, openShop, type Payload } from './shop.ts';

const shop = await openShop({ time: createGatewayClock() });
afterAll(() => shop.close());

/** Asserts a refusal by the upstream: the purchase is FAILED, nothing is debited, and the reason stays the same. */
async function expectNo(made: Payload, error: object): Promise<void> {
  expect(made.purchase).toMatchObject({
    state: 'FAILED',
    settledAt: expect.any(String),
    nextStep: 'Fix what the error says, then buy with a new idempotency key.',
    errors: made.errors,
  });
  expect(made.errors).toMatchObject([{ ...error, executed: 'NO', retryable: false }]);
  expect(await shop.purchase(made.purchase.id)).toEqual(made.purchase);
  expect(made).toMatchObject({ balanceAfter: null, replayed: false, keyUsed: true });
}

const hosts = ['ns1.dns.net', 'ns2.dns.net'];
const inBailiwick = ['ns1.in-bailiwick.com', 'ns2.in-bailiwick.com'];

describe('a refusal that only the upstream can make is FAILED and debits nothing:', {
  tags: ['R17'],
}, () => {
  const host = { domain: 'a-host.io', nameServers: ['ns1.dns.net'] };
  const inside = { domain: 'in-bailiwick.com', nameServers: inBailiwick };
  const premium = { domain: 'exclusive.cc', acceptPremium: true };

  test.each<[string, object, FaultCode, string | null]>([
    ['a TLD with requirements', { domain: 'needs-more.eu' }, 'INVALID_INPUT', 'registrant'],
    ['one host too few', host, 'INVALID_INPUT', 'nameServers'],
    ['hosts without address', inside, 'INVALID_INPUT', null],
    ['an unavailable premium name', premium, 'PREMIUM_UNAVAILABLE', 'domain'],
  ])('%s', async (_case, input, code, field) => {
    const before = await shop.balances();

    const made = await shop.register({ nameServers: hosts, ...input });

    await expectNo(made, { __typename: typeOf(code), code });
    expect(made.errors[0].path).toEqual(field === null ? null : ['input', field]);
    expect(made.errors[0].message).toMatch(/^[^:]{20,}\.$/);
    expect(await countPurchases(shop)).toBe(1);
    expect(await shop.balances()).toEqual(before);
  });
});

test.each<[string, FaultCode]>([
  ['350', 'INSUFFICIENT_FUNDS'],
  ['2104', 'INSUFFICIENT_FUNDS'],
  ['2304', 'RESERVED'],
  ['2306', 'POLICY'],
  ['400', 'INVALID_CONTACT'],
  ['530', 'PERIOD_OUT_OF_RANGE'],
  ['300', 'UPSTREAM_AUTH'],
  ['301', 'IP_NOT_ALLOWED'],
  ['361', 'RATE_LIMITED'],
])(
  'the code %s is a definite refusal: FAILED with %s, sent once and without a debit',
  async (number, code) => {
    const domain = `definite-${number}.com`;
    const before = await shop.balances();
    await shop.arm('code', { action: 'registerdomain', domain, code: number });

    await expectNo(await shop.register({ domain }), { __typename: typeOf(code), code });
    expect(await countPurchases(shop)).toBe(1);
    expect(await shop.rows(domain)).toEqual([]);
    expect(await shop.balances()).toEqual(before);
  },
);

test('a refused name can be bought with a new key', async () => {
  await shop.arm('code', { action: 'registerdomain', code: '350' });
  await shop.register({ domain: 'second-try.com' });

  const made = await shop.register({ domain: 'second-try.com' });

  expect(made.purchase.state).toBe('SUCCEEDED');
});

test('a replayed failed purchase returns the first result, with retryable false', async () => {
  const input = { domain: 'stays-failed.com', idempotencyKey: 'stays-failed' };
  await shop.arm('code', { action: 'registerdomain', code: '361' });
  const failed = await shop.register(input);

  const again = await shop.register(input);

  expect(again).toMatchObject({ purchase: failed.purchase, replayed: true });
  expect(again.errors).toEqual(failed.errors);
  expect(again.errors[0].retryable).toBe(false);
  expect(await countPurchases(shop)).toBe(0);
});

test('a purchase is refused when a check fails', async () => {
  await shop.arm('code', { action: 'resellerdetails', code: '101', times: 3 });
  const noBalance = await shop.register({ domain: 'no-check.com', registrant: { fields: ada } });
  const callsOfOne = await countPurchases(shop);
  await shop.arm('gateway', { action: 'tldlist', times: 3 });
  const noTlds = await shop.register({ domain: 'no-check.com' });
  const callsOfBoth = callsOfOne + (await countPurchases(shop));
  await shop.arm('wrongtypes', { action: 'singlecheckavailability', times: 3 });
  const noOffer = await shop.register({ domain: 'empty-no-check.com' });

  for (const { purchase, errors } of [noBalance, noTlds, noOffer]) {
    expect(purchase).toBeNull();
    expect(errors).toMatchObject([{ __typename: 'PlainError', path: null, executed: 'NO' }]);
  }
  expect(callsOfBoth + (await countPurchases(shop))).toBe(0);
});
