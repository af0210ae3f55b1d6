import type { IncomingMessage } from 'node:http';
import type { Config } from '../../config/config.ts';
import { isLoopback } from '../../lib/addresses.ts';
import type { HttpRequest, RouteFacts } from './http-request.ts';
import { badRequest, type Guard, overloaded, refuse, writeHead } from './responses.ts';
import { graphqlPath } from './routes.ts';

/** Whether the request is for data of an account. */
const isOfAccount = ({ path, route }: Pick<HttpRequest, 'path' | 'route'>): boolean =>
  path === graphqlPath || route.isOfAccount === true;

/** Characters; a longer document is sent by POST. */
const maxTargetLength = 8_192;

/** Accepts a plain path of bounded length. */
const checkTarget: Guard = ({ target, path }) => {
  if (target.length > maxTargetLength) return badRequest(414, targetTooLong);
  if (path !== null) return null;
  return badRequest(400, 'The target of a request is a plain path such as `/graphql`.');
};

const targetTooLong = `The target of a request has at most ${maxTargetLength} characters; send the document by POST.`;

const maxHeaders = 100;

/** Counted here, because Node drops the headers beyond its own limit without an error. */
const checkHeaderCount: Guard = ({ node }) =>
  node.rawHeaders.length > 2 * maxHeaders
    ? badRequest(431, `A request has at most ${maxHeaders} headers.`)
    : null;

/** Open requests, streams among them. */
const maxOpenRequests = 4_096;

/** Refuses requests beyond the limit before their bodies are read; health is exempt. */
const createLoadGuard =
  (openRequests: () => number): Guard =>
  ({ path }) =>
    openRequests() <= maxOpenRequests || path?.startsWith('/health/') ? null : overloaded(1);

/** Refuses a method that a known path does not have; unknown paths are refused later. */
function createMethodGuard(hasPage: boolean, routes: Readonly<Record<string, RouteFacts>>): Guard {
  const methodsOf = new Map(
    Object.entries(routes).map(([path, { post }]) => [path, post ? ['POST'] : ['GET', 'HEAD']]),
  );
  methodsOf.set(graphqlPath, hasPage ? ['GET', 'POST', 'HEAD'] : ['GET', 'POST']);
  return ({ method, path }) => {
    const methods = methodsOf.get(path ?? '');
    if (methods === undefined || methods.includes(method)) return null;
    const allow = methods.join(', ');
    return { ...badRequest(405, `This path accepts ${allow} only.`), headers: { allow } };
  };
}

/** Accepts a body only with POST, whole or in chunks. Node itself refuses a request with a length and chunks. */
const checkTransfer: Guard = ({ method, headers, hasBody }) => {
  const encoding = headers['transfer-encoding'];
  if (encoding !== undefined && encoding.toLowerCase() !== 'chunked')
    return badRequest(400, 'The only accepted `transfer-encoding` is `chunked`.');
  return hasBody && method !== 'POST' ? badRequest(400, 'Only a POST has a body.') : null;
};

/**
 * Accepts JSON in UTF-8 without content encoding. A browser sends that to another site only after a preflight, and it
 * cannot be a decompression bomb.
 */
const checkMediaType: Guard = ({ method, headers }) => {
  if (method !== 'POST') return null;
  const type = headers['content-type'] ?? '';
  if (!/^application\/json\s*(?:;|$)/.test(type)) {
    return notJson('A POST request must have the content type `application/json`.');
  }
  const charset = /;\s*charset\s*=\s*"?([^\s;"]*)/i.exec(type)?.[1];
  if (charset !== undefined && !/^utf-?8$/i.test(charset)) {
    return notJson('JSON must be in UTF-8; omit the charset.');
  }
  if (!headers['content-encoding']) return null;
  return badRequest(415, 'A body must be sent without `content-encoding`.');
};

const notJson = (message: string) => ({
  ...badRequest(415, message),
  headers: { accept: 'application/json' },
});

/** Refuses a body by its declared length; a chunked body is counted while it is read. */
const createLengthGuard =
  (maxBytes: number): Guard =>
  ({ headers }) =>
    Number(headers['content-length'] ?? 0) > maxBytes
      ? badRequest(413, `The body of a request has at most ${maxBytes} bytes.`)
      : null;

const checkExpectation: Guard = ({ headers: { expect } }) =>
  expect === undefined || expect.toLowerCase() === '100-continue'
    ? null
    : badRequest(417, 'The only accepted `expect` is `100-continue`.');

/**
 * Accepts one `Host` header with an allowed name, as protection against DNS rebinding. Without authentication (`isOpen`)
 * only names of loopback are allowed. Probes send an address or no name; health accepts them.
 */
function createHostGuard(isOpen: boolean, allowedHosts: readonly string[]): Guard {
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
const createOriginGuard =
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
function setCorsHeaders({ headers: { origin }, response }: HttpRequest, origins: Origins) {
  if (origin === undefined || !origins.includes(origin)) return;
  response.setHeader('access-control-allow-origin', origin);
  response.setHeader('access-control-expose-headers', exposedHeaders);
  response.setHeader('vary', 'origin');
}

/** The headers of responses that a page may read, beside those that browsers always allow. */
const exposedHeaders =
  'x-request-id, retry-after, content-disposition, x-list-complete, x-list-next-step, www-authenticate';

/** The headers of the response to a preflight of a listed origin; null for other requests. */
function preflightHeaders({ method, headers, route }: HttpRequest, origins: Origins) {
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
const createCrossSiteGuard =
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
const createAcceptGuard =
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

interface GuardOptions {
  /** The paths beside the graph, without a trailing slash. */
  readonly routes: Readonly<Record<string, RouteFacts>>;
  /** Whether there is no authentication. */
  readonly isOpen: boolean;
  /** Requests whose responses are not complete. */
  readonly openRequests: () => number;
}

/** Checks the head of every request before its body is read. Returns false for a request that it has answered itself. */
export function createGuards(
  { development, allowedHosts, corsOrigins, maxBodyBytes }: Config['server'],
  { routes, isOpen, openRequests }: GuardOptions,
) {
  // GraphiQL is served at the path of the graph.
  const hasPage = development;
  const senderGuards: readonly Guard[] = [
    // First, because the others need the path.
    checkTarget,
    checkHeaderCount,
    // Before the origin, which is this gateway's own if it has the same host.
    createHostGuard(isOpen, allowedHosts),
    createOriginGuard(corsOrigins),
    createCrossSiteGuard(hasPage),
  ];
  const formatGuards: readonly Guard[] = [
    createLoadGuard(openRequests),
    createMethodGuard(hasPage, routes),
    // After the methods, since it concerns two of them.
    createAcceptGuard(hasPage),
    checkTransfer,
    checkMediaType,
    createLengthGuard(maxBodyBytes),
    // Last, because the client sends the body afterwards.
    checkExpectation,
  ];

  return (request: HttpRequest): boolean => {
    const { response, headers } = request;
    const isRefused = (guards: readonly Guard[]): boolean =>
      guards.some((guard) => {
        const refusal = guard(request);
        if (refusal) refuse(request, refusal);
        return refusal !== null;
      });
    setCorsHeaders(request, corsOrigins);
    if (isRefused(senderGuards)) return false;
    const isForPages = isOfAccount(request) || request.route.isForPages === true;
    const preflight = isForPages ? preflightHeaders(request, corsOrigins) : null;
    if (preflight !== null) {
      writeHead(request, 204, preflight);
      response.end();
      return false;
    }
    if (isRefused(formatGuards)) return false;
    if (headers.expect !== undefined) response.writeContinue();
    return true;
  };
}
