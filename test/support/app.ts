import { GraphQLError, GraphQLScalarType, GraphQLSchema } from 'graphql';
import { createSchema } from 'graphql-yoga';
import { openCallers } from '../../src/access/callers.ts';
import { readConfig } from '../../src/app/read-config.ts';
import { type ApiKey, anonymous } from '../../src/kernel/caller.ts';
import { parseDomainName } from '../../src/kernel/domain-name.ts';
import { Fault } from '../../src/kernel/faults.ts';
import { systemClock, systemRandomness } from '../../src/lib/system.ts';
import { createTokenBuckets } from '../../src/lib/token-bucket.ts';
import { createLog } from '../../src/observability/log.ts';
import { incrementalDirectives } from '../../src/schema/incremental-delivery.ts';
import type { RequestFacts } from '../../src/scope/scope.ts';
import { type AppOptions, createApp } from '../../src/server/app.ts';
import type { RequestScope } from '../../src/server/http/http-request.ts';
import { listen } from '../../src/server/http/listen.ts';

/** A graph with every kind of failure, for tests of the server alone. */
export const troubleSchema: GraphQLSchema = createSchema<RequestFacts & { release: () => void }>({
  typeDefs: /* GraphQL */ `
    scalar Name
    enum Color { RED }
    type Query {
      ok: Boolean!
      fault: String
      deepFault: String
      unknownOutcome: String
      bug: String
      required: String!
      color: Color
      named(name: Name!): String
      period(years: Int! = 1): Int
      token: String
      deliberate: String
    }
    type Mutation { spend: Boolean }
  `,
  resolvers: {
    Name: new GraphQLScalarType({ name: 'Name', parseValue: (text) => parseDomainName(`${text}`) }),
    Query: {
      ok: () => true,
      fault: () => {
        throw new Fault('NOT_FOUND');
      },
      deepFault: () => {
        throw new Error('around', { cause: new GraphQLError('it', { originalError: refused() }) });
      },
      unknownOutcome: () => {
        throw new Fault('OUTCOME_UNKNOWN');
      },
      bug: () => {
        throw new TypeError('the password is hunter2');
      },
      required: () => null,
      color: () => 'BLUE',
      named: (_root, { name }) => name,
      period: (_root, { years }) => years,
      token: (_root, _args, { accountToken }) => accountToken?.reveal() ?? null,
      deliberate: () => {
        throw new GraphQLError('Thrown without a code, so it is unexpected.');
      },
    },
    Mutation: { spend: () => true },
  },
});

const refused = () =>
  new Fault('UPSTREAM_REJECTED', {
    upstream: { code: 'API_2306_ERROR', message: 'Parameter value policy error' },
  });

export interface TestApp {
  readonly url: string;
  /** Log lines, parsed. */
  readonly lines: readonly Record<string, unknown>[];
  request(path: string, init?: RequestInit): Promise<Response>;
  post(body: unknown, headers?: Record<string, string>): Promise<TestResponse>;
  drain(ms: number): Promise<boolean>;
  /** As the gateway does before it stops. */
  endStreams(): Promise<void>;
  close(): Promise<void>;
}

export interface TestResponse {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into responses of any shape
  readonly body: any;
}

export type TestAppOptions = Partial<Omit<AppOptions, 'settings'>> & {
  readonly settings?: Partial<AppOptions['settings']> & {
    readonly auth?: { kind: 'open' } | { kind: 'keys'; keys: readonly ApiKey[] };
  };
  readonly calls?: RequestScope['upstreamCalls'];
};

/** Adds `@defer` and `@stream`, which the schema of the gateway has. */
function withIncrementalDirectives(schema: GraphQLSchema): GraphQLSchema {
  if (schema.getDirective('defer')) return schema;
  const directives = [...schema.getDirectives(), ...incrementalDirectives];
  return new GraphQLSchema({ ...schema.toConfig(), directives, assumeValid: true });
}

const noMadeKeys = { read: () => null, parse: () => [] };

/** The server without a listener, by default over the trouble schema. */
export function createTestApp({
  settings: { auth, ...settings } = {},
  calls = [],
  schema = troubleSchema,
  ...options
}: TestAppOptions = {}) {
  const lines: Record<string, unknown>[] = [];
  const log = createLog({ level: 'debug', write: (line) => lines.push(JSON.parse(line)) });
  // The keys of settings, and no others.
  const callers =
    auth?.kind === 'keys'
      ? openCallers({ keys: auth.keys, madeKeys: noMadeKeys, issuers: [] }, systemClock, log)
      : null;
  const { handle, endStreams } = createApp({
    examples: [],
    pages: [],
    schema: withIncrementalDirectives(schema),
    createScope: (facts) => ({ ...facts, upstreamCalls: calls, cachedReads: [] }),
    upstreamOverloadMs: () => 0,
    clock: systemClock,
    isTenant: (name) => name === anonymous.tenant,
    createRoutes: () => [],
    callers,
    settings: {
      ...readConfig({}).server,
      maxBodyBytes: 10_000,
      allowedHosts: ['127.0.0.1', 'localhost'],
      maxUpstreamCalls: 20,
      ...settings,
    },
    environment: 'sandbox',
    health: { readiness: async () => null, isStopping: () => false, upstream: () => ({}) },
    log,
    randomness: systemRandomness,
    rateStore: createTokenBuckets(systemClock),
    ...options,
  });
  return { handle, endStreams, lines, callers };
}

/** Starts the server alone on a free port. */
export async function startApp(options: TestAppOptions = {}): Promise<TestApp> {
  const { handle, endStreams, lines, callers } = createTestApp(options);
  const { url, drain } = await listen({
    host: '127.0.0.1',
    port: 0,
    handle,
    randomness: systemRandomness,
    clock: systemClock,
  });

  const request = (path: string, init?: RequestInit) => fetch(`${url}${path}`, init);
  return {
    url,
    lines,
    request,
    async post(body, headers = {}) {
      const response = await request('/graphql', {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      });
      const text = await response.text();
      return { status: response.status, headers: response.headers, body: text && JSON.parse(text) };
    },
    ...{ drain, endStreams },
    async close() {
      await drain(1_000);
      await callers?.close();
    },
  };
}
