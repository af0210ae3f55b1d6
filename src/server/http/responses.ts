import { once } from 'node:events';
import { type OutgoingHttpHeader, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { GraphQLFormattedError } from 'graphql';
import { Fault, type FaultCode, faults } from '../../kernel/faults.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Log } from '../../observability/log.ts';
import type { HttpRequest } from './http-request.ts';
import type { RouteResponse } from './routes.ts';

/** Headers of every response, beside `x-request-id`. A page replaces `content-security-policy` and `cache-control`. */
const commonHeaders: readonly (readonly [name: string, value: string])[] = [
  ['x-content-type-options', 'nosniff'],
  ['referrer-policy', 'no-referrer'],
  ['x-frame-options', 'DENY'],
  ['cross-origin-resource-policy', 'same-origin'],
  ['cross-origin-opener-policy', 'same-origin'],
  ['content-security-policy', "default-src 'none'; frame-ancestors 'none'"],
  ['cache-control', 'no-store'],
];

/**
 * Of a response in several parts. nginx and others that read `x-accel-buffering` forward each part as it is sent. `no-transform`
 * prevents compression by a proxy, which would buffer parts.
 */
export const unbuffered = {
  'x-accel-buffering': 'no',
  'cache-control': 'no-store, no-transform',
} as const;

const commonList: readonly string[] = commonHeaders.flat();

type Headers = Readonly<Record<string, string | number>>;

/** Sends the head of a response, with the headers of every response. */
export function writeHead(request: HttpRequest, status: number, headers: Headers): void {
  const { response, id } = request;
  const isReplaced = 'cache-control' in headers || 'content-security-policy' in headers;
  if (isReplaced || response.getHeaderNames().length > 0) {
    setCommonHeaders(request);
    response.writeHead(status, headers);
    return;
  }
  // Node sends a list as it is, which takes half the time.
  const list: (string | number)[] = ['x-request-id', id, ...commonList];
  for (const name in headers) list.push(name, headers[name] ?? '');
  response.writeHead(status, list as OutgoingHttpHeader[]);
}

/** Sets the headers of every response, for a response whose head another library sends. */
export function setCommonHeaders({ response, id }: HttpRequest): void {
  response.setHeader('x-request-id', id);
  for (const [name, value] of commonHeaders) {
    if (!response.hasHeader(name)) response.setHeader(name, value);
  }
}

/** A check of the head of a request. Returns null for a request that it accepts. */
export type Guard = (request: HttpRequest) => HttpRefusal | null;

/** Why a request is refused before it is processed. */
export interface HttpRefusal {
  readonly status: number;
  readonly code: FaultCode;
  /** One sentence that says what to do. */
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export const badRequest = (status: number, message: string): HttpRefusal => ({
  status,
  code: 'INVALID_REQUEST',
  message,
});

/** Refuses a request that would wait too long. */
export const overloaded = (retrySeconds: number): HttpRefusal => ({
  status: 503,
  code: 'OVERLOADED',
  message: faults.OVERLOADED.message,
  headers: { 'retry-after': String(retrySeconds) },
});

/** The body of a refusal outside the graph, in the shape of GraphQL errors. */
function errorBody(message: string, code: FaultCode, requestId: string) {
  const { category, retryable } = faults[code];
  const extensions = { code, category, retryable, executed: 'NO', requestId };
  return { errors: [{ message, extensions }] };
}

/** The body of a refusal of a request: that in the shape of GraphQL errors, or that of its route. */
export function refusalBody(
  request: HttpRequest,
  status: number,
  body: { readonly errors: readonly Pick<GraphQLFormattedError, 'message' | 'extensions'>[] },
): object {
  const [error] = body.errors;
  return (error && request.route.refusalBody?.(request, status, error)) ?? body;
}

export const refusalText = (request: HttpRequest, { status, code, message }: HttpRefusal) =>
  JSON.stringify(refusalBody(request, status, errorBody(message, code, request.id)));

/** Bytes of an unwanted body that are read in order to reuse the connection. */
const maxReusedBytes = 1_048_576;

/** Refuses a request before its body is read. */
export function refuse(request: HttpRequest, refusal: HttpRefusal): void {
  const { status, headers } = refusal;
  const text = refusalText(request, refusal);
  writeHead(request, status, {
    ...headers,
    ...jsonHeaders(text),
    ...(!isReusable(request) && { connection: 'close' }),
  });
  request.response.end(text);
}

/** Whether the end of the body is certain and near. After `expect` the client may send the body or not. */
const isReusable = ({ hasBody, headers: { expect, 'content-length': length } }: HttpRequest) =>
  !hasBody || (expect === undefined && Number(length) <= maxReusedBytes);

const parserErrors: Readonly<Record<string, readonly [number, string]>> = {
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request did not arrive in time; send it without pauses.'],
  HPE_HEADER_OVERFLOW: [431, 'The headers of the request are too long.'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, 'The chunk extensions of the body are too long.'],
};
const notHttp = [400, 'This is not an HTTP/1.1 request.'] as const;

/** Responds to bytes that Node's parser cannot read as a request, instead of Node's own plain text, and closes the connection. */
export function respondToParserError(
  { code = '' }: NodeJS.ErrnoException,
  socket: Duplex,
  requestId: string,
): void {
  const [status, message] = parserErrors[code] ?? notHttp;
  const text = JSON.stringify(errorBody(message, 'INVALID_REQUEST', requestId));
  const headers = { 'x-request-id': requestId, ...jsonHeaders(text), connection: 'close' };
  const lines = [...Object.entries(headers), ...commonHeaders].map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${text}`);
}

const jsonHeaders = (text: string) => ({
  'content-type': 'application/json; charset=utf-8',
  'content-length': Buffer.byteLength(text),
});

/** A challenge of `www-authenticate` (RFC 6750). */
export function bearerChallenge(parameters: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(parameters).map(
    ([name, value]) => `${name}="${value.replaceAll('"', "'")}"`,
  );
  return `Bearer ${pairs.join(', ')}`.trimEnd();
}

/** A slow client holds one state of a list in memory until then. */
const maxMs = 600_000;

interface SendOptions {
  readonly clock: Clock;
  readonly log: Log;
}

/** Sends the response of a page, a file or a health check. @throws the error of the first part of a body in parts. */
export async function sendResponse(
  request: HttpRequest,
  { status = 200, headers, body }: RouteResponse,
  options: SendOptions,
): Promise<void> {
  const { response, method } = request;
  if (typeof body === 'string' || body instanceof Uint8Array) {
    writeHead(request, status, { ...headers, 'content-length': Buffer.byteLength(body) });
    response.end(body);
    return;
  }
  const first = await body.next();
  writeHead(request, status, headers);
  if (method === 'HEAD' || status === 304) response.end();
  else await sendParts(request, first, body, options);
}

/**
 * Sends a part when the client has taken the previous one. A list that cannot be read to its end resets the connection, so
 * that no client takes the cut file for a whole one.
 */
async function sendParts(
  request: HttpRequest,
  first: IteratorResult<string, void>,
  parts: AsyncIterator<string, void>,
  { clock, log }: SendOptions,
): Promise<void> {
  const { response, node } = request;
  using deadline = clock.deadline(maxMs, request.signal);
  const { signal } = deadline;
  try {
    for (let part = first; !part.done; part = await parts.next()) {
      signal.throwIfAborted();
      if (!response.write(part.value)) await once(response, 'drain', { signal });
    }
    response.end();
  } catch (error) {
    if (request.signal.aborted) return;
    if (error instanceof Fault) request.errorCodes.add(error.code);
    log.error('export was cut off', { requestId: request.id, error });
    node.socket.resetAndDestroy();
  }
}
