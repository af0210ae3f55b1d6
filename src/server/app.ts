import { hash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { GraphQLSchema } from 'graphql';
import type { Callers } from '../access/callers.ts';
import type { Config } from '../config/config.ts';
import type { Caller } from '../kernel/caller.ts';
import type { Clock, Randomness } from '../lib/clock.ts';
import { discardUnreadBody } from '../lib/http.ts';
import type { TokenBuckets } from '../lib/token-bucket.ts';
import type { Log } from '../observability/log.ts';
import type { RequestFacts } from '../scope/scope.ts';
import { createDocuments, type Documents } from './graphql/documents.ts';
import { respondToFailure } from './graphql/exchange.ts';
import { FastPath } from './graphql/fast-path.ts';
import { createFileContext, type FileContext, schemaRoutes } from './graphql/files.ts';
import { Rules } from './graphql/rule.ts';
import { checkDelivery } from './graphql/rules/check-delivery.ts';
import { identifyCaller } from './graphql/rules/identify-caller.ts';
import { limitCost } from './graphql/rules/limit-cost.ts';
import { limitRate } from './graphql/rules/limit-rate.ts';
import { limitStreams } from './graphql/rules/limit-streams.ts';
import { maskErrors } from './graphql/rules/mask-errors.ts';
import { observeOperation } from './graphql/rules/observe-operation.ts';
import { admitPublicReader, cachePublicly } from './graphql/rules/public-cache.ts';
import {
  queueOperation,
  RequestQueue,
  type UpstreamOverload,
} from './graphql/rules/queue-operation.ts';
import { reportUpstreamCalls } from './graphql/rules/report-upstream-calls.ts';
import {
  checkManifest,
  type Manifest,
  readManifest,
  resolveDocument,
} from './graphql/rules/resolve-document.ts';
import { createOperationRunner, type Operations } from './graphql/run-operation.ts';
import { StreamPath } from './graphql/stream-path.ts';
import { createYogaPath } from './graphql/yoga-path.ts';
import { createGuards } from './http/guards.ts';
import {
  HttpRequest,
  type RequestScope,
  readAccountToken,
  readIdempotencyKey,
} from './http/http-request.ts';
import type { RequestObserver } from './http/request-observer.ts';
import { badRequest, refuse, sendResponse } from './http/responses.ts';
import {
  graphqlPath,
  type Health,
  healthRoutes,
  type Route,
  type Routes,
  routeIn,
} from './http/routes.ts';
import type { Example } from './ui/graphiql/examples.ts';
import { assetPrefix, assetRoutes, graphiqlRoute } from './ui/graphiql/page.ts';
import { documentRoutes, homePageRoutes } from './ui/home-page.ts';
import { type FeaturePage, routesOfPage, type UpstreamKind } from './ui/page.ts';

export interface AppOptions {
  readonly schema: GraphQLSchema;
  /** The part of the schema that a caller may use; default the whole. */
  readonly schemaOf?: (caller: Caller) => GraphQLSchema;
  readonly createScope: (request: RequestFacts) => RequestScope;
  readonly isTenant: (name: string) => boolean;
  readonly createRoutes: (context: AppContext) => readonly Routes[];
  readonly examples: readonly Example[];
  readonly pages: readonly FeaturePage[];
  readonly settings: Config['server'] & {
    /** Whether prices are those of a shop, and not the costs. */
    readonly hasShopPrices?: boolean;
    /** Why prices are missing; null when they are not. */
    readonly priceWarning?: string | null;
  };
  /** Null without authentication. */
  readonly callers: Callers | null;
  readonly environment: UpstreamKind;
  readonly health: Health;
  readonly log: Log;
  readonly clock: Clock;
  readonly randomness: Randomness;
  readonly upstreamOverloadMs: UpstreamOverload;
  readonly observer?: RequestObserver;
  readonly rateStore: TokenBuckets;
  /** Whether requests may take the fast path; responses are the same. Default true. */
  readonly fastPath?: boolean;
}

/** What other routes need of the app. */
export interface AppContext extends FileContext, Pick<AppOptions, 'clock' | 'log'> {
  readonly operations: Operations;
}

export type App = ReturnType<typeof createApp>;

/**
 * The HTTP side of the gateway: the graph, the routes of others, GraphiQL, pages and health.
 *
 * @throws StartError when the manifest of documents cannot be used.
 */
export function createApp(options: AppOptions) {
  const { settings, schema } = options;
  const { development, introspection, documentManifest } = settings;
  const manifest = documentManifest === undefined ? new Map() : readManifest(documentManifest);
  const own = options.pages.flatMap(({ documentsOf }) => documentsOf({ schema }));
  const listed = new Map([
    ...own.map((text) => [hash('sha256', text), text] as const),
    ...manifest,
  ]);
  const documents = createDocuments(schema, introspection === 'caller', options.schemaOf);
  const rules = new Rules(createRules(options, { listed, shownTo: documents.shownTo }));
  const { clock, log } = options;
  const shared = {
    schema,
    rules,
    maxBodyBytes: settings.maxBodyBytes,
    createScope: (request: HttpRequest) => setScope(request, options),
  };
  checkManifest(manifest, documents);
  const yogaPath = createYogaPath({ ...shared, documents });
  const streams = settings.compilesQueries ? new StreamPath({ ...shared, clock }) : null;
  options.callers?.onChecked(() => {
    yogaPath.checkStreams();
    streams?.checkStreams();
  });
  const operations: Operations = {
    schema,
    rules,
    readDocument: documents.read,
    runOperation: createOperationRunner({
      ...shared,
      schemaFor: documents.schemaFor,
      compilesQueries: settings.compilesQueries,
    }),
  };
  const fastPath = new FastPath({
    ...shared,
    ...operations,
    // In development each response reports its own upstream calls.
    cachesResponses: !development,
    streams,
    continueOnYoga: yogaPath.process,
  });
  const files = createFileContext(shared);
  const routes = joined(
    createRoutes(options, { ...files, clock, log, operations }),
    introspection === 'caller' ? schemaRoutes(files, documents.schemaOf) : {},
  );
  const usesFastPath = options.fastPath ?? true;
  const serve = async (request: HttpRequest): Promise<void> => {
    const { path } = request;
    const route = routeIn(routes, path);
    if (route?.post) return route.post(request);
    const response = await route?.(request);
    if (response) return sendResponse(request, response, { clock, log });
    if (path === graphqlPath) await yogaPath.process(request);
    else refuse(request, unknownPath);
  };
  const process = (request: HttpRequest): void => {
    if (usesFastPath && fastPath.handle(request)) return;
    serve(request).catch((error) =>
      respondToFailure(rules, { request, type: 'application/json' }, error),
    );
  };
  return {
    handle: createHandler(options, routes, process),
    serves: (path: string): boolean => path === graphqlPath || routeIn(routes, path) !== undefined,
    /** Completes all subscriptions before the gateway stops, so that their clients receive the end. */
    async endStreams(): Promise<void> {
      streams?.endStreams();
      await yogaPath.endStreams();
    },
  };
}

/** The rules of the server in their order. */
function createRules(
  options: AppOptions,
  { listed, shownTo }: Pick<Documents, 'shownTo'> & { readonly listed: Manifest },
) {
  const { settings, log, clock, callers, isTenant } = options;
  const { development, rateLimitPerMinute, publicCacheMs } = settings;
  const queue = new RequestQueue(clock, settings.queueBudgetMs);
  const requireCredentials = identifyCaller(callers, isTenant);
  return [
    // The caller is known before its body is read.
    identifyCaller(callers, isTenant, publicCacheMs > 0 ? admitPublicReader : undefined),
    // Before the document is read.
    resolveDocument(settings, listed, log),
    // Before all rules that refuse an operation, so that refused operations are logged too.
    observeOperation(options.observer),
    checkDelivery(),
    limitStreams(settings),
    // The estimate comes first, because the rate limit and the queue use it.
    limitCost(options.schema, settings),
    ...(rateLimitPerMinute > 0 ? [limitRate(options.rateStore, rateLimitPerMinute)] : []),
    // Only operations that will be executed are queued.
    queueOperation(queue, options.upstreamOverloadMs, options.schema),
    reportUpstreamCalls(development),
    // After all rules that add errors, so that none is unmasked.
    maskErrors(log, shownTo),
    // Removes what the rules above add to the result.
    ...(publicCacheMs > 0
      ? [
          cachePublicly(
            options.schema,
            publicCacheMs,
            (request) => requireCredentials.onRequest?.(request) ?? null,
          ),
        ]
      : []),
  ];
}

const unknownPath = badRequest(404, `This path does not exist; the graph is at ${graphqlPath}.`);

function createRoutes(
  {
    schema,
    callers,
    settings,
    environment,
    health,
    examples,
    pages,
    createRoutes: createOthers,
  }: AppOptions,
  context: AppContext,
): Routes {
  const { development } = settings;
  const requiresKey = callers !== null;
  return joined(
    healthRoutes(health),
    ...createOthers(context),
    homePageRoutes({ ...settings, environment, health, requiresKey, pages }),
    ...pages.map((page) => routesOfPage(page, { schema, environment, requiresKey })),
    development
      ? {
          ...assetRoutes(assetPrefix),
          ...documentRoutes(),
          [graphqlPath]: graphiqlRoute(environment, requiresKey, examples),
        }
      : {},
  );
}

/** @throws Error for two routes with one path */
function joined(...lists: readonly Routes[]): Routes {
  const all: Record<string, Route> = {};
  for (const [path, route] of lists.flatMap((routes) => Object.entries(routes))) {
    if (path in all) throw new Error(`Two routes have the path ${path}.`);
    all[path] = route;
  }
  return all;
}

/** Creates the context of the resolvers of a request. */
function setScope(request: HttpRequest, { callers, createScope }: AppOptions): RequestScope {
  const scope = createScope({
    requestId: request.id,
    trace: request.trace ?? undefined,
    caller: request.caller,
    address: request.node.socket.remoteAddress,
    signal: () => request.signal,
    accountToken: readAccountToken(request, callers?.owns ?? (() => false)),
    idempotencyKey: readIdempotencyKey(request),
    viaTool: request.tool !== null,
  });
  request.scope = scope;
  return scope;
}

/** Runs the guards before a request is processed. */
function createHandler(
  { settings, callers, observer, clock, randomness }: AppOptions,
  routes: Routes,
  process: (request: HttpRequest) => void,
) {
  let openRequests = 0;
  const passesGuards = createGuards(settings, {
    routes,
    isOpen: callers === null,
    openRequests: () => openRequests,
  });
  return (node: IncomingMessage, response: ServerResponse, target?: string): void => {
    // A request that follows on a connection which is being closed cannot get a response.
    if (node.socket.writableEnded) return;
    const request = new HttpRequest(node, response, randomness, target);
    request.route = routeIn(routes, request.path) ?? {};
    if (request.hasBody) discardUnreadBody(node, response, clock);
    openRequests += 1;
    const end = observer?.requestBegins(request);
    response.once('close', () => {
      end?.();
      openRequests -= 1;
    });
    if (passesGuards(request)) process(request);
  };
}
