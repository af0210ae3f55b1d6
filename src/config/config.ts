import { join } from 'node:path';
import { isLoopback } from '../kernel/loopback.ts';
import type { Rate } from '../kernel/rate-store.ts';
import { Secret } from '../kernel/secret.ts';
import type { SpendLimits } from '../kernel/spend-limits.ts';
import { type ApiKey, plainKey } from './api-keys.ts';
import { defaultHosts } from './hosts.ts';
import type { IssuerConfig } from './jwt-issuers.ts';
import { KeysFileError, type MadeKey, parseKeys, readKeysText } from './keys-file.ts';
import { nearMisses } from './near-misses.ts';
import { readFiles, readValues } from './read-values.ts';
import { findConflicts } from './rules.ts';
import type { Values } from './settings.ts';
import { readTenants, type TenantConfig } from './tenants.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** What this process was started with: the one place where the gateway and its commands look at it. */
const ofProcess: Environment = process.env;

/** Which service is called; where, and with which accounts, `tenants` say. */
export type UpstreamConfig =
  /** A sandbox that lives and ends with this process. */
  | {
      readonly kind: 'embedded';
      readonly sandboxPort: number;
      readonly sandboxLatency: 'realistic' | 'none';
    }
  /** `isSandbox`: whether that is a sandbox of ours, where nothing costs real money. */
  | { readonly kind: 'remote'; readonly isSandbox: boolean };

/** Who is answered: everybody, or who shows one of the keys or a token of one of the issuers. */
export type AuthConfig = { readonly kind: 'open' } | KeysConfig;

export interface KeysConfig {
  readonly kind: 'keys';
  /** Those of the settings. */
  readonly keys: readonly ApiKey[];
  /** The file of those that were made, which change while the gateway runs. */
  readonly keysFile: string;
  readonly issuers: readonly IssuerConfig[];
}

export interface DocumentsConfig {
  /** What happens to a document that is not in the manifest: it runs, it runs and is logged, it is refused. */
  readonly mode: Values['DOCUMENT_MODE'];
  /** The file of the manifest; null when there is none. */
  readonly manifest: string | null;
}

/** In milliseconds. */
export interface MaxAges {
  readonly tldsMs: number;
  readonly domainsMs: number;
  readonly availabilityMs: number;
}

export interface Config {
  readonly port: number;
  readonly host: string;
  /** Whether HOST can be reached from this machine only. */
  readonly isLoopback: boolean;
  readonly dataDir: string;
  /** PostgreSQL database of the journal; null keeps it in a SQLite file in `dataDir`. */
  readonly databaseUrl: Secret | null;
  /** Valkey or Redis that replicas share; null where there is none. */
  readonly redisUrl: Secret | null;
  readonly upstream: UpstreamConfig;
  /** The reseller accounts, at least one. */
  readonly tenants: readonly TenantConfig[];
  readonly upstreamTimeoutMs: number;
  /** Calls at a time at most, at each API. */
  readonly upstreamConcurrency: number;
  /** Calls a second at most, at each API; 0 for as many as come. */
  readonly upstreamRatePerSecond: number;
  /** Milliseconds that a request may be expected to wait in a queue before it is refused. */
  readonly queueBudgetMs: number;
  readonly quietWindowMs: number;
  /** So long answers of the Domain API serve again; 0 keeps none. */
  readonly maxAges: MaxAges;
  readonly auth: AuthConfig;
  readonly documents: DocumentsConfig;
  /** Of every account; those of one stand with the account, those of a key with the key. */
  readonly spendLimits: SpendLimits;
  readonly development: boolean;
  /** Whether the graph can be a part of a larger one. */
  readonly isSubgraph: boolean;
  /** Before the name of every type that is ours alone; none where it is empty. */
  readonly typePrefix: string;
  readonly maxBodyBytes: number;
  /** So long requests are still taken once the gateway was told to stop. */
  readonly stopDelayMs: number;
  /** Names by which the gateway may be called, as a URL has them, without ports. */
  readonly allowedHosts: readonly string[];
  /** Origins of the pages that may use the gateway. */
  readonly corsOrigins: readonly string[];
  /** How many answers may stay open. */
  readonly maxStreams: { readonly inAll: number; readonly perCaller: number };
  /** That one request may take. */
  readonly maxUpstreamCalls: number;
  /** In upstream calls, for each caller that has a name; null without a limit. */
  readonly rate: Rate | null;
  readonly logLevel: Values['LOG_LEVEL'];
  /** Where figures are told; null where nothing is counted. */
  readonly metrics: { readonly host: string; readonly port: number } | null;
  /** One sentence each, about what was given and has no effect. */
  readonly warnings: readonly string[];
}

/** The environment cannot be used; `problems` has one sentence for each thing that is wrong. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
    this.problems = problems;
  }
}

/**
 * Reads every setting, once. A blank value is one that was not given.
 *
 * @throws ConfigError with all problems at once.
 */
