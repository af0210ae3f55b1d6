import type { GraphQLSchema } from 'graphql';
import packageFile from '../../package.json' with { type: 'json' };
import { openCallers } from '../access/callers.ts';
import type { Config } from '../config/config.ts';
import { madeKeysIn } from '../config/keys-file.ts';
import type { Clock, Randomness } from '../lib/clock.ts';
import { systemClock, systemRandomness } from '../lib/system.ts';
import { createTokenBuckets } from '../lib/token-bucket.ts';
import { withTimeout } from '../lib/with-timeout.ts';
import { schema as wholeGraph } from '../modules/index.ts';
import { Scope } from '../modules/scope.ts';
import { createLog, type Log } from '../observability/log.ts';
import { createMetricsPage } from '../observability/metrics.ts';
import type { Journal } from '../persistence/store.ts';
import { createApp } from '../server/app.ts';
import type { ServerTimeouts } from '../server/http/listen.ts';
import { type Listening, listen } from '../server/http/listen.ts';
import type { SharedState } from '../shared-state/shared-state.ts';
import { servedGraph } from '../supergraph/served-graph.ts';
import type { GateLimits } from '../upstream/client/gate.ts';
import { type SandboxOverrides, startEmbeddedSandbox } from './embedded-sandbox.ts';
import { createHealth } from './health.ts';
import { openJournal } from './journal.ts';
import { type Observation, observe } from './observe.ts';
import { Shutdown } from './shutdown.ts';
import { openTenants, type Tenants } from './tenants.ts';

/** What a test can replace. */
export interface Overrides extends SandboxOverrides {
  readonly schema?: GraphQLSchema;
  readonly clock?: Clock;
  readonly randomness?: Randomness;
  readonly log?: Log;
  /** Milliseconds between two passes of the reconciler; default 5,000. */
  readonly reconcileEveryMs?: number;
  /** Milliseconds that `close` may take, including the delay before it; default 30,000. */
  readonly closeMs?: number;
  readonly upstreamLimits?: GateLimits;
  /** Timeout of Valkey or Redis in milliseconds; default 100. */
  readonly sharedStateMs?: number;
  /** Timeouts of slow clients. */
  readonly timeouts?: Partial<ServerTimeouts>;
  /** Whether the fast path is used; default true. */
  readonly fastPath?: boolean;
}

