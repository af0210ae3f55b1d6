import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { request } from 'undici';
import { startGateway } from '../../src/app/compose.ts';
import { readConfig } from '../../src/app/read-config.ts';
import type { Overrides } from '../../src/app/shared-deps.ts';
import type { Config } from '../../src/config/config.ts';
import type { Environment } from '../../src/config/read-values.ts';
import { createLog } from '../../src/observability/log.ts';
import { type GateLimits, gateLimits } from '../../src/upstream/client/gate.ts';
import { type Canary, watchSecrets } from './canary.ts';
import { writeEmptyJournal } from './empty-journal.ts';
import { newFolder } from './folder.ts';
import { doublePrices } from './prices.ts';
import { nullsWithoutError } from './semantic-nulls.ts';

/**
 * A whole gateway for tests: the real graph over the real sandbox, both on free ports, its files in a folder of its own.
 *
 *     const gateway = await startTestGateway();
 *     afterAll(() => gateway.close());
 *
 *     await gateway.resetCalls();
 *     const { data } = await gateway.query('{ domain(name: "reseller-demo.com") { state } }');
 *     expect(await gateway.countCalls()).toEqual({ getdetails: 1 });
 */
export interface TestGateway {
  readonly url: string;
  readonly sandboxUrl: string;
  /** The origin of `/metrics`, with `METRICS_PORT`. */
  readonly metricsUrl: string | null;
  /** One line per log record, parsed: a test can check that no bug was logged. */
  readonly lines: readonly Record<string, unknown>[];
  query(
    document: string,
    variables?: object,
    headers?: Record<string, string>,
  ): Promise<GraphQLResponse>;
  /** The calls that the sandbox received since the last `resetCalls`, in the order of arrival. */
  upstreamCalls(): Promise<readonly ReceivedCall[]>;
  /** Their number by action. */
  countCalls(): Promise<Readonly<Record<string, number>>>;
  resetCalls(): Promise<void>;
  /** One request to the sandbox's `/admin/…`; throws when it is refused. Returns the parsed response. */
  admin(method: string, path: string, body?: unknown): Promise<unknown>;
  /** One call of the Domain API by another program with the same account; throws when it is refused. */
  callUpstream(action: string, request: object): Promise<unknown>;
  /** Restarts only the gateway, on the same files and the same sandbox data. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

export interface GraphQLResponse {
  readonly status: number;
  // biome-ignore-start lint/suspicious/noExplicitAny: a test looks into responses of any shape
  readonly data: any;
  readonly errors: any;
  readonly extensions: any;
  // biome-ignore-end lint/suspicious/noExplicitAny: a test looks into responses of any shape
}

export interface ReceivedCall {
  readonly action: string;
  readonly domain?: string;
  readonly domains?: readonly string[];
  /** The user name of the login. */
  readonly reseller?: string;
  readonly at: string;
  readonly status: number | null;
}

export interface TestGatewayOptions extends Overrides {
  /** Sent as `authorization: Bearer …` with every query; default `demo-token`, null sends none. */
  readonly accountToken?: string | null;
  /** Further settings of the gateway. */
  readonly env?: Environment;
}

