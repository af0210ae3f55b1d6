import type { GraphQLSchema } from 'graphql';
import packageFile from '../../package.json' with { type: 'json' };
import type { Sandbox } from '../../sandbox/server.ts';
import { type Callers, openCallers } from '../access/callers.ts';
import type { Config } from '../config/config.ts';
import { madeKeysIn } from '../config/keys-file.ts';
import { features } from '../features/index.ts';
import type { Caller } from '../kernel/caller.ts';
import { systemClock, systemRandomness } from '../lib/system.ts';
import { createTokenBuckets } from '../lib/token-bucket.ts';
import { withTimeout } from '../lib/waits.ts';
import { createLog } from '../observability/log.ts';
import { createMetricsPage } from '../observability/metrics.ts';
import { loadedSdk, type TraceSdk } from '../observability/tracing.ts';
import { createVisibleSchemas } from '../schema/visible-schema.ts';
import { retailPrices } from '../scope/hooks.ts';
import { Scope } from '../scope/scope.ts';
import type { Tenant } from '../scope/tenant.ts';
import type { Feature } from '../seam/feature.ts';
import { type App, type AppOptions, createApp } from '../server/app.ts';
import { listen } from '../server/http/listen.ts';
import { hostRequests, type NodeHandler } from '../server/http/web-request.ts';
import { loadGraph, servedSchema } from './build-graph.ts';
import {
  createFollowingClock,
  type FollowingClock,
  startEmbeddedSandbox,
} from './embedded-sandbox.ts';
import { examplesOf, pagesOf, routesOf, selectFeatures } from './features.ts';
import { createHealth } from './health.ts';
import { loadTraceExporter, type Observation, observe } from './observe.ts';
import type { Overrides, SharedDeps } from './shared-deps.ts';
import { openState, runnersOf, type State } from './state.ts';

/** A gateway that has started. */
interface Started {
  /** Of the embedded sandbox; null without one. */
  readonly sandboxUrl: string | null;
  /** `/metrics` is here; null without METRICS_PORT. */
  readonly metricsUrl: string | null;
  /**
   * Reports that it is not serving, accepts requests during STOP_DELAY_SECONDS, then finishes open requests and closes all
   * parts. Returns false when that took too long; the reconciler of the next gateway settles open purchases. Can be
   * called again.
   */
  close(): Promise<boolean>;
}

/** A gateway that listens on a port of its own. */
export interface RunningGateway extends Started {
  /** Without a slash at the end; the graph is at `/graphql`. */
  readonly url: string;
}

/** A gateway that serves the requests of another server. */
export interface HostedGateway extends Started {
  readonly schema: GraphQLSchema;
  readonly handle: (request: Request) => Promise<Response>;
  readonly nodeHandler: NodeHandler;
}

export const defaultCloseMs = 30_000;
/** The part of `closeMs` that is reserved for closing everything but the listener. */
const afterRequestsMs = 1_000;
const defaultReconcileEveryMs = 5_000;
/** How long the last traces may take, after everything else is closed. */
const lastSpansMs = 2_000;
/** A scrape need not be finished. */
const metricsDrainMs = 1_000;
/** The prefix of the buckets of callers. No account has this name. */
const ofCallers = 'callers';

/** What all steps of the start need. With an embedded sandbox `clock` has the time of the sandbox. */
interface StartContext
  extends Pick<SharedDeps, 'config' | 'clock' | 'cacheClock' | 'wallClock' | 'randomness' | 'log'> {
  readonly overrides: Overrides;
  readonly following: FollowingClock | null;
  /** The parts that were started. They are closed in the reverse order. */
  readonly opened: AsyncDisposableStack;
}

type ServedApp = App & { readonly schema: GraphQLSchema };
type ServeApp<Serving> = (start: StartContext, app: ServedApp) => Serving | Promise<Serving>;

/**
 * Starts the whole gateway.
 *
 * @throws StartError or Fault `JOURNAL_UNAVAILABLE`, after closing everything that was started.
 */
export const startGateway = (config: Config, overrides: Overrides = {}): Promise<RunningGateway> =>
  startWith(config, overrides, startListening);

/**
 * Starts the gateway without a listener. With `caller` every request is of this caller, and needs no credentials.
 *
 * @throws as `startGateway`
 */
export const startHosted = (
  config: Config,
  overrides: Overrides = {},
  caller: Caller | null = null,
): Promise<HostedGateway> =>
  startWith(config, overrides, startHosting, caller ? () => fixedCaller(caller) : startCallers);

