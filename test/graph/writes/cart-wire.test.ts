import { expect, test } from 'vitest';
import { mutate } from './mutate.ts';
import { startRecordedGateway } from './recorded-gateway.ts';

const longest = '123456789012345678.123456789012';

test.each([
  [
    '3',
    '0.1',
    '{"description":"x","quantity":3.0000,"price":0.1000,"total":0.3000,"productType":"y"}',
  ],
  [
    '1',
    longest,
    `{"description":"x","quantity":1.0000,"price":${longest},"total":${longest},"productType":"y"}`,
  ],
  [
    '999999999999999999',
    '999999999999999999',
    '{"description":"x","quantity":999999999999999999.0000,"price":999999999999999999.0000,"total":999999999999999998000000000000000001.0000,"productType":"y"}',
  ],
])('%s times %s is sent with exact digits', async (quantity, unitPrice, line) => {
  const recorded = await startRecordedGateway();

  const it = await mutate(
    recorded.gateway,
    'createCart',
    { items: [{ description: 'x', productType: 'y', quantity, unitPrice }] },
    'cart { total }',
  );
  await recorded.close();

  expect(recorded.seen.map(({ path, body }) => [path, body])).toEqual([
    ['/account-api/carts', `{"cartDetails":[${line}]}`],
  ]);
  expect(line).toContain(`"total":${it.cart.total}`);
});
