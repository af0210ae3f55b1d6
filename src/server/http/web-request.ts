import { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { PassThrough, Readable, Writable } from 'node:stream';
import type { Clock, Randomness } from '../../lib/clock.ts';
import { discardUnreadBody } from '../../lib/http.ts';
import { withTimeout } from '../../lib/waits.ts';
import { HttpRequest } from './http-request.ts';
import { type HttpRefusal, refuse } from './responses.ts';
import { withoutMount } from './routes.ts';

export type NodeHandler = (request: IncomingMessage, response: ServerResponse) => void;

/**
 * Passes a web request through a handler of `node:http` without a connection. Resolves when the head of the response is
 * known; its body is a stream with back pressure. The handler sees a disconnected client when the signal of the request is
 * aborted or the body of the response is cancelled.
 *
 * @throws the reason of the signal, or an error when the body is not as long as its `content-length`.
 */
export async function respondTo(request: Request, handle: NodeHandler): Promise<Response> {
  const { signal } = request;
  signal.throwIfAborted();
  const connection = new WebConnection();
  const response = new UnframedResponse(new WebRequest(request, connection.asSocket));
  connection.carry(response);
  signal.addEventListener('abort', () => connection.destroy(signal.reason));
  connection.once('close', () => response.req.destroy());
  handle(response.req, response);
  return connection.response;
}

/** Headers of one connection, and `expect`: the body is always at hand. */
const ofConnection = new Set(['connection', 'expect', 'keep-alive', 'transfer-encoding']);

/** A web request in the form of `node:http`. */
class WebRequest extends IncomingMessage {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array> | null;
  /** Bytes that the body must still have; null when its length is not declared. */
  #missing: number | null = null;

  constructor(request: Request, socket: Socket) {
    super(socket);
    const { pathname, search, host } = new URL(request.url);
    const headers = new Headers(request.headers);
    for (const name of ofConnection) headers.delete(name);
    if (!headers.has('host')) headers.set('host', host);
    const length = headers.get('content-length');
    if (length !== null) this.#missing = Number(length);
    else if (request.body) headers.set('transfer-encoding', 'chunked');
    this.method = request.method;
    this.url = pathname + search;
    this.headers = Object.fromEntries(headers);
    this.rawHeaders = [...headers].flat();
    this.#reader = request.body?.getReader() ?? null;
  }

  override _read(size: number): void {
    super._read(size);
    this.#pull().catch((error: Error) => this.destroy(error));
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#reader?.cancel(error ?? undefined).catch(() => undefined);
    super._destroy(error, done);
  }

  async #pull(): Promise<void> {
    const { value: bytes } = (await this.#reader?.read()) ?? {};
    if (this.#missing !== null) this.#missing -= bytes?.length ?? 0;
    const missing = this.#missing ?? 0;
    if (missing < 0 || (missing > 0 && !bytes)) {
      throw new TypeError('The body of the request is not as long as its content-length.');
    }
    if (!bytes) this.complete = true;
    this.push(bytes ?? null);
  }
}

/** A response whose body ends with the connection, and is not sent in chunks, whatever its `transfer-encoding` is. */
class UnframedResponse extends ServerResponse {
  override sendDate = false;

  override writeHead(...head: readonly unknown[]): this {
    super.writeHead(...(head as Parameters<ServerResponse['writeHead']>));
    this.chunkedEncoding = false;
    return this;
  }
}

/** Bytes of a response that wait for their reader. */
const bufferBytes = 65_536;
const endOfHead = '\r\n\r\n';

/** The socket of a web request: its bytes become a web response. */
class WebConnection extends Writable {
  readonly #head = Promise.withResolvers<Response>();
  readonly response = this.#head.promise;
  readonly #body = new PassThrough({ readableHighWaterMark: bufferBytes });
  // Without a buffer of its own.
  readonly #stream = Readable.toWeb(this.#body, {
    strategy: new ByteLengthQueuingStrategy({ highWaterMark: 0 }),
  });
  /** Null when its head was written. */
  #message: ServerResponse | null = null;

  /** With the members of a socket that the server uses with a request. */
  readonly asSocket = this as unknown as Socket;

  carry(response: ServerResponse): void {
    this.#message = response;
    response.assignSocket(this.asSocket);
    response.once('finish', () => this.end());
    this.on('drain', () => response.emit('drain'));
    // Its reader receives the error.
    this.on('error', () => undefined);
    this.#body.once('close', () => this.destroy());
  }

  /** The first chunk begins with the whole head. */
  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    let bytes = chunk;
    if (this.#message) {
      const end = chunk.indexOf(endOfHead);
      this.#head.resolve(this.#respond(this.#message, chunk.toString('latin1', 0, end)));
      this.#message = null;
      bytes = chunk.subarray(end + endOfHead.length);
    }
    this.#body.write(bytes, done);
  }

  override _final(done: () => void): void {
    this.#body.end(done);
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    if (!this.writableFinished) {
      const reason = error ?? new Error('The connection closed before the end of the response.');
      this.#head.reject(reason);
      this.#body.destroy(reason);
    }
    done(error);
  }

  /** Ends the response so that its reader sees that it is not complete. */
  resetAndDestroy(): void {
    this.destroy(new Error('The response was cut off.'));
  }

  #respond({ statusCode: status, statusMessage: statusText, req }: ServerResponse, head: string) {
    const hasBody = req.method !== 'HEAD' && status !== 204 && status !== 304;
    const [, ...lines] = head.split('\r\n');
    const headers = new Headers(lines.map(pairOf));
    for (const name of ofConnection) headers.delete(name);
    return new Response(hasBody ? (this.#stream as ReadableStream) : null, {
      status,
      statusText,
      headers,
    });
  }
}

