import type { AccessScope, TokenIssuer } from '../../kernel/caller.ts';
import { isLoopback } from '../../lib/loopback.ts';
import type { HttpRequest } from './http-request.ts';
import { mcpPath, type Route, signInPath } from './routes.ts';

/** How a client that knows the address of the tools gets a token (OAuth 2.0 Protected Resource Metadata, RFC 9728). */
export interface SignIn {
  /** The issuers with an address, where clients find how to sign in. At least one. */
  readonly issuers: readonly string[];
  /** The scopes that a client requests first. */
  readonly scopes: readonly AccessScope[];
}

/** Null when no issuer has an address. */
export function signInOf(
  issuers: readonly TokenIssuer[],
  scopes: readonly AccessScope[],
): SignIn | null {
  const addresses = issuers.map(({ issuer }) => issuer).filter(isAddress);
  return addresses.length > 0 ? { issuers: addresses, scopes } : null;
}

function isAddress(issuer: string): boolean {
  const url = URL.parse(issuer);
  return url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url.hostname));
}

/**
 * The address of a path as clients know it. The guards have checked the host. Proxies terminate TLS, and the metadata
 * requires https except on loopback, so the scheme of the request is not used.
 */
function addressOf(host: string, path: string): string {
  const url = new URL(path, `https://${host}`);
  if (isLoopback(url.hostname)) url.protocol = 'http:';
  return url.href;
}

export const signInRoutes = ({ issuers, scopes }: SignIn): Readonly<Record<string, Route>> => ({
  [signInPath]: ({ headers }) =>
    Response.json({
      resource: addressOf(headers.get('host') ?? '', mcpPath),
      resource_name: 'reseller-graph',
      authorization_servers: issuers,
      scopes_supported: scopes,
      bearer_methods_supported: ['header'],
    }),
});

/** The parameters of a challenge that lead the client of a refused request to a token with these scopes. */
export const signInParameters = (
  { headers: { host = '' } }: HttpRequest,
  scopes: readonly AccessScope[],
) => ({ scope: scopes.join(' '), resource_metadata: addressOf(host, signInPath) });

/** A challenge of `www-authenticate` (RFC 6750). */
export function bearerChallenge(parameters: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(parameters).map(
    ([name, value]) => `${name}="${value.replaceAll('"', "'")}"`,
  );
  return `Bearer ${pairs.join(', ')}`.trimEnd();
}
