import { createServer as createHttpServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createServer, type Server, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import type { Clock } from '../../../src/lib/clock.ts';
import { systemClock } from '../../../src/lib/system.ts';
import { createTransport } from '../../../src/upstream/client/transport.ts';
import { clientsOver } from './clients.ts';

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

export interface Attempt {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}

/** A real HTTP server that reads each request to its end, writes it down, and then lets `answer` do as it likes. */
export async function startUpstream(
  answer: (...listener: [...Parameters<RequestListener>, attempt: number]) => void,
) {
  const attempts: Attempt[] = [];
  const server = createHttpServer(async (request, response) => {
    let body = '';
    for await (const chunk of request.setEncoding('utf8')) body += chunk;
    const { method = '', url = '', headers } = request;
    attempts.push({ method, url, headers, body });
    answer(request, response, attempts.length);
  });
  const origin = await listen(server);
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { origin, attempts };
}

/** A bare TCP server, for what no HTTP server would do. */
export async function startTcp(onConnection: (socket: Socket, connection: number) => void) {
  let connections = 0;
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    connections += 1;
    onConnection(socket, connections);
  });
  const origin = await listen(server);
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { origin, connections: () => connections };
}

/** The real clock, on which a pause between attempts takes no time. */
const withoutPauses: Clock = {
  ...systemClock,
  wait: (_ms, signal) => systemClock.wait(0, signal),
};

/** Clients over the real transport. */
export function connectTo(
  baseUrl: string,
  { timeoutMs = 60_000, connections = 16, clock = withoutPauses } = {},
) {
  const transport = createTransport(baseUrl, connections);
  onTestFinished(() => void transport.close());
  return { ...clientsOver(transport.send, { timeoutMs, clock }), transport };
}
