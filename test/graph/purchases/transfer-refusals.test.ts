import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { countPurchases, openShop, type Payload, type Shop } from './shop.ts';

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop?.close());

describe('the gateway refuses a transfer before the upstream purchase:', () => {
  const inDomain = ['input', 'domain'];
  const cases: readonly [string, object, object][] = [
    [
      'a name that is in the account',
      { domain: 'unlocked-demo.com' },
      { __typename: 'AlreadyOwned', code: 'ALREADY_OWNED', path: inDomain },
    ],
    [
      'a transfer in progress',
      { domain: 'arriving-demo.com' },
      { __typename: 'TransferPending', code: 'TRANSFER_PENDING', path: inDomain },
    ],
    [
      'no auth code',
      { domain: 'outside-a.com', authCode: ' ' },
      { __typename: 'InvalidInput', code: 'AUTH_CODE_REQUIRED', path: ['input', 'authCode'] },
    ],
    [
      'a TLD that is not sold',
      { domain: 'outside-a.zzzz' },
      { __typename: 'InvalidInput', code: 'TLD_UNSUPPORTED', path: inDomain },
    ],
    [
      'too many years',
      { domain: 'outside-a.co', period: 6 },
      { __typename: 'PeriodOutOfRange', minimum: 1, maximum: 5, path: ['input', 'period'] },
    ],
    [
      'a TLD without a price',
      { domain: 'outside-a.travel' },
      { __typename: 'PriceUnavailable', code: 'PRICE_UNAVAILABLE', path: ['input', 'period'] },
    ],
    [
      'a price above maxPrice',
      { domain: 'outside-a.com', maxPrice: { amount: '1', currency: 'USD' } },
      { __typename: 'MaxPriceExceeded', code: 'MAX_PRICE_EXCEEDED', path: ['input', 'maxPrice'] },
    ],
  ];
  let responses: readonly Payload[];
  beforeAll(async () => {
    responses = await shop.makeAll(
      'transfer',
      cases.map(([, input]) => input),
    );
  });

  test.each(cases.map(([name, , refusal], at) => ({ name, refusal, at })))(
    '$name',
    async ({ refusal, at }) => {
      const { purchase, errors } = responses[at];

      expect(purchase).toBeNull();
      expect(errors).toMatchObject([{ ...refusal, executed: 'NO' }]);
      expect(errors).toHaveLength(1);
      expect(await countPurchases(shop)).toBe(0);
    },
  );

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

    expect(made).toMatchObject({ purchase: null, price: { amount: '10.5900' }, errors: [] });
    expect(await countPurchases(shop)).toBe(0);
  });
});

describe('a transfer that the registry refuses is FAILED and debits nothing:', () => {
  test.each<[string, object, string, string]>([
    [
      'a wrong auth code',
      { domain: 'outside-b.com', authCode: 'not-this-one' },
      'AuthCodeInvalid',
      'AUTH_CODE_INVALID',
    ],
    [
      'an unregistered name',
      { domain: 'not-registered.com' },
      'AuthCodeInvalid',
      'AUTH_CODE_INVALID',
    ],
    ['a transfer lock', { domain: 'locked-shop.com' }, 'DomainLocked', 'LOCKED'],
    ['a lock in another account', { domain: 'others-locked-demo.com' }, 'DomainLocked', 'LOCKED'],
    [
      'a recently registered name',
      { domain: 'fresh-shop.com' },
      'UpstreamRejected',
      'NOT_ELIGIBLE',
    ],
    [
      'a TLD without transfers',
      { domain: 'outside-b.aero' },
      'PriceUnavailable',
      'PRICE_UNAVAILABLE',
    ],
  ])('%s', async (_case, input, __typename, code) => {
    const before = await shop.balances();

    const { purchase, errors, balanceAfter } = await shop.transfer(input);

    expect(errors).toMatchObject([{ __typename, code, executed: 'NO' }]);
    expect(purchase?.state ?? 'FAILED').toBe('FAILED');
    expect(balanceAfter).toBeNull();
    expect(await countPurchases(shop)).toBe(purchase ? 1 : 0);
    expect(await shop.balances()).toEqual(before);
  });

  test('a transfer with the right auth code succeeds after one with a wrong code', async () => {
    await shop.transfer({ domain: 'outside-c.com', authCode: 'oops' });

    expect((await shop.transfer({ domain: 'outside-c.com' })).purchase.state).toBe('IN_PROGRESS');
  });
});
