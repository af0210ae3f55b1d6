import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { sendBeforeReading } from '../../../test/support/raw-request.ts';
import {
  createSimulatedClock,
  settlementOf,
  withinTurns,
} from '../../../test/support/simulated-clock.ts';
import { systemRandomness } from '../../lib/system.ts';
import { hostRequests } from './hosted-requests.ts';

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
