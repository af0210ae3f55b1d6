import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock, Randomness } from '../../lib/clock.ts';
import { discardUnreadBody } from '../../lib/unread-body.ts';
import { withTimeout } from '../../lib/with-timeout.ts';
import { HttpRequest } from './http-request.ts';
import { type HttpRefusal, refuse } from './responses.ts';
import { withoutMount } from './routes.ts';
import { type NodeHandler, respondTo } from './web-request.ts';

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
