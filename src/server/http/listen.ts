import { once } from 'node:events';
import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from 'node:http';
import { type AddressInfo, Server as NetServer, type Socket } from 'node:net';
import type { Clock, Randomness } from '../../lib/clock.ts';
import { StartError } from '../../lib/errors.ts';
import { withTimeout } from '../../lib/waits.ts';
import { respondToParserError } from './responses.ts';

/** How long the server waits for slow clients, in milliseconds. */
export interface ServerTimeouts {
  /** For a complete request, head and body. */
  readonly requestMs: number;
  /** For a client that reads nothing of its response. */
  readonly idleResponseMs: number;
  /** For the client to read why its connection is closed, and for the first request of a new connection during a drain. */
  readonly closeMs: number;
}

export interface ListenOptions {
  readonly host: string;
  /** 0 for any free port. */
  readonly port: number;
  readonly handle: (request: IncomingMessage, response: ServerResponse) => void;
  readonly clock: Clock;
  readonly randomness: Randomness;
  /** The names of the settings of port and host, for error messages. */
  readonly settings?: { readonly port: string; readonly host: string };
  /** Shorter ones for tests. */
  readonly timeouts?: Partial<ServerTimeouts>;
}

/** @throws StartError when the port is taken or the address is not of this machine. */
export async function listen(options: ListenOptions) {
  const listener = new Listener(options);
  await listener.open();
  return { url: listener.url, drain: (ms: number) => listener.drain(ms) };
}

/**
 * Connections that the system accepts before the gateway does. With 511, Node's default, a burst of new connections lost
 * some, which TCP repeats after a second. The system may reduce it (`net.core.somaxconn`).
 */
const backlog = 4_096;

class Listener {
  readonly #options: ListenOptions;
  readonly #timeouts: ServerTimeouts;
  readonly #server: Server;
  /** Each open connection with its latest response, until that is closed and its request is complete. */
  readonly #connections = new Map<Socket, OpenConnection>();

  constructor(options: ListenOptions) {
    this.#options = options;
    this.#timeouts = { ...defaultTimeouts, ...options.timeouts };
    this.#server = this.#createServer();
  }

  /** Reachable from this machine; without a trailing slash. */
  get url(): string {
    const { port } = this.#server.address() as AddressInfo;
    return `http://${reachable(this.#options.host)}:${port}`;
  }

