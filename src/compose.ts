import { join } from 'node:path';
import type { GraphQLSchema } from 'graphql';
import type { Config } from './config/config.ts';
import { settings as settingRows } from './config/settings.ts';
import type { Clock, Randomness } from './kernel/clock.ts';
import { Fault } from './kernel/faults.ts';
import { Revision } from './kernel/revision.ts';
import { systemClock, systemRandomness } from './kernel/system.ts';
import type { Deps } from './modules/deps.ts';
import { schema as wholeGraph } from './modules/index.ts';
import { createReconciler } from './modules/operation/reconciler.ts';
import { createWatch } from './modules/operation/watch.ts';
import { createWatcher } from './modules/operation/watcher.ts';
import { createSnapshot } from './modules/portfolio/snapshot.ts';
import { quietAfterMarkMs } from './modules/registration/purchase.ts';
import { Scope } from './modules/scope.ts';
import { createSearchPace, mostSearchCalls } from './modules/search/pace.ts';
import { createLog, type Log } from './observability/log.ts';
import { accountOf, isSandbox, openJournal } from './open-journal.ts';
import { createApp } from './server/app.ts';
import { listen } from './server/listen.ts';
import { servedGraph } from './supergraph/served-graph.ts';
import { type AccountApi, createAccountApi } from './upstream/account-api/client.ts';
import { accountApi as accountRows } from './upstream/account-api/operations.ts';
import { writeDeadlineMs } from './upstream/call.ts';
import { createDomainApi } from './upstream/domain-api/client.ts';
import { shareReads } from './upstream/domain-api/shared.ts';
import { createConcurrencyLimit } from './upstream/policies/concurrency.ts';
import { createTransport } from './upstream/transport.ts';

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
  const revision = new Revision();
  const upstream = await reachUpstream(config, overrides, { ...time, revision }, started);
  const journal = started.adopt(await openJournal(config, overrides), (it) => it.close());
  const account = accountOf(config);
  const deadlineMs = writeDeadlineMs(config.upstreamTimeoutMs);
  const snapshot = createSnapshot({
    api: upstream.domainApi,
    clock,
    revision,
    maxAgeMs: config.maxAges.domainsMs,
  });
  started.defer(() => snapshot.close());
  const deps: Deps = {
    ...time,
    journal,
    domainApi: upstream.domainApi,
    snapshot,
    revision,
    accountApi: upstream.accountApi,
    account,
    limitsOf: limitsOf(config),
    watch: createWatch(clock),
    watcher: createWatcher({ journal, account, clock }),
    searchPace: createSearchPace({ clock, places: createConcurrencyLimit(mostSearchCalls) }),
    quietWindowMs: quietAfterMarkMs(deadlineMs, config.quietWindowMs),
    writeDeadlineMs: deadlineMs,
  };
  const everyMs = overrides.reconcileEveryMs ?? defaultReconcileEveryMs;
  started.adopt(createReconciler({ ...deps, everyMs }), (it) => it.close());

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
  started.defer(() => deps.watcher.close());
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

async function reachUpstream(
  config: Config,
  overrides: Overrides,
  time: Time & Pick<Deps, 'revision'>,
  started: AsyncDisposableStack,
) {
  const { upstream } = config;
  const embedded =
    upstream.kind === 'embedded'
      ? started.adopt(await startEmbedded(config, upstream.sandboxPort, overrides, time), (it) =>
          it.close(),
        )
      : null;
  const { domainApiUrl, accountApiUrl } = embedded ?? (upstream as Remote);
  const connect = (baseUrl: string) => {
    const transport = started.adopt(createTransport({ baseUrl }), (it) => it.close());
    return { transport: transport.send, timeoutMs: config.upstreamTimeoutMs, ...time };
  };

  const username = upstream.login.username.reveal();
  const credentials = { username, password: upstream.login.password };
  return {
    domainApi: shareReads(createDomainApi({ ...connect(domainApiUrl), credentials }), {
      clock: time.clock,
      revision: time.revision,
      maxAges: config.maxAges,
    }),
    accountApi: accountApiUrl ? createAccountApi(connect(accountApiUrl)) : noAccountApi(),
    sandboxUrl: embedded?.url ?? null,
  };
}

function limitsOf({ auth, spendLimits }: Config): Deps['limitsOf'] {
  const keys = auth.kind === 'keys' ? auth.keys : [];
  const byName = new Map(keys.map(({ name, limits }) => [name, limits]));
  return (caller) => ({ GATEWAY: spendLimits, KEY: byName.get(caller ?? '') ?? {} });
}

type Remote = Extract<Config['upstream'], { kind: 'remote' }>;

async function startEmbedded(config: Config, port: number, overrides: Overrides, time: Time) {
  // Only where one is started along: a live gateway has no use for it.
  const { startSandbox } = await import('./sandbox/server.ts');
  try {
    return await startSandbox({
      file: join(config.dataDir, 'sandbox.sqlite'),
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

/** Stands in where no Account API is configured: every call says so, and that nothing was sent. */
function noAccountApi(): AccountApi {
  const refuse = async () => {
    throw new Fault('NOT_SUPPORTED', {
      message: 'This gateway has no Account API: its operator has not set ACCOUNT_API_URL.',
    });
  };
  const functions = Object.keys(accountRows).map((name) => [name, refuse]);
  return Object.fromEntries(functions) as AccountApi;
}
