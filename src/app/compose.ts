import { join } from 'node:path';
import packageFile from '../../package.json' with { type: 'json' };
import { type Callers, openCallers } from '../access/callers.ts';
import type { Config } from '../config/config.ts';
import { madeKeysIn } from '../config/keys-file.ts';
import type { Caller } from '../kernel/caller.ts';
import type { Clock, Randomness } from '../lib/clock.ts';
import { StartError } from '../lib/start-error.ts';
import { systemClock, systemRandomness } from '../lib/system.ts';
import { createTokenBuckets } from '../lib/token-bucket.ts';
import { withTimeout } from '../lib/with-timeout.ts';
import { schema as wholeGraph } from '../modules/index.ts';
import { Scope } from '../modules/scope.ts';
import { createLog, type Log } from '../observability/log.ts';
import { createMetricsPage } from '../observability/metrics.ts';
import { type App, createApp } from '../server/app.ts';
import { listen, type ServerTimeouts } from '../server/http/listen.ts';
import { servedGraph } from '../supergraph/served-graph.ts';
import type { GateLimits } from '../upstream/client/gate.ts';
import { createHealth } from './health.ts';
import { openJournal } from './journal.ts';
import { type Observation, observe } from './observe.ts';
import { openTenants } from './tenants.ts';

/** What a test can replace. */
export interface Overrides {
  /** Number of domains in the demo portfolio. */
  readonly sandboxDomains?: number;
  /** Number of domains that `getdomainlist` returns at most; default 200, 0 for all. */
  readonly sandboxListSize?: number;
  /** Deletes the data of the sandbox, and the journal of purchases in it, before the start. */
  readonly reset?: boolean;
  readonly clock?: Clock;
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

export const defaultCloseMs = 30_000;
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
  /** The parts that were started. They are closed in the reverse order. */
  readonly opened: AsyncDisposableStack;
}

/**
 * Starts the whole gateway.
 *
 * @throws StartError or Fault `JOURNAL_UNAVAILABLE`, after closing everything that was started.
 */
export const startGateway = (config: Config, overrides: Overrides = {}): Promise<Gateway> =>
  startParts(config, overrides, async (start) => {
    const { app, stopServing, ...urls } = await openApp(start, startCallers);
    const url = await startListening(start, app);
    return { ...urls, url, close: createClose(start, stopServing) };
  });

/** A gateway without a listener, for a program that handles requests itself. */
export interface UnlistenedGateway extends Pick<Gateway, 'close'> {
  readonly handle: App['handle'];
}

/**
 * Starts the gateway without a listener. With `caller` every request is of this caller, and needs no credentials.
 *
 * @throws StartError or Fault `JOURNAL_UNAVAILABLE`, after closing everything that was started.
 */
export const openGateway = (
  config: Config,
  caller: Caller | null,
  overrides: Overrides = {},
): Promise<UnlistenedGateway> =>
  startParts(config, overrides, async (start) => {
    const { app, stopServing } = await openApp(
      start,
      caller ? () => fixedCaller(caller) : startCallers,
    );
    return { handle: app.handle, close: createClose(start, stopServing) };
  });

const fixedCaller = (caller: Caller): Callers => ({
  owns: () => false,
  identify: () => caller,
  close: async () => undefined,
});

/** Runs the steps of a start. When one fails, everything that was started is closed. */
async function startParts<Started>(
  config: Config,
  overrides: Overrides,
  steps: (start: Start) => Promise<Started>,
): Promise<Started> {
  const start: Start = {
    ...{ config, overrides },
    clock: overrides.clock ?? systemClock,
    randomness: systemRandomness,
    log: overrides.log ?? createLog({ level: config.observability.logLevel }),
    opened: new AsyncDisposableStack(),
  };
  try {
    return await steps(start);
  } catch (error) {
    await start.opened.disposeAsync().catch((closing: unknown) => {
      start.log.error('closing after a failed start', { error: closing });
    });
    throw error;
  }
}

