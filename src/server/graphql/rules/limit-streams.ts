import type { Config } from '../../../config/config.ts';
import type { HttpRequest } from '../../http/http-request.ts';
import { requestFault } from '../../http/request-fault.ts';
import { hasSingleResult } from '../delivery.ts';
import type { Rule } from '../rule.ts';

const retryAfterSeconds = '5';

/**
 * Limits the open exports and responses that have several parts. Without authentication each address is a caller. A
 * response counts until it is closed.
 */
export function limitStreams({ maxStreams, maxStreamsPerCaller }: Config['server']): Rule {
  /** The number of open responses of each caller. */
  const open = new Map<string, number>();
  let all = 0;
  const change = (caller: string, by: 1 | -1) => {
    all += by;
    const count = (open.get(caller) ?? 0) + by;
    if (count > 0) open.set(caller, count);
    else open.delete(caller);
  };
  const countUntilClosed = ({ node, response, caller: { tenant, name } }: HttpRequest) => {
    if (response.closed) return null;
    const caller = JSON.stringify([tenant, name ?? node.socket.remoteAddress]);
    if (all >= maxStreams || (open.get(caller) ?? 0) >= maxStreamsPerCaller) return tooMany();
    change(caller, 1);
    response.once('close', () => change(caller, -1));
    return null;
  };
  return {
    onOperation: ({ operation, document }, request) =>
      hasSingleResult(operation, document) ? null : countUntilClosed(request),
    onExport: countUntilClosed,
  };
}

const tooMany = () =>
  requestFault('RATE_LIMITED', 'The limit of open streams is reached; close one of them.', 429, {
    'retry-after': retryAfterSeconds,
  });
