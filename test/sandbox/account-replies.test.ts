import { describe, expect, test } from 'vitest';
import { oddReplies, parseAccountCall } from '../../sandbox/account-api.ts';
import { useTestService } from './service.ts';

const sandbox = useTestService({ domains: 1 });

const now = '2026-03-01T12:00:00.000Z';
const parse = (
  method: string,
  path: string,
  text: string | null = '',
  token = 'Bearer demo-token',
) => parseAccountCall(sandbox.service, method, path, token, text);
const run = (...args: Parameters<typeof parse>) => parse(...args).run();
const failure = (statusCode: number, statusType: string, message: unknown, path: string) => ({
  status: statusCode,
  body: { statusCode, statusType, message, timestamp: now, path: `/account-api${path}` },
});
const success = (status: number, data: object) => ({
  status,
  body: { statusCode: status, statusType: 'OK', message: 'Success', data },
});
const item = { description: 'Hosting', quantity: 2, price: 30, total: 60, productType: 'hosting' };
const changed = (member: object) => JSON.stringify({ cartDetails: [{ ...item, ...member }] });
const logs = (user: string) => sandbox.service.store.logs.list({ user });

describe('an Account API call', () => {
  test.each([
    ['Bearer demo-token', 200],
    ['bearer demo-token', 200],
    ['BEARER demo-token', 200],
    ['demo-token', 401],
    ['Basic demo-token', 401],
    ['xBearer demo-token', 401],
    ['Bearer demo-token x', 401],
    ['Bearer  ', 401],
    ['Bearer', 401],
    ['', 401],
  ])('with the authorization %j has the status %i', (authorization, status) => {
    expect(run('DELETE', '/logs', '', authorization).status).toBe(status);
  });

  test.each([
    ['result', false, 200, { result: 'ERROR', error: { Code: 'API_7777_ERROR' } }],
    ['success', false, 200, { success: false }],
    ['error', false, 200, { error: 'The account is on hold.' }],
    ['html', false, 200, expect.stringMatching(/^<!doctype html>/)],
    ['401', false, 401, expect.stringMatching(/^<!doctype html>/)],
    ['403', false, 403, expect.stringMatching(/^<!doctype html>/)],
    ['object', true, 200, {}],
    ['nothing', true, 204, undefined],
  ])(
    'with the token demo-token.%s is executed: %s, and has the status %i',
    (odd, isDone, status, body) => {
      const reply = run('DELETE', '/logs', '', `Bearer demo-token.${odd}`);

      expect(reply.status).toBe(status);
      if (body === undefined) expect(reply.body).toBeUndefined();
      else if (typeof body === 'object') expect(reply.body).toMatchObject(body);
      expect(logs('demo').length === 0).toBe(isDone);
      expect(Object.keys(oddReplies)).toContain(odd);
      expect(run('DELETE', '/logs', '', `Bearer unknown.${odd}`)).toMatchObject({
        status: 401,
        body: { statusCode: 401 },
      });
    },
  );

  test('is refused in the envelope, first for its length, then its token, path and body', () => {
    expect(run('GET', '/x', null, '')).toEqual(
      failure(413, 'Payload Too Large', expect.any(String), '/x'),
    );
    expect(run('GET', '/x', '{', '')).toEqual(failure(401, 'Unauthorized', 'Unauthorized', '/x'));
    expect(run('GET', '/x', '{')).toEqual(failure(404, 'Not Found', 'Cannot GET /x', '/x'));
    expect(run('POST', '/carts', '{')).toEqual(
      failure(400, 'Bad Request', expect.any(String), '/carts'),
    );
    expect(run('DELETE', '/logs', '[]').status).toBe(400);
    expect(run('DELETE', '/logs', ' \n').status).toBe(200);
  });

  test.each([
    ['PATCH', '/hosting/group/a/b'],
    ['PATCH', '/hosting/group/'],
    ['PATCH', '/x/hosting/group/hg_demo_1'],
    ['GET', '/hosting/group/hg_demo_1'],
    ['POST', '/logs'],
    ['POST', '/toString'],
    ['constructor', ''],
  ])('%s %s does not exist, and writes nothing', (method, path) => {
    const call = parse(method, path, '{}');

    expect([call.run().status, call.writes]).toEqual([404, false]);
    expect(call.action).toBe(`${method} ${path}`);
  });

  test('is named after its path, with {id} for the id of a group', () => {
    const { action, writes } = parse('PATCH', '/hosting/group/hg_demo_1');

    expect([action, writes]).toEqual(['PATCH /hosting/group/{id}', true]);
    expect(parse('POST', '/carts').action).toBe('POST /carts');
  });

  test.each([
    ['503', 503, 'Service Unavailable'],
    ['404', 404, 'Not Found'],
    ['499', 499, 'Error'],
    ['200', 500, 'Internal Server Error'],
    ['600', 500, 'Internal Server Error'],
    ['5030', 500, 'Internal Server Error'],
    ['1503', 500, 'Internal Server Error'],
    ['API_503_ERROR', 500, 'Internal Server Error'],
  ])('fails with the code %s with %i %s', (code, status, statusType) => {
    expect(parse('DELETE', '/logs').failure(code)).toEqual(
      failure(status, statusType, 'Failed', '/logs'),
    );
  });

  test('logs a logout and a cart, but not the deletion of the own logs', () => {
    run('POST', '/carts', changed({}), 'Bearer other-token');
    run('DELETE', '/logs');
    expect(logs('other')).toHaveLength(1);
    const cart = { cartDetails: [item, { ...item, total: 1.5 }] };
    const { body } = run('POST', '/carts', JSON.stringify(cart));
    const [saved] = sandbox.service.store.carts.list({ user: 'demo' }).slice(-1);
    expect(body).toEqual(success(201, { id: saved?.id }).body);
    expect(saved).toEqual({ id: saved?.id, user: 'demo', total: 61.5, createdAt: now, ...cart });
    expect(saved?.id).toMatch(/^cart_[0-9a-f]{20}$/);
    expect(run('POST', '/auth/logout')).toEqual(success(201, {}));

    expect(logs('demo').map(({ text, at }) => [text, at])).toEqual([
      [`cart ${saved?.id}`, now],
      ['logout', now],
    ]);
    expect(run('POST', '/auth/logout').status).toBe(401);
  });

  test.each([
    ['{"cartDetails":[]}', 'cartDetails should not be empty'],
    ['{}', 'cartDetails must be an array of cart items'],
    ['{"cartDetails":""}', 'cartDetails must be an array of cart items'],
    ['{"cartDetails":[{}]}', 'cartDetails must be an array of cart items'],
    [changed({ quantity: '2' }), 'cartDetails must be an array of cart items'],
    [changed({ price: null }), 'cartDetails must be an array of cart items'],
  ])('refuses the cart %s: %s', (text, message) => {
    expect(run('POST', '/carts', text)).toEqual(failure(400, 'Bad Request', message, '/carts'));
    expect(sandbox.service.store.carts.list()).toHaveLength(1);
  });

  test.each([{ hostingGroupName: '' }, { hostingGroupName: 7 }, { hostingGroupImage: 'no url' }])(
    'refuses the change %j of a group with 400',
    (change) => {
      expect(run('PATCH', '/hosting/group/hg_demo_1', JSON.stringify(change)).status).toBe(400);
    },
  );

  test('changes a group by its decoded id, and makes it the next that is deleted', () => {
    const { groups } = sandbox.service.store;
    const [first] = groups.list({ user: 'demo' });
    if (first) groups.save({ ...first, id: 'a b', updatedAtMs: 0 });
    const change = { hostingGroupImage: '', hostingGroupDescription: '' };

    const changed = run('PATCH', '/hosting/group/a%20b', JSON.stringify(change));

    expect(changed).toEqual(
      success(200, { id: 'a b', hostingGroupName: 'Small sites', ...change }),
    );
    expect(run('DELETE', '/hosting/group')).toEqual(success(200, { id: 'a b' }));
    expect(groups.find({ id: 'a b' })).toBeUndefined();
    expect(groups.list({ user: 'demo' })).toHaveLength(3);
  });

  test('deletes the last updated group of its user only', () => {
    const { groups } = sandbox.service.store;
    const [first] = groups.list({ user: 'demo' });
    if (first) groups.save({ ...first, id: 'theirs', user: 'other', updatedAtMs: Infinity });

    expect(run('DELETE', '/hosting/group')).toEqual(success(200, { id: 'hg_demo_3' }));
    expect(run('PATCH', '/hosting/group/theirs', '{}')).toEqual(
      failure(404, 'Not Found', 'Hosting group not found', '/hosting/group/theirs'),
    );
    expect(run('DELETE', '/hosting/group', '', 'Bearer broke-token').status).toBe(404);
    expect(run('PATCH', '/hosting/group/%E0%A4%A', '{}').status).toBe(404);
    expect(groups.find({ id: 'theirs' })).toBeDefined();
  });
});
