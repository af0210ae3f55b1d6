import type { SignIn } from '../../config/sign-in.ts';
import type { AccessScope } from '../../kernel/caller.ts';
import type { HttpRequest } from '../http/http-request.ts';
import { jsonResponse, type Routes, withFacts } from '../http/routes.ts';
import { urlOf } from '../http/url-of.ts';

export const mcpPath = '/mcp';
/** How a client signs in to the tools; RFC 9728 defines the path. */
const signInPath = `/.well-known/oauth-protected-resource${mcpPath}`;

export const signInRoutes = ({ issuers, scopes }: SignIn): Routes =>
  withFacts(
    { isForPages: true },
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