export interface Gateway {
  /** Without a slash at the end; the graph is at `/graphql`. */
  readonly url: string;
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

const defaultCloseMs = 30_000;
/** The part of `closeMs` that is reserved for closing everything but the listener. */
const afterRequestsMs = 1_000;
const defaultReconcileEveryMs = 5_000;
/** A scrape need not be finished. */
const metricsDrainMs = 1_000;
/** The keys of rate limits in the shared state; tenants have their own. */
const ofCallers = 'callers';

/** What all steps of the start need. */
interface Start {
  readonly config: Config;
  readonly overrides: Overrides;
  readonly clock: Clock;
  readonly randomness: Randomness;
  readonly log: Log;
  readonly shutdown: Shutdown;
}

/**
 * Starts the whole gateway.
 *
 * @throws StartError, ListenError or Fault `JOURNAL_UNAVAILABLE`, after closing everything that was started.
 */
export async function startGateway(config: Config, overrides: Overrides = {}): Promise<Gateway> {
  const start: Start = {
    ...{ config, overrides },
    clock: overrides.clock ?? systemClock,
    randomness: overrides.randomness ?? systemRandomness,
    log: overrides.log ?? createLog({ level: config.observability.logLevel }),
    shutdown: new Shutdown(),
  };
  try {
    return await startParts(start);
  } catch (error) {
    await start.shutdown.run().catch((closing: unknown) => {
      start.log.error('closing after a failed start', { error: closing });
    });
    throw error;
  }
}

/** Starts the parts in the order of their dependencies; shutdown.ts has the order of closing. */
async function startParts(start: Start): Promise<Gateway> {
  const { config, clock, log } = start;
  const observation = observe({
    clock,
    log,
    tenants: config.tenants.map(({ name }) => name),
    hasMetrics: config.observability.metricsPort !== undefined,
  });
  const metrics = await startMetrics(start, observation);
  const sandbox = await startSandbox(start);
  const journal = await startJournal(start);
  const sharedState = await startSharedState(start);
  const tenants = startTenants(start, { observation, sandbox, journal, sharedState });
  const health = createHealth({ journal, clock, upstreamStates: tenants.upstreamStates });
  const app = startGraph(start, { observation, sharedState, tenants, health });
  const listening = await startListening(start, app);
  log.info('listening', { url: listening.url });
  if (metrics) log.info('metrics', { url: metrics.url });
  return {
    url: listening.url,
    sandboxUrl: sandbox?.url ?? null,
    metricsUrl: metrics?.url ?? null,
    close: createClose(start, health),
  };
}

/** Metrics have their own port, because they are for the operator only. */
async function startMetrics(
  { config, clock, shutdown }: Start,
  { registry }: Observation,
): Promise<Listening | null> {
  const { metricsPort: port, metricsHost: host } = config.observability;
  if (port === undefined || !registry) return null;
  const listening = await listen({
    ...{ port, host, clock },
    settings: { port: 'METRICS_PORT', host: 'METRICS_HOST' },
    handle: createMetricsPage(registry),
    respondToParserError: (_error, socket) => void socket.destroy(),
  });
  shutdown.add('metrics listener', () => listening.drain(metricsDrainMs));
  return listening;
}

async function startSandbox({ config, overrides, shutdown, ...time }: Start) {
  if (!config.hasEmbeddedSandbox) return null;
  const sandbox = await startEmbeddedSandbox(config, overrides, time);
  shutdown.add('embedded sandbox', () => sandbox.close());
  return sandbox;
}

async function startJournal({ config, overrides, log, shutdown }: Start): Promise<Journal> {
  const onAvailability = (failure: string | null) =>
    failure === null
      ? log.info('journal is available')
      : log.error('journal is not available', { reason: failure });
  const reset = overrides.reset ?? false;
  const journal = await openJournal(config, { reset, onAvailability });
  shutdown.add('journal', () => journal.close());
  return journal;
}

async function startSharedState({
  config,
  overrides,
  shutdown,
  ...deps
}: Start): Promise<SharedState | null> {
  const { redisUrl: url } = config.storage;
  if (!url) return null;
  // The driver is loaded only when it is used.
  const { openSharedState } = await import('../shared-state/shared-state.ts');
  const sharedState = await openSharedState({
    ...deps,
    url,
    replyTimeoutMs: overrides.sharedStateMs,
  });
  shutdown.add('shared state', () => sharedState.close());
  return sharedState;
}

interface TenantParts {
  readonly observation: Observation;
  readonly sandbox: Awaited<ReturnType<typeof startEmbeddedSandbox>> | null;
  readonly journal: Journal;
  readonly sharedState: SharedState | null;
}

function startTenants(
  { config, overrides, clock, randomness, log, shutdown }: Start,
  { observation, sandbox, journal, sharedState }: TenantParts,
): Tenants {
  const tenants = openTenants({
    ...{ config, clock, randomness, log, journal, sharedState, observation },
    embedded: sandbox,
    audit: (line) => log.info('audit', line),
    gateway: { environment: config.isSandbox ? 'SANDBOX' : 'LIVE', version: packageFile.version },
    reconcileEveryMs: overrides.reconcileEveryMs ?? defaultReconcileEveryMs,
    ...(overrides.upstreamLimits && { upstreamLimits: overrides.upstreamLimits }),
  });
  shutdown.add('tenants', () => tenants.close());
  return tenants;
}

interface GraphParts {
  readonly observation: Observation;
  readonly sharedState: SharedState | null;
  readonly tenants: Tenants;
  readonly health: ReturnType<typeof createHealth>;
}

function startGraph(
  { config, overrides, clock, randomness, log, shutdown }: Start,
  { observation, sharedState, tenants, health }: GraphParts,
) {
  const { auth, server } = config;
  const callers =
    auth.kind === 'keys'
      ? openCallers({ ...auth, madeKeys: madeKeysIn(auth.keysFile) }, { clock, log })
      : null;
  shutdown.add('callers', () => callers?.close());
  const localBuckets = createTokenBuckets(clock);
  const app = createApp({
    ...{ callers, clock, randomness, log, health },
    schema: overrides.schema ?? servedGraph(wholeGraph, server),
    createScope: (request) => new Scope(tenants.depsOf(request.caller), request),
    isTenant: tenants.has,
    upstreamOverloadMs: tenants.upstreamOverloadMs,
    settings: server,
    environment: config.isSandbox ? 'sandbox' : 'live',
    observer: observation.requests,
    rateStore: sharedState?.of(ofCallers).buckets(localBuckets) ?? localBuckets,
    fastPath: overrides.fastPath ?? true,
  });
  shutdown.add('event streams', () => app.endStreams());
  shutdown.add('graph', () => app.dispose());
  return app;
}

async function startListening(
  { config, overrides, clock, log, shutdown }: Start,
  { handle, respondToParserError }: ReturnType<typeof createApp>,
): Promise<Listening> {
  const { host, port, stopDelayMs } = config.server;
  const listening = await listen({
    ...{ host, port, handle, respondToParserError, clock },
    ...(overrides.timeouts && { timeouts: overrides.timeouts }),
  });
  const drainMs = closeMsOf(overrides) - stopDelayMs - afterRequestsMs;
  shutdown.add('listener', async () => {
    const isClean = await listening.drain(Math.max(0, drainMs));
    if (!isClean) log.warn('requests were cut off at the end of the drain');
  });
  return listening;
}

function createClose(
  { config, overrides, clock, shutdown }: Start,
  health: ReturnType<typeof createHealth>,
): Gateway['close'] {
  const closeAll = async () => {
    await clock.wait(config.server.stopDelayMs);
    await shutdown.run();
    return true;
  };
  let closing: Promise<boolean> | undefined;
  return () => {
    health.stop();
    closing ??= withTimeout(clock, closeMsOf(overrides), closeAll(), false);
    return closing;
  };
}

const closeMsOf = ({ closeMs = defaultCloseMs }: Overrides) => closeMs;
