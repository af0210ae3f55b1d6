import { getEventListeners } from 'node:events';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  collect,
  connectScripted,
  hanging,
  json,
  lostAfter,
  observe,
  openBody,
  results,
  unreachable,
  url,
} from '../test/support/scripted-fetch.ts';
import { ClientError } from './index.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

/** Lets everything happen that needs no time. */
const settle = () => vi.advanceTimersByTimeAsync(0);

const document = 'subscription { events { id } }';
const lost = { code: 'NETWORK_ERROR', status: null, retryAfterMs: null };
const silentMs = 40_000;

test('a subscription is one POST that accepts a stream, and yields its results in order', async () => {
  const headers = async () => ({ 'x-api-key': 'key' });
  const { client, calls, bodies } = connectScripted([results(1, 2, 3), results()], { headers });

  expect(await collect(client.subscribe(document, { first: 5 }))).toEqual([1, 2, 3]);
  expect(await collect(client.subscribe(document))).toEqual([]);

  expect(calls[0]).toMatchObject({
    input: url,
    init: { method: 'POST', headers: { 'x-api-key': 'key', accept: 'text/event-stream' } },
  });
  expect(bodies()).toEqual([{ query: document, variables: { first: 5 } }, { query: document }]);
});

test('a caller that stops reading closes the connection', async () => {
  const body = openBody();
  const { client, calls } = connectScripted([body.step]);
  const stream = client.subscribe(document);

  const first = stream.next();
  await settle();
  body.next({ data: 1 });
  expect(await first).toEqual({ done: false, value: 1 });
  expect(calls[0]?.init.signal?.aborted).toBe(false);
  await stream.return();
  await settle();

  expect(calls[0]?.init.signal?.aborted).toBe(true);
  expect(vi.getTimerCount()).toBe(0);
});

test('a result with errors ends the subscription with the first one and the data', async () => {
  const body = openBody();
  const { client } = connectScripted([body.step]);
  const seen = observe(client.subscribe(document));
  const errors = [{ message: 'Stopped.', extensions: { code: 'FORBIDDEN' } }, { message: 'Two.' }];

  await settle();
  body.next({ data: null });
  body.next({ data: 1, errors: [] });
  body.next({ data: 2, errors });
  body.next({ data: 3 });
  await settle();

  expect(seen).toMatchObject({
    values: [1],
    error: {
      code: 'FORBIDDEN',
      message: 'Stopped.',
      status: 200,
      retryAfterMs: null,
      errors,
      data: 2,
    },
  });
  expect(seen.error).toBeInstanceOf(ClientError);
});

describe('a refused subscription has the status, the code and Retry-After', () => {
  const refusal = { errors: [{ message: 'No key.', extensions: { code: 'UNAUTHENTICATED' } }] };
  const expected = { code: 'UNAUTHENTICATED', status: 401, retryAfterMs: 3_000 };

  test.each([
    ['in JSON', JSON.stringify(refusal)],
    ['as an event', `event: next\ndata: ${JSON.stringify(refusal)}\n\nevent: complete\ndata:\n\n`],
  ])('%s', async (_title, body) => {
    const { client, calls } = connectScripted([json(body, 401, { 'retry-after': '3' })]);

    await expect(collect(client.subscribe(document))).rejects.toMatchObject(expected);
    expect(calls).toHaveLength(1);
  });

  test.each([
    ['an error page', json('<html>', 502, { 'retry-after': '3' }), 502, 3_000],
    ['a page', json('<html>', 200, { 'content-type': 'text/html' }), 200, null],
    ['a body without a type', json('<html>'), 200, null],
    ['no body', () => new Response(null, { status: 204 }), 204, null],
  ])('unless the response is %s', async (_what, step, status, retryAfterMs) => {
    const { client } = connectScripted([step]);

    const read = collect(client.subscribe(document));

    await expect(read).rejects.toBeInstanceOf(ClientError);
    await expect(read).rejects.toMatchObject({ code: 'UNEXPECTED_RESPONSE', status, retryAfterMs });
  });

  test('unless the connection is lost before its end', async () => {
    const body = openBody({ status: 401 });
    const { client } = connectScripted([body.step]);
    const seen = observe(client.subscribe(document));

    await settle();
    body.reset();
    await settle();

    expect(seen).toMatchObject({ error: { ...lost, cause: { message: 'terminated' } } });
  });
});

