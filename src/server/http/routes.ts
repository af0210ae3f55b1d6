import { isLoopback } from '../../lib/addresses.ts';
import type { HttpRequest, RouteFacts } from './http-request.ts';

export const graphqlPath = '/graphql';

/** The host name of requests that a program sends to the gateway in its own process. */
export const inProcessHost = 'localhost';

/** The route of a path. That of `/page/*` is for each id after the slash. */
export const routeIn = <Of>(routes: Readonly<Record<string, Of>>, path: string | null) =>
  routes[path ?? ''] ?? routes[path?.replace(/\/[\w-]+$/, '/*') ?? ''];

/** In the paths of the gateway. */
const maxParts = 4;

/** The path at which another server may mount the gateway. */
const mount = /^(?:\/[\w~-][\w.~-]*)+$/;

/** The target as the gateway knows it: `/api/graphql?query=…` is `/graphql?query=…`. `serves` has the paths of the gateway. */
export function withoutMount(target: string, serves: (path: string) => boolean): string {
  const path = (target.split('?', 1)[0] ?? '').replace(/\/$/, '');
  // No path of the gateway has more parts.
  for (let parts = 0, at = path.length; parts < maxParts && at > 0; parts += 1) {
    at = path.lastIndexOf('/', at - 1);
    if (at < 0) break;
    if (serves(path.slice(at))) {
      return mount.test(path.slice(0, at)) ? target.slice(at) : target;
    }
  }
  return target;
}

export interface RouteResponse {
  /** Default 200. */
  readonly status?: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Parts are sent as the client takes them. */
  readonly body: string | Uint8Array | AsyncIterator<string, void>;
}

/** Responds to GET and HEAD of a path, or to POST when it has `post`; null when it has no response for this request. */
export type Route = ((
  request: HttpRequest,
) => RouteResponse | null | Promise<RouteResponse | null>) &
  RouteFacts;

/** Responses by path without a trailing slash. The guards accept no other methods. */
export type Routes = Readonly<Record<string, Route>>;

/** Gives each route these facts. */
export const withFacts = (facts: RouteFacts, routes: Routes): Routes =>
  Object.fromEntries(
    Object.entries(routes).map(([path, route]) => [
      path,
      Object.assign((request: HttpRequest) => route(request), facts),
    ]),
  );

/** Whether the client is a browser that opens a page. */
export const acceptsPage = (request: HttpRequest): boolean =>
  (request.method === 'GET' || request.method === 'HEAD') &&
  /\btext\/html\b/.test(request.header('accept') ?? '');

/** `policy` has the directives of `content-security-policy` that only this page needs. */
export const pageResponse = (html: string, policy: string): RouteResponse => ({
  headers: {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': `default-src 'none'; ${policy}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    vary: 'accept',
  },
  body: html,
});

export const jsonResponse = (value: object, status = 200): RouteResponse => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(value),
});

/** The state of the process; every client may read it. */
export interface Health {
  /** Null when the process can do all its work, else the reason in one sentence. */
  readiness(): Promise<string | null>;
  /** The state of each upstream API, observed from earlier calls, and under `…Reason` why it is unavailable. */
  upstream(): Readonly<Record<string, string>>;
  isStopping(): boolean;
}

export const healthRoutes = ({ readiness, upstream, isStopping }: Health): Routes =>
  withFacts(
    { kind: 'health' },
    {
      /** The process runs. */
      '/health/live': () => jsonResponse({ status: 'live' }),
      /** The process accepts requests; 503 once it stops. */
      '/health/serving': () =>
        isStopping()
          ? jsonResponse({ status: 'stopping' }, 503)
          : jsonResponse({ status: 'serving', upstream: upstream() }),
      /** The process can do all its work, purchases too; otherwise 503 with the reason. */
      async '/health/ready'() {
        const reason = await readiness();
        return reason === null
          ? jsonResponse({ status: 'ready', upstream: upstream() })
          : jsonResponse({ status: 'not ready', reason, upstream: upstream() }, 503);
      },
    },
  );

/**
 * The URL of a path as the client uses it. The guards have checked the host. The gateway itself has no TLS, and RFC 9728
 * requires https, so the URL has https except on loopback.
 */
export function urlOf(host: string, path: string): string {
  const url = new URL(path, `https://${host}`);
  if (isLoopback(url.hostname)) url.protocol = 'http:';
  return url.href;
}
