import { afterAll, describe, expect, test } from 'vitest';
import { errors, mutate } from './mutate.ts';
import { startRecordedGateway } from './recorded-gateway.ts';

const recorded = await startRecordedGateway();
const { gateway, answerNext } = recorded;
afterAll(() => recorded.close());

describe('a success is one whatever its body', () => {
  const calls = [
    [
      'createCart',
      'cart { id total }',
      { items: [{ description: 'x', quantity: '1', unitPrice: '2', productType: 'y' }] },
      { cart: { id: null, total: '2.0000' } },
    ],
    [
      'updateHostingGroup',
      'hostingGroup { name }',
      { id: 'hg_demo_1', name: 'N' },
      { hostingGroup: { name: 'N' } },
    ],
    ['deleteHostingGroup', 'deleted', { confirm: true }, { deleted: true }],
    ['deleteLogs', 'deleted', { confirm: true }, { deleted: true }],
  ] as const;

  test.each([
    [200, ''],
    [204, ''],
    [201, '{}'],
    [200, 'OK'],
    [200, '[]'],
    [200, 'null'],
    [202, '<html>accepted</html>'],
  ])('%i with %j', async (status, body) => {
    for (const [name, fields, input, expected] of calls) {
      answerNext({ status, body });
      expect(await mutate(gateway, name, input, fields)).toEqual({
        ...expected,
        errors: [],
      });
    }
    answerNext({ status, body });
    const { data } = await gateway.query(`mutation { logout { loggedOut ${errors} } }`);
    expect(data).toEqual({ logout: { loggedOut: true, errors: [] } });
  });

  test('but a failure inside of a 200 is believed', async () => {
    answerNext({ status: 200, body: '{"statusCode":404,"message":"No logs"}' });

    const it = await mutate(gateway, 'deleteLogs', { confirm: true }, 'deleted');

    expect(it).toMatchObject({ deleted: null, errors: [{ code: 'NOT_FOUND' }] });
  });
});

test.each([
  ['{"id":7}', '7'],
  ['{"data":{"id":"c-1"}}', 'c-1'],
  ['{"statusCode":201,"data":{"id":12}}', '12'],
  ['{"data":[]}', null],
  ['{"data":{"cartId":"c-1"}}', null],
])('the id of a cart is found in %s: %j', async (body, id) => {
  answerNext({ status: 201, body });

  const items = [{ description: 'x', quantity: '1', unitPrice: '2', productType: 'y' }];
  const it = await mutate(gateway, 'createCart', { items }, 'cart { id }');

  expect(it).toEqual({ cart: { id }, errors: [] });
});