describe('a connection is lost, which is no end,', () => {
  test.each([
    ['when it cannot be opened', unreachable, [], 'fetch failed'],
    ['when it is closed before the stream ends', lostAfter(1, 2), [1, 2], 'The stream has ended'],
  ])('%s', async (_title, step, values, message) => {
    const { client, calls } = connectScripted([step]);
    const seen = observe(client.subscribe(document));

    await vi.advanceTimersByTimeAsync(10);

    const cause = { message: expect.stringContaining(message) };
    expect(seen).toMatchObject({ values, isEnded: true, error: { ...lost, cause } });
    expect(seen.error).toBeInstanceOf(ClientError);
    expect(calls).toHaveLength(1);
  });

  test('when it is reset', async () => {
    const body = openBody();
    const { client } = connectScripted([body.step]);
    const seen = observe(client.subscribe(document));

    await settle();
    body.next({ data: 1 });
    await settle();
    body.reset();
    await settle();

    expect(seen).toMatchObject({ values: [1], error: lost });
  });

  test.each([
    ['ends', 'end'],
    ['is reset', 'reset'],
  ] as const)('when it %s while results were not read', async (_title, loss) => {
    const body = openBody();
    const { client } = connectScripted([body.step]);
    const stream = client.subscribe(document);

    const first = stream.next();
    await settle();
    body.next({ data: 1 });
    if (loss === 'end') body.next({ data: 2 });
    body[loss]();
    await settle();

    expect(await first).toEqual({ done: false, value: 1 });
    if (loss === 'end') expect(await stream.next()).toEqual({ done: false, value: 2 });
    await expect(stream.next()).rejects.toMatchObject(lost);
  });

  test('when no head arrives for 40 seconds', async () => {
    const { client, calls } = connectScripted([hanging]);
    const seen = observe(client.subscribe(document));

    await vi.advanceTimersByTimeAsync(silentMs - 1);
    expect(seen.isEnded).toBe(false);
    await vi.advanceTimersByTimeAsync(1);

    expect(seen).toMatchObject({ isEnded: true, error: { ...lost, cause: expect.any(Error) } });
    expect(calls[0]?.init.signal?.aborted).toBe(true);
  });

  test('when no byte arrives for 40 seconds', async () => {
    const body = openBody();
    const { client } = connectScripted([body.step]);
    const seen = observe(client.subscribe(document));

    for (let comments = 0; comments < 5; comments += 1) {
      await vi.advanceTimersByTimeAsync(silentMs - 1);
      body.send(':\n\n');
    }
    await vi.advanceTimersByTimeAsync(silentMs - 1);
    expect(seen.isEnded).toBe(false);
    await vi.advanceTimersByTimeAsync(1);

    const cause = { message: expect.stringContaining('silent') };
    expect(seen).toMatchObject({ values: [], isEnded: true, error: { ...lost, cause } });
    expect(body.isCancelled()).toBe(true);
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('an aborted signal', () => {
  const reason = new Error('The user left.');

  test('ends a subscription before its request', async () => {
    const { client, calls } = connectScripted([results(1)]);

    const seen = observe(client.subscribe(document, {}, { signal: AbortSignal.abort(reason) }));
    await settle();

    expect(seen).toMatchObject({ values: [], isEnded: true });
    expect(seen.error).toBe(reason);
    expect(calls).toEqual([]);
  });

  test.each([
    ['before the head', hanging],
    ['while it waits for a result', openBody().step],
  ])('ends a subscription %s, with its reason and its connection', async (_title, step) => {
    const controller = new AbortController();
    const { client, calls } = connectScripted([step]);
    const seen = observe(client.subscribe(document, {}, controller));

    await settle();
    expect(seen.isEnded).toBe(false);
    controller.abort(reason);
    await settle();

    expect(seen.error).toBe(reason);
    expect(calls[0]?.init.signal?.aborted).toBe(true);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('is the error of a refused subscription whose reason is being read', async () => {
    const controller = new AbortController();
    const body = openBody({ status: 401 });
    const { client } = connectScripted([body.step]);
    const seen = observe(client.subscribe(document, {}, controller));

    await settle();
    controller.abort(reason);
    await settle();

    expect(seen.error).toBe(reason);
  });

  test('is the error of a subscription that has lost its connection too', async () => {
    const controller = new AbortController();
    const body = openBody();
    const { client } = connectScripted([body.step]);
    const stream = client.subscribe(document, {}, controller);

    const first = stream.next();
    await settle();
    body.next({ data: 1 });
    await first;
    await settle();
    body.reset();
    await settle();
    controller.abort(reason);

    await expect(stream.next()).rejects.toBe(reason);
  });

  test('is not listened to after the end of a subscription', async () => {
    const { signal } = new AbortController();
    const { client } = connectScripted([results(1), unreachable]);

    await collect(client.subscribe(document, {}, { signal }));
    await expect(collect(client.subscribe(document, {}, { signal }))).rejects.toThrow();

    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });
});

test('headers that cannot be read are the error of a subscription, which sends nothing', async () => {
  const failed = new Error('The session has expired.');
  const { client, calls } = connectScripted([results(1)], {
    headers: () => Promise.reject(failed),
  });

  await expect(collect(client.subscribe(document))).rejects.toBe(failed);
  expect(calls).toEqual([]);
});

test('an event that is none of GraphQL ends the subscription and closes its connection', async () => {
  const body = openBody();
  const { client, calls } = connectScripted([body.step]);
  const seen = observe(client.subscribe(document));

  await settle();
  body.send('event: other\ndata: {}\n\n');
  await settle();

  const error = {
    code: 'UNEXPECTED_RESPONSE',
    cause: { message: expect.stringContaining('other') },
  };
  expect(seen).toMatchObject({ values: [], isEnded: true, error });
  expect(seen.error).toBeInstanceOf(ClientError);
  expect(calls[0]?.init.signal?.aborted).toBe(true);
  expect(body.isCancelled()).toBe(true);
});
