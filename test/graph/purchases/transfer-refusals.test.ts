import { afterAll, describe, expect, test } from 'vitest';
import type { FaultCode } from '../../../src/kernel/faults.ts';
import { typeOf } from '../../errors/types.ts';
import { countPurchases, openShop } from './shop.ts';

const shop = await openShop();
afterAll(() => shop.close());

describe('the gateway refuses a transfer before the upstream purchase:', () => {
  const maxPrice = { amount: '1', currency: 'USD' };

  test.each<[string, object, FaultCode, string, object?]>([
    ['a name in the account', { domain: 'unlocked-demo.com' }, 'ALREADY_OWNED', 'domain'],
    ['a transfer in progress', { domain: 'arriving-demo.com' }, 'TRANSFER_PENDING', 'domain'],
    ['no auth code', { domain: 'outside-a.com', authCode: ' ' }, 'AUTH_CODE_REQUIRED', 'authCode'],
    [
      'a name that is not registered',
      { domain: 'not-registered.com' },
      'AUTH_CODE_INVALID',
      'domain',
    ],
    ['a TLD that is not sold', { domain: 'outside-a.zzzz' }, 'TLD_UNSUPPORTED', 'domain'],
    [
      'too many years',
      { domain: 'outside-a.co', period: 6 },
      'PERIOD_OUT_OF_RANGE',
      'period',
      { minimum: 1, maximum: 5 },
    ],
    ['a TLD without a price', { domain: 'outside-a.travel' }, 'PRICE_UNAVAILABLE', 'period'],
    [
      'a price above maxPrice',
      { domain: 'outside-a.com', maxPrice },
      'MAX_PRICE_EXCEEDED',
      'maxPrice',
    ],
  ])('%s', async (_what, input, code, field, facts = {}) => {
    const { purchase, errors } = await shop.transfer(input);

    expect(purchase).toBeNull();
    expect(errors).toMatchObject([
      { __typename: typeOf(code), code, path: ['input', field], ...facts, executed: 'NO' },
    ]);
    expect(await countPurchases(shop)).toBe(0);
  });

  test('a dry run finds a name that is not registered', async () => {
    const made = await shop.transfer({ domain: 'not-registered.com', dryRun: true });

    expect(made.errors).toMatchObject([
      {
        code: 'AUTH_CODE_INVALID',
        path: ['input', 'domain'],
        message:
          'not-registered.com is not registered, so it cannot be transferred; register it instead.',
      },
    ]);
  });

  test('with all errors of the input together', { tags: ['G14'] }, async () => {
    const { errors } = await shop.transfer({
      domain: 'unlocked-demo.com',
      authCode: '',
      period: 99,
    });

    const codes = errors.map(({ code }: { code: string }) => code).toSorted();
    expect(codes).toEqual(['ALREADY_OWNED', 'AUTH_CODE_REQUIRED', 'PERIOD_OUT_OF_RANGE']);
  });

  test('a dry run returns the price and starts no transfer', async () => {
    const made = await shop.transfer({ domain: 'outside-dry.com', dryRun: true });

    expect(made).toMatchObject({
      purchase: null,
      quote: { highest: { amount: '21.1800' } },
      notChecked: expect.stringMatching(/transfer lock.* 60 days.* auth code/),
      errors: [],
    });
    expect(await shop.gateway.countCalls()).toEqual({
      ...{ tldlist: 1, getdetails: 1, singlecheckavailability: 1, resellerdetails: 1 },
    });
    expect(await countPurchases(shop)).toBe(0);
  });
});

test('a transfer is sent when the registry cannot check whether the name is registered', async () => {
  await shop.arm('gateway', { action: 'singlecheckavailability', times: 9 });

  const { purchase } = await shop.transfer({ domain: 'outside-unknown.com' });
  await shop.gateway.admin('DELETE', '/faults');

  expect(purchase.state).toBe('IN_PROGRESS');
});

describe('a transfer that the registry refuses is FAILED and debits nothing:', () => {
  test.each<[string, object, FaultCode]>([
    ['a wrong auth code', { domain: 'outside-b.com', authCode: 'not-this' }, 'AUTH_CODE_INVALID'],
    ['a transfer lock', { domain: 'locked-shop.com' }, 'LOCKED'],
    ['a lock in another account', { domain: 'others-locked-demo.com' }, 'LOCKED'],
    ['a recently registered name', { domain: 'fresh-shop.com' }, 'NOT_ELIGIBLE'],
    ['a TLD without transfers', { domain: 'outside-b.aero' }, 'PRICE_UNAVAILABLE'],
  ])('%s', async (_case, input, code) => {
    const before = await shop.balances();

    const { purchase, errors, balanceAfter } = await shop.transfer(input);

    expect(errors).toMatchObject([{ __typename: typeOf(code), code, executed: 'NO' }]);
    expect(purchase?.state ?? 'FAILED').toBe('FAILED');
    if (purchase) expect((await shop.purchase(purchase.id)).errors).toEqual(errors);
    expect(balanceAfter).toBeNull();
    expect(await countPurchases(shop)).toBe(purchase ? 1 : 0);
    expect(await shop.balances()).toEqual(before);
  });

  test('a transfer with the right auth code succeeds after one with a wrong code', async () => {
    await shop.transfer({ domain: 'outside-c.com', authCode: 'oops' });

    expect((await shop.transfer({ domain: 'outside-c.com' })).purchase.state).toBe('IN_PROGRESS');
  });
});
