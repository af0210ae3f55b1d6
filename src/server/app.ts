import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { useDeferStream } from '@graphql-yoga/plugin-defer-stream';
import type { GraphQLSchema } from 'graphql';
import { createYoga } from 'graphql-yoga';
import type { Config } from '../config/config.ts';
import { anybody } from '../kernel/caller.ts';
import type { Randomness } from '../kernel/clock.ts';
import type { RateStore } from '../kernel/rate-store.ts';
import type { RequestFacts } from '../modules/deps.ts';
import type { Scope } from '../modules/scope.ts';
import type { Log } from '../observability/log.ts';
import { readAccountToken } from './account-token.ts';
import { createAddressCheck } from './address.ts';
import { callerSignal } from './caller-signal.ts';
import { createEstimate } from './cost/estimate.ts';
import { createDocuments, type Envelop } from './documents.ts';
import { assetRoutes } from './graphiql/assets.ts';
import { assetPrefix, useGraphiqlPage } from './graphiql/page.ts';
import { liveRoute, type Readiness, readyRoute } from './health.ts';
import { readIdempotencyKey } from './idempotency-key.ts';
import { type Layer, sharedValidation } from './layer.ts';
import { checkManifest, readManifest } from './manifest.ts';
import { type PageOptions, pageRoutes } from './pages/routes.ts';
import { createPlainWay } from './plain-way.ts';
import { useApiKey } from './plugins/use-api-key.ts';
import { useCostLimit } from './plugins/use-cost-limit.ts';
import { useEventStream } from './plugins/use-event-stream.ts';
import { useHiddenSchema } from './plugins/use-hidden-schema.ts';
import { useIncrementalDelivery } from './plugins/use-incremental-delivery.ts';
import { useJsonOnly } from './plugins/use-json-only.ts';
import { useLoopbackHost } from './plugins/use-loopback-host.ts';
import { useMaskedFaults } from './plugins/use-masked-faults.ts';
import { useOnePurchase } from './plugins/use-one-purchase.ts';
import { usePersistedDocuments } from './plugins/use-persisted-documents.ts';
import { useRateLimit } from './plugins/use-rate-limit.ts';
import { useRequestId } from './plugins/use-request-id.ts';
import { type Route, useRoutes } from './plugins/use-routes.ts';
import { useSecurityHeaders } from './plugins/use-security-headers.ts';
import { useUpstreamTrace } from './plugins/use-upstream-trace.ts';
import type { Holds } from './repeated.ts';
import { createRequestIds } from './request-ids.ts';
import { notesOf, type RequestView } from './request-view.ts';

export type TracedCall = Scope['upstreamCalls'][number];
export type KeptAnswer = Scope['keptAnswers'][number];

/** What the server needs of a request's scope; the resolvers have the whole of it as their context. */
export interface RequestScope {
  readonly upstreamCalls: readonly TracedCall[];
  readonly keptAnswers: readonly KeptAnswer[];
  readonly budget?: Scope['budget'];
  /** Whether what was answered would be answered again; null where that cannot be told. */
  standing?(): Holds | null;
}

export interface AppOptions {
  readonly schema: GraphQLSchema;
  readonly createScope: (request: RequestFacts) => RequestScope;
  readonly settings: Pick<
    Config,
    'auth' | 'development' | 'documents' | 'maxBodyBytes' | 'maxUpstreamCalls' | 'rate'
  >;
  readonly surroundings: PageOptions['surroundings'];
  readonly settingRows: PageOptions['settingRows'];
  readonly readiness: Readiness;
  readonly log: Log;
  readonly randomness: Randomness;
  readonly rateStore: RateStore;
  /** Whether a request may pass Yoga's HTTP layer by; what is answered is the same. Default true. */
  readonly plainWay?: boolean;
}

export interface App {
  /** Answers a request without a socket. */
  fetch(request: Request): Promise<Response>;
  /** Answers a request of a `node:http` server. */
  handle(request: IncomingMessage, response: ServerResponse): void;
  dispose(): Promise<void>;
}

export const graphqlPath = '/graphql';

/**
 * The HTTP side of the gateway: the graph, its playground and its health.
 *
 * @throws ManifestError when there is a manifest of documents that cannot be used.
 */
