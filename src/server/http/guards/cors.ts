import type { Guard, RequestHead } from '../request-head.ts';

/** The sites whose pages may use this gateway, each as the `Origin` that a browser sends. */
export type Origins = readonly string[];

type ResponseHeaders = Readonly<Record<string, string>>;

/** Refuses pages of origins that are not listed. Health is exempt. */
export const createOriginGuard =
  (origins: Origins): Guard =>
  ({ headers: { origin, host }, path }) => {
    if (origin === undefined || path?.startsWith('/health/')) return null;
    if (origins.includes(origin) || isOwn(origin, host)) return null;
    return { status: 403, code: 'FORBIDDEN', message: notListed };
  };

/** Behind a proxy that terminates TLS the scheme of the page is unknown; host and port are known. */
const isOwn = (origin: string, host = ''): boolean =>
  origin === `http://${host.toLowerCase()}` || origin === `https://${host.toLowerCase()}`;

/** The headers with which a browser passes a response to a page of a listed origin; empty for other origins. */
export const corsHeaders = (
  { headers: { origin } }: RequestHead,
  origins: Origins,
): ResponseHeaders =>
  origin !== undefined && origins.includes(origin)
    ? {
        'access-control-allow-origin': origin,
        'access-control-expose-headers': 'x-request-id, retry-after',
        vary: 'origin',
      }
    : {};

/** The headers of the response to a preflight of a listed origin; null for other requests. */
export function preflightHeaders(head: RequestHead, origins: Origins): ResponseHeaders | null {
  const { method, headers } = head;
  const isPreflight =
    method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;
  if (!isPreflight || !origins.includes(headers.origin ?? '')) return null;
  return {
    'access-control-allow-methods': 'GET, POST',
    'access-control-allow-headers': allowedHeaders.join(', '),
    'access-control-max-age': '600',
  };
}

/** The headers that a page may send; cookies are never used. */
const allowedHeaders = [
  ...['content-type', 'authorization', 'x-api-key', 'x-account-token', 'idempotency-key'],
  ...['x-request-id', 'x-requested-with', 'apollo-require-preflight', 'traceparent', 'tracestate'],
];

const notListed =
  'Pages of this origin may not use this gateway; its operator lists allowed origins in CORS_ORIGINS.';