export function readConfig(env: Environment = ofProcess): Config {
  const texts = readFiles(env);
  const read = readValues(texts.values);
  const { values } = read;
  const made = readMade(keysFileOf(values));
  const { problems, warnings } = findConflicts(values, read.wrong, made.keys);
  const accounts = readTenants({ values, files: texts.files, made: made.keys });
  const wrong = [
    ...texts.problems,
    ...read.problems,
    ...made.problems,
    ...problems,
    // What the accounts rest on may be wrong by itself, and is said once.
    ...(read.problems.length > 0 ? [] : accounts.problems),
  ];
  if (wrong.length > 0) throw new ConfigError(wrong);

  const isSandbox = values.UPSTREAM === 'sandbox';
  return {
    port: values.PORT,
    host: values.HOST,
    isLoopback: isLoopback(values.HOST),
    dataDir: values.DATA_DIR,
    databaseUrl: values.DATABASE_URL === undefined ? null : new Secret(values.DATABASE_URL),
    redisUrl: values.REDIS_URL === undefined ? null : new Secret(values.REDIS_URL),
    upstream: upstreamOf(values),
    tenants: accounts.tenants,
    upstreamTimeoutMs: values.UPSTREAM_TIMEOUT_MS,
    upstreamConcurrency: values.UPSTREAM_CONCURRENCY,
    upstreamRatePerSecond: values.UPSTREAM_RATE_PER_SECOND,
    queueBudgetMs: values.QUEUE_BUDGET_MS,
    quietWindowMs: values.QUIET_WINDOW_SECONDS * 1000,
    maxAges: {
      tldsMs: values.TLD_MAX_AGE_SECONDS * 1000,
      domainsMs: values.DOMAIN_MAX_AGE_SECONDS * 1000,
      availabilityMs: values.AVAILABILITY_MAX_AGE_SECONDS * 1000,
    },
    auth: authOf(values, made.keys),
    documents: { mode: values.DOCUMENT_MODE, manifest: values.DOCUMENT_MANIFEST ?? null },
    spendLimits: values.SPEND_LIMITS ?? {},
    development: values.DEVELOPMENT ?? isSandbox,
    isSubgraph: values.SUBGRAPH,
    typePrefix: values.TYPE_PREFIX ?? '',
    maxBodyBytes: values.MAX_BODY_BYTES,
    stopDelayMs: values.STOP_DELAY_SECONDS * 1000,
    allowedHosts: values.ALLOWED_HOSTS ?? defaultHosts(values.HOST),
    corsOrigins: values.CORS_ORIGINS ?? [],
    maxStreams: { inAll: values.MAX_STREAMS, perCaller: values.MAX_STREAMS_PER_CALLER },
    maxUpstreamCalls: values.MAX_UPSTREAM_CALLS,
    rate: rateOf(values),
    logLevel: values.LOG_LEVEL,
    metrics:
      values.METRICS_PORT === undefined
        ? null
        : { host: values.METRICS_HOST, port: values.METRICS_PORT },
    warnings: [...warnings, ...nearMisses(namesOf(env))],
  };
}

const namesOf = (env: Environment) => Object.keys(env).filter((name) => env[name] !== undefined);

const upstreamOf = (values: Values): UpstreamConfig =>
  values.UPSTREAM === 'sandbox' && values.DOMAIN_API_URL === undefined
    ? {
        kind: 'embedded',
        sandboxPort: values.SANDBOX_PORT,
        sandboxLatency: values.SANDBOX_LATENCY,
      }
    : { kind: 'remote', isSandbox: values.UPSTREAM === 'sandbox' };

function authOf(values: Values, made: readonly MadeKey[]): AuthConfig {
  const { UPSTREAM, AUTH, JWT_ISSUERS: issuers = [] } = values;
  const keys = keysOf(values);
  const isAny = keys.length + made.length + issuers.length > 0;
  const isAsked = AUTH ? AUTH === 'keys' : UPSTREAM === 'live' || isAny;
  return isAsked ? { kind: 'keys', keys, keysFile: keysFileOf(values), issuers } : { kind: 'open' };
}

const keysOf = ({ API_KEY, API_KEYS = [] }: Values): readonly ApiKey[] => [
  ...(API_KEY === undefined ? [] : [plainKey(API_KEY)]),
  ...API_KEYS,
];

const keysFileOf = ({ KEYS_FILE, DATA_DIR }: Values): string =>
  KEYS_FILE ?? join(DATA_DIR, 'keys.json');

/** The keys that were made so far; a file that cannot be used stops the start. */
function readMade(file: string): {
  readonly keys: readonly MadeKey[];
  readonly problems: readonly string[];
} {
  try {
    return { keys: parseKeys(readKeysText(file)), problems: [] };
  } catch (error) {
    if (!(error instanceof KeysFileError)) throw error;
    return { keys: [], problems: [error.message] };
  }
}

/**
 * Where made keys are, and which names the settings have given away: for who makes the first key of a gateway that does
 * not start without one.
 *
 * @throws ConfigError where a setting that this takes is wrong.
 */
export function readKeySettings(env: Environment = ofProcess): {
  readonly file: string;
  readonly taken: readonly string[];
} {
  const texts = readFiles(env);
  const { values, problems } = readValues(texts.values);
  const wrong = [...texts.problems, ...problems];
  if (wrong.length > 0) throw new ConfigError(wrong);
  return { file: keysFileOf(values), taken: keysOf(values).map(({ name }) => name) };
}

const rateOf = ({ RATE_LIMIT_PER_MINUTE, RATE_LIMIT_BURST }: Values): Rate | null =>
  RATE_LIMIT_PER_MINUTE === 0
    ? null
    : { capacity: RATE_LIMIT_BURST, perSecond: RATE_LIMIT_PER_MINUTE / 60 };