const fixedCaller = (caller: Caller): Callers => ({
  owns: () => false,
  identify: () => caller,
  current: (before) => before,
  onChecked: () => undefined,
  close: async () => undefined,
});

/** `serve` starts the last part, which passes requests to the app. */
async function startWith<Serving>(
  config: Config,
  overrides: Overrides,
  serve: ServeApp<Serving>,
  openCallersOf = startCallers,
): Promise<Serving & Started> {
  const wallClock = overrides.clock ?? systemClock;
  const following = config.hasEmbeddedSandbox ? createFollowingClock(wallClock) : null;
  const start: StartContext = {
    config,
    overrides,
    wallClock,
    following,
    clock: following?.clock ?? wallClock,
    cacheClock: following?.cacheClock ?? wallClock,
    randomness: systemRandomness,
    log: overrides.log ?? createLog({ level: config.observability.logLevel }),
    opened: new AsyncDisposableStack(),
  };
  try {
    return await startParts(start, serve, openCallersOf);
  } catch (error) {
    await start.opened.disposeAsync().catch((closing: unknown) => {
      start.log.error('closing after a failed start', { error: closing });
    });
    throw error;
  }
}

/** Starts the parts in the order of their dependencies. */
async function startParts<Serving>(
  start: StartContext,
  serve: ServeApp<Serving>,
  openCallersOf: (start: StartContext) => Callers | null,
): Promise<Serving & Started> {
  const { config, overrides, opened, clock, log } = start;
  const selected = selectFeatures(features, config.server.features);
  const observation = observe(config, clock, log, await openTraces(start));
  const metricsUrl = await startMetrics(start, observation);
  const sandbox = await startSandbox(start, (restore) => state.reset(restore));
  const callers = openCallersOf(start);
  const state = await openState({
    ...overrides,
    ...start,
    observation,
    embedded: sandbox,
    callers,
    reset: overrides.reset ?? false,
    jobRunners: await runnersOf(selected),
    selected,
    logOperation: ({ operation, ...line }) => log.info('audit', { audit: operation, ...line }),
    gateway: { environment: config.isSandbox ? 'SANDBOX' : 'LIVE', version: packageFile.version },
    reconcileEveryMs: overrides.reconcileEveryMs ?? defaultReconcileEveryMs,
    checksLogin: overrides.checksLogin ?? true,
  });
  opened.defer(() => state.close());
  const health = createHealth({
    clock,
    journal: { checkWritable: (now) => state.journal.checkWritable(now) },
    upstreamStates: () => state.tenants.upstreamStates(),
    logins: () => state.tenants.logins(),
  });
  const app = await openApp(start, { selected, observation, callers, state, health });
  const served = await serve(start, app);
  // A gateway that cannot listen sends no call.
  state.tenants.checkLogins();
  return {
    ...served,
    metricsUrl,
    sandboxUrl: sandbox?.url ?? null,
    close: createClose(start, health.stop),
  };
}

interface OpenedParts extends Pick<AppOptions, 'callers' | 'health'> {
  readonly selected: readonly Feature[];
  readonly observation: Observation;
  readonly state: State;
}

async function openApp(
  start: StartContext,
  { selected, observation, callers, state, health }: OpenedParts,
): Promise<ServedApp> {
  const { config, overrides, clock } = start;
  await loadGraph(selected);
  const schema = servedSchema({ ...config, ...config.server }, selected);
  const createRoutes = await routesOf(selected);
  const app = createApp({
    ...start,
    health,
    schema,
    schemaOf: createVisibleSchemas(schema),
    callers,
    createScope: (request) => new Scope(state.tenants.of(request.caller), request),
    isTenant: (name) => state.tenants.has(name),
    examples: await examplesOf(selected),
    pages: await pagesOf(selected),
    createRoutes: (context) =>
      createRoutes({
        ...context,
        config,
        tenants: () => state.tenants.all(),
        tenantOf: (caller) => state.tenants.of(caller),
        has: (name) => selected.some((feature) => feature.name === name),
        loadTools: () => Promise.all(selected.flatMap(({ tools }) => tools?.() ?? [])),
      }),
    upstreamOverloadMs: (...request) => state.tenants.upstreamOverloadMs(...request),
    settings: { ...config.server, ...priceFacts(state.tenants.all()) },
    environment: config.isSandbox ? 'sandbox' : 'live',
    observer: observation.requests,
    rateStore: createTokenBuckets(clock, state.journal.replicas?.bucketsOf(ofCallers)),
    fastPath: overrides.fastPath ?? true,
  });
  return { ...app, schema };
}

