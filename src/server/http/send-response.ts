import { once } from 'node:events';
import { Fault } from '../../kernel/faults.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Log } from '../../observability/log.ts';
import type { HttpRequest } from './http-request.ts';
import { writeHead } from './responses.ts';
import type { RouteResponse } from './routes.ts';

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
