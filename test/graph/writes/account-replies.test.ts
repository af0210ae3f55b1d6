import { afterAll, expect, test } from 'vitest';
import { mutate } from './mutate.ts';
import { startRecordedGateway } from './recorded-gateway.ts';

const recorded = await startRecordedGateway();
const { gateway, replyNext } = recorded;
afterAll(() => recorded.close());

const confirm = { confirm: true };

test.each([
  ['{"id":7}', '7'],
  ['{"data":{"id":"c-1"}}', 'c-1'],
  ['{"statusCode":201,"data":{"id":12}}', '12'],
  ['{"data":[]}', null],
  ['{"data":{"cartId":"c-1"}}', null],
])('the id of a cart is read from %s: %j', async (body, id) => {
  replyNext({ status: 201, body });

  const items = [{ description: 'x', quantity: '1', unitPrice: '2', productType: 'y' }];
  const it = await mutate(gateway, 'createCart', { items }, 'cart { id }');

  expect(it).toEqual({ cart: { id }, errors: [] });
});

const grouped = 'hostingGroup { name description imageUrl }';
const image = 'https://images.example/a.png';

test.each([
  [{ hostingGroupName: 'N', hostingGroupDescription: null, hostingGroupImage: image }],
  [{ data: { hostingGroupName: 'N', hostingGroupDescription: null, hostingGroupImage: image } }],
])('a hosting group is read from the reply %j, with null for an upstream null', async (body) => {
  replyNext({ status: 200, body: JSON.stringify(body) });

  const it = await mutate(gateway, 'updateHostingGroup', { id: '7', name: 'Sent' }, grouped);

  expect(it.hostingGroup).toEqual({ name: 'N', description: null, imageUrl: image });
});

test('a field that the reply omits or garbles is the sent value or null, without an error', async () => {
  const garbled = { hostingGroupName: null, hostingGroupImage: 'javascript:alert(1)' };
  replyNext({ status: 200, body: JSON.stringify(garbled) });

  const it = await mutate(gateway, 'updateHostingGroup', { id: '7', name: 'Sent' }, grouped);

  expect(it).toEqual({
    hostingGroup: { name: 'Sent', description: null, imageUrl: null },
    errors: [],
  });
});

test.each([
  ['{"data":{"id":"g-1"}}', 'g-1'],
  ['{"id":9}', '9'],
  ['', null],
])('the id of the deleted hosting group is read from %s: %j', async (body, deletedId) => {
  replyNext({ status: 200, body });

  const it = await mutate(gateway, 'deleteHostingGroup', confirm, 'deleted deletedId');

  expect(it).toEqual({ deleted: true, deletedId, errors: [] });
});
