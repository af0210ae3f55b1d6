import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { parse, print } from 'graphql';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { freePort } from '../test/support/free-port.ts';
import {
  connectScripted,
  hanging,
  json,
  openBody,
  unreachable,
  url,
} from '../test/support/scripted-fetch.ts';
import { ClientError, createClient, type ResponseError } from './index.ts';
import { ClientTransport } from './transport.ts';

const document = '{ reseller { name } }';
const data = { reseller: { name: 'Demo' } };
const error = { message: 'No such field.', path: ['reseller'], extensions: { code: 'FORBIDDEN' } };

const connectionsOf = (server: Server) => promisify(server.getConnections.bind(server))();

/** The error of a request that gets this response. */
async function refusalOf(...response: Parameters<typeof json>) {
  const { client } = connectScripted([json(...response)], { maxAttempts: 1 });
  const refused = await client.request(document).catch((caught: unknown) => caught);
  expect(refused).toBeInstanceOf(ClientError);
  return refused as ClientError;
}

describe('a request', () => {
  test('is one POST of the document in JSON, without variables that were not given', async () => {
    const { client, calls, bodies } = connectScripted([json({ data }), json({ data })]);

    expect(await client.request(document)).toEqual(data);
    await client.request(document, { first: 5 });

    expect(calls[0]).toMatchObject({
      input: url,
      init: {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'application/json' },
      },
    });
    expect(bodies()).toEqual([{ query: document }, { query: document, variables: { first: 5 } }]);
  });

  test('has the headers of the client, read before each request when they are a function', async () => {
    const { client: fixed, calls } = connectScripted([json({ data })], {
      headers: { 'x-api-key': 'key', accept: 'text/html' },
    });
    let turn = 0;
    const { client: changing, calls: later } = connectScripted([json({ data }), json({ data })], {
      async headers() {
        turn += 1;
        return { authorization: `Bearer ${turn}` };
      },
    });

    await fixed.request(document);
    await changing.request(document);
    await changing.request(document);

    expect(calls[0]?.init.headers).toEqual({
      ...{ 'x-api-key': 'key', 'content-type': 'application/json', accept: 'application/json' },
    });
    expect(later.map(({ init }) => init.headers)).toMatchObject([
      { authorization: 'Bearer 1' },
      { authorization: 'Bearer 2' },
    ]);
  });

  test('is not sent when the headers cannot be read', async () => {
    const failed = new Error('The session has expired.');
    const { client, calls } = connectScripted([json({ data })], {
      headers: () => Promise.reject(failed),
    });

    await expect(client.request(document)).rejects.toBe(failed);
    expect(calls).toEqual([]);
  });

  test('uses the `fetch` of the platform, and one to a closed port is a network error', async () => {
    const server = createServer((_request, response) => response.end(JSON.stringify({ data })));
    server.listen(0, '127.0.0.1');
    onTestFinished(() => void server.close());
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const closed = `http://127.0.0.1:${await freePort()}/graphql`;
    const nothing = createClient({ url: `${closed}?key=secret`, maxAttempts: 1 });

    expect(await createClient({ url: `http://127.0.0.1:${port}` }).request(document)).toEqual(data);
    await expect(nothing.request(document)).rejects.toMatchObject({
      code: 'NETWORK_ERROR',
      message: `The gateway at ${closed} cannot be reached, or the connection was lost.`,
    });
  });
});

test.each(['https://user:pass@graph.example/graphql', '//user@graph.example'])(
  'credentials in the URL are refused: %s',
  (wrong) => {
    expect(() => createClient({ url: wrong })).toThrow('pass them in `headers`');
  },
);

describe('a document', () => {
  test('is sent as its text, or as `print` writes it', async () => {
    const { client, bodies } = connectScripted(
      [json({ data }), json({ data }), json({ data }), json({ data })],
      { print },
    );
    const text = '{reseller{name}}';

    // Code Generator makes instances of a class that extends String.
    await client.request(new String(text));
    await client.request(parse(text));
    await client.request(parse(text, { noLocation: true }));
    await client.request(Object.assign(parse(text, { noLocation: true }), { loc: {} }));

    const printed = print(parse(text));
    expect(bodies().map(({ query }) => query)).toEqual([text, text, printed, printed]);
  });

  test('without a text and without `print` is refused before it is sent', async () => {
    const { client, calls } = connectScripted([json({ data })]);

    const refused = client.request(parse(document, { noLocation: true }));

    await expect(refused).rejects.toThrow('pass `print`');
    expect(calls).toEqual([]);
  });
});

