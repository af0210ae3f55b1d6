import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { sendBeforeReading } from '../../../test/support/raw-request.ts';
import {
  createSimulatedClock,
  endOfTurn,
  settlementOf,
  withinTurns,
} from '../../../test/support/simulated-clock.ts';
import { systemRandomness } from '../../lib/system.ts';
import { hostRequests, type NodeHandler, respondTo } from './web-request.ts';

const post = (body: BodyInit | null, headers: Record<string, string> = {}) =>
  new Request('http://shop.example:8080/graphql?a=b', {
    ...{ method: 'POST', headers, body },
    ...(body instanceof ReadableStream && { duplex: 'half' }),
  });

/** A body that sends each part in a turn of its own. */
const inParts = (...parts: readonly string[]): ReadableStream<Uint8Array> => {
  const left = [...parts];
  return new ReadableStream({
    async pull(controller) {
      await endOfTurn();
      const part = left.shift();
      if (part === undefined) controller.close();
      else controller.enqueue(Buffer.from(part));
    },
  });
};

/** A response that does not come fails at once. */
const send = (request: Request, handle: NodeHandler) => withinTurns(respondTo(request, handle));
const bodyOf = (response: Response) => withinTurns(response.text());

/** Passes a request to a handler, and returns what the handler got and the response. */
function pass(request: Request) {
  const received = Promise.withResolvers<{ node: IncomingMessage; response: ServerResponse }>();
  const answer = send(request, (node, response) => received.resolve({ node, response }));
  answer.catch(() => undefined);
  return { answer, received: withinTurns(received.promise) };
}

const textOf = async (node: IncomingMessage): Promise<string> => {
  let text = '';
  for await (const chunk of node) text += chunk;
  return text;
};

/** A response of 200 whose body is `body`. */
const respond = (body: string) => (_node: IncomingMessage, response: ServerResponse) => {
  response.setHeader('x-first', '1');
  response.writeHead(200, { 'content-type': 'text/plain' }).end(body);
};

describe('the handler receives', () => {
  test('method, target, host, headers and body', async () => {
    const { received } = pass(post('hello', { 'x-api-key': 'key' }));
    const { node } = await received;

    expect([node.method, node.url]).toEqual(['POST', '/graphql?a=b']);
    expect(node.headers).toEqual({
      host: 'shop.example:8080',
      'content-type': 'text/plain;charset=UTF-8',
      'transfer-encoding': 'chunked',
      'x-api-key': 'key',
    });
    expect(node.rawHeaders).toHaveLength(8);
    expect(node.rawHeaders).toEqual(expect.arrayContaining(['x-api-key', 'key']));
    expect(node.complete).toBe(false);
    expect(await withinTurns(textOf(node))).toBe('hello');
    expect(node.complete).toBe(true);
  });

  test('the Host of the request before that of its URL', async () => {
    const { received } = pass(post('', { host: 'graph.example' }));

    expect((await received).node.headers.host).toBe('graph.example');
  });

  test.each([{}, { 'content-length': '13' }])('a body in chunks, with %j', async (headers) => {
    const { received } = pass(post(inParts('one ', 'two ', 'three'), headers));
    const { node } = await received;
    const chunks: string[] = [];
    const ended = new Promise((resolve) => node.once('end', resolve));
    node.on('data', (chunk) => {
      chunks.push(`${chunk}${node.complete}`);
    });

    await withinTurns(ended);
    expect(chunks).toEqual(['one false', 'two false', 'threefalse']);
    expect(node.complete).toBe(true);
  });

  test('no body and no headers of one', async () => {
    const { received } = pass(new Request('http://localhost/health/live'));
    const { node } = await received;

    expect(node.headers).toEqual({ host: 'localhost' });
    expect(await withinTurns(textOf(node))).toBe('');
  });

  test('no headers of a connection, and the declared length', async () => {
    const headers = {
      ...{ connection: 'close', expect: '100-continue', 'keep-alive': 'timeout=5' },
      ...{ 'transfer-encoding': 'gzip', 'content-length': '5', 'content-type': 'a/b' },
    };
    const { received } = pass(post('hello', headers));
    const { node } = await received;

    expect(node.headers).toEqual({
      ...{ host: 'shop.example:8080', 'content-length': '5', 'content-type': 'a/b' },
    });
    expect(await withinTurns(textOf(node))).toBe('hello');
  });
});

test.each(['4', '6'])('a body of 5 bytes with the content-length %s is refused', async (length) => {
  const { answer, received } = pass(post('hello', { 'content-length': length }));
  const { node } = await received;
  node.resume();

  await expect(answer).rejects.toThrow('not as long as its content-length');
  expect(node.destroyed).toBe(true);
});

