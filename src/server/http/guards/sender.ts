import type { IncomingMessage } from 'node:http';
import { isLoopback } from '../../../lib/loopback.ts';
import type { HttpRequest } from '../http-request.ts';
import { badRequest, type Guard } from '../responses.ts';
import { graphqlPath } from '../routes.ts';
import { isOfAccount } from './of-account.ts';

/**
 * Accepts one `Host` header with an allowed name, as protection against DNS rebinding. Without authentication (`isOpen`)
 * only names of loopback are allowed. Probes send an address or no name; health accepts them.
 */
export function createHostGuard(isOpen: boolean, allowedHosts: readonly string[]): Guard {
  const isAllowed = isOpen ? isLoopback : (name: string) => allowedHosts.includes(name);
  const message = isOpen ? notLoopback : hostNotListed;
  // Most requests have the same.
  let accepted: string | undefined;
  return ({ node, path, headers: { host } }) => {
    const isHealth = path?.startsWith('/health/') === true;
    if (countHosts(node) > 1) return badRequest(400, invalidHost);
    if (host === undefined) return isHealth ? null : badRequest(400, invalidHost);
    if (host === accepted) return null;
    const name = hostNameOf(host);
    if (name === null) return badRequest(400, invalidHost);
    if (isHealth) return null;
    if (!isAllowed(name)) return badRequest(421, message);
    accepted = host;
    return null;
  };
}

const plainHost = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i;

const hostNameOf = (host: string): string | null =>
  plainHost.test(host) ? (URL.parse(`http://${host}/`)?.hostname ?? null) : null;

function countHosts({ rawHeaders }: IncomingMessage): number {
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? '';
    if (name.length === 4 && name.toLowerCase() === 'host') count += 1;
  }
  return count;
}

const invalidHost =
  'A request needs one Host header with a name of this gateway and an optional port.';
const notLoopback = 'Without a key this gateway responds only at localhost, 127.0.0.1 or [::1].';
const hostNotListed =
  'This gateway does not respond under that name; its operator lists the names in ALLOWED_HOSTS.';

/** The sites whose pages may use this gateway, each as the `Origin` that a browser sends. */
type Origins = readonly string[];

/** Refuses pages of origins that are not listed. Health is exempt. */
export const createOriginGuard =
  (origins: Origins): Guard =>
  ({ headers: { origin, host }, path }) => {
    if (origin === undefined || path?.startsWith('/health/')) return null;
    if (origins.includes(origin) || isOwn(origin, host)) return null;
    return { status: 403, code: 'FORBIDDEN', message: originNotListed };
  };

/** Behind a proxy that terminates TLS the scheme of the page is unknown; host and port are known. */
const isOwn = (origin: string, host = ''): boolean =>
  origin === `http://${host.toLowerCase()}` || origin === `https://${host.toLowerCase()}`;

/** Lets a browser pass the response to a page of a listed origin. */
export function setCorsHeaders({ headers: { origin }, response }: HttpRequest, origins: Origins) {
  if (origin === undefined || !origins.includes(origin)) return;
  response.setHeader('access-control-allow-origin', origin);
  response.setHeader('access-control-expose-headers', exposedHeaders);
  response.setHeader('vary', 'origin');
}

/** The headers of responses that a page may read, beside those that browsers always allow. */
const exposedHeaders =
  'x-request-id, retry-after, content-disposition, x-list-complete, x-list-next-step, www-authenticate';

/** The headers of the response to a preflight of a listed origin; null for other requests. */
export function preflightHeaders({ method, headers, route }: HttpRequest, origins: Origins) {
  const isPreflight =
    method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;
  if (!isPreflight || !origins.includes(headers.origin ?? '')) return null;
  return {
    'access-control-allow-methods': 'GET, POST',
    'access-control-allow-headers': [allowedHeaders, ...(route.requestHeaders ?? [])].join(', '),
    'access-control-max-age': '600',
  };
}

/** The headers that a page may send; cookies are never used. */
const allowedHeaders =
  'content-type, authorization, x-api-key, x-account-token, idempotency-key, x-request-id, x-requested-with, apollo-require-preflight, traceparent, tracestate';

const originNotListed =
  'Pages of this origin may not use this gateway; its operator lists allowed origins in CORS_ORIGINS.';

const html = /\btext\/html\b/;

/**
 * Refuses requests to the graph, to exports and to tools that a browser sends for a page of another site without an `Origin`: images, forms and
 * links. A link may open GraphiQL.
 */
export const createCrossSiteGuard =
  (hasPage: boolean): Guard =>
  (request) => {
    const { path, headers } = request;
    const site = headers['sec-fetch-site'];
    if (!isOfAccount(request) || headers.origin !== undefined) return null;
    if (site === undefined || site === 'same-origin' || site === 'none') return null;
    const opensPage = headers['sec-fetch-mode'] === 'navigate' && html.test(headers.accept ?? '');
    if (hasPage && opensPage && path === graphqlPath) return null;
    return { status: 403, code: 'FORBIDDEN', message: crossSite };
  };

const crossSite =
  'Pages of other sites must not request this path; send the request from a program.';

/**
 * Refuses a GET of the graph without an `accept` header for results or a header that needs a preflight: a page of another
 * site can send it with an image, a form or a link.
 */
export const createAcceptGuard =
  (hasPage: boolean): Guard =>
  ({ method, path, headers }) => {
    if (path !== graphqlPath || (method !== 'GET' && method !== 'HEAD')) return null;
    const { accept = '' } = headers;
    if (hasPage && html.test(accept)) return null;
    // The origin guard has checked requests with this mode.
    if (headers['sec-fetch-mode'] === 'cors') return null;
    const needsPreflight = preflighted.some((name) => headers[name] !== undefined);
    return needsPreflight || results.test(accept) ? null : badRequest(400, noAccept);
  };

const preflighted = ['apollo-require-preflight', 'x-requested-with'];
const results =
  /\b(?:application\/(?:graphql-response\+)?json|text\/event-stream|multipart\/mixed)\b/i;
const noAccept =
  'A GET of the graph needs an accept header such as `application/json`, as protection against CSRF; otherwise use POST.';
