import type { Rate } from '../kernel/rate-store.ts';
import { Secret } from '../kernel/secret.ts';
import type { SpendLimits } from '../kernel/spend-limits.ts';
import { type ApiKey, plainKey } from './api-keys.ts';
import { nearMisses } from './near-misses.ts';
import { readFiles, readValues } from './read-values.ts';
import { findConflicts, isLoopback } from './rules.ts';
import type { Values } from './settings.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** Where the reseller's two APIs are, and with whose account they are used. */
export type UpstreamConfig =
  /** A sandbox that lives and ends with this process. */
  | { readonly kind: 'embedded'; readonly sandboxPort: number; readonly login: Login }
  | {
      readonly kind: 'remote';
      /** Whether that is a sandbox of ours, where nothing costs real money. */
      readonly isSandbox: boolean;
      readonly domainApiUrl: string;
      readonly accountApiUrl: string | null;
      readonly login: Login;
    };

export interface Login {
  readonly username: Secret;
  readonly password: Secret;
}

/** Who is answered: everybody, or who sends one of the keys. */
export type AuthConfig =
  | { readonly kind: 'open' }
  | { readonly kind: 'keys'; readonly keys: readonly ApiKey[] };

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
  readonly upstream: UpstreamConfig;
  readonly upstreamTimeoutMs: number;
  readonly quietWindowMs: number;
  /** So long answers of the Domain API serve again; 0 keeps none. */
  readonly maxAges: MaxAges;
  readonly auth: AuthConfig;
  readonly documents: DocumentsConfig;
  /** Of the whole gateway; those of a key stand with the key. */
  readonly spendLimits: SpendLimits;
  readonly development: boolean;
  /** Whether the graph can be a part of a larger one. */
  readonly isSubgraph: boolean;
  /** Before the name of every type that is ours alone; none where it is empty. */
  readonly typePrefix: string;
  readonly maxBodyBytes: number;
  /** That one request may take. */
  readonly maxUpstreamCalls: number;
  /** In upstream calls, for each caller that has a name; null without a limit. */
  readonly rate: Rate | null;
  readonly logLevel: Values['LOG_LEVEL'];
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

const demoLogin = { username: 'demo', password: 'demo-password' };

/**
 * Reads every setting, once. A blank value is one that was not given.
 *
 * @throws ConfigError with all problems at once.
 */
export function readConfig(env: Environment = process.env): Config {
  const texts = readFiles(env);
  const read = readValues(texts.values);
  const { problems, warnings } = findConflicts(read.values, read.wrong);
  const wrong = [...texts.problems, ...read.problems, ...problems];
  if (wrong.length > 0) throw new ConfigError(wrong);

  const { values } = read;
  const isSandbox = values.UPSTREAM === 'sandbox';
  return {
    port: values.PORT,
    host: values.HOST,
    isLoopback: isLoopback(values.HOST),
    dataDir: values.DATA_DIR,
    databaseUrl: values.DATABASE_URL === undefined ? null : new Secret(values.DATABASE_URL),
    upstream: upstreamOf(values),
    upstreamTimeoutMs: values.UPSTREAM_TIMEOUT_MS,
    quietWindowMs: values.QUIET_WINDOW_SECONDS * 1000,
    maxAges: {
      tldsMs: values.TLD_MAX_AGE_SECONDS * 1000,
      domainsMs: values.DOMAIN_MAX_AGE_SECONDS * 1000,
      availabilityMs: values.AVAILABILITY_MAX_AGE_SECONDS * 1000,
    },
    auth: authOf(values),
    documents: { mode: values.DOCUMENT_MODE, manifest: values.DOCUMENT_MANIFEST ?? null },
    spendLimits: values.SPEND_LIMITS ?? {},
    development: values.DEVELOPMENT ?? isSandbox,
    isSubgraph: values.SUBGRAPH,
    typePrefix: values.TYPE_PREFIX ?? '',
    maxBodyBytes: values.MAX_BODY_BYTES,
    maxUpstreamCalls: values.MAX_UPSTREAM_CALLS,
    rate: rateOf(values),
    logLevel: values.LOG_LEVEL,
    warnings: [...warnings, ...nearMisses(namesOf(env))],
  };
}

const namesOf = (env: Environment) => Object.keys(env).filter((name) => env[name] !== undefined);

function upstreamOf(values: Values): UpstreamConfig {
  const isSandbox = values.UPSTREAM === 'sandbox';
  const login = {
    username: new Secret(values.DOMAIN_API_USERNAME ?? demoLogin.username),
    password: new Secret(values.DOMAIN_API_PASSWORD ?? demoLogin.password),
  };
  const domainApiUrl = values.DOMAIN_API_URL;
  if (domainApiUrl === undefined) {
    return { kind: 'embedded', sandboxPort: values.SANDBOX_PORT, login };
  }
  const besideIt = isSandbox ? new URL('/account-api', domainApiUrl).href : null;
  const accountApiUrl = values.ACCOUNT_API_URL ?? besideIt;
  return { kind: 'remote', isSandbox, domainApiUrl, accountApiUrl, login };
}

const rateOf = ({ RATE_LIMIT_PER_MINUTE, RATE_LIMIT_BURST }: Values): Rate | null =>
  RATE_LIMIT_PER_MINUTE === 0
    ? null
    : { capacity: RATE_LIMIT_BURST, perSecond: RATE_LIMIT_PER_MINUTE / 60 };

function authOf({ UPSTREAM, AUTH, API_KEY, API_KEYS }: Values): AuthConfig {
  const keys = [...(API_KEY === undefined ? [] : [plainKey(API_KEY)]), ...(API_KEYS ?? [])];
  const isAsked = AUTH ? AUTH === 'keys' : UPSTREAM === 'live' || keys.length > 0;
  return isAsked && keys.length > 0 ? { kind: 'keys', keys } : { kind: 'open' };
}
