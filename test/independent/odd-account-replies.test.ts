import { describe, expect, test } from 'vitest';
import type { Reply } from './registrar.ts';
import { changeDocument, errorFields, startIndependent } from './start.ts';

const { query, upstream } = await startIndependent();

const item = { description: 'Hosting', quantity: '1', unitPrice: '2', productType: 'hosting' };
/** Each call: its document, its input, the payload of a success and of a failure, and what to do after the failure. */
const calls = [
  [
    'POST /carts',
    changeDocument('createCart', 'cart { total }'),
    { items: [item] },
    { cart: { total: '2.0000' } },
    { cart: null },
    /Look for it in your account/,
  ],
  [
    'PATCH /hosting/group/{id}',
    changeDocument('updateHostingGroup', 'updated hostingGroup { name description imageUrl }'),
    { id: '7', name: 'Shops' },
    { updated: true, hostingGroup: { name: 'Shops', description: null, imageUrl: null } },
    { updated: false, hostingGroup: null },
    /repeating this change is safe\.$/,
  ],
  [
    'DELETE /hosting/group',
    changeDocument('deleteHostingGroup', 'deleted deletedId'),
    { confirm: true },
    { deleted: true },
    { deleted: false, deletedId: null },
    /Check the groups/,
  ],
  [
    'DELETE /logs',
    changeDocument('deleteLogs', 'deleted'),
    { confirm: true },
    { deleted: true },
    { deleted: false },
    /Check the logs in your account/,
  ],
  [
    'POST /auth/logout',
    `mutation { it: logout { loggedOut errors { ${errorFields} } } }`,
    {},
    { loggedOut: true },
    { loggedOut: false },
    /Send it again/,
  ],
] as const;

const html = {
  headers: { 'content-type': 'text/html' },
  body: '<html><p>Please log in</p></html>',
};
const truncated = { body: '{"result":"ERR' };
const refused = { Code: 'API_7777_ERROR', Message: 'Failed', Details: 'Not now' };

describe.each(calls)('%s', (operation, text, input, success, failure, advice) => {
  test.each<Reply>([
    { status: 204 },
    { status: 200 },
    { status: 201, body: {} },
    { body: { foo: 1 } },
    { body: [] },
    { body: 'null' },
    { body: { result: 'OK', data: null } },
    { body: { success: true, error: null, errors: [] } },
    { body: { statusCode: 200, statusType: 'OK', message: 'Done' } },
  ])('%j is a success', async (reply) => {
    upstream.reply(operation, () => reply);

    const { data, errors } = await query(text, { input });

    expect(errors).toBeUndefined();
    expect(data.it).toMatchObject({ ...success, errors: [] });
    expect(upstream.counts()).toEqual({ [operation]: 1 });
  });

  test.each<[reply: Reply, upstreamCode: string, upstreamMessage: string | null]>([
    [{ body: { result: 'ERROR', error: refused } }, 'API_7777_ERROR', 'Not now'],
    [{ body: { result: 'error' } }, 'HTTP_200', null],
    [{ body: { success: false, message: 'boom' } }, 'HTTP_200', 'boom'],
    [{ body: { error: 'boom' } }, 'HTTP_200', 'boom'],
    [{ body: { errors: ['boom'] } }, 'HTTP_200', 'boom'],
    [{ body: { statusCode: 500, message: 'boom' } }, 'HTTP_500', 'boom'],
    [html, 'HTTP_200', null],
    [truncated, 'HTTP_200', null],
    [{ status: 500, body: { message: 'boom' } }, 'HTTP_500', 'boom'],
  ])('%j is an unknown outcome with advice', async (reply, upstreamCode, upstreamMessage) => {
    upstream.reply(operation, () => reply);

    const { data, errors } = await query(text, { input });

    expect(errors).toBeUndefined();
    const error = { executed: 'UNKNOWN', upstreamCode, upstreamMessage };
    expect(data.it).toMatchObject({ ...failure, errors: [error] });
    expect(data.it.errors[0].message).toMatch(advice);
    // Only a change without an answer is sent again, where that is safe.
    const isSentAgain =
      operation.startsWith('PATCH') &&
      (reply === html || reply === truncated || upstreamCode === 'HTTP_500');
    expect(upstream.counts()).toEqual({ [operation]: isSentAgain ? 2 : 1 });
  });
});

test('a 404 of POST /carts names the setting that may be wrong', async () => {
  const [[operation, text, input]] = calls;
  upstream.reply(operation, () => ({ status: 404, ...html }));

  const { data } = await query(text, { input });

  expect(data.it).toMatchObject({
    cart: null,
    errors: [{ message: expect.stringContaining('ACCOUNT_API_URL') }],
  });
});
