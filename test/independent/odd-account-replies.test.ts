import { describe, expect, test } from 'vitest';
import type { Reply } from './registrar.ts';
import { changeDocument, errorFields, startIndependent } from './start.ts';

const { query, upstream } = await startIndependent();

const item = { description: 'Hosting', quantity: '1', unitPrice: '2', productType: 'hosting' };
/** Each call: its document, its input, and the payload of a success and of a failure. */
const calls = [
  [
    'POST /carts',
    changeDocument('createCart', 'cart { total }'),
    { items: [item] },
    { cart: { total: '2.0000' } },
    { cart: null },
  ],
  [
    'PATCH /hosting/group/{id}',
    changeDocument('updateHostingGroup', 'updated hostingGroup { name description imageUrl }'),
    { id: '7', name: 'Shops' },
    { updated: true, hostingGroup: { name: 'Shops', description: null, imageUrl: null } },
    { updated: false },
  ],
  [
    'DELETE /hosting/group',
    changeDocument('deleteHostingGroup', 'deleted'),
    { confirm: true },
    { deleted: true },
    { deleted: false },
  ],
  [
    'DELETE /logs',
    changeDocument('deleteLogs', 'deleted'),
    { confirm: true },
    { deleted: true },
    { deleted: false },
  ],
  [
    'POST /auth/logout',
    `mutation { it: logout { loggedOut errors { ${errorFields} } } }`,
    {},
    { loggedOut: true },
    { loggedOut: false },
  ],
] as const;

const html = {
  headers: { 'content-type': 'text/html' },
  body: '<html><p>Please log in</p></html>',
};
const refused = { Code: 'API_7777_ERROR', Message: 'Failed', Details: 'Not now' };

describe.each(calls)('%s', (operation, text, input, success, failure) => {
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

  test.each<Reply>([
    { body: { result: 'ERROR', error: refused } },
    { body: { result: 'error' } },
    { body: { success: false } },
    { body: { error: 'boom' } },
    { body: { errors: ['boom'] } },
    { body: { statusCode: 500, message: 'boom' } },
    html,
    { status: 500, body: { message: 'boom' } },
  ])('%j is a failure that may have been executed', async (reply) => {
    upstream.reply(operation, () => reply);

    const { data, errors } = await query(text, { input });

    expect(errors).toBeUndefined();
    expect(data.it).toMatchObject({ ...failure, errors: [{ executed: 'UNKNOWN' }] });
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
