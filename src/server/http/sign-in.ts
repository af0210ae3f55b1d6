import type { SignIn } from '../../config/sign-in.ts';
import type { AccessScope } from '../../kernel/caller.ts';
import { isLoopback } from '../../lib/loopback.ts';
import type { HttpRequest } from './http-request.ts';
import {
  approvalsPath,
  inProcessHost,
  jsonResponse,
  mcpPath,
  type Routes,
  signInPath,
} from './routes.ts';

/**
 * The URL of a path as the client uses it. The guards have checked the host. The gateway itself has no TLS, and RFC 9728
 * requires https, so the URL has https except on loopback.
 */
export function urlOf(host: string, path: string): string {
  const url = new URL(path, `https://${host}`);
  if (isLoopback(url.hostname)) url.protocol = 'http:';
  return url.href;
}

/** The address of the page of an approval, for a user of the tools. Only the path where the gateway serves no pages. */
export function approvalAddress({ node, headers: { host = '' } }: HttpRequest, id: string): string {
  const path = `${approvalsPath}/${id}`;
  if (host === inProcessHost) return path;
  // Another server may have mounted the gateway below a path.
  const [mount = ''] = (node.url ?? '').split(/\/mcp(?=[/?]|$)/);
  return urlOf(host, `${mount}${path}`);
}

export const signInRoutes = ({ issuers, scopes }: SignIn): Routes => ({
  [signInPath]: ({ headers }) =>
    jsonResponse({
      resource: urlOf(headers.host ?? '', mcpPath),
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
) => ({ scope: scopes.join(' '), resource_metadata: urlOf(host, signInPath) });

/** A challenge of `www-authenticate` (RFC 6750). */
export function bearerChallenge(parameters: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(parameters).map(
    ([name, value]) => `${name}="${value.replaceAll('"', "'")}"`,
  );
  return `Bearer ${pairs.join(', ')}`.trimEnd();
}
