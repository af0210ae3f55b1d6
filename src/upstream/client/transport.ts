import { buildConnector, type Dispatcher, errors, Pool } from 'undici';
import { type Executed, Fault } from '../../kernel/faults.ts';
import { errorCodeOf } from '../../lib/errors.ts';
import { lazy } from '../../lib/lazy.ts';
import type { BodyReader, WireResponse } from '../wire/classify.ts';

/** One attempt on the wire. */
export interface WireRequest {
  readonly method: 'POST' | 'PATCH' | 'DELETE';
  /** Path and query below the base URL, such as `/?action=getdetails`. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Aborts at the deadline of the call, or with `signal`. */
  readonly stop: AbortSignal;
  /** The longest time without data on the socket, as a backstop for `stop`. */
  readonly deadlineMs: number;
  /** Reads the body as it arrives; by default the body is collected as text, up to the transport's limit. */
  readonly reader?: BodyReader;
  /** The client's abort; reads only. */
  readonly signal?: AbortSignal;
}

/**
 * Sends one attempt and returns the response. The simulation has its own implementation.
 *
 * @throws Fault `UPSTREAM_UNAVAILABLE`, `UPSTREAM_TIMEOUT` or `UPSTREAM_PROTOCOL`, with `executed: NO` only when no
 * connection was established; the reason of `signal` when that aborts first.
 */
export type Transport = (request: WireRequest) => Promise<WireResponse>;

const connectTimeoutMs = 3_000;
/** A longer body fails the attempt. */
const maxResponseBytes = 16 * 1024 * 1024;

/**
 * A pool of sockets to one upstream, over undici. Redirects are not followed; TLS is always verified.
 *
 * `baseUrl` is `http` or `https`, with or without a path; the settings refuse credentials, a query and a fragment in it.
 */
export function createTransport(baseUrl: string, connections: number) {
  const { origin, pathname } = new URL(baseUrl);
  const basePath = pathname.replace(/\/+$/, '');
  const connect = buildConnector({
    timeout: connectTimeoutMs,
    allowH2: false,
    rejectUnauthorized: true,
  });
  /** Errors of sockets that never connected: nothing was sent on them. */
  const neverConnected = new WeakSet<Error>();
  const pool = new Pool(origin, {
    connections,
    // One request per socket at a time: undici resends pipelined requests, and a write must be sent once.
    pipelining: 1,
    connect: (target, done) =>
      connect(target, (error, socket) => {
        if (error) {
          neverConnected.add(error);
          done(error, null);
        } else done(null, socket);
      }),
  });

  /** Refuses new calls, waits for calls in progress, and closes the sockets. May be called again. */
  const close = lazy(() => pool.close());

  const send: Transport = async ({ method, path, headers, body, ...request }) => {
    const { stop, deadlineMs, signal, reader = wholeBody() } = request;
    signal?.throwIfAborted();
    if (stop.aborted) throw timedOut('NO');
    if (close.started()) throw new Fault('UPSTREAM_UNAVAILABLE', { executed: 'NO' });
    const receiver = new Receiver(reader, stop);
    try {
      const head = await receiver.receive(pool, {
        method,
        path: `${basePath}${path}`,
        headers: { accept: 'application/json', 'accept-encoding': 'identity', ...headers },
        ...(body !== undefined && { body }),
        headersTimeout: deadlineMs,
        bodyTimeout: deadlineMs,
      });
      return { ...head, ...(await reader.end()) };
    } catch (error) {
      if (signal?.aborted && stop.reason === signal.reason) throw signal.reason;
      throw stop.aborted
        ? timedOut('UNKNOWN')
        : faultOf(error, receiver.hasResponse, neverConnected);
    }
  };

  return { send, close };
}

function wholeBody(): BodyReader {
  const chunks: Buffer[] = [];
  return {
    maxBytes: maxResponseBytes,
    take: (chunk) => void chunks.push(chunk),
    end: () => ({ body: new TextDecoder().decode(Buffer.concat(chunks)) }),
  };
}

const timedOut = (executed: Executed) => new Fault('UPSTREAM_TIMEOUT', { executed });

