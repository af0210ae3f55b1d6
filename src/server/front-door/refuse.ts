import type { IncomingMessage, ServerResponse } from 'node:http';
import { refusalBody } from '../request-fault.ts';
import type { Arrival, Refusal } from './arrival.ts';

type Headers = Readonly<Record<string, string>>;

/** So much of a body that nobody wants is taken in, so that its sender can read why before the connection closes. */
const longestDiscarded = 1_048_576;

export interface Answering {
  readonly arrival: Arrival;
  readonly requestId: string;
  readonly headers: Headers;
}

/** Answers a request of which no body was read; a connection on which there still is one is closed. */
export function refuse(
  request: IncomingMessage,
  response: ServerResponse,
  refusal: Refusal,
  { arrival, requestId, headers }: Answering,
): void {
  const text = JSON.stringify(refusalBody(refusal.message, { code: refusal.code, requestId }));
  response.writeHead(refusal.status, {
    ...headers,
    ...refusal.headers,
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(text),
    ...(arrival.hasBody && { connection: 'close' }),
  });
  if (!arrival.hasBody) return void response.end(text);
  response.write(text);
  discard(request, () => response.end());
}

/** Calls back at the end of the body, or when it is too long. A sender that is slow is ended by the server's own timer. */
function discard(request: IncomingMessage, done: () => void): void {
  let left = longestDiscarded;
  request.on('data', (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) done();
  });
  request.once('end', done);
  request.once('error', done);
}