/** Starts all parts but the listener, in the order of their dependencies. */
async function openApp(start: Start, openCallersOf: (start: Start) => Callers | null) {
  const { config, overrides, opened, ...basics } = start;
  const { clock, randomness, log } = basics;
  const observation = observe(config, clock, log);
  const metricsUrl = await startMetrics(start, observation);
  const sandbox = config.hasEmbeddedSandbox ? await startSandbox(start) : null;
  const journal = await openJournal(config, {
    reset: overrides.reset ?? false,
    onAvailability: (failure) =>
      failure === null
        ? log.info('journal is available')
        : log.error('journal is not available', { reason: failure }),
  });
  opened.defer(() => journal.close());
  const sharedState = await openShared(start);
  const tenants = openTenants({
    ...{ config, ...basics, journal, sharedState, observation, embedded: sandbox },
    audit: (line) => log.info('audit', line),
    gateway: { environment: config.isSandbox ? 'SANDBOX' : 'LIVE', version: packageFile.version },
    reconcileEveryMs: overrides.reconcileEveryMs ?? defaultReconcileEveryMs,
    ...(overrides.upstreamLimits && { upstreamLimits: overrides.upstreamLimits }),
  });
  opened.defer(() => tenants.close());
  const health = createHealth({ journal, clock, upstreamStates: tenants.upstreamStates });
  const localBuckets = createTokenBuckets(clock);
  const app = createApp({
    ...{ clock, randomness, log, health },
    callers: openCallersOf(start),
    schema: servedGraph(wholeGraph, config.server),
    createScope: (request) => new Scope(tenants.depsOf(request.caller), request),
    isTenant: tenants.has,
    upstreamOverloadMs: tenants.upstreamOverloadMs,
    settings: config.server,
    environment: config.isSandbox ? 'sandbox' : 'live',
    observer: observation.requests,
    rateStore: sharedState?.of(ofCallers).buckets(localBuckets) ?? localBuckets,
    fastPath: overrides.fastPath ?? true,
  });
  return { app, metricsUrl, sandboxUrl: sandbox?.url ?? null, stopServing: health.stop };
}

/** Metrics have their own port, because they are for the operator only. */
async function startMetrics(
  { config, clock, randomness, log, opened }: Start,
  { registry }: Observation,
): Promise<string | null> {
  const { metricsPort: port, metricsHost: host } = config.observability;
  if (port === undefined || !registry) return null;
  const { url, drain } = await listen({
    ...{ port, host, clock, randomness },
    settings: { port: 'METRICS_PORT', host: 'METRICS_HOST' },
    handle: createMetricsPage(registry),
  });
  opened.defer(async () => void (await drain(metricsDrainMs)));
  log.info('metrics', { url });
  return url;
}

/** @throws StartError when its port or file cannot be used. */
async function startSandbox({ config, overrides, clock, randomness, opened }: Start) {
  const { sandboxDomains, sandboxListSize, reset = false } = overrides;
  // Loaded only when it is used: a live gateway has no sandbox.
  const { startSandbox: startServer } = await import('../sandbox/server.ts');
  try {
    const sandbox = await startServer({
      ...{ clock, randomness, reset },
      file: join(config.storage.dataDir, 'sandbox.sqlite'),
      port: config.sandbox.port,
      latency: config.sandbox.latency,
      ...(sandboxDomains !== undefined && { domains: sandboxDomains }),
      ...(sandboxListSize !== undefined && { listSize: sandboxListSize }),
    });
    opened.defer(() => sandbox.close());
    return sandbox;
  } catch (cause) {
    const sentence = cause instanceof Error ? cause.message : 'The sandbox cannot be started.';
    const hint = sentence.includes('listen') ? ' SANDBOX_PORT says which port it takes.' : '';
    throw new StartError(`${sentence}${hint}`, { cause });
  }
}

async function openShared({ config, overrides, opened, ...deps }: Start) {
  const { redisUrl: url } = config.storage;
  if (!url) return null;
  // The driver is loaded only when it is used.
  const { openSharedState } = await import('../shared-state/shared-state.ts');
  const replyTimeoutMs = overrides.sharedStateMs;
  const sharedState = await openSharedState({ ...deps, url, replyTimeoutMs });
  opened.defer(() => sharedState.close());
  return sharedState;
}

/** Null without authentication. */
function startCallers({ config: { auth }, clock, log, opened }: Start) {
  if (auth.kind === 'open') return null;
  const callers = openCallers({ ...auth, madeKeys: madeKeysIn(auth.keysFile) }, clock, log);
  opened.defer(() => callers.close());
  return callers;
}

async function startListening(
  { config, overrides, clock, randomness, log, opened }: Start,
  { handle, endStreams }: App,
): Promise<string> {
  const { host, port, stopDelayMs } = config.server;
  const { url, drain } = await listen({
    ...{ host, port, handle, clock, randomness },
    ...(overrides.timeouts && { timeouts: overrides.timeouts }),
  });
  const drainMs = closeMsOf(overrides) - stopDelayMs - afterRequestsMs;
  // Open requests finish while everything that they use is still open.
  opened.defer(async () => {
    const isClean = await drain(Math.max(0, drainMs));
    if (!isClean) log.warn('requests were cut off at the end of the drain');
  });
  // Before the listener, which waits for every response: an event stream does not end on its own.
  opened.defer(endStreams);
  log.info('listening', { url });
  return url;
}

function createClose(
  { config, overrides, clock, opened }: Start,
  stopServing: () => void,
): Gateway['close'] {
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
