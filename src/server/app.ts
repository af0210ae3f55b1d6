import type { IncomingMessage, ServerResponse } from 'node:http';
import type { GraphQLSchema } from 'graphql';
import { createYoga } from 'graphql-yoga';
import type { Config } from '../config/config.ts';
import type { Randomness } from '../kernel/clock.ts';
import type { RequestFacts, Scope } from '../modules/scope.ts';
import type { Log } from '../observability/log.ts';
import { readAccountToken } from './account-token.ts';
import { callerSignal } from './caller-signal.ts';
import { assetRoutes } from './graphiql/assets.ts';
import { assetPrefix, type Surroundings, useGraphiqlPage, wantsPage } from './graphiql/page.ts';
import { liveRoute, type Readiness, readyRoute } from './health.ts';
import { readIdempotencyKey } from './idempotency-key.ts';
import { useApiKey } from './plugins/use-api-key.ts';
import { useEventStream } from './plugins/use-event-stream.ts';
import { useHiddenSchema } from './plugins/use-hidden-schema.ts';
import { useJsonOnly } from './plugins/use-json-only.ts';
import { useLoopbackHost } from './plugins/use-loopback-host.ts';
import { useMaskedFaults } from './plugins/use-masked-faults.ts';
import { useOnePurchase } from './plugins/use-one-purchase.ts';
import { useRequestId } from './plugins/use-request-id.ts';
import { type Route, useRoutes } from './plugins/use-routes.ts';
import { useSecurityHeaders } from './plugins/use-security-headers.ts';
import { useUpstreamTrace } from './plugins/use-upstream-trace.ts';
import { createRequestIds } from './request-ids.ts';

export type TracedCall = Scope['upstreamCalls'][number];

/** What the server needs of a request's scope; the resolvers have the whole of it as their context. */
export interface RequestScope {
  readonly upstreamCalls: readonly TracedCall[];
}

export interface AppOptions {
  readonly schema: GraphQLSchema;
  readonly createScope: (request: RequestFacts) => RequestScope;
  readonly settings: Pick<Config, 'auth' | 'development' | 'maxBodyBytes'>;
  readonly surroundings: Surroundings;
  readonly readiness: Readiness;
  readonly log: Log;
  readonly randomness: Randomness;
}

export interface App {
  /** Answers a request without a socket. */
  fetch(request: Request): Promise<Response>;
  /** Answers a request of a `node:http` server. */
  handle(request: IncomingMessage, response: ServerResponse): void;
  dispose(): Promise<void>;
}

export const graphqlPath = '/graphql';

/** The HTTP side of the gateway: the graph, its playground and its health. */
export function createApp(options: AppOptions): App {
  const { settings, surroundings, log, randomness } = options;
  const { auth, development } = settings;
  const ids = createRequestIds(randomness);
  const scopes = new WeakMap<Request, RequestScope>();
  const callers = new WeakMap<Request, string>();

  const routes: Record<string, Route> = {
    '/health/live': liveRoute,
    '/health/ready': readyRoute(options.readiness),
    ...(development && assetRoutes(assetPrefix)),
    ...(development && { '/': homeRoute }),
  };

  const yoga = createYoga({
    schema: options.schema,
    context({ request }) {
      const scope = options.createScope({
        requestId: ids.of(request),
        caller: callers.get(request) ?? null,
        signal: callerSignal(request),
        accountToken: readAccountToken(request.headers),
        idempotencyKey: readIdempotencyKey(request.headers),
      });
      scopes.set(request, scope);
      return scope;
    },
    graphqlEndpoint: graphqlPath,
    maxRequestBodySize: settings.maxBodyBytes,
    batching: false,
    multipart: false,
    cors: false,
    landingPage: false,
    // Replaced by plugins of ours. No address ends in a blank, so Yoga's own health check never answers.
    graphiql: false,
    maskedErrors: false,
    healthCheckEndpoint: ' ',
    logging: false,
    plugins: [
      // First, so that every response has them, also one that a later plugin ends early.
      useRequestId(ids),
      useSecurityHeaders(),
      // Before anything is served: a foreign site must not even read the page.
      auth.kind === 'open' && useLoopbackHost(),
      // Before the routes, which leave the path of the graph alone.
      development && useGraphiqlPage(graphqlPath, surroundings),
      useRoutes({ routes, graphqlPath }),
      // From here on only the path of the graph is left. The key comes before a byte of the body is read.
      auth.kind === 'keys' && useApiKey(auth.keys, callers),
      useJsonOnly(),
      !development && useHiddenSchema(),
      // Beside the rules of the specification, so it is told together with what they find.
      useOnePurchase(),
      // Before the masks, which make of its refusal what they make of any other.
      useEventStream(),
      // Looks at the result before it is masked, and must not see what masking adds.
      development && useUpstreamTrace((request) => scopes.get(request)?.upstreamCalls ?? []),
      // Last: nothing that a plugin above says about an error may pass unmasked.
      useMaskedFaults({ ids, log, suggestions: development }),
    ].filter((plugin) => plugin !== false),
  });

  return {
    fetch: async (request) => yoga.fetch(request, {}),
    handle: (request, response) => void yoga(request, response),
    dispose: async () => yoga.dispose(),
  };
}

/** Sends a browser to the graph; nothing else has a home here. */
const homeRoute: Route = (request) =>
  wantsPage(request)
    ? new Response(null, { status: 302, headers: { location: graphqlPath } })
    : Response.json({ graph: graphqlPath }, { status: 404 });
