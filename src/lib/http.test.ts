import { once } from 'node:events';
import { Agent, createServer } from 'node:http';
import { type AddressInfo, connect, Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { sendRaw } from '../../test/support/raw-request.ts';
import { createSimulatedClock } from '../../test/support/simulated-clock.ts';
import { discardUnreadBody } from './http.ts';

/** A server that responds before it reads the body. */
async function start(headers: Readonly<Record<string, string>> = {}) {
  const time = createSimulatedClock();
  const connections: Socket[] = [];
  const server = createServer((request, response) => {
    discardUnreadBody(request, response, time.clock);
    response.writeHead(413, headers).end('too long');
  });
  server.on('connection', (socket) => connections.push(socket));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return { time, connections, port };
}

/** A client that has sent the head of a request and received the response. */
async function openClient(port: number, length = 999_999_999_999) {
  const client = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  onTestFinished(() => void client.destroy());
  client.on('error', () => undefined);
  client.write(`POST / HTTP/1.1\r\nhost: a\r\ncontent-length: ${length}\r\n\r\n`);
  await once(client, 'data');
  return client;
}

test('a client that sends without end is disconnected after 128 MiB', async () => {
  const { connections, port } = await start({ connection: 'close' });
  const client = await openClient(port);
  const server = connections[0] as Socket;
  const closed = once(server, 'close');
  const mebibyte = Buffer.alloc(1_048_576);

  while (!server.destroyed) {
    if (!client.write(mebibyte)) await Promise.race([once(client, 'drain'), closed]);
  }

  expect(Math.floor(server.bytesRead / mebibyte.length)).toBe(128);
});

test.each([['close'], ['keep-alive']])(
  'a client that stops in its body is disconnected after ten seconds: %s',
  async (connection) => {
    const { time, connections, port } = await start({ connection });
    await openClient(port);

    await expect.poll(() => time.waits()).toEqual([10_000]);
    await time.pass(9_999);
    expect(connections[0]?.destroyed).toBe(false);
    await time.pass(1);

    expect(connections[0]?.destroyed).toBe(true);
  },
);

test('a connection that the server closes is destroyed at the end of the body', async () => {
  const { connections, port } = await start({ connection: 'close' });
  const client = await openClient(port, 9);

  client.write('123456789');

  await expect.poll(() => connections[0]?.destroyed).toBe(true);
});

test('a connection that stays open serves the next request after the unread body', async () => {
  const { time, connections, port } = await start();
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  onTestFinished(() => agent.destroy());

  for (let request = 0; request < 3; request += 1) {
    const long = { headers: {}, body: Buffer.alloc(1_000_000) };
    const { body } = await sendRaw(`http://127.0.0.1:${port}`, long, agent);
    expect(body).toBe('too long');
  }

  await expect.poll(() => time.waits()).toEqual([]);
  expect(connections.length).toBe(1);
  expect(connections[0]?.destroySoon).toBe(Socket.prototype.destroySoon);
});
