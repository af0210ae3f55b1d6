import { join } from 'node:path';
import type { GraphQLSchema } from 'graphql';
import { openCallers } from './access/open-callers.ts';
import type { Config, UpstreamConfig } from './config/config.ts';
import { settings as settingRows } from './config/settings.ts';
import { readVersion } from './config/version.ts';
import { createHealth } from './health.ts';
import type { Clock, Randomness } from './kernel/clock.ts';
import { inTime } from './kernel/in-time.ts';
import { systemClock, systemRandomness } from './kernel/system.ts';
import type { Deps } from './modules/deps.ts';
import { schema as wholeGraph } from './modules/index.ts';
import { Scope } from './modules/scope.ts';
import { createLog, type Log } from './observability/log.ts';
import { type Observation, observe } from './observe.ts';
import { isSandbox, openJournal } from './open-journal.ts';
import { createApp } from './server/app.ts';
import { type Listening, listen } from './server/listen.ts';
import { createMetricsPage } from './server/metrics-page.ts';
import type { Patience } from './server/patience.ts';
import { createLocalRateStore } from './server/rate/local-rate-store.ts';
import type { SharedState } from './shared-state/shared-state.ts';
import { servedGraph } from './supergraph/served-graph.ts';
import { openTenants } from './tenants.ts';
import type { GateLimits } from './upstream/gate.ts';

/** What a test may put in place of the real thing. */
export interface Overrides {
  readonly schema?: GraphQLSchema;
  readonly clock?: Clock;
  readonly randomness?: Randomness;
  readonly log?: Log;
  /** Size of the demo portfolio of the sandbox that is started along. */
  readonly sandboxDomains?: number;
  /** Domains that its `getdomainlist` shows at most; default 200, 0 for all. */
  readonly sandboxListSize?: number;
  /** Instead of the setting SANDBOX_LATENCY. */
  readonly sandboxLatency?: 'realistic' | 'none';
  /** Forgets what the sandbox that is started along holds, and the journal of what was bought in it. */
  readonly reset?: boolean;
  /** Milliseconds between two looks at the purchases that are open; default 5,000. */
  readonly reconcileEveryMs?: number;
  /** Milliseconds that closing may take, the delay before it included; default 30,000. */
  readonly closeMs?: number;
  /** When calls stop because of how earlier ones ended. */
  readonly upstreamLimits?: GateLimits;
  /** Milliseconds that Valkey or Redis gets to answer; default 100. */
  readonly sharedStateMs?: number;
  /** How long slow callers are waited for. */
  readonly patience?: Partial<Patience>;
  /** Whether a plain request may pass by Fetch; default true. */
  readonly plainWay?: boolean;
}

export interface Gateway {
  /** Without a slash at the end; the graph is at `/graphql`. */
  readonly url: string;
  /** Of the sandbox that was started along; null when there is none. */
  readonly sandboxUrl: string | null;
  /** Where figures are at `/metrics`; null when nobody reads any. */
  readonly metricsUrl: string | null;
  /**
   * Says that it is not serving, takes no more requests after the delay that is set, lets what is under way end, and closes
   * everything: false when the time was over first. What is still under way then is for whoever settles it from the journal.
   * May be called again.
   */
  close(): Promise<boolean>;
}

/** Starting failed for a reason outside the program; the message is one sentence for whoever started it. */
export class StartError extends Error {
  override readonly name = 'StartError';
}

const defaultCloseMs = 30_000;
/** Of the time to close, for what comes after the requests. */
const afterRequestsMs = 1_000;
const defaultReconcileEveryMs = 5_000;
/** Where replicas count what callers ask for, apart from every account. */
const ofCallers = 'callers';

/**
 * Starts the whole gateway: sandbox, clients, journal, graph and server, in the order in which they need each other.
 *
 * @throws StartError, ListenError or Fault `JOURNAL_UNAVAILABLE`, with everything closed again that had been started.
 */
