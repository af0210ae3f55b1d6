import type { Arrival, Check } from './arrival.ts';

/** The sites that may speak to this gateway, each as the `Origin` that a browser sends; none by default. */
export type Origins = readonly string[];

type Headers = Readonly<Record<string, string>>;

/**
 * A page of another site speaks to this gateway only if its origin is listed: whoever has the gateway open in a browser
 * would lend it their hands. Health is for everybody, and is not read by pages.
 */
export const createOriginCheck =
  (origins: Origins): Check =>
  ({ headers: { origin, host }, path }) => {
    if (origin === undefined || path?.startsWith('/health/')) return null;
    if (origins.includes(origin) || isOwn(origin, host)) return null;
    return { status: 403, code: 'FORBIDDEN', message: foreign };
  };

/** Behind a proxy that ends TLS the scheme of the page is not known here; its host and port are. */
const isOwn = (origin: string, host = ''): boolean =>
  origin === `http://${host.toLowerCase()}` || origin === `https://${host.toLowerCase()}`;

/** What a browser has to hear before it hands the answer to the page of a listed site; empty for everybody else. */
export const corsHeaders = ({ headers: { origin } }: Arrival, origins: Origins): Headers =>
  origin !== undefined && origins.includes(origin)
    ? {
        'access-control-allow-origin': origin,
        'access-control-expose-headers': 'x-request-id, retry-after',
        vary: 'origin',
      }
    : {};

/** The headers of the answer to a preflight of a listed site; null for what is none. */
export function preflightHeaders(arrival: Arrival, origins: Origins): Headers | null {
  const { method, headers } = arrival;
  const asks = method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;
  if (!asks || !origins.includes(headers.origin ?? '')) return null;
  return {
    ...corsHeaders(arrival, origins),
    'access-control-allow-methods': 'GET, POST',
    'access-control-allow-headers': taken.join(', '),
    'access-control-max-age': '600',
  };
}

/** The headers that a page may send; none that a browser would add by itself, so no cookies. */
const taken = [
  ...['content-type', 'authorization', 'x-api-key', 'x-account-token', 'idempotency-key'],
  ...['x-request-id', 'x-requested-with', 'apollo-require-preflight', 'traceparent', 'tracestate'],
];

const foreign =
  'Pages of this origin may not use this gateway; its operator lists the origins that may in CORS_ORIGINS.';