function pairOf(line: string): [name: string, value: string] {
  const end = line.indexOf(':');
  return [line.slice(0, end), line.slice(end + 1)];
}

interface HostedOptions {
  readonly handle: (request: IncomingMessage, response: ServerResponse, target: string) => void;
  readonly clock: Clock;
  readonly randomness: Randomness;
  /** Whether the gateway has a route for a path. */
  readonly serves: (path: string) => boolean;
}

/** Serves the requests of a server that another program owns. */
export function hostRequests({ handle, clock, randomness, serves }: HostedOptions) {
  const open = new Set<ServerResponse>();
  const ended = Promise.withResolvers<boolean>();
  let isClosed = false;
  const endIfClosed = () => {
    if (isClosed && open.size === 0) ended.resolve(true);
  };
  const nodeHandler: NodeHandler = (node, response) => {
    const target = withoutMount(node.url ?? '', serves);
    const request = new HttpRequest(node, response, randomness, target);
    const refusal = isClosed ? closed : request.hasBody && node.readableDidRead ? bodyRead : null;
    if (refusal) {
      discardUnreadBody(node, response, clock);
      return refuse(request, refusal);
    }
    open.add(response);
    response.once('close', () => {
      open.delete(response);
      endIfClosed();
    });
    handle(node, response, target);
  };
  return {
    nodeHandler,
    handle: (request: Request): Promise<Response> => respondTo(request, nodeHandler),
    /** Refuses new requests and waits `ms` for open ones; true when all of them ended. */
    async drain(ms: number): Promise<boolean> {
      isClosed = true;
      endIfClosed();
      const isClean = await withTimeout(clock, ms, ended.promise, false);
      for (const response of open) response.destroy();
      return isClean;
    },
  };
}

const closed: HttpRefusal = {
  status: 503,
  code: 'RATE_LIMITED',
  message: 'The gateway is closed; send the request again later.',
  headers: { 'retry-after': '1' },
};

const bodyRead: HttpRefusal = {
  status: 500,
  code: 'INTERNAL',
  message:
    'A body parser has read this request before the gateway; the server must pass requests to the gateway first.',
};
