import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Clock } from '../kernel/clock.ts';
import { inTime } from '../kernel/in-time.ts';
import type { AnswerBroken } from './front-door/parser-errors.ts';
import { createPatience, type Patience } from './patience.ts';

export interface ListenOptions {
  readonly host: string;
  /** 0 takes any free one. */
  readonly port: number;
  readonly handle: (request: IncomingMessage, response: ServerResponse) => void;
  readonly answerBroken: AnswerBroken;
  readonly clock: Clock;
  /** What the settings are called that say port and host. */
  readonly settings?: { readonly port: string; readonly host: string };
  /** How long slow callers are waited for, where a test cannot wait that long. */
  readonly patience?: Partial<Patience>;
}

export interface Listening {
  /** Where this machine reaches it; without a slash at the end. */
  readonly url: string;
  /** Takes no new connections, and gives the requests under way `ms` to end; true when all of them did. */
  drain(ms: number): Promise<boolean>;
}

interface Connection {
  /** The latest, until it is over. */
  response: ServerResponse | null;
}

/** The address cannot be listened on; the message is one sentence for whoever started the program. */
export class ListenError extends Error {
  override readonly name = 'ListenError';
}

/** @throws ListenError when the port is taken or the address is not of this machine. */
export async function listen(options: ListenOptions): Promise<Listening> {
  const { host, handle, answerBroken, clock } = options;
  const patience = createPatience(options.patience);
  // By socket, of which few come and go: a set of responses would be rebuilt all the time, and what is left of it keep
  // them until the slow collection of garbage.
  const connections = new Map<Socket, Connection>();
  const serve = (request: IncomingMessage, response: ServerResponse) => {
    const connection = connections.get(request.socket);
    if (connection) connection.response = response;
    response.once('close', () => {
      if (connection?.response === response) connection.response = null;
    });
    if (!server.listening) endWith(response);
    handle(request, response);
  };
  const server = createServer(patience.ofServer, serve);
  patience.watch(server);
  // Whether a caller goes on is for the front door to say.
  server.on('checkContinue', serve);
  server.on('checkExpectation', serve);
  const breakOff = (error: NodeJS.ErrnoException, socket: Socket) => {
    // What goes on coming after that breaks again.
    if (socket.writableEnded) return;
    const response = connections.get(socket)?.response;
    if (response && !response.writableFinished && response.req.complete) {
      // What cannot be read came behind a request that is still to be answered.
      if (!response.headersSent) response.shouldKeepAlive = false;
      return void response.once('close', () => socket.destroySoon());
    }
    const hasBegun = response?.headersSent && !response.writableFinished;
    // What was told before is still to arrive.
    if (hasBegun || !socket.writable) return socket.destroySoon();
    answerBroken(error, socket);
    void clock.wait(patience.lastWordsMs).then(() => socket.destroy());
  };
  server.on('clientError', (error, socket) => breakOff(error, socket as Socket));
  server.on('connect', (_request, socket) => breakOff(new Error('CONNECT'), socket as Socket));
  server.on('connection', (socket) => {
    connections.set(socket, { response: null });
    socket.once('close', () => connections.delete(socket));
  });
  /** Once draining, no connection is kept for another request. */
  const endWith = (response: ServerResponse) => {
    if (!response.headersSent) response.shouldKeepAlive = false;
    // What has begun already had promised to keep its connection.
    else response.once('close', () => server.closeIdleConnections());
  };
  await begin(server, options);

  return {
    url: `http://${reachable(host)}:${(server.address() as AddressInfo).port}`,
    async drain(ms) {
      const ended = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const { response } of connections.values()) {
        if (response) endWith(response);
      }
      const isLate = await inTime(
        clock,
        ms,
        ended.then(() => false),
        true,
      );
      if (isLate) server.closeAllConnections();
      await ended;
      return !isLate;
    },
  };
}

/** As it is written in a URL; an address that stands for all of this machine's is shown as loopback. */
function reachable(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}

function begin(server: Server, options: ListenOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => {
      reject(new ListenError(sentenceOf(cause, options), { cause }));
    });
    server.listen(options.port, options.host, resolve);
  });
}

function sentenceOf(
  { code }: NodeJS.ErrnoException,
  { host, port, settings = { port: 'PORT', host: 'HOST' } }: ListenOptions,
): string {
  switch (code) {
    case 'EADDRINUSE':
      return `Port ${port} of ${host} is taken; set ${settings.port} to another one, or to 0 for any free one.`;
    case 'EACCES':
      return `Port ${port} needs more rights than this process has; set ${settings.port} to one above 1023.`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `${settings.host}=${host} is not an address of this machine.`;
    default:
      return `The gateway cannot listen on ${host}:${port} (${code ?? 'unknown reason'}).`;
  }
}
