import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type {
  OAuthClientInformation,
  OAuthClientProvider,
  OAuthDiscoveryState,
  OAuthTokens,
} from '@modelcontextprotocol/client';
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';

interface Reply {
  /** Of a redirect. */
  readonly location?: string;
  readonly error?: string;
  readonly [member: string]: unknown;
}

type Handler = (request: IncomingMessage, query: URLSearchParams) => Reply | Promise<Reply>;

/** Of all tokens, beside the requested resource. */
const audience = 'reseller-graph';
const redirectUri = 'http://127.0.0.1:9/callback';

/**
 * An authorization server (OAuth 2.1) with metadata, dynamic registration, PKCE and tokens (JWT). Its user grants the scopes
 * that `grants` has.
 */
export async function startAuthorizationServer() {
  const { privateKey, publicKey } = await generateKeyPair('ES256');
  const jwk = { ...(await exportJWK(publicKey)), kid: 'one', alg: 'ES256' };
  const authorizations: Record<string, string>[] = [];
  const codes = new Map<string, Record<string, string>>();
  const grants = new Set<string>();

  const sign = (claims: JWTPayload) =>
    new SignJWT({ iss: issuer, sub: 'ada', exp: Math.floor(Date.now() / 1000) + 600, ...claims })
      .setProtectedHeader({ alg: 'ES256', kid: 'one' })
      .sign(privateKey);

  const handlers: Readonly<Record<string, Handler>> = {
    '/.well-known/oauth-authorization-server': () => ({
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      registration_endpoint: `${issuer}/register`,
      response_types_supported: ['code'],
      grant_types_supported: ['authorization_code'],
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: ['none'],
      authorization_response_iss_parameter_supported: true,
    }),
    '/jwks.json': () => ({ keys: [jwk] }),
    '/register': async (request) => ({
      ...JSON.parse(await text(request)),
      client_id: 'a-client',
    }),
    '/authorize': (_request, query) => {
      const code = randomUUID();
      const authorization = Object.fromEntries(query);
      authorizations.push(authorization);
      codes.set(code, authorization);
      return { location: `${redirectUri}?${new URLSearchParams({ code, iss: issuer })}` };
    },
    async '/token'(request) {
      const sent = new URLSearchParams(await text(request));
      const { code_challenge, scope = '', resource = '' } = codes.get(sent.get('code') ?? '') ?? {};
      const verifier = sent.get('code_verifier') ?? '';
      if (createHash('sha256').update(verifier).digest('base64url') !== code_challenge)
        return { error: 'invalid_grant' };
      const granted = scope.split(' ').filter((one) => grants.has(one));
      return {
        ...{ token_type: 'Bearer', expires_in: 600, scope: granted.join(' ') },
        access_token: await sign({ aud: [resource, audience], scope: granted.join(' ') }),
      };
    },
  };
  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', issuer);
    const body = await handlers[pathname]?.(request, searchParams);
    const { location, error } = body ?? {};
    const status = location ? 302 : error ? 400 : body ? 200 : 404;
    response.writeHead(status, {
      'content-type': 'application/json',
      ...(location && { location }),
    });
    response.end(JSON.stringify(body));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    issuer,
    audience,
    jwks: `${issuer}/jwks.json`,
    /** The parameters of each authorization. */
    authorizations,
    grants,
    sign,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

export type AuthorizationServer = Awaited<ReturnType<typeof startAuthorizationServer>>;

/** JWT_ISSUERS with these issuers, which all have the keys of the server. */
export const issuersOf = (
  { jwks, audience }: AuthorizationServer,
  ...issuers: readonly string[]
): string =>
  JSON.stringify(
    issuers.map((issuer, at) => ({
      ...{ name: `issuer-${at}`, issuer, jwks, audience, algorithms: ['ES256'] },
    })),
  );

/** What a client of the SDK stores. Its user is signed in and consents at once. */
export class TestProvider implements OAuthClientProvider {
  readonly redirectUrl = redirectUri;
  readonly clientMetadata = { client_name: 'a-test', redirect_uris: [redirectUri] };
  /** The parameters with which the authorization server returned the browser. */
  callback = new URLSearchParams();
  #client: OAuthClientInformation | undefined;
  #tokens: OAuthTokens | undefined;
  #verifier = '';
  #discovery: OAuthDiscoveryState | undefined;

  clientInformation(): OAuthClientInformation | undefined {
    return this.#client;
  }

  saveClientInformation(client: OAuthClientInformation): void {
    this.#client = client;
  }

  tokens(): OAuthTokens | undefined {
    return this.#tokens;
  }

  saveTokens(tokens: OAuthTokens): void {
    this.#tokens = tokens;
  }

  codeVerifier(): string {
    return this.#verifier;
  }

  saveCodeVerifier(verifier: string): void {
    this.#verifier = verifier;
  }

  discoveryState(): OAuthDiscoveryState | undefined {
    return this.#discovery;
  }

  saveDiscoveryState(state: OAuthDiscoveryState): void {
    this.#discovery = state;
  }

  async redirectToAuthorization(address: URL): Promise<void> {
    const { headers } = await fetch(address, { redirect: 'manual' });
    this.callback = new URL(headers.get('location') ?? '').searchParams;
  }
}
