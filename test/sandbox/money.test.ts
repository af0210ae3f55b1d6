import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { order, startTestSandbox, type TestSandbox } from './client.ts';

interface Purchase {
  readonly currency: string;
  readonly kind: string;
  readonly price: string;
  readonly balanceAfter: string;
}

let sandbox: TestSandbox;
beforeEach(async () => {
  sandbox = await startTestSandbox();
});
afterEach(() => sandbox.close());

const register = (domain: string, changes?: object, username?: string) =>
  sandbox.code('registerdomain', order(domain, changes), username);
/** In ten-thousandths, which is exact. */
const units = (text: string) => BigInt(text.replace('.', ''));

describe('the accounts of the sandbox', () => {
  test('are debited the exact price of a registration, in the currency of the TLD', {
    tags: ['R14'],
  }, async () => {
    expect(await register('maple-harbor.com', { period: 3 })).toBeNull();
    expect(await sandbox.balance()).toBe('2465.7300');
    expect(await register('maple-harbor.ai', { period: 4 })).toBeNull();
    expect(await sandbox.balance()).toBe('2166.1300');
    expect(await sandbox.balance('TL')).toBe('60000.0000');

    expect(await register('maple-harbor.gen.tr', { period: 2 })).toBeNull();
    expect(await sandbox.balance('TL')).toBe('59702.0000');
    expect(await sandbox.balance()).toBe('2166.1300');
  });

  test('are debited the price of the period where it has its own', async () => {
    expect(await register('maple-harbor.blog', { period: 2 })).toBeNull();

    expect(await sandbox.balance()).toBe('2463.1450');
  });

  test('have no price for years that listed periods do not add up to', async () => {
    expect(await register('maple-harbor.ai', { period: 3 })).toBe('API_340_ERROR');
  });

  test('are debited the premium price for every year', async () => {
    const [offer] = (await sandbox.act('singlecheckavailability', { domain: 'gold.org' })).body;

    expect(await register('gold.org')).toBeNull();

    expect(units('2500.0000') - units(await sandbox.balance())).toBe(units(offer.Price));
  });

  test('refuse a purchase above the balance with 350 and both amounts, and change nothing', async () => {
    const before = await sandbox.admin('GET', '/state?reseller=broke');

    const { error } = (await sandbox.act('registerdomain', order('maple-harbor.com'), 'broke'))
      .body;

    expect(error.Code).toBe('API_350_ERROR');
    expect(error.Details).toMatch(/5\.0000 USD; required 11\.2900 USD/);
    const { calls: _, ...after } = await sandbox.admin('GET', '/state?reseller=broke');
    expect(before).toMatchObject(after);
    expect(await sandbox.admin('GET', '/domain?name=maple-harbor.com')).toEqual([]);
    expect(await register('maple-harbor.gen.tr', {}, 'broke')).toBe('API_350_ERROR');
  });

  test('do not pay for a TLD in another currency', async () => {
    expect(await register('maple-harbor.xyz', {}, 'broke')).toBeNull();
    expect(await sandbox.balance('USD', 'broke')).toBe('2.5100');
    expect(await register('maple-harbor.gen.tr', {}, 'broke')).toBe('API_350_ERROR');
  });

  test('never spend more than the balance in concurrent purchases', async () => {
    const codes = await Promise.all(
      Array.from({ length: 6 }, (_, at) => register(`maple-${at}.site`, {}, 'broke')),
    );

    expect(codes.filter((code) => code === null)).toHaveLength(3);
    expect(codes.filter((code) => code === 'API_350_ERROR')).toHaveLength(3);
    expect(await sandbox.balance('USD', 'broke')).toBe('0.5300');
  });

  test('balance the ledger, with refunds and free transfers', async () => {
    for (const name of ['a-maple.com', 'b-maple.gen.tr', 'weather.com']) await register(name);
    for (const domain of ['outside-maple.com', 'outside-maple.co.uk', 'reject-maple.com']) {
      const fields = { domain, authCode: 'Transfer-Code-01', period: 1 };
      expect(await sandbox.code('transferdomain', fields)).toBeNull();
    }
    await sandbox.advance(6);

    const { purchases } = await sandbox.admin('GET', '/state');
    for (const [currency, start] of [
      ['USD', '2500.0000'],
      ['TL', '60000.0000'],
    ] as const) {
      const own: Purchase[] = purchases.filter((one: Purchase) => one.currency === currency);
      let sum = units(start);
      for (const { kind, price, balanceAfter } of own) {
        sum += kind === 'refund' ? units(price) : -units(price);
        expect(units(balanceAfter)).toBe(sum);
      }
      expect(units(await sandbox.balance(currency))).toBe(sum);
    }
    expect(purchases.map(({ kind, price }: Purchase) => [kind, price])).toEqual([
      ['register', '11.2900'],
      ['register', '149.0000'],
      ['transfer', '10.5900'],
      ['transfer', '0.0000'],
      ['transfer', '10.5900'],
      ['refund', '10.5900'],
    ]);
  });
});