export function createApp(options: AppOptions): App {
  const { settings, surroundings, log, randomness } = options;
  const { auth, development, documents } = settings;
  const manifest = documents.manifest === null ? new Map() : readManifest(documents.manifest);
  const ids = createRequestIds(randomness);

  const routes: Record<string, Route> = {
    '/health/live': liveRoute,
    '/health/ready': readyRoute(options.readiness),
    ...pageRoutes({ ...options, development, asksForKey: auth.kind === 'keys', graphqlPath }),
    ...(development && assetRoutes(assetPrefix)),
  };

  const contextOf = (request: RequestView, signal: () => AbortSignal): RequestScope => {
    const { headers } = request;
    const notes = notesOf(request);
    const scope = options.createScope({
      requestId: ids.of(request),
      caller: notes.caller ?? anybody,
      signal,
      accountToken: readAccountToken(headers),
      idempotencyKey: readIdempotencyKey(headers),
    });
    notes.scope = scope;
    return scope;
  };

  const layers: readonly Layer[] = [
    // First, so that every response has them, also one that a later layer ends early.
    useRequestId(ids),
    useSecurityHeaders(),
    // Before anything is served: a foreign site must not even read the page.
    ...(auth.kind === 'open' ? [useLoopbackHost()] : []),
    // Before the routes, which leave the path of the graph alone.
    ...(development ? [useGraphiqlPage(graphqlPath, surroundings)] : []),
    useRoutes({ routes, graphqlPath }),
    // From here on only the path of the graph is left. The key comes before a byte of the body is read.
    ...(auth.kind === 'keys' ? [useApiKey(auth.keys)] : []),
    useJsonOnly(),
    // Before all that looks at the document, which has to see the one that will run.
    usePersistedDocuments({ mode: documents.mode, manifest, introspection: development, log }),
    ...(development ? [] : [useHiddenSchema()]),
    // Beside the rules of the specification, so it is told together with what they find.
    useOnePurchase(),
    { full: useDeferStream(), plain: { none: sharedValidation } },
    useIncrementalDelivery(),
    // Before the masks, which make of its refusal what they make of any other.
    useEventStream(),
    // The last to refuse: what breaks another rule is told so. First what a request takes, then whether the caller has it.
    useCostLimit({ estimate: createEstimate(options.schema), limit: settings.maxUpstreamCalls }),
    ...(settings.rate ? [useRateLimit({ store: options.rateStore, rate: settings.rate })] : []),
    // Looks at the result before it is masked, and must not see what masking adds.
    ...(development
      ? [useUpstreamTrace((request) => notesOf(request).scope as RequestScope | undefined)]
      : []),
    // Last: nothing that a layer above says about an error may pass unmasked.
    useMaskedFaults({ ids, log, suggestions: development }),
  ];

  const yoga = createYoga({
    schema: options.schema,
    context({ request }) {
      const signal = callerSignal(request);
      return contextOf(request, () => signal);
    },
    graphqlEndpoint: graphqlPath,
    maxRequestBodySize: settings.maxBodyBytes,
    batching: false,
    multipart: false,
    cors: false,
    landingPage: false,
    // Replaced by layers of ours. No address ends in a blank, so Yoga's own health check never answers.
    graphiql: false,
    maskedErrors: false,
    healthCheckEndpoint: ' ',
    logging: false,
    plugins: layers.map(({ full }) => full),
  });

  const envelop: Envelop = (context) => yoga.getEnveloped(context);
  checkManifest(manifest, envelop);

  const sides = layers.flatMap(({ plain }) => ('none' in plain ? [] : [plain]));
  const isOfNoAddress = createAddressCheck(sides);
  const isPlain = createPlainWay({
    path: graphqlPath,
    maxBodyBytes: settings.maxBodyBytes,
    schema: options.schema,
    sides,
    prepare: createDocuments(envelop),
    contextOf: (request) => contextOf(request, () => request.signal),
    // In development each answer tells what it cost, so no two are the same.
    repeats: !development,
    // Yoga takes a body that was read already where frameworks put it.
    goFullWay: (request, response, body) =>
      // As a stream: of bytes Yoga would make a list of their indices first.
      void yoga(Object.assign(request, { body: Readable.from([body]) }), response),
  });

  const { plainWay = true } = options;
  return {
    fetch: async (request) => yoga.fetch(request, {}),
    handle: (request, response) => {
      if (plainWay && isPlain(request, response)) return;
      if (!isOfNoAddress(request, response)) void yoga(request, response);
    },
    dispose: async () => yoga.dispose(),
  };
}
