import type { IncomingMessage, ServerResponse } from 'node:http';
import type { TopLevelCode } from '../../kernel/faults.ts';
import type { Refusal, RequestHead } from './request-head.ts';

/** The body of a refusal outside the graph, in the shape of GraphQL errors. */
export const refusalBody = (
  message: string,
  { code, requestId }: { readonly code: TopLevelCode; readonly requestId: string },
) => ({
  errors: [
    {
      message,
      extensions: { code, retryable: code === 'RATE_LIMITED', executed: 'NO', requestId },
    },
  ],
});

/** Bytes of an unwanted body that are read, so that the client can read the response before the connection closes. */
const maxDiscardedBytes = 1_048_576;

/** Refuses a request whose body was not read; a connection with an unread body is closed. */
export function refuse(
  request: IncomingMessage,
  response: ServerResponse,
  { status, code, message, headers }: Refusal,
  { hasBody }: RequestHead,
  requestId: string,
): void {
  const text = JSON.stringify(refusalBody(message, { code, requestId }));
  response.writeHead(status, {
    ...headers,
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(text),
    ...(hasBody && { connection: 'close' }),
  });
  if (!hasBody) return void response.end(text);
  response.write(text);
  discard(request, () => response.end());
}

/** Calls `done` at the end of the body, or when it is too long. The server's timeout ends a slow client. */
function discard(request: IncomingMessage, done: () => void): void {
  let left = maxDiscardedBytes;
  request.on('data', (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) done();
  });
  request.once('end', done);
  request.once('error', done);
}
