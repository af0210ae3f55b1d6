import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { useDeferStream } from '@graphql-yoga/plugin-defer-stream';
import type { GraphQLSchema } from 'graphql';
import { createYoga } from 'graphql-yoga';
import type { Callers } from '../access/callers.ts';
import type { Config } from '../config/config.ts';
import { anybody } from '../kernel/caller.ts';
import type { Clock, Randomness } from '../kernel/clock.ts';
import type { RateStore } from '../kernel/rate-store.ts';
import type { RequestFacts } from '../modules/deps.ts';
import type { Log } from '../observability/log.ts';
import { callerSignal } from './caller-signal.ts';
import { createEstimate } from './cost/estimate.ts';
import { readAccountToken } from './credentials.ts';
import { createDocuments, type Envelop } from './documents.ts';
import { createFrontDoor } from './front-door/front-door.ts';
import { type AnswerBroken, createBrokenAnswer } from './front-door/parser-errors.ts';
import { assetRoutes } from './graphiql/assets.ts';
import { assetPrefix, useGraphiqlPage } from './graphiql/page.ts';
import { type Health, healthRoutes } from './health.ts';
import { readIdempotencyKey } from './idempotency-key.ts';
import { keptByText } from './kept-by-text.ts';
import { type Layer, sharedValidation } from './layer.ts';
import { checkManifest, readManifest } from './manifest.ts';
import { type PageOptions, pageRoutes } from './pages/routes.ts';
import { createPlainWay } from './plain-way.ts';
import { useCallers } from './plugins/use-callers.ts';
import { useCostLimit } from './plugins/use-cost-limit.ts';
import { useDocumentLimits } from './plugins/use-document-limits.ts';
import { useEventStream } from './plugins/use-event-stream.ts';
import { useHiddenSchema } from './plugins/use-hidden-schema.ts';
import { useIncrementalDelivery } from './plugins/use-incremental-delivery.ts';
import { useKnownTenant } from './plugins/use-known-tenant.ts';
import { useMaskedFaults } from './plugins/use-masked-faults.ts';
import { useNotes } from './plugins/use-notes.ts';
import { useOnePurchase } from './plugins/use-one-purchase.ts';
import { usePersistedDocuments } from './plugins/use-persisted-documents.ts';
import { useRateLimit } from './plugins/use-rate-limit.ts';
import { useRequestId } from './plugins/use-request-id.ts';
import { type UpstreamOverload, useRequestQueue } from './plugins/use-request-queue.ts';
import { type Route, useRoutes } from './plugins/use-routes.ts';
import { useSecurityHeaders } from './plugins/use-security-headers.ts';
import { useSoundJson } from './plugins/use-sound-json.ts';
import { useStaleNotes } from './plugins/use-stale-notes.ts';
import { OpenStreams, useStreamEnd } from './plugins/use-stream-end.ts';
import { useStreamLimit } from './plugins/use-stream-limit.ts';
import { useUpstreamTrace } from './plugins/use-upstream-trace.ts';
import { createRequestIds } from './request-ids.ts';
import { RequestQueue } from './request-queue.ts';
import type { RequestScope } from './request-scope.ts';
import { notesOf, type RequestNotes, type RequestView } from './request-view.ts';
import type { RequestWatch } from './request-watch.ts';

export interface AppOptions {
  readonly schema: GraphQLSchema;
  readonly createScope: (request: RequestFacts) => RequestScope;
  /** Whether there is a reseller account of that name. */
  readonly isTenant: (name: string) => boolean;
  readonly settings: Pick<
    Config,
    | 'development'
    | 'documents'
    | 'maxBodyBytes'
    | 'allowedHosts'
    | 'corsOrigins'
    | 'maxStreams'
    | 'maxUpstreamCalls'
    | 'queueBudgetMs'
    | 'rate'
  >;
  /** Who is let in; null where everybody is. */
  readonly callers: Callers | null;
  readonly surroundings: PageOptions['surroundings'];
  readonly settingRows: PageOptions['settingRows'];
  readonly health: Health;
  readonly log: Log;
  readonly clock: Clock;
  readonly randomness: Randomness;
  readonly upstreamOverloadMs: UpstreamOverload;
  /** Is told of every request. */
  readonly watch?: RequestWatch;
  readonly rateStore: RateStore;
  /** Whether a request may pass Yoga's HTTP layer by; what is answered is the same. Default true. */
  readonly plainWay?: boolean;
}

export interface App {
  /** Answers a request of a `node:http` server. */
  handle(request: IncomingMessage, response: ServerResponse): void;
  /** Answers what is no request. */
  readonly answerBroken: AnswerBroken;
  /** Completes every subscription that is open. */
  endStreams(): Promise<void>;
  dispose(): Promise<void>;
}

export const graphqlPath = '/graphql';

/**
 * The HTTP side of the gateway: the graph, its playground and its health.
 *
 * @throws ManifestError when there is a manifest of documents that cannot be used.
 */
