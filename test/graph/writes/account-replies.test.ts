import { afterAll, describe, expect, test } from 'vitest';
import { documentOf, errors, mutate } from './mutate.ts';
import { startRecordedGateway } from './recorded-gateway.ts';

const recorded = await startRecordedGateway();
const { gateway, replyNext } = recorded;
afterAll(() => recorded.close());

const confirm = { confirm: true };

/** A mutation whose fields are leaves or have a name or an id, with the facts of an unknown outcome. */
function failedDocument(name: string, fields: readonly string[]): string {
  const selections = { cart: 'cart { id }', hostingGroup: 'hostingGroup { name }' };
  const selected = fields.map((one) => selections[one as keyof typeof selections] ?? one);
  const facts = '... on OutcomeUnknown { upstreamCode upstreamMessage }';
  const withFacts = errors.replace('__typename', `__typename ${facts}`);
  return name === 'logout'
    ? `mutation { it: logout { ${selected} ${withFacts} } }`
    : documentOf(name, selected.join(' ')).replace(errors, withFacts);
}

describe('a reply with a success status is a success unless its body denies it:', () => {
  const calls = [
    [
      'createCart',
      'cart { id total }',
      { items: [{ description: 'x', quantity: '1', unitPrice: '2', productType: 'y' }] },
      { cart: { id: null, total: '2.0000' } },
    ],
    [
      'updateHostingGroup',
      'updated hostingGroup { name description }',
      { id: 'hg_demo_1', name: 'N' },
      { updated: true, hostingGroup: { name: 'N', description: null } },
    ],
    ['deleteHostingGroup', 'deleted', confirm, { deleted: true }],
    ['deleteLogs', 'deleted', confirm, { deleted: true }],
  ] as const;

  test.each([
    [200, ''],
    [204, ''],
    [201, '{}'],
    [200, 'OK'],
    [200, '[]'],
    [200, 'null'],
    [200, '{"errors":[],"error":null,"success":true,"some":{"thing":1}}'],
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

  const failed = [
    ['createCart', calls[0][2], { cart: null }, /^.* Whether the cart was created is unknown/],
    [
      'updateHostingGroup',
      calls[1][2],
      { updated: false, hostingGroup: null },
      /repeating this change is safe\.$/,
    ],
    ['deleteHostingGroup', confirm, { deleted: false, deletedId: null }, /Check the groups/],
    ['deleteLogs', confirm, { deleted: false }, /Check the logs in your account/],
    ['logout', null, { loggedOut: false }, /Send it again/],
  ] as const;

  test.each([
    ['{"result":"ERROR","error":{"Code":"API_9_ERROR","Details":"No"}}', 'API_9_ERROR', 'No'],
    ['{"success":false,"message":"No"}', 'HTTP_200', 'No'],
    ['<html>Sign in</html>', 'HTTP_200', null],
  ])('%s is an unknown outcome with advice', async (body, upstreamCode, upstreamMessage) => {
    for (const [name, input, payload, advice] of failed) {
      // A page is no answer, so the change that may be repeated is sent a second time.
      const sent = body.startsWith('<') && name === 'updateHostingGroup' ? 2 : 1;
      for (let at = 0; at < sent; at += 1) replyNext({ status: 200, body });
      recorded.seen.length = 0;

      const { data } = await gateway.query(failedDocument(name, Object.keys(payload)), { input });

      expect(data.it).toMatchObject({
        ...payload,
        errors: [{ executed: 'UNKNOWN', message: expect.stringMatching(advice) }],
      });
      expect(data.it.errors[0]).toMatchObject({ upstreamCode, upstreamMessage });
      expect(recorded.seen).toHaveLength(sent);
    }
  });

  test('404 to a call without an object says that the address may be wrong', async () => {
    replyNext({ status: 404, body: '<h1>Not Found</h1>' });

    const it = await mutate(gateway, 'createCart', calls[0][2], 'cart { id }');

    expect(it).toMatchObject({
      cart: null,
      errors: [{ executed: 'NO', message: expect.stringContaining('ACCOUNT_API_URL') }],
    });
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

test('a field that the reply omits or garbles is the sent value or null, without an error', async () => {
  replyNext({ status: 200, body: '{"hostingGroupImage":"javascript:alert(1)"}' });

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