test('a body that fails closes the response, and its error is reported', async () => {
  const failing = new ReadableStream({
    pull(controller) {
      controller.error(new Error('the client is gone'));
    },
  });
  const { answer, received } = pass(post(failing));
  const { node, response } = await received;
  node.resume();

  await expect(answer).rejects.toThrow('the client is gone');
  expect(response.destroyed).toBe(true);
});

describe('the response has', () => {
  test('status, headers and body, without headers of a connection', async () => {
    const response = await send(post(''), (_node, node) => {
      node.setHeader('set-cookie', ['a=1', 'b=2']);
      node.setHeader('connection', 'close');
      node.writeHead(201, { 'x-count': 3 }).end('hello');
    });

    expect([response.status, response.statusText]).toEqual([201, 'Created']);
    expect([...response.headers]).toEqual([
      ['set-cookie', 'a=1'],
      ['set-cookie', 'b=2'],
      ['x-count', '3'],
    ]);
    expect(await bodyOf(response)).toBe('hello');
  });

  test('a body that was written in parts', async () => {
    const response = await send(post(''), (_node, node) => {
      node.write('one ');
      node.write(Buffer.from('two\r\n\r\n'));
      node.end('three');
    });

    expect(await bodyOf(response)).toBe('one two\r\n\r\nthree');
  });

  test('no frames of chunks, whatever the handler sets', async () => {
    const response = await send(post(''), (_node, node) => {
      node.setHeader('transfer-encoding', 'chunked');
      node.writeHead(200, 'OK', { 'x-a': '1' });
      node.write('one ');
      node.end('two');
    });

    expect(await bodyOf(response)).toBe('one two');
    expect([...response.headers]).toEqual([['x-a', '1']]);
  });

  test('its first part before the last one is written', async () => {
    const { answer, received } = pass(post(''));
    const { response } = await received;
    response.write('first');

    const reader = (await answer).body?.getReader();
    const read = async () => reader && withinTurns(reader.read());

    expect(String(Buffer.from((await read())?.value ?? ''))).toBe('first');
    response.end();
    expect((await read())?.done).toBe(true);
    expect(response.writableFinished).toBe(true);
  });

  test.each([
    ['HEAD', 200],
    ['GET', 204],
    ['GET', 304],
  ])('no body for %s and %i', async (method, status) => {
    const request = new Request('http://localhost/', { method });
    const response = await send(request, (_node, node) => node.writeHead(status).end());

    expect([response.status, response.body]).toEqual([status, null]);
  });
});

test('a finished response closes, and the rest of the request is cancelled', async () => {
  let reason: unknown = 'not cancelled';
  const body = new ReadableStream({
    cancel(why) {
      reason = why;
    },
  });
  const { answer, received } = pass(post(body));
  const { node, response } = await received;
  respond('done')(node, response);

  const finished = await answer;
  for (let turns = 0; turns < 10; turns += 1) await endOfTurn();

  expect(await bodyOf(finished)).toBe('done');
  expect([response.closed, node.destroyed, response.writableFinished]).toEqual([true, true, true]);
  expect(reason).toBeUndefined();
});

test('a reader that does not read stops the writer, and reading continues it', async () => {
  const { answer, received } = pass(post(''));
  const { response } = await received;
  let drained = 0;
  response.on('drain', () => {
    drained += 1;
  });
  const isTaken = response.write(Buffer.alloc(200_000));
  const body = (await answer).body;
  for (let turns = 0; turns < 10; turns += 1) await endOfTurn();

  expect([isTaken, drained]).toEqual([false, 0]);
  await body?.getReader().read();
  for (let turns = 0; turns < 10; turns += 1) await endOfTurn();
  expect(drained).toBe(1);
  response.end();
});

describe('the client is gone for the handler', () => {
  test('when the body of the response is cancelled', async () => {
    const { answer, received } = pass(post(''));
    const { response } = await received;
    response.write('first');
    const closed = new Promise((resolve) => response.once('close', resolve));

    await (await answer).body?.cancel();
    await withinTurns(closed);

    expect([response.destroyed, response.writableFinished]).toEqual([true, false]);
  });

  test('when the signal is aborted before the response begins', async () => {
    const leaving = new AbortController();
    const { answer, received } = pass(new Request('http://localhost/', { signal: leaving.signal }));
    const { node, response } = await received;
    leaving.abort(new Error('no longer needed'));

    await expect(answer).rejects.toThrow('no longer needed');
    expect([response.destroyed, response.writableFinished, node.destroyed]).toEqual([
      ...[true, false, true],
    ]);
  });

  test('when the signal is aborted after the response began', async () => {
    const leaving = new AbortController();
    const { answer, received } = pass(new Request('http://localhost/', { signal: leaving.signal }));
    const { response } = await received;
    response.write('first');
    const text = bodyOf(await answer);
    leaving.abort(new Error('no longer needed'));

    await expect(text).rejects.toThrow('no longer needed');
    expect(response.destroyed).toBe(true);
  });
});

