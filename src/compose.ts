import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { GraphQLSchema } from 'graphql';
import type { Config } from './config/config.ts';
import type { Clock, Randomness } from './kernel/clock.ts';
import { Fault } from './kernel/faults.ts';
import { systemClock, systemRandomness } from './kernel/system.ts';
import { schema as wholeGraph } from './modules/index.ts';
import { createReconciler } from './modules/operation/reconciler.ts';
import { createWatch } from './modules/operation/watch.ts';
import { createWatcher } from './modules/operation/watcher.ts';
import { sendWithinMs } from './modules/registration/purchase.ts';
import { createScope, type Deps } from './modules/scope.ts';
import { createLog, type Log } from './observability/log.ts';
import { openPostgresJournal } from './persistence/postgres.ts';
import { openSqliteJournal } from './persistence/sqlite.ts';
import type { Journal } from './persistence/store.ts';
import { startSandbox } from './sandbox/server.ts';
import { createApp } from './server/app.ts';
import { listen } from './server/listen.ts';
import { type AccountApi, createAccountApi } from './upstream/account-api/client.ts';
import { accountApi as accountRows } from './upstream/account-api/operations.ts';
import { writeDeadlineMs } from './upstream/call.ts';
import { createDomainApi } from './upstream/domain-api/client.ts';
import { createTransport } from './upstream/transport.ts';

/** What a test may put in place of the real thing. */
export interface Overrides {
  readonly schema?: GraphQLSchema;
  readonly clock?: Clock;
  readonly randomness?: Randomness;
  readonly log?: Log;
  /** Size of the demo portfolio of the sandbox that is started along. */
  readonly sandboxDomains?: number;
  /** Forgets what the sandbox that is started along holds, and the journal of what was bought in it. */
  readonly reset?: boolean;
  /** Milliseconds between two looks at the purchases that are open; default 5,000. */
  readonly reconcileEveryMs?: number;
  /** Milliseconds that requests under way get when the gateway closes; default 30,000. */
  readonly drainMs?: number;
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
  const { account } = upstream;
  const deps: Deps = {
    ...time,
    journal,
    domainApi: upstream.domainApi,
    accountApi: upstream.accountApi,
    account,
    watch: createWatch(clock),
    watcher: createWatcher({ journal, account, clock }),
    // While the call itself may still be under way nothing is quiet yet.
    quietWindowMs: sendWithinMs + writeDeadlineMs(config.upstreamTimeoutMs) + config.quietWindowMs,
  };
  const everyMs = overrides.reconcileEveryMs ?? defaultReconcileEveryMs;
  started.adopt(createReconciler({ ...deps, everyMs }), (it) => it.close());

  let isDraining = false;
  const app = createApp({
    schema: overrides.schema ?? wholeGraph,
    createScope: (request) => createScope(deps, request),
    settings: config,
    surroundings: upstream.isSandbox ? 'sandbox' : 'live',
    readiness: async () => (isDraining ? 'The gateway is shutting down.' : checkJournal(deps)),
    log,
    randomness,
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
  time: Time,
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
  const isSandbox = upstream.kind === 'embedded' || upstream.isSandbox;
  return {
    domainApi: createDomainApi({ ...connect(domainApiUrl), credentials }),
    accountApi: accountApiUrl ? createAccountApi(connect(accountApiUrl)) : noAccountApi(),
    isSandbox,
    sandboxUrl: embedded?.url ?? null,
    // An account of the sandbox and one of the real service are never the same, whatever their names.
    account: `${isSandbox ? 'sandbox' : 'live'}:${username}`,
  };
}

type Remote = Extract<Config['upstream'], { kind: 'remote' }>;

async function startEmbedded(config: Config, port: number, overrides: Overrides, time: Time) {
  try {
    return await startSandbox({
      file: join(config.dataDir, 'sandbox.sqlite'),
      port,
      ...time,
      ...(overrides.sandboxDomains !== undefined && { domains: overrides.sandboxDomains }),
      ...(overrides.reset && { reset: true }),
    });
  } catch (cause) {
    const sentence = cause instanceof Error ? cause.message : 'The sandbox cannot be started.';
    const hint = sentence.includes('listen') ? ' SANDBOX_PORT says which port it takes.' : '';
    throw new StartError(`${sentence}${hint}`, { cause });
  }
}

/** Purchases in a sandbox have a file of their own, so that a reset can never take a real one with it. */
async function openJournal(config: Config, { reset }: Overrides): Promise<Journal> {
  const { dataDir, upstream, databaseUrl } = config;
  if (databaseUrl) return openPostgresJournal({ url: databaseUrl });
  const isSandbox = upstream.kind === 'embedded' || upstream.isSandbox;
  const file = join(dataDir, isSandbox ? 'sandbox-journal.sqlite' : 'journal.sqlite');
  if (reset && upstream.kind === 'embedded') {
    for (const ending of ['', '-wal', '-shm']) await rm(`${file}${ending}`, { force: true });
  }
  return openSqliteJournal({ file });
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
