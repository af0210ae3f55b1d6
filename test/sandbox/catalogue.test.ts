import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestSandbox, type TestSandbox } from './client.ts';

interface Row {
  readonly id: number;
  readonly status: string;
  readonly tld: string;
  readonly pricing: Record<string, Record<string, string>>;
}

let sandbox: TestSandbox;
let rows: ReadonlyMap<string, Row>;
beforeAll(async () => {
  sandbox = await startTestSandbox();
  const { body } = await sandbox.act('tldlist', { count: 1000 });
  rows = new Map(body.data.map((row: Row) => [row.tld, row]));
});
afterAll(() => sandbox.close());

/** A row whose periods are all `"1"`. */
const priced = (
  tld: string,
  [minchar, minperiod, maxperiod]: readonly [number, number, number],
  prices: Readonly<Record<string, string>>,
  currency = 'USD',
  period = '1',
) => ({
  id: expect.any(Number),
  status: 'Active',
  tld,
  minchar,
  maxchar: 63,
  minperiod,
  maxperiod,
  pricing: Object.fromEntries(
    Object.entries(prices).map(([key, price]) => [
      key,
      { [key === 'restore' ? '1' : period]: price },
    ]),
  ),
  currencies: Object.fromEntries(Object.keys(prices).map((key) => [key, currency])),
});

const four = (registration: string, renew: string, transfer: string, restore: string) => ({
  registration,
  renew,
  transfer,
  restore,
});

describe('the catalogue of the sandbox', () => {
  test.each([
    priced('com', [2, 1, 10], {
      ...four('11.2900', '11.4900', '10.5900', '85.0000'),
      backorder: '48.8500',
      refund: '11.2900',
    }),
    priced('org', [3, 1, 10], four('10.1900', '12.9900', '11.9900', '80.0000')),
    priced('io', [2, 1, 10], four('44.9000', '56.9000', '46.9000', '100.0000')),
    priced('co', [3, 1, 5], four('24.9000', '32.9000', '26.9000', '90.0000')),
    priced('xyz', [1, 1, 10], four('2.4900', '13.9000', '12.9000', '70.0000')),
    priced('online', [3, 1, 10], four('1.9900', '28.9000', '24.9000', '80.0000')),
    priced('eu', [2, 1, 10], four('5.9000', '6.9000', '5.9000', '25.0000')),
    priced('es', [3, 1, 5], four('8.9000', '10.9000', '8.9000', '40.0000')),
    priced('uk', [3, 1, 10], four('5.9000', '6.9000', '0.0000', '30.0000')),
    priced('co.uk', [3, 1, 10], four('5.9000', '6.9000', '0.0000', '30.0000')),
    priced('ng', [2, 1, 5], four('5.4900', '5.4900', '5.4900', '30.0000')),
    priced('tr', [2, 1, 10], four('450.0000', '450.0000', '450.0000', '4200.0000'), 'TL'),
    priced('com.tr', [2, 1, 10], four('189.0000', '189.0000', '189.0000', '4200.0000'), 'TL'),
    priced('ai', [2, 2, 10], four('139.8000', '159.8000', '139.8000', '140.0000'), 'USD', '2'),
    priced('nl', [2, 1, 10], { registration: '4.9000', renew: '5.9000', transfer: '4.9000' }),
    priced('de', [1, 1, 1], { ...four('5.4000', '6.4000', '5.4000', '35.0000'), trade: '5.4000' }),
  ])('contains $tld with the prices of the facts', (row) => {
    expect(rows.get(row.tld)).toEqual(row);
  });

  test('contains about 850 TLDs with unique ids', () => {
    expect(rows.size).toBeGreaterThan(800);
    expect(rows.size).toBeLessThan(1000);
    expect(new Set([...rows.values()].map(({ id }) => id)).size).toBe(rows.size);
  });

  test('contains a TLD for every special case', () => {
    const all = [...rows.values()];
    expect(all.filter(({ status }) => status !== 'Active')).toHaveLength(1);
    expect(Object.keys(rows.get('aero')?.pricing ?? {}).sort()).toEqual(['registration', 'renew']);
    expect(rows.get('travel')).toMatchObject({ pricing: [], currencies: [] });
    expect(Object.keys(rows.get('blog')?.pricing.registration ?? {})).toHaveLength(10);
    expect(rows.get('blog')?.pricing.setup).toEqual(['2.5000']);
    expect(rows.get('tel')?.pricing.restore).toEqual(['80.0000']);
    for (const { pricing } of all) {
      for (const price of Object.values(pricing).flatMap((one) => Object.values(one))) {
        expect(price).toMatch(/^\d+\.\d{4}$/);
      }
    }
  });

  test('returns one page of `count` TLDs, 2 without it, at most 1000', async () => {
    const one = (await sandbox.act('tldlist', { count: 1 })).body;
    expect(one).toMatchObject({ result: 'OK', data: [{ tld: 'com' }] });
    expect((await sandbox.act('tldlist', { count: 100 })).body.data).toHaveLength(100);
    expect((await sandbox.act('tldlist', {})).body.data).toHaveLength(2);
    expect((await sandbox.act('tldlist', { count: '3' })).body.data).toHaveLength(3);
    for (const count of [0, -1])
      expect((await sandbox.act('tldlist', { count })).body.data).toEqual([]);
    expect(await sandbox.code('tldlist', { count: 1001 })).toBe('API_400_ERROR');
  });
});