describe('a response with errors', () => {
  const second = { message: 'Later.', extensions: { code: 'NOT_FOUND' } };

  test('has the message and the code of the first error, all errors, the data and the status', async () => {
    const refused = await refusalOf({ data, errors: [error, second] }, 403);

    expect(refused).toMatchObject({
      ...{ message: 'No such field.', code: 'FORBIDDEN', status: 403, retryAfterMs: null },
      ...{ errors: [error, second], data, name: 'ClientError', cause: undefined },
    });
  });

  test.each([
    ['without extensions', undefined],
    ['with a code that is no text', { code: 7 }],
  ])('%s is unexpected', async (_title, extensions) => {
    const refused = await refusalOf({ errors: [{ message: 'Broken.', extensions }] });

    expect(refused).toMatchObject({ code: 'UNEXPECTED_RESPONSE', message: 'Broken.', status: 200 });
    expect(refused.data).toBeUndefined();
  });

  test('and data is a result for a caller that receives the errors', async () => {
    const received: (readonly ResponseError[])[] = [];
    const onErrors = (errors: readonly ResponseError[]) => void received.push(errors);
    const { client } = connectScripted([
      json({ data, errors: [error] }),
      json({ data, errors: [] }),
      json({ data: null, errors: [error] }),
    ]);

    expect(await client.request(document, {}, { onErrors })).toEqual(data);
    expect(await client.request(document, {}, { onErrors })).toEqual(data);
    await expect(client.request(document, {}, { onErrors })).rejects.toMatchObject({
      code: 'FORBIDDEN',
      data: null,
    });
    expect(received).toEqual([[error]]);
  });

  test('may contain the text of an event', async () => {
    const message = 'data: {"errors": 1}';

    expect(await refusalOf({ errors: [{ message }] })).toMatchObject({ message });
  });

  test('may be one event of a stream', async () => {
    const refused = await refusalOf(
      `event: next\ndata: ${JSON.stringify({ errors: [error] })}\n\nevent: complete\ndata:\n\n`,
      401,
    );

    expect(refused).toMatchObject({ code: 'FORBIDDEN', status: 401, errors: [error] });
  });
});

test.each([
  ['a page', '<html>', 200],
  ['nothing', '', 502],
  ['null', null, 200],
  ['data of a failed response', { data }, 500],
  ['no data', { data: null }, 200],
  ['no data and no errors', { errors: [] }, 200],
  ['errors that are no list', { errors: { length: 1 } }, 200],
])('a response that is %s is not one of a gateway', async (_title, body, status) => {
  expect(await refusalOf(body, status)).toMatchObject({
    ...{ code: 'UNEXPECTED_RESPONSE', status, errors: [], retryAfterMs: null },
  });
});

test.each([
  ['2', 2_000],
  ['0', 0],
  ['-1', null],
  ['Wed, 21 Oct 2026 07:28:00 GMT', null],
])('Retry-After: %s is %s ms', async (header, retryAfterMs) => {
  const headers = { 'retry-after': header };

  expect(await refusalOf({ errors: [error] }, 429, headers)).toMatchObject({ retryAfterMs });
  expect(await refusalOf('', 503, headers)).toMatchObject({ retryAfterMs, status: 503 });
});

describe('without a response', () => {
  const lost = { code: 'NETWORK_ERROR', status: null, retryAfterMs: null, errors: [] };

  test('a request fails with the cause', async () => {
    const { client } = connectScripted([unreachable], { maxAttempts: 1 });

    const refused = client.request(document);

    await expect(refused).rejects.toBeInstanceOf(ClientError);
    await expect(refused).rejects.toMatchObject({
      ...lost,
      cause: { message: 'fetch failed' },
    });
  });

  test('a connection that is lost in the body is a network error', async () => {
    const body = openBody();
    const { client } = connectScripted([body.step], { maxAttempts: 1 });

    const refused = client.request(document);
    const checked = expect(refused).rejects.toMatchObject({
      ...lost,
      cause: { message: 'terminated' },
    });
    body.send('{"data":');
    await Promise.resolve().then(body.reset);

    await checked;
  });

  test.each([
    ['the head', hanging],
    ['the body', openBody().step],
  ])('%s is waited for until the time limit', async (_title, step) => {
    const { calls, fetch } = connectScripted([step]);
    const transport = new ClientTransport({ url, fetch });

    const refused = transport.send(document, {}, { timeoutMs: 10 });

    await expect(refused).rejects.toMatchObject({ ...lost, cause: { name: 'TimeoutError' } });
    expect(calls).toHaveLength(1);
  });
});

describe('an aborted signal', () => {
  const reason = new Error('The user left.');

  test.each([
    ['before the head', hanging],
    ['in the body', openBody().step],
  ])('ends a request %s with its reason', async (_title, step) => {
    const controller = new AbortController();
    const { client, calls } = connectScripted([step]);

    const refused = client.request(document, {}, { signal: controller.signal });
    const checked = expect(refused).rejects.toBe(reason);
    await new Promise(setImmediate);
    controller.abort(reason);

    await checked;
    expect(calls).toHaveLength(1);
  });

  test('ends a request and a subscription of the `fetch` of the platform', async () => {
    const server = createServer(() => undefined).listen(0, '127.0.0.1');
    onTestFinished(() => void server.close().closeAllConnections());
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const client = createClient({ url: `http://127.0.0.1:${port}` });
    const controller = new AbortController();

    const ended = Promise.allSettled([
      client.request(document, {}, controller),
      client.subscribe('subscription { events { id } }', {}, controller).next(),
    ]);
    await vi.waitFor(async () => expect(await connectionsOf(server)).toBe(2));
    controller.abort(reason);

    expect(await ended).toEqual([1, 2].map(() => ({ status: 'rejected', reason })));
  });
});
