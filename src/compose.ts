import { join } from 'node:path';
import type { GraphQLSchema } from 'graphql';
import type { Config } from './config/config.ts';
import { settings as settingRows } from './config/settings.ts';
import type { Clock, Randomness } from './kernel/clock.ts';
import { systemClock, systemRandomness } from './kernel/system.ts';
import type { Deps } from './modules/deps.ts';
import { schema as wholeGraph } from './modules/index.ts';
import { Scope } from './modules/scope.ts';
import { createLog, type Log } from './observability/log.ts';
import { accountOf, isSandbox, openJournal } from './open-journal.ts';
import { createApp } from './server/app.ts';
import { listen } from './server/listen.ts';
import { createLocalRateStore } from './server/rate/local-rate-store.ts';
import { servedGraph } from './supergraph/served-graph.ts';
import { openTenant } from './tenant.ts';

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
  /** Forgets what the sandbox that is started along holds, and the journal of what was bought in it. */
  readonly reset?: boolean;
  /** Milliseconds between two looks at the purchases that are open; default 5,000. */
  readonly reconcileEveryMs?: number;
  /** Milliseconds that requests under way get when the gateway closes; default 30,000. */
  readonly drainMs?: number;
  /** Whether a plain request may pass by Fetch; default true. */
  readonly plainWay?: boolean;
}

export interface Gateway {
  /** Without a slash at the end; the graph is at `/graphql`. */
  readonly url: string;
  /** Of the sandbox that was started along; null when there is none. */
  readonly sandboxUrl: string | null;
  /** Takes no more requests, lets those under way end and closes everything. May be called again. */
  close(): Promise<void>;
}

/** Starting failed for a reason outside the program; the message is one sentence for whoever started it. */
export class StartError extends Error {
  override readonly name = 'StartError';
}

const defaultDrainMs = 30_000;
const defaultReconcileEveryMs = 5_000;

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
  const upstream = await reachUpstream(config, overrides, time, started);
  const journal = started.adopt(await openJournal(config, overrides), (it) => it.close());
  const tenant = openTenant(
    {
      ...config.upstream.login,
      ...upstream,
      account: accountOf(config),
      limitsOf: limitsOf(config),
    },
    {
      ...time,
      journal,
      timeoutMs: config.upstreamTimeoutMs,
      quietWindowMs: config.quietWindowMs,
      maxAges: config.maxAges,
      maxUpstreamCalls: config.maxUpstreamCalls,
      reconcileEveryMs: overrides.reconcileEveryMs ?? defaultReconcileEveryMs,
    },
  );
  started.defer(() => tenant.close());
  const { deps } = tenant;

  let isDraining = false;
  const app = createApp({
    schema: overrides.schema ?? servedGraph(wholeGraph, config),
    createScope: (request) => new Scope(deps, request),
    settings: config,
    surroundings: isSandbox(config) ? 'sandbox' : 'live',
    settingRows,
    readiness: async () => (isDraining ? 'The gateway is shutting down.' : checkJournal(deps)),
    log,
    randomness,
    rateStore: createLocalRateStore(clock),
    plainWay: overrides.plainWay ?? true,
  });
  started.defer(() => app.dispose());

  const { host, port } = config;
  const listening = await listen({ host, port, handle: app.handle, clock });
  started.defer(async () => {
    const isClean = await listening.drain(overrides.drainMs ?? defaultDrainMs);
    if (!isClean) log.warn('requests were cut off at the end of the drain');
  });
  // Closed before the drain, which would otherwise wait for every open stream.
  started.defer(() => tenant.endStreams());
  log.info('listening', { url: listening.url });

  const everything = started.move();
  return {
    url: listening.url,
    sandboxUrl: upstream.sandboxUrl,
    close() {
      isDraining = true;
      return everything.disposeAsync();
    },
  };
}

type Time = Pick<Deps, 'clock' | 'randomness'>;

/** Where the two APIs are, once the sandbox is there that was to be started along. */
async function reachUpstream(
  { dataDir, upstream }: Config,
  overrides: Overrides,
  time: Time,
  started: AsyncDisposableStack,
) {
  if (upstream.kind === 'remote') return { ...upstream, sandboxUrl: null };
  const sandbox = await startEmbedded(dataDir, upstream.sandboxPort, overrides, time);
  started.defer(() => sandbox.close());
  const { domainApiUrl, accountApiUrl, url: sandboxUrl } = sandbox;
  return { domainApiUrl, accountApiUrl, sandboxUrl };
}

function limitsOf({ auth, spendLimits }: Config): Deps['limitsOf'] {
  const keys = auth.kind === 'keys' ? auth.keys : [];
  const byName = new Map(keys.map(({ name, limits }) => [name, limits]));
  return ({ name }) => ({ GATEWAY: spendLimits, KEY: byName.get(name ?? '') ?? {} });
}

async function startEmbedded(dataDir: string, port: number, overrides: Overrides, time: Time) {
  // Only where one is started along: a live gateway has no use for it.
  const { startSandbox } = await import('./sandbox/server.ts');
  try {
    return await startSandbox({
      file: join(dataDir, 'sandbox.sqlite'),
      port,
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

async function checkJournal({ journal, account }: Deps): Promise<string | null> {
  try {
    await journal.count(account);
    return null;
  } catch {
    return 'The journal cannot be read.';
  }
}
