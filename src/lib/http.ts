import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from './clock.ts';

/** The wait of a `Retry-After` header (RFC 9110 section 10.2.3) in milliseconds from `now`; null without a valid one. */
export function retryAfterMs(
  header: string | readonly string[] | undefined,
  now: Date,
): number | null {
  const text = (typeof header === 'string' ? header : header?.[0])?.trim() ?? '';
  const wait = /^\d{1,9}(?:\.\d{1,3})?$/.test(text)
    ? Number(text) * 1_000
    : millisOfDate(text) - now.getTime();
  return Number.isNaN(wait) ? null : Math.max(Math.round(wait), 0);
}

/** NaN for a text that is no date. A time of day is required: `Date.parse` also reads `a 7` and `-5`. */
const millisOfDate = (text: string): number =>
  /\d:\d\d:\d\d/.test(text) ? Date.parse(text) : Number.NaN;

/** Enough for a client that sends 64 MB before it reads. */
const maxDiscardedBytes = 134_217_728;
/** As long as a whole request may take. */
const maxDiscardMs = 10_000;

/**
 * Lets the client read a response that ends before its request does. Node destroys the socket at the end of a response
 * with `connection: close`. The system then resets a connection with unread bytes, and the client loses the response.
 * With this function the gateway ends its own direction of the connection and discards the rest of the body. A client
 * that sends too much or too slowly is disconnected.
 */
export function discardUnreadBody(
  request: IncomingMessage,
  response: ServerResponse,
  clock: Clock,
): void {
  // Before the listener of Node, which destroys the socket.
  response.prependOnceListener('finish', () => {
    if (!request.complete) discard(request, clock);
  });
}

function discard(request: IncomingMessage, clock: Clock): void {
  const { socket } = request;
  const { destroySoon } = socket;
  const destroy = () => void socket.destroy();
  const deadline = clock.deadline(maxDiscardMs);
  deadline.signal.addEventListener('abort', destroy);
  const end = socket.bytesRead + maxDiscardedBytes;
  const stop = () => {
    deadline[Symbol.dispose]();
    socket.off('close', stop);
    socket.destroySoon = destroySoon;
    if (socket.writableEnded) destroy();
  };
  socket.once('close', stop);
  socket.destroySoon = () => void socket.end();
  request.on('data', () => {
    if (socket.bytesRead > end) destroy();
  });
  request.once('end', stop).resume();
}