/** All tenants of a process have prices of one source. */
function priceFacts(tenants: ReadonlyMap<string, Tenant>) {
  const [prices] = [...tenants.values()].map(({ use }) => use(retailPrices));
  const priceWarning = prices?.missing ?? null;
  return { priceWarning, hasShopPrices: priceWarning === null && prices?.current() !== null };
}

/** An SDK that was loaded before the program replaces that of the gateway, which is loaded only when it is used. */
async function openTraces({ config, clock, log, opened }: StartContext): Promise<TraceSdk | null> {
  const sdk = loadedSdk();
  if (sdk || !config.traceExport) return sdk;
  const { startTraceExporter } = await loadTraceExporter();
  const exporter = startTraceExporter(config.traceExport, packageFile.version, log);
  // The last spans end after the requests.
  opened.defer(() => withTimeout(clock, lastSpansMs, exporter.close(), undefined));
  return exporter;
}

/** Metrics have their own port, because they are for the operator only. */
async function startMetrics(
  { config, clock, randomness, log, opened }: StartContext,
  { registry }: Observation,
): Promise<string | null> {
  const { metricsPort: port, metricsHost: host } = config.observability;
  if (port === undefined || !registry) return null;
  const { url, drain } = await listen({
    port,
    host,
    clock,
    randomness,
    settings: { port: 'METRICS_PORT', host: 'METRICS_HOST' },
    handle: createMetricsPage(registry),
  });
  opened.defer(async () => void (await drain(metricsDrainMs)));
  log.info('metrics', { url });
  return url;
}

/** Null without an embedded sandbox. `reset` deletes the stored data of the gateway as well. */
async function startSandbox(
  { config, overrides, randomness, opened, wallClock: clock, following }: StartContext,
  reset: State['reset'],
): Promise<Sandbox | null> {
  if (!following) return null;
  const sandbox = await startEmbeddedSandbox({
    config,
    clock,
    randomness,
    reset: overrides.reset ?? false,
    domains: overrides.sandboxDomains,
    listSize: overrides.sandboxListSize,
    listedTlds: overrides.sandboxTlds,
    gateway: { reset, isResettable: !config.storage.databaseUrl },
  });
  opened.defer(() => sandbox.close());
  following.follow(sandbox.clockOffsetMs);
  return sandbox;
}

/** Null without authentication. */
function startCallers({
  config: { auth },
  wallClock: clock,
  log,
  opened,
}: StartContext): Callers | null {
  if (auth.kind === 'open') return null;
  const callers = openCallers({ ...auth, madeKeys: madeKeysIn(auth.keysFile) }, clock, log);
  opened.defer(() => callers.close());
  return callers;
}

async function startListening(start: StartContext, { handle, endStreams }: App) {
  const { config, overrides, clock, randomness, log } = start;
  const { host, port } = config.server;
  const { url, drain } = await listen({
    host,
    port,
    clock,
    randomness,
    handle: (request, response) => handle(request, response),
    ...(overrides.timeouts && { timeouts: overrides.timeouts }),
  });
  drainOnClose(start, drain, endStreams);
  log.info('listening', { url });
  return { url };
}

function startHosting(start: StartContext, { handle, endStreams, schema, serves }: ServedApp) {
  const { drain, ...handlers } = hostRequests({ ...start, handle, serves });
  drainOnClose(start, drain, endStreams);
  return { ...handlers, schema };
}

function drainOnClose(
  { config, overrides, log, opened }: StartContext,
  drain: (ms: number) => Promise<boolean>,
  endStreams: App['endStreams'],
): void {
  const afterDrainMs = afterRequestsMs + (config.traceExport ? lastSpansMs : 0);
  const drainMs = closeMsOf(overrides) - config.server.stopDelayMs - afterDrainMs;
  // Open requests finish while everything that they use is still open.
  opened.defer(async () => {
    const isClean = await drain(Math.max(0, drainMs));
    if (!isClean) log.warn('requests were cut off at the end of the drain');
  });
  // Before the listener, which waits for every response: an event stream does not end on its own.
  opened.defer(endStreams);
}

function createClose(
  { config, overrides, clock, opened }: StartContext,
  stopServing: () => void,
): RunningGateway['close'] {
  const closeAll = async () => {
    await clock.wait(config.server.stopDelayMs);
    await opened.disposeAsync();
    return true;
  };
  let closing: Promise<boolean> | undefined;
  return () => {
    stopServing();
    closing ??= withTimeout(clock, closeMsOf(overrides), closeAll(), false);
    return closing;
  };
}

const closeMsOf = ({ closeMs = defaultCloseMs }: Overrides) => closeMs;