/** Starts one; `close` removes its folder. Costs about a tenth of a second. */
export async function startTestGateway(options: TestGatewayOptions = {}): Promise<TestGateway> {
  const { accountToken = 'demo-token', env = {}, ...overrides } = options;
  const directory = await newFolder('reseller-graph');
  const lines: Record<string, unknown>[] = [];
  const nulls: string[] = [];
  // Caches only in tests that enable them.
  const forgetful = {
    TLD_MAX_AGE_SECONDS: '0',
    DOMAIN_MAX_AGE_SECONDS: '0',
    AVAILABILITY_MAX_AGE_SECONDS: '0',
    // A busy test machine is not an overloaded gateway.
    QUEUE_BUDGET_MS: '60000',
    ...(env.FEATURES === undefined && {
      PRICES_FILE: doublePrices,
      // Background reads only in tests that enable them.
      PORTFOLIO_READS_PER_MINUTE: '0',
      // Comparisons for events too.
      EVENTS_INTERVAL_SECONDS: '0',
    }),
  };
  const own = {
    PORT: '0',
    SANDBOX_PORT: '0',
    SANDBOX_LATENCY: 'none',
    DATA_DIR: directory,
  };
  const config = readConfig({ ...own, ...forgetful, ...env });
  const { look, leaks } = watchSecrets(secretsOf(config, env, accountToken));
  const log = createLog({
    level: 'debug',
    write(line) {
      look('a line of the log', line);
      const record = JSON.parse(line);
      if (!quiet.has(record.level) && !outageLines.has(record.msg)) lines.push(record);
    },
  });
  // A commit settles in its turn, so that a test that moves the clock knows when work has ended.
  const syncFile = async () => undefined;
  // The reconciler and the calls that check the login only in tests that enable them.
  const calm = { closeMs: 2_000, reconcileEveryMs: 3_600_000, checksLogin: false, syncFile };
  // Circuit breakers only in tests that enable them.
  const upstreamLimits: GateLimits = {
    breaker: { ...gateLimits.breaker, failures: Infinity },
    loginPause: null,
    maxRetryAfterMs: 0,
  };
  const start = () =>
    startGateway(config, { log, upstreamLimits, sandboxTlds: notableTlds, ...calm, ...overrides });
  if (config.isSandbox) {
    const hasFeatures = env.FEATURES === undefined;
    await writeEmptyJournal(join(directory, 'sandbox-journal.sqlite'), hasFeatures);
  }
  let running = await start();

  const sandboxUrl = () => {
    if (running.sandboxUrl === null) throw new Error('This gateway has no sandbox of its own.');
    return running.sandboxUrl;
  };
  const admin = async (method: string, path: string, body?: unknown) => {
    const { status, text } = await send(`${sandboxUrl()}/admin${path}`, body, { method });
    if (status >= 300) throw new Error(`${method} /admin${path}: ${status} ${text}`);
    return text === '' ? null : JSON.parse(text);
  };
  const upstreamCalls = async () => (await admin('GET', '/calls')) as readonly ReceivedCall[];

  return {
    get url() {
      return running.url;
    },
    get sandboxUrl() {
      return sandboxUrl();
    },
    get metricsUrl() {
      return running.metricsUrl;
    },
    lines,
    async query(document, variables, headers = {}) {
      const body = { query: document, variables };
      const { status, text, responseHeaders } = await send(`${running.url}/graphql`, body, {
        headers: {
          ...(accountToken !== null && { authorization: `Bearer ${accountToken}` }),
          ...headers,
        },
      });
      look(`the response to ${document}`, `${text}\n${JSON.stringify(responseHeaders)}`);
      const parsed = JSON.parse(text) as Omit<GraphQLResponse, 'status'>;
      const { data, errors, extensions } = parsed;
      if (text.includes('null')) {
        for (const path of nullsWithoutError(document, parsed))
          nulls.push(`${path} of ${document}`);
      }
      return { status, data, errors, extensions };
    },
    upstreamCalls,
    async countCalls() {
      const counts: Record<string, number> = {};
      for (const { action } of await upstreamCalls()) counts[action] = (counts[action] ?? 0) + 1;
      return counts;
    },
    async resetCalls() {
      await admin('DELETE', '/calls');
    },
    admin,
    async callUpstream(action, request) {
      const login = { username: 'demo', password: 'demo-password' };
      const url = `${sandboxUrl()}/domain-api/?action=${action}`;
      const { status, text } = await send(url, { ...login, ...request });
      const reply = JSON.parse(text) as { result?: unknown };
      if (status >= 300 || reply.result === 'ERROR') throw new Error(text);
      return reply;
    },
    async restart() {
      await running.close();
      running = await start();
    },
    async close() {
      await running.close();
      await rm(directory, { recursive: true, force: true });
      if (nulls.length > 0) throw new Error(`Null without an error: ${JSON.stringify(nulls)}`);
      if (leaks.length > 0) throw new Error(`Secrets leaked: ${JSON.stringify(leaks)}`);
    },
  };
}

/** Sends a request with a body of JSON. With `fetch` a query takes a quarter more CPU time. */
async function send(
  url: string,
  body: unknown,
  { method = 'POST', headers = {} }: { method?: string; headers?: Record<string, string> } = {},
) {
  const response = await request(url, {
    method,
    headers: {
      accept: '*/*',
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const { statusCode: status, headers: responseHeaders } = response;
  return { status, responseHeaders, text: await response.body.text() };
}

/** The TLDs of the sandbox that have prices of their own; they are the first of its list. To read all takes most of a request. */
export const notableTlds = 49;
/** For `sandboxTlds`. */
export const everyTld = Infinity;

const quiet = new Set(['debug', 'info']);
/** Tests cause outages on purpose; those of the log read these lines. */
const outageLines = new Set([
  ...['the upstream is unavailable', 'the upstream is available again'],
  'the circuit breaker opened',
]);

/** Texts that no log line and no response may contain, in any test. */
function secretsOf(
  { tenants }: Config,
  { API_KEY }: Environment,
  accountToken: string | null,
): readonly Canary[] {
  const passwords = tenants.map(({ login }) => login.password.reveal());
  return [
    ...passwords.map((value) => ({ kind: 'password', value })),
    ...(API_KEY ? [{ kind: 'API key', value: API_KEY }] : []),
    ...(accountToken ? [{ kind: 'token', value: accountToken }] : []),
  ];
}
