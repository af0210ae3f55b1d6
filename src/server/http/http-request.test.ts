import { once } from 'node:events';
import { describe, expect, test } from 'vitest';
import { createRequest } from '../../../test/support/server/request.ts';
import { readAccountToken, readCredentials, readIdempotencyKey } from './http-request.ts';

test.each<[string, string | null]>([
  ['/graphql', '/graphql'],
  ['/graphql/', '/graphql'],
  ['/graphql//', '/graphql/'],
  ['/graphql?a=/../b#', null],
  ['/graphql?a=/../b', '/graphql'],
  ['/', '/'],
  ['/?a', '/'],
  ['', null],
  ['graphql', null],
  ['*', null],
  ['/../graphql', null],
  ['/./graphql', null],
  ['/a\\b', null],
  ['/ż', null],
  ['//host/graphql', '//host/graphql'],
  ['/graphql#a', null],
  [`/${'a'.repeat(200)}`, `/${'a'.repeat(200)}`],
])('the path of the target %s is %s, also when it is repeated', (target, path) => {
  const pathOf = () => createRequest({ target }).path;

  expect([pathOf(), pathOf(), createRequest({ target: '/other' }).path, pathOf()]).toEqual([
    path,
    path,
    '/other',
    path,
  ]);
});

test.each<[string | string[] | undefined, boolean]>([
  ['12345678', true],
  ['a-Z_0'.padEnd(64, '9'), true],
  ['1234567', false],
  ['x'.repeat(65), false],
  ['1234 678', false],
  ['12345678\n', false],
  [['12345678', '12345678'], false],
  [undefined, false],
])('the id of a request is the plausible one that its client sent: %j', (sent, isKept) => {
  const headers = sent === undefined ? {} : { 'x-request-id': sent };

  expect(createRequest({ headers }).id).toBe(isKept ? sent : 'request-1');
});

test.each<[Record<string, string>, boolean]>([
  [{}, false],
  [{ 'content-length': '0' }, false],
  [{ 'content-length': '1' }, true],
  [{ 'transfer-encoding': 'chunked' }, true],
  [{ 'transfer-encoding': '' }, true],
])('a request has a body by its headers: %j', (headers, hasBody) => {
  expect(createRequest({ headers }).hasBody).toBe(hasBody);
});

test('a header that is sent several times is one text', () => {
  const request = createRequest({ headers: { 'set-cookie': ['a', 'b'], accept: 'c' } });

  expect(request.header('set-cookie')).toBe('a, b');
  expect(request.header('accept')).toBe('c');
  expect(request.header('x-none')).toBeNull();
});

describe('the signal of a request', () => {
  const disconnect = async ({ response }: ReturnType<typeof createRequest>) => {
    response.socket?.destroy();
    await once(response, 'close');
  };

  test('is aborted when the client disconnects', async () => {
    const request = createRequest();
    const { signal } = request;

    expect([signal.aborted, request.signal === signal]).toEqual([false, true]);
    await disconnect(request);
    expect(signal.aborted).toBe(true);
  });

  test('is aborted when the client has disconnected before', async () => {
    const request = createRequest();
    await disconnect(request);

    expect(request.signal.aborted).toBe(true);
  });

  test.each(['before', 'after'])(
    'is not aborted when it is used %s a complete response',
    async (when) => {
      const request = createRequest();
      if (when === 'before') expect(request.signal.aborted).toBe(false);
      request.response.end('x');
      await once(request.response, 'finish');
      await disconnect(request);

      expect(request.signal.aborted).toBe(false);
    },
  );
});

describe('the credentials of a request', () => {
  test.each<[Record<string, string>, string | null, string | null]>([
    [{}, null, null],
    [{ 'x-api-key': '' }, null, null],
    [{ 'x-api-key': 'a' }, 'a', null],
    [{ authorization: 'Bearer b' }, null, 'b'],
    [{ authorization: 'bearer   b.c-d  ' }, null, 'b.c-d'],
    [{ authorization: 'Bearer' }, null, null],
    [{ authorization: 'Bearerb' }, null, null],
    [{ authorization: 'Bearer a b' }, null, null],
    [{ authorization: 'Basic dTpw' }, null, null],
    [{ authorization: 'x Bearer b' }, null, null],
    [{ 'x-api-key': 'a', authorization: 'Bearer b' }, 'a', 'b'],
  ])('are its key and its Bearer token: %j', (headers, apiKey, bearer) => {
    expect(readCredentials(createRequest({ headers }))).toEqual({ apiKey, bearer });
  });

  test.each<[Record<string, string>, string | undefined]>([
    [{}, undefined],
    [{ authorization: 'Bearer theirs' }, 'theirs'],
    [{ authorization: 'Bearer ours' }, undefined],
    [{ 'x-account-token': ' own ' }, 'own'],
    [{ 'x-account-token': 'own', authorization: 'Bearer theirs' }, 'own'],
    [{ 'x-account-token': 'own', authorization: 'Bearer ours' }, 'own'],
    [{ 'x-account-token': ' ', authorization: 'Bearer theirs' }, 'theirs'],
    // A token of this gateway is never sent to the upstream.
    [{ 'x-account-token': 'ours' }, undefined],
    [{ 'x-api-key': 'a' }, undefined],
  ])(
    'contain a token for the Account API, unless it is one of this gateway: %j',
    (headers, token) => {
      const found = readAccountToken(createRequest({ headers }), (one) => one === 'ours');

      expect(found?.reveal()).toBe(token);
    },
  );
});

test.each([
  [undefined, null],
  ['key-1', 'key-1'],
  [' key-1 ', 'key-1'],
  ['"key-1"', 'key-1'],
  [' "key 1" ', 'key 1'],
  ['"a\\"b\\\\c"', 'a"b\\c'],
  ['"a"b"', '"a"b"'],
  ['"a\\b"', '"a\\b"'],
  ['x"a"', 'x"a"'],
  ['"a"x', '"a"x'],
  ['"', '"'],
  ['""', ''],
  ['', ''],
])('the idempotency key %j is %j', (sent, key) => {
  const headers = sent === undefined ? {} : { 'idempotency-key': sent };

  expect(readIdempotencyKey(createRequest({ headers }))).toBe(key);
});
