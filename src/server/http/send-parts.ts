import { once } from 'node:events';
import { Fault } from '../../kernel/faults.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Log } from '../../observability/log.ts';
import type { HttpRequest } from './http-request.ts';

/** A slow client holds one state of a list in memory until then. */
const maxMs = 600_000;

/**
 * Sends a part when the client has taken the previous one. A list that cannot be read to its end resets the connection, so
 * that no client takes the cut file for a whole one.
 */
export async function sendParts(
  request: HttpRequest,
  first: IteratorResult<string, void>,
  parts: AsyncIterator<string, void>,
  { clock, log }: { readonly clock: Clock; readonly log: Log },
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