test('a signal that is already aborted calls no handler', async () => {
  const request = new Request('http://localhost/', { signal: AbortSignal.abort(new Error('no')) });

  await expect(
    send(request, () => {
      throw new Error('It was called.');
    }),
  ).rejects.toThrow('no');
});

test('a response that is cut off is not taken for a whole one', async () => {
  const { answer, received } = pass(post(''));
  const { node, response } = await received;
  response.write('half');
  const text = bodyOf(await answer);
  node.socket.resetAndDestroy();

  await expect(text).rejects.toThrow('cut off');
});

test('a connection that closes before the response rejects', async () => {
  const { answer, received } = pass(post(''));
  (await received).response.destroy();

  await expect(answer).rejects.toThrow('closed before the end');
});

describe('hosted requests', () => {
  const request = () => new Request('http://localhost/api/graphql?a=b');

  /** A body that does not end fails at once. */
  const textOf = async (answer?: Promise<Response>) => {
    const response = await answer;
    return response && withinTurns(response.text());
  };

  /** Requests of a host whose handler leaves each response open. */
  function host() {
    const { clock, pass } = createSimulatedClock();
    const open: { target: string; response: ServerResponse }[] = [];
    const hosted = hostRequests({
      ...{ clock, randomness: systemRandomness, serves: (path: string) => path === '/graphql' },
      handle: (_node, response, target) => void open.push({ target, response }),
    });
    return {
      ...hosted,
      handle: (request: Request) => withinTurns(hosted.handle(request)),
      ...{ pass, open },
    };
  }

  test('the handler gets the target without the path of the mount', async () => {
    const { handle, open } = host();
    const answer = handle(request());
    open[0]?.response.end('done');

    expect(await textOf(answer)).toBe('done');
    expect(open.map(({ target }) => target)).toEqual(['/graphql?a=b']);
  });

  test('a drain ends at once without an open request, and new ones are refused', async () => {
    const { handle, drain, open } = host();

    expect(await withinTurns(drain(1_000))).toBe(true);
    const response = await handle(request());

    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1']);
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    expect(await response.json()).toMatchObject({
      errors: [
        {
          message: 'The gateway is closed; send the request again later.',
          extensions: { code: 'RATE_LIMITED', retryable: true, executed: 'NO' },
        },
      ],
    });
    expect(open).toEqual([]);
  });

  test('a request that is refused after a drain gets its response before its body has arrived', async () => {
    const { nodeHandler, drain } = host();
    const server = createServer(nodeHandler);
    await once(server.listen(0, '127.0.0.1'), 'listening');
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    await drain(1_000);

    const { status } = await sendBeforeReading(`http://127.0.0.1:${port}`, {
      headers: { 'transfer-encoding': 'chunked' },
      body: Buffer.alloc(10_000_000),
    });

    expect(status).toBe('503 Service Unavailable');
  });

  test('a drain waits for open requests', async () => {
    const { handle, drain, open } = host();
    const answers = [handle(request()), handle(request())];
    const drained = drain(1_000);
    const isDrained = settlementOf(drained);

    open[0]?.response.end('one');
    expect(await textOf(answers[0])).toBe('one');
    expect(isDrained()).toBe(false);
    open[1]?.response.end('two');

    expect(await textOf(answers[1])).toBe('two');
    expect(await withinTurns(drained)).toBe(true);
  });

  test('a request that does not end is cut off at the end of the drain', async () => {
    const { handle, drain, pass, open } = host();
    const answer = handle(request());
    answer.catch(() => undefined);
    const drained = drain(1_000);
    await pass(1_000);

    expect(await withinTurns(drained)).toBe(false);
    await expect(withinTurns(answer)).rejects.toThrow('closed before the end');
    expect(open[0]?.response.destroyed).toBe(true);
  });

  test('a request whose body was read before is refused with a sentence', async () => {
    const { nodeHandler, open } = host();
    const server = createServer(async (node: IncomingMessage, response: ServerResponse) => {
      for await (const _chunk of node);
      nodeHandler(node, response);
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    onTestFinished(() => void server.close());
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/graphql`;

    const response = await fetch(url, { method: 'POST', body: 'read' });
    const { errors } = (await response.json()) as { errors: unknown[] };

    expect(response.status).toBe(500);
    expect(errors).toMatchObject([{ extensions: { code: 'INTERNAL' } }]);
    expect(JSON.stringify(errors)).toContain('A body parser has read this request');
    const withoutBody = fetch(url);
    await expect.poll(() => open.length).toBe(1);
    open[0]?.response.end('passed');
    expect(await (await withoutBody).text()).toBe('passed');
  });
});
