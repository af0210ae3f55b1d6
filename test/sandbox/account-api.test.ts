import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startTestSandbox, type TestSandbox } from './client.ts';

let sandbox: TestSandbox;
beforeEach(async () => {
  sandbox = await startTestSandbox();
});
afterEach(() => sandbox.close());

const item = { description: 'Hosting', quantity: 2, price: 30, total: 60, productType: 'hosting' };
const logs = async (user: string) =>
  (await sandbox.admin('GET', '/logs')).filter((one: { user: string }) => one.user === user);
const failure = (statusCode: number, path: string) => ({
  status: statusCode,
  body: {
    statusCode,
    statusType: expect.any(String),
    message: expect.any(String),
    timestamp: expect.stringMatching(/^\d{4}-.*Z$/),
    path: `/account-api${path}`,
  },
});

describe('the Account API of the sandbox', () => {
  test.each([
    ['POST', '/auth/logout'],
    ['POST', '/carts'],
    ['PATCH', '/hosting/group/hg_demo_1'],
    ['DELETE', '/hosting/group'],
    ['DELETE', '/logs'],
  ])('refuses %s %s without a valid token', async (method, path) => {
    for (const token of [null, 'wrong', '']) {
      expect(await sandbox.account(method, path, undefined, token)).toEqual(
        expect.objectContaining(failure(401, path)),
      );
    }
    expect(await sandbox.admin('GET', '/hosting-groups')).toHaveLength(3);
  });

  test('ends only the session of the user who logs out', async () => {
    expect((await sandbox.account('POST', '/auth/logout')).status).toBe(201);

    expect((await sandbox.account('DELETE', '/logs')).status).toBe(401);
    expect((await sandbox.account('DELETE', '/logs', undefined, 'other-token')).status).toBe(200);
  });

  test('ends the previous session of a user when it issues a new token', async () => {
    const { token } = await sandbox.admin('POST', '/tokens', { user: 'demo' });

    expect((await sandbox.account('DELETE', '/logs')).status).toBe(401);
    expect((await sandbox.account('DELETE', '/logs', undefined, token)).status).toBe(200);
    expect((await sandbox.account('DELETE', '/logs', undefined, 'other-token')).status).toBe(200);
  });

  test('stores a cart as it was sent, with an id of its own', async () => {
    const { status, body } = await sandbox.account('POST', '/carts', { cartDetails: [item, item] });

    expect(status).toBe(201);
    expect(body).toMatchObject({
      statusCode: 201,
      statusType: 'OK',
      data: { id: expect.stringMatching(/^cart_\w{20}$/) },
    });
    expect((await sandbox.admin('GET', '/carts')).at(-1)).toMatchObject({
      id: body.data.id,
      user: 'demo',
      total: 120,
      cartDetails: [item, item],
    });
  });

  test.each([
    {},
    { cartDetails: [] },
    { cartDetails: item },
    { cartDetails: [{ ...item, quantity: '2' }] },
    { cartDetails: [{ ...item, price: null }] },
    { cartDetails: [{ ...item, productType: undefined }] },
    [],
    'no JSON',
  ])('refuses the cart %j with 400 and does not store it', async (body) => {
    expect(await sandbox.account('POST', '/carts', body)).toMatchObject(failure(400, '/carts'));
    expect(await sandbox.admin('GET', '/carts')).toHaveLength(1);
  });

  test.each([
    [[], 'cartDetails should not be empty'],
    [item, 'cartDetails must be an array of cart items'],
  ])('refuses a cart of %j with its own message: %s', async (cartDetails, message) => {
    expect((await sandbox.account('POST', '/carts', { cartDetails })).body.message).toBe(message);
  });

  test('deletes the logs of the caller only, with an empty response', async () => {
    await sandbox.account('POST', '/carts', { cartDetails: [item] }, 'other-token');

    const { status, text } = await sandbox.account('DELETE', '/logs');

    expect([status, text]).toEqual([200, '']);
    expect(await logs('demo')).toEqual([]);
    expect(await logs('other')).toHaveLength(1);
  });

  test('returns 404 for an unknown path and 413 for a body over 10 KB', async () => {
    expect(await sandbox.account('GET', '/carts')).toMatchObject(failure(404, '/carts'));
    const long = { cartDetails: [{ ...item, description: 'x'.repeat(10_240) }] };
    expect(await sandbox.account('POST', '/carts', long)).toMatchObject(failure(413, '/carts'));
  });

  test('returns an injected code in the same envelope', async () => {
    await sandbox.arm({ fault: 'code', action: 'DELETE /logs', code: '503' });

    expect(await sandbox.account('DELETE', '/logs')).toMatchObject(failure(503, '/logs'));
    expect(await logs('demo')).toHaveLength(25);
  });
});
