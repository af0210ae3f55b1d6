import { once } from 'node:events';
import { expect, test } from 'vitest';
import { createRequest, operationOf, refusalOf } from '../../../../test/support/server/request.ts';
import { readConfig } from '../../../config/config.ts';
import { limitStreams } from './limit-streams.ts';

const refused = { code: 'RATE_LIMITED', status: 429, headers: { 'retry-after': '5' } };
const ada = { name: 'ada', tenant: 'north' };

function startLimit(maxStreams: number, maxStreamsPerCaller: number) {
  const rule = limitStreams({ ...readConfig({}).server, maxStreams, maxStreamsPerCaller });
  const send = async (sender: Parameters<typeof createRequest>[0], text = 'subscription { a }') => {
    const request = createRequest(sender);
    const { response } = request;
    const refusal = await refusalOf(rule.onOperation?.(operationOf(text), request));
    const close = async () => {
      response.socket?.destroy();
      await once(response, 'close');
    };
    return { refusal, close };
  };
  const refusalFor = async (...args: Parameters<typeof send>) => (await send(...args)).refusal;
  return { rule, send, refusalFor };
}

test.each([
  ['another name', { ...ada, name: 'bob' }],
  ['another tenant', { ...ada, tenant: 'south' }],
])('a caller with %s has a limit of its own', async (_what, other) => {
  const { refusalFor } = startLimit(9, 2);

  expect([await refusalFor(ada), await refusalFor(ada), await refusalFor(ada)]).toEqual([
    null,
    null,
    refused,
  ]);
  expect([await refusalFor(other), await refusalFor(other)]).toEqual([null, null]);
  expect(await refusalFor(other)).toEqual(refused);
});

test('without authentication each address is a caller', async () => {
  const { refusalFor } = startLimit(9, 1);

  expect(await refusalFor({ address: '192.0.2.1' })).toBeNull();
  expect(await refusalFor({ address: '192.0.2.1' })).toEqual(refused);
  expect(await refusalFor({ address: '192.0.2.2' })).toBeNull();
  expect(await refusalFor({})).toBeNull();
});

test('a response that waits for the earlier responses of its connection counts for its address', async () => {
  const { rule, refusalFor } = startLimit(9, 1);
  const request = createRequest({ address: '192.0.2.1' });
  request.response.detachSocket(request.node.socket);
  await rule.onOperation?.(operationOf('subscription { a }'), request);

  expect(await refusalFor({ address: '192.0.2.1' })).toEqual(refused);
});

test('all callers together have a limit', async () => {
  const { refusalFor, send } = startLimit(2, 2);
  const first = await send(ada);

  expect(await refusalFor({ name: 'bob' })).toBeNull();
  expect(await refusalFor({ name: 'cleo' })).toEqual(refused);
  await first.close();
  expect(await refusalFor({ name: 'cleo' })).toBeNull();
  expect(await refusalFor({ name: 'cleo' })).toEqual(refused);
});

test('a response counts until it is closed, and a refused one never counts', async () => {
  const { refusalFor, send } = startLimit(9, 2);
  const first = await send(ada);
  const second = await send(ada);
  const third = await send(ada);
  await third.close();

  expect(await refusalFor(ada)).toEqual(refused);
  await second.close();
  expect(await refusalFor(ada)).toBeNull();
  expect(await refusalFor(ada)).toEqual(refused);
  await first.close();
  expect(await refusalFor(ada)).toBeNull();
});

test('a caller whose responses are all closed may open another one', async () => {
  const { refusalFor, send } = startLimit(9, 1);
  await (await send(ada)).close();

  expect(await refusalFor(ada)).toBeNull();
});

test.each([
  ['{ a }', null],
  ['mutation { a }', null],
  ['{ a ... @defer { b } }', refused],
  ['{ a @stream }', refused],
])('only responses in several parts count: %s', async (text, expected) => {
  const { refusalFor } = startLimit(1, 1);
  await refusalFor(ada, text);

  expect(await refusalFor(ada, text)).toEqual(expected);
});

test('a response that is closed already does not count', async () => {
  const { rule, refusalFor } = startLimit(1, 1);
  const gone = createRequest(ada);
  gone.response.socket?.destroy();
  await once(gone.response, 'close');

  expect(await refusalOf(rule.onOperation?.(operationOf('subscription { a }'), gone))).toBeNull();
  expect(await refusalFor(ada)).toBeNull();
});
