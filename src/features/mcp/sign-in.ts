import type { AuthConfig } from '../../config/config.ts';
import type { AccessScope } from '../../kernel/caller.ts';
import { isUnencrypted } from '../../lib/addresses.ts';
import type { HttpRequest, RouteFacts } from '../../server/http/http-request.ts';
import { jsonResponse, type Routes, urlOf, withFacts } from '../../server/http/routes.ts';

export const mcpPath = '/mcp';
/** How a client signs in to the tools; RFC 9728 defines the path. */
const signInPath = `/.well-known/oauth-protected-resource${mcpPath}`;

/** The headers that a page may send to a path of the protocol. */
export const protocolHeaders = {
  requestHeaders: ['mcp-protocol-version', 'mcp-method', 'mcp-name'],
} satisfies RouteFacts;

/** How a client that knows only the address of the tools gets a token. */
export interface SignIn {
  /** The issuers with an address, where clients find how to sign in. At least one. */
  readonly issuers: readonly string[];
  /** The scopes that a client requests first. */
  readonly scopes: readonly AccessScope[];
}

/** Null when no issuer has an address. */
export function signInOf(auth: AuthConfig, scopes: readonly AccessScope[]): SignIn | null {
  const issuers = auth.kind === 'open' ? [] : auth.issuers.map(({ issuer }) => issuer);
  const addresses = issuers.filter(isAddress);
  return addresses.length > 0 ? { issuers: addresses, scopes } : null;
}

const isAddress = (issuer: string): boolean =>
  /^https?:/i.test(issuer) && URL.canParse(issuer) && !isUnencrypted(issuer);

export const signInRoutes = ({ issuers, scopes }: SignIn): Routes =>
  withFacts(
    { isForPages: true, ...protocolHeaders },
    {
      [signInPath]: ({ headers }) =>
        jsonResponse({
          resource: urlOf(headers.host ?? '', mcpPath),
          resource_name: 'reseller-graph',
          authorization_servers: issuers,
          scopes_supported: scopes,
          bearer_methods_supported: ['header'],
        }),
    },
  );

/** The parameters of a challenge that lead the client of a refused request to a token with these scopes. */
export const signInParameters = (
  { headers: { host = '' } }: HttpRequest,
  scopes: readonly AccessScope[],
) => ({ scope: scopes.join(' '), resource_metadata: urlOf(host, signInPath) });