export async function startGateway(config: Config, overrides: Overrides = {}): Promise<Gateway> {
  const clock = overrides.clock ?? systemClock;
  const randomness = overrides.randomness ?? systemRandomness;
  const log = overrides.log ?? createLog({ level: config.logLevel });
  const time = { clock, randomness };

  // Closed in the reverse order, here when a step fails and by `close` when all went well.
  await using started = new AsyncDisposableStack();
  const observation = observe({
    clock,
    log,
    tenants: config.tenants.map(({ name }) => name),
    isMeasured: config.metrics !== null,
  });
  const metrics = await listenForMetrics(config, observation, clock);
  if (metrics) started.defer(async () => void (await metrics.drain(metricsDrainMs)));
  const sandbox = await startAlong(config, overrides, time, started);
  const onAvailability = (failure: string | null) =>
    failure === null
      ? log.info('journal is available')
      : log.error('journal is not available', { reason: failure });
  const journal = started.adopt(await openJournal(config, { ...overrides, onAvailability }), (it) =>
    it.close(),
  );
  const answerWithinMs = overrides.sharedStateMs;
  const sharedState = await shareState(config, { ...time, log, answerWithinMs });
  started.defer(() => sharedState?.close());
  const tenants = openTenants(config, {
    ...time,
    log,
    journal,
    sharedState,
    embedded: sandbox,
    observation,
    audit: (line) => log.info('audit', line),
    timeoutMs: config.upstreamTimeoutMs,
    concurrency: config.upstreamConcurrency,
    ratePerSecond: config.upstreamRatePerSecond,
    queueBudgetMs: config.queueBudgetMs,
    quietWindowMs: config.quietWindowMs,
    maxAges: config.maxAges,
    maxUpstreamCalls: config.maxUpstreamCalls,
    gateway: {
      environment: isSandbox(config) ? 'SANDBOX' : 'LIVE',
      version: readVersion(),
    },
    reconcileEveryMs: overrides.reconcileEveryMs ?? defaultReconcileEveryMs,
    ...(overrides.upstreamLimits && { upstreamLimits: overrides.upstreamLimits }),
  });
  started.defer(() => tenants.close());
  const ownRates = createLocalRateStore(clock);
  const { auth } = config;
  const callers =
    auth.kind === 'keys'
      ? started.adopt(openCallers(auth, { clock, log }), (it) => it.close())
      : null;

  const health = createHealth({ journal, clock, upstreamStates: tenants.upstreamStates });
  const app = createApp({
    callers,
    schema: overrides.schema ?? servedGraph(wholeGraph, config),
    createScope: (request) => new Scope(tenants.depsOf(request.caller), request),
    isTenant: tenants.has,
    upstreamOverloadMs: tenants.upstreamOverloadMs,
    clock,
    settings: config,
    surroundings: isSandbox(config) ? 'sandbox' : 'live',
    settingRows,
    health,
    log,
    randomness,
    watch: observation.requests,
    rateStore: sharedState?.of(ofCallers).rates(ownRates) ?? ownRates,
    plainWay: overrides.plainWay ?? true,
  });
  started.defer(() => app.dispose());

  const { host, port } = config;
  const closeMs = overrides.closeMs ?? defaultCloseMs;
  const { handle, answerBroken } = app;
  const listening = await listen({
    ...{ host, port, handle, answerBroken, clock },
    ...(overrides.patience && { patience: overrides.patience }),
  });
  started.defer(async () => {
    const isClean = await listening.drain(
      Math.max(0, closeMs - config.stopDelayMs - afterRequestsMs),
    );
    if (!isClean) log.warn('requests were cut off at the end of the drain');
  });
  // Closed before the drain, which would otherwise wait for every open stream.
  started.defer(() => app.endStreams());
  log.info('listening', { url: listening.url });
  if (metrics) log.info('metrics', { url: metrics.url });

  const everything = started.move();
  let closing: Promise<boolean> | undefined;
  return {
    url: listening.url,
    sandboxUrl: sandbox?.url ?? null,
    metricsUrl: metrics?.url ?? null,
    close() {
      health.stop();
      const end = async () => {
        await clock.wait(config.stopDelayMs);
        await everything.disposeAsync();
        return true;
      };
      closing ??= inTime(clock, closeMs, end(), false);
      return closing;
    },
  };
}

/** Of a scrape there is nothing to wait for. */
const metricsDrainMs = 1_000;

/** On a port of their own: what they tell is for operators. */
async function listenForMetrics(
  { metrics }: Config,
  { figures }: Observation,
  clock: Clock,
): Promise<Listening | null> {
  if (!metrics || !figures) return null;
  const settings = { port: 'METRICS_PORT', host: 'METRICS_HOST' };
  return listen({
    ...{ ...metrics, settings, clock },
    handle: createMetricsPage(figures),
    answerBroken: (_error, socket) => void socket.destroy(),
  });
}

type Time = Pick<Deps, 'clock' | 'randomness'>;

/** The sandbox that was to be started along; null when there is none. */
async function startAlong(
  { dataDir, upstream }: Config,
  overrides: Overrides,
  time: Time,
  started: AsyncDisposableStack,
) {
  if (upstream.kind === 'remote') return null;
  const sandbox = await startEmbedded(dataDir, upstream, overrides, time);
  return started.adopt(sandbox, (it) => it.close());
}

/** What replicas share, where they are told over what. */
async function shareState(
  { redisUrl }: Config,
  surroundings: Time & { readonly log: Log; readonly answerWithinMs: number | undefined },
): Promise<SharedState | null> {
  if (redisUrl === null) return null;
  // Its driver is loaded only where it is in use.
  const { openSharedState } = await import('./shared-state/shared-state.ts');
  return openSharedState({ url: redisUrl, ...surroundings });
}

async function startEmbedded(
  dataDir: string,
  { sandboxPort: port, sandboxLatency }: Extract<UpstreamConfig, { kind: 'embedded' }>,
  overrides: Overrides,
  time: Time,
) {
  // Only where one is started along: a live gateway has no use for it.
  const { startSandbox } = await import('./sandbox/server.ts');
  try {
    return await startSandbox({
      file: join(dataDir, 'sandbox.sqlite'),
      port,
      latency: overrides.sandboxLatency ?? sandboxLatency,
      ...time,
      ...(overrides.sandboxDomains !== undefined && { domains: overrides.sandboxDomains }),
      ...(overrides.sandboxListSize !== undefined && { listSize: overrides.sandboxListSize }),
      ...(overrides.reset && { reset: true }),
    });
  } catch (cause) {
    const sentence = cause instanceof Error ? cause.message : 'The sandbox cannot be started.';
    const hint = sentence.includes('listen') ? ' SANDBOX_PORT says which port it takes.' : '';
    throw new StartError(`${sentence}${hint}`, { cause });
  }
}