export function createApp(options: AppOptions): App {
  const { callers, settings, surroundings, log, clock, randomness } = options;
  const { development, documents } = settings;
  const manifest = documents.manifest === null ? new Map() : readManifest(documents.manifest);
  const ids = createRequestIds(randomness);

  const routes: Record<string, Route> = {
    ...healthRoutes(options.health),
    ...pageRoutes({ ...options, development, asksForKey: callers !== null, graphqlPath }),
    ...(development && assetRoutes(assetPrefix)),
  };

  const contextOf = (request: RequestView, signal: () => AbortSignal): RequestScope => {
    const { headers } = request;
    const notes = notesOf(request);
    const scope = options.createScope({
      requestId: ids.of(request),
      trace: notes.trace,
      caller: notes.caller ?? anybody,
      signal,
      accountToken: readAccountToken(headers, callers?.owns ?? (() => false)),
      idempotencyKey: readIdempotencyKey(headers),
    });
    notes.scope = scope;
    return scope;
  };

  const streams = new OpenStreams();
  const queue = new RequestQueue({ clock, budgetMs: settings.queueBudgetMs });
  const layers: readonly Layer[] = [
    // Before all that writes notes.
    useNotes(options.watch),
    // First, so that every response has them, also one that a later layer ends early.
    useRequestId(ids),
    useSecurityHeaders(),
    // Before the routes, which leave the path of the graph alone.
    ...(development ? [useGraphiqlPage(graphqlPath, surroundings)] : []),
    useRoutes({ routes, graphqlPath, ids }),
    // From here on only the path of the graph is left. Who calls is known before a byte of the body is read.
    ...(callers ? [useCallers(callers)] : []),
    // Whoever a layer above has found out: before a byte of the body, too.
    useKnownTenant(options.isTenant),
    useSoundJson(),
    // Before every rule of validation, each of which takes longer the larger a document is.
    useDocumentLimits(),
    // Before all that looks at the document, which has to see the one that will run.
    usePersistedDocuments({ mode: documents.mode, manifest, introspection: development, log }),
    ...(development ? [] : [useHiddenSchema()]),
    // Beside the rules of the specification, so it is told together with what they find.
    useOnePurchase(),
    { full: useDeferStream(), plain: { none: sharedValidation } },
    useIncrementalDelivery(),
    // Before the masks, which make of its refusal what they make of any other.
    useEventStream(),
    useStreamEnd(streams),
    // After what is refused for other reasons, which takes no place.
    useStreamLimit(settings.maxStreams),
    // The last to refuse: what breaks another rule is told so. First what a request takes, then whether the caller has it.
    useCostLimit({ estimate: createEstimate(options.schema), limit: settings.maxUpstreamCalls }),
    ...(settings.rate ? [useRateLimit({ store: options.rateStore, rate: settings.rate })] : []),
    // After the two above, so that only an operation that will be executed is queued, and its estimate is known.
    useRequestQueue({ queue, upstreamOverloadMs: options.upstreamOverloadMs }),
    // These look at the result before it is masked, and must not see what masking adds.
    useStaleNotes(),
    ...(development ? [useUpstreamTrace()] : []),
    // Last: nothing that a layer above says about an error may pass unmasked.
    useMaskedFaults({ ids, log, isSchemaShown: development }),
  ];

  const yoga = createYoga<{ readonly notes?: RequestNotes }>({
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
    parserAndValidationCache: { documentCache: keptByText(), errorCache: keptByText() },
    plugins: layers.map(({ full }) => full),
  });

  const envelop: Envelop = (context) => yoga.getEnveloped(context);
  checkManifest(manifest, envelop);

  const sides = layers.flatMap(({ plain }) => ('none' in plain ? [] : [plain]));
  const headings = (request: RequestView) =>
    Object.assign({}, ...sides.map(({ headers }) => headers?.(request)));
  const passes = createFrontDoor({
    graphqlPath,
    hasPage: development,
    readPaths: Object.keys(routes),
    isOpen: callers === null,
    ...settings,
    underWay: () => underWay,
    ids,
    headings,
  });
  const isPlain = createPlainWay({
    path: graphqlPath,
    maxBodyBytes: settings.maxBodyBytes,
    schema: options.schema,
    sides,
    prepare: createDocuments(envelop),
    requestIdOf: ids.of,
    contextOf: (request) => contextOf(request, () => request.signal),
    // In development each answer tells what it cost, so no two are the same.
    repeats: !development,
    // Yoga takes a body that was read already where frameworks put it.
    goFullWay: (request, response, notes, body) =>
      // As a stream: of bytes Yoga would make a list of their indices first.
      void yoga(Object.assign(request, { body: Readable.from([body]) }), response, { notes }),
  });

  const { plainWay = true } = options;
  let underWay = 0;
  return {
    handle: (request, response) => {
      const notes: RequestNotes = {};
      underWay += 1;
      const ends = options.watch?.requestBegins(request, response, notes);
      response.once('close', () => {
        ends?.();
        underWay -= 1;
      });
      if (!passes(request, response, notes)) return;
      if (plainWay && isPlain(request, response, notes)) return;
      void yoga(request, response, { notes });
    },
    answerBroken: createBrokenAnswer(ids, headings),
    endStreams: () => streams.end(),
    dispose: async () => yoga.dispose(),
  };
}