function faultOf(error: unknown, hasResponse: boolean, neverConnected: WeakSet<Error>): Fault {
  if (error instanceof Fault) return error;
  const code = codeOf(error);
  const fault = () => {
    if (error instanceof Error && neverConnected.has(error)) {
      return new Fault('UPSTREAM_UNAVAILABLE', { executed: 'NO' });
    }
    if (code === 'UND_ERR_INVALID_ARG') return new Fault('INTERNAL', { executed: 'NO' });
    if (/^UND_ERR_(?:HEADERS|BODY)_TIMEOUT$/.test(code)) return timedOut('UNKNOWN');
    // A truncated response may be complete at the next attempt.
    if (hasResponse || error instanceof errors.HTTPParserError) {
      return new Fault('UPSTREAM_PROTOCOL', { executed: 'UNKNOWN', retryable: hasResponse });
    }
    return new Fault('UPSTREAM_UNAVAILABLE', { executed: 'UNKNOWN' });
  };
  // Only the code: the message of an undici error can contain bytes of the response, which must not be logged.
  return Object.assign(fault(), { cause: code });
}

/** The code of an error, or else its class. */
function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return '';
  return errorCodeOf(error) ?? error.name;
}

type WireHead = Pick<WireResponse, 'status' | 'headers'>;

/**
 * The socket is paused when so many bytes wait for the reader. undici copies all bytes that it has received at each pause: a
 * pause for each chunk of a response in small chunks would take most of the time.
 */
const pauseBytes = 256 * 1024;

/**
 * Receives one response from undici's dispatcher. The stream of `undici.request` would cost more than the rest of a small call.
 */
export class Receiver implements Dispatcher.DispatchHandler {
  readonly #reader: BodyReader;
  readonly #stop: AbortSignal;
  readonly #end = Promise.withResolvers<WireHead>();
  #controller: Dispatcher.DispatchController | null = null;
  #head: WireHead | null = null;
  #length = 0;
  /** While the reader is busy. */
  #reading: Promise<void> | null = null;
  #queue: Buffer[] = [];
  #queuedBytes = 0;

  constructor(reader: BodyReader, stop: AbortSignal) {
    this.#reader = reader;
    this.#stop = stop;
  }

  /** Whether the head of a response has arrived. */
  get hasResponse(): boolean {
    return this.#head !== null;
  }

  /** Sends a request; resolves at the end of the response. @throws an error of undici or the reader, or the reason of `stop`. */
  async receive(from: Dispatcher, request: Dispatcher.DispatchOptions): Promise<WireHead> {
    const stop = () => {
      this.#controller?.abort(this.#stop.reason);
      this.#end.reject(this.#stop.reason);
    };
    this.#stop.addEventListener('abort', stop, { once: true });
    try {
      from.dispatch(request, this);
      return await this.#end.promise;
    } finally {
      this.#stop.removeEventListener('abort', stop);
    }
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#stop.aborted) controller.abort(this.#stop.reason);
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: WireHead['headers'],
  ): void {
    // A 1xx response is informational.
    if (status >= 200) this.#head = { status, headers };
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    // undici sends an empty chunk after each pause; pausing again for it would never end.
    if (chunk.length === 0) return;
    this.#length += chunk.length;
    if (this.#length > this.#reader.maxBytes) {
      throw new Fault('UPSTREAM_PROTOCOL', { executed: 'UNKNOWN' });
    }
    if (this.#reading) {
      this.#queue.push(chunk);
      this.#queuedBytes += chunk.length;
      if (this.#queuedBytes >= pauseBytes) controller.pause();
      return;
    }
    const taking = this.#reader.take(chunk);
    if (taking) this.#reading = this.#readQueue(controller, taking);
  }

  /** Reads the chunks that arrive while the reader is busy. */
  async #readQueue(
    controller: Dispatcher.DispatchController,
    taking: Promise<void>,
  ): Promise<void> {
    try {
      await taking;
      for (const chunk of this.#queue) {
        this.#stop.throwIfAborted();
        await this.#reader.take(chunk);
      }
      [this.#queue, this.#queuedBytes, this.#reading] = [[], 0, null];
      controller.resume();
    } catch (error) {
      this.#end.reject(error);
      controller.abort(error as Error);
    }
  }

  onResponseEnd(): void {
    this.#whenRead(() => this.#head && this.#end.resolve(this.#head));
  }

  /** The next attempt may use the same rows, so the reader stops first. */
  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#queue.length = 0;
    this.#whenRead(() => this.#end.reject(error));
  }

  #whenRead(end: () => void): void {
    if (this.#reading) void this.#reading.then(end);
    else end();
  }
}