  async open(): Promise<void> {
    const { port, host } = this.#options;
    this.#server.listen({ port, host, backlog });
    try {
      await once(this.#server, 'listening');
    } catch (cause) {
      throw new StartError(messageOf(cause as NodeJS.ErrnoException, this.#options), { cause });
    }
  }

  /** Accepts no new connections and waits `ms` for open requests; true when all of them ended. */
  async drain(ms: number): Promise<boolean> {
    const ended = once(this.#server, 'close').then(() => true);
    // `close` of HTTP servers also closes connections whose first request is on its way, since Node 26.
    NetServer.prototype.close.call(this.#server);
    for (const { response } of this.#connections.values()) {
      if (response) this.#closeAfter(response);
    }
    this.#closeUnused();
    const isClean = await withTimeout(this.#options.clock, ms, ended, false);
    if (!isClean) this.#server.closeAllConnections();
    await ended;
    return isClean;
  }

  /** Closes idle connections, and those that serve no request. When a first request may be on its way, it waits for it. */
  #closeUnused(): void {
    const unused = [...this.#connections].filter(isUnused);
    const close = () => {
      for (const [socket] of unused.filter(isUnused)) socket.destroy();
      this.#server.close();
    };
    if (unused.length === 0) close();
    else void this.#options.clock.wait(this.#timeouts.closeMs).then(close);
  }

  #createServer(): Server {
    const serve = this.#serve.bind(this);
    const server = createServer(serverOptions(this.#timeouts), serve);
    limitConnections(server, this.#timeouts);
    // The guards decide whether the client may send its body.
    server.on('checkContinue', serve);
    server.on('checkExpectation', serve);
    server.on('clientError', (error, socket) => this.#reject(error, socket as Socket));
    server.on('connect', (_request, socket) =>
      this.#reject(new Error('CONNECT'), socket as Socket),
    );
    server.on('connection', (socket) => {
      this.#connections.set(socket, { response: null });
      socket.once('close', () => this.#connections.delete(socket));
    });
    return server;
  }

  #serve(request: IncomingMessage, response: ServerResponse): void {
    const connection = this.#connections.get(request.socket);
    if (connection) connection.response = response;
    response.once('close', () => {
      if (connection?.response !== response) return;
      if (request.complete) connection.response = null;
      else if (!this.#server.listening) this.#closeUnused();
    });
    if (!this.#server.listening) this.#closeAfter(response);
    this.#options.handle(request, response);
  }

  /** Responds to bytes that are not a request, and closes the connection. */
  #reject(error: NodeJS.ErrnoException, socket: Socket): void {
    // Further bytes raise the error again.
    if (socket.writableEnded) return;
    const response = this.#connections.get(socket)?.response;
    if (response && !response.writableFinished && response.req.complete) {
      // The bytes follow a complete request, which gets its response first.
      if (!response.headersSent) response.shouldKeepAlive = false;
      response.once('close', () => socket.destroySoon());
      return;
    }
    const hasBegun = response?.headersSent && !response.writableFinished;
    if (hasBegun || !socket.writable) {
      // Data of earlier responses is still sent.
      socket.destroySoon();
      return;
    }
    const { clock, randomness } = this.#options;
    respondToParserError(error, socket, randomness.uuid());
    void clock.wait(this.#timeouts.closeMs).then(() => socket.destroy());
  }

  /** While the server drains, no connection stays open for another request. */
  #closeAfter(response: ServerResponse): void {
    if (!response.headersSent) response.shouldKeepAlive = false;
    // Its headers have promised to keep the connection open.
    else response.once('close', () => this.#closeUnused());
  }
}

interface OpenConnection {
  response: ServerResponse | null;
}

/** Without a request, or with the unread body of one that has its response. */
const isUnused = ([{ bytesRead }, { response }]: [Socket, OpenConnection]): boolean =>
  bytesRead === 0 || response?.writableFinished === true;

const defaultTimeouts: ServerTimeouts = {
  requestMs: 10_000,
  idleResponseMs: 30_000,
  closeMs: 500,
};

/** Longer than the usual minute of proxies, so that the proxy closes an idle connection first. */
const keepAliveMs = 65_000;
const maxHeaderBytes = 16_384;
const maxConnections = 5_000;
const maxRequestsPerConnection = 100_000;

const serverOptions = ({ requestMs }: ServerTimeouts): ServerOptions => ({
  headersTimeout: requestMs,
  requestTimeout: requestMs,
  // The largest delay of the two above.
  connectionsCheckingInterval: Math.min(1_000, requestMs),
  keepAliveTimeout: keepAliveMs,
  maxHeaderSize: maxHeaderBytes,
  // The guards require it and explain the refusal.
  requireHostHeader: false,
});

/** Limits what slow clients, and many of them, can occupy. */
function limitConnections(server: Server, { idleResponseMs }: ServerTimeouts): void {
  server.maxConnections = maxConnections;
  server.maxRequestsPerSocket = maxRequestsPerConnection;
  // Node drops headers beyond its limit without an error; the guards count them.
  server.maxHeadersCount = 0;
  server.setTimeout(idleResponseMs, (socket) => {
    // Without buffered data the connection waits for the gateway or is idle, which other timeouts handle.
    if (socket.writableLength > 0) socket.destroy();
  });
}

/** As in a URL; a wildcard address becomes loopback. */
function reachable(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}

function messageOf(
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
    case 'EAI_AGAIN':
      return `${settings.host}=${host} cannot be resolved, because no DNS server responds; set it to an IP address of this machine.`;
    default:
      return `The gateway cannot listen on ${host}:${port} (${code ?? 'unknown reason'}).`;
  }
}
