import { afterAll, describe, expect, test } from 'vitest';
import { replyText, requestOf } from '../support/upstream/fixtures.ts';
import { startRawSandbox } from './raw.ts';
import { shapeOf } from './shape.ts';

const { act, call, close, send } = await startRawSandbox(1);
afterAll(close);

const { id: _, ...groupChanges } = requestOf('updateHostingGroup') as { id: string };

describe('the calls of the specification', () => {
  test.each([
    ['POST', '/carts', requestOf('createCart'), 201],
    ['PATCH', '/hosting/group/hg_demo_1', groupChanges, 200],
    ['DELETE', '/hosting/group', undefined, 200],
    ['DELETE', '/logs', undefined, 200],
    ['POST', '/auth/logout', undefined, 201],
  ])('%s %s is done', async (method, path, body, status) => {
    expect(await call(method, path, body)).toMatchObject({ status });
  });
});

test('a success with a body has the common envelope', async () => {
  const { call: again, close: end } = await startRawSandbox(1);

  const { body } = await again('POST', '/carts', requestOf('createCart'));
  const logs = await again('DELETE', '/logs');
  await end();

  expect(shapeOf(body)).toEqual(shapeOf(JSON.parse(replyText('quirks/createCart.envelope'))));
  expect(logs.text).toBe('');
});

describe('a failure has the common envelope', () => {
  test.each([
    ['no token', '/logs', 'DELETE', {}, undefined, 401],
    [
      'no items',
      '/carts',
      'POST',
      { authorization: 'Bearer other-token' },
      '{"cartDetails":[]}',
      400,
    ],
    ['no JSON', '/carts', 'POST', { authorization: 'Bearer other-token' }, 'x', 400],
  ])('%s', async (_what, path, method, headers, body, status) => {
    const reply = await send(`/account-api${path}`, { method, headers, ...(body && { body }) });

    expect(reply.status).toBe(status);
    expect(reply.body.statusCode).toBe(status);
    expect(shapeOf(reply.body)).toEqual(
      shapeOf(JSON.parse(replyText('quirks/createCart.error-envelope'))),
    );
  });
});

test('the credentials of one API are refused by the other', async () => {
  const basic = { authorization: 'Bearer demo-password' };

  expect(await send('/account-api/logs', { method: 'DELETE', headers: basic })).toMatchObject({
    status: 401,
  });
  expect(await act('resellerdetails', { password: 'demo-token' })).toMatchObject({ status: 400 });
});
