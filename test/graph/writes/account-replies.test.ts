import { afterAll, describe, expect, test } from 'vitest';
import { globalId } from '../../../src/schema/global-id.ts';
import { errors, mutate } from './mutate.ts';
import { startRecordedGateway } from './recorded-gateway.ts';

const recorded = await startRecordedGateway();
const { gateway, replyNext } = recorded;
afterAll(() => recorded.close());

describe('a reply with a success status is a success whatever its body:', () => {
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
      replyNext({ status, body });
      expect(await mutate(gateway, name, input, fields)).toEqual({
        ...expected,
        errors: [],
      });
    }
    replyNext({ status, body });
    const { data } = await gateway.query(`mutation { logout { loggedOut ${errors} } }`);
    expect(data).toEqual({ logout: { loggedOut: true, errors: [] } });
  });

  test('a failure in the body of a 200 reply is a failure', async () => {
    replyNext({ status: 200, body: '{"statusCode":404,"message":"No logs"}' });

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

test('a field that the reply omits is an error of that field, not null', async () => {
  replyNext({ status: 200, body: '{"hostingGroupImage":"javascript:alert(1)"}' });
  const { data, errors: beside } = await gateway.query(
    `mutation { updateHostingGroup(input: { id: "7", name: "Sent" }) { ${grouped} ${errors} } }`,
  );

  expect(data.updateHostingGroup).toEqual({
    hostingGroup: { name: 'Sent', description: null, imageUrl: null },
    errors: [],
  });
  expect(beside.map(({ path }: { path: readonly string[] }) => path.at(-1))).toEqual([
    'description',
    'imageUrl',
  ]);
});

test.each([
  ['{"data":{"id":"g-1"}}', 'g-1'],
  ['{"id":9}', '9'],
  ['', null],
])('the id of the deleted hosting group is read from %s: %j', async (body, key) => {
  replyNext({ status: 200, body });

  const it = await mutate(gateway, 'deleteHostingGroup', { confirm: true }, 'deleted deletedId');

  expect(it).toEqual({
    deleted: true,
    deletedId: key && globalId('HostingGroup', key),
    errors: [],
  });
});
