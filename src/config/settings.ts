import { z } from 'zod';
import { apiKeys } from './api-keys.ts';
import { canonicalHost } from './hosts.ts';
import { httpUrl } from './http-url.ts';
import { jwtIssuers } from './jwt-issuers.ts';
import { secretText } from './secret-file.ts';
import { spendLimits } from './spend-limits.ts';
import { tenants } from './tenant-rows.ts';

/** One environment variable: everything that is known of it stands in its row. */
interface Row<Value> {
  /** What `--help` shows; where the default depends on another setting it says how. */
  readonly default: string;
  readonly description: string;
  /** A secret is never quoted in a message, and may come from the file that `<NAME>_FILE` names. */
  readonly secret: boolean;
  /** Reads the text; undefined is a setting that was not given. Its message completes "<NAME> must be …". */
  readonly schema: z.ZodType<Value, string | undefined>;
}

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

const portRule = 'a whole number from 0 to 65535';

const wholeNumber = (from: number, to: number, unset: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/, `a whole number from ${from} to ${to}`)
    .transform(Number)
    .refine((value) => value >= from && value <= to, `a whole number from ${from} to ${to}`)
    .default(unset);

const port = z
  .string()
  .regex(/^\d{1,5}$/, portRule)
  .transform(Number)
  .refine((value) => value <= 65_535, portRule);

const oneOf = <const Name extends string>(names: readonly Name[]) =>
  z.enum(names, `one of ${names.join(', ')}`);

const flag = oneOf(['true', 'false']).transform((text) => text === 'true');

const hostName = z
  .string()
  .regex(/^(?:[A-Za-z0-9]|[A-Za-z0-9:][A-Za-z0-9.:_-]*)$/, 'a host name or an IP address');

const list = <Item>(rule: string, read: (text: string) => Item | null) =>
  z.string().transform((text, context): readonly Item[] => {
    const items = text.split(',').map((one) => read(one.trim()));
    const known = items.filter((one) => one !== null);
    if (known.length < items.length) context.addIssue(rule);
    return known;
  });

const hostNames = list(
  'names of hosts with commas between them, each without a port, such as "graph.example,10.0.0.7"',
  (text) => (/^[\w.:[\]-]+$/.test(text) && !/[^:\]]:\d+$/.test(text) ? canonicalHost(text) : null),
);

const origins = list('origins with commas between them, such as "https://shop.example"', (text) =>
  URL.parse(text)?.origin === text && /^https?:/.test(text) ? text : null,
);

const databaseUrl = z
  .string()
  .refine(
    (text) => /^postgres(?:ql)?:$/.test(URL.parse(text)?.protocol ?? ''),
    'a URL such as postgres://user:password@host:5432/database',
  );

const redisUrl = z.string().refine((text) => {
  const url = URL.parse(text);
  return /^rediss?:$/.test(url?.protocol ?? '') && `${url?.search}${url?.hash}` === '';
}, 'a URL such as redis://user:password@host:6379, or rediss:// for TLS, without a query');

const typePrefix = z
  .string()
  .regex(/^[A-Z][A-Za-z0-9]{0,39}$/, 'up to 40 letters and digits that begin with a capital');

const keyText = z
  .string()
  .regex(/^[\x21-\x7e]{16,512}$/, 'from 16 to 512 visible ASCII characters without a blank');

const row = <Value>(
  shown: string,
  description: string,
  schema: z.ZodType<Value, string | undefined>,
): Row<Value> => ({ default: shown, description, schema, secret: false });

const secretRow = <Value>(
  shown: string,
  description: string,
  schema: z.ZodType<Value, string>,
) => ({
  ...row(shown, description, schema.optional()),
  secret: true,
});

/** Every setting there is. `--help`, the checks and the README's table come from these rows. */
export const rows = {
  PORT: row('4000', 'Port to listen on; 0 takes any free one.', wholeNumber(0, 65_535, 4000)),
  HOST: row('127.0.0.1', 'Address to listen on.', hostName.default('127.0.0.1')),
  UPSTREAM: row(
    'sandbox',
    '`sandbox` starts a reseller service of its own (or uses the one at DOMAIN_API_URL), `live` speaks to a real one.',
    oneOf(['sandbox', 'live']).default('sandbox'),
  ),
  SANDBOX_PORT: row(
    '4001',
    'Port of the sandbox that is started along; 0 takes any free one.',
    wholeNumber(0, 65_535, 4001),
  ),
  SANDBOX_LATENCY: row(
    'realistic',
    'How long a call to the sandbox takes: `realistic` is 100 to 300 ms and 600 ms more for a purchase, `none` answers at once.',
    oneOf(['realistic', 'none']).default('realistic'),
  ),
  DATA_DIR: row('./data', 'Directory of every file that is written.', z.string().default('./data')),
  DATABASE_URL: secretRow(
    'none: the journal is a SQLite file in DATA_DIR',
    'PostgreSQL database of the journal of purchases, for several replicas.',
    databaseUrl,
  ),
  REDIS_URL: secretRow(
    'none: each replica goes by its own',
    'Valkey or Redis that several replicas share; what they lose without it is speed, see docs/operating.md.',
    redisUrl,
  ),
  DOMAIN_API_URL: row(
    'the sandbox started along',
    'Base URL of the Domain API; `live` needs it.',
    httpUrl.optional(),
  ),
  DOMAIN_API_USERNAME: secretRow(
    '`demo` with the sandbox',
    'User name of the reseller account; `live` needs it.',
    secretText,
  ),
  DOMAIN_API_PASSWORD: secretRow(
    '`demo-password` with the sandbox',
    'Password of the reseller account; `live` needs it.',
    secretText,
  ),
  ACCOUNT_API_URL: row(
    'the sandbox; none with `live`',
    'Base URL of the Account API; without it carts, hosting groups and sessions answer with an error.',
    httpUrl.optional(),
  ),
  TENANTS: secretRow(
    'none: the one account of DOMAIN_API_USERNAME',
    'Several reseller accounts by name in JSON, in the place of DOMAIN_API_USERNAME and DOMAIN_API_PASSWORD; see docs/settings.md.',
    tenants,
  ),
  UPSTREAM_TIMEOUT_MS: row(
    '10000',
    'Milliseconds that a read may take with all its attempts; a write gets three times as long, a bulk check one more second a name.',
    wholeNumber(100, 600_000, 10_000),
  ),
  UPSTREAM_CONCURRENCY: row(
    '64',
    'Concurrent calls at most, per account and API; one in eight of them is reserved for writes and for reads that a purchase waits for.',
    wholeNumber(2, 256, 64),
  ),
  UPSTREAM_RATE_PER_SECOND: row(
    '0',
    'Calls a second at most, at each API, writes first; what cannot wait for its turn is refused. 0 sets no limit.',
    wholeNumber(0, 10_000, 0),
  ),
  QUEUE_BUDGET_MS: row(
    '2000',
    'Milliseconds that a request may be expected to wait in a queue, for the event loop or for an upstream slot; one that would wait longer is refused with 503 and `Retry-After`.',
    wholeNumber(100, 60_000, 2000),
  ),
  QUIET_WINDOW_SECONDS: row(
    '120',
    'Seconds in which a purchase without an answer may still come true; only after them can it be told as failed.',
    wholeNumber(1, 86_400, 120),
  ),
  TLD_MAX_AGE_SECONDS: row(
    '600',
    'Seconds that the list of TLDs and prices serves before it is asked for anew, in the background where it can; a purchase always asks. 0 keeps none.',
    wholeNumber(0, 86_400, 600),
  ),
  DOMAIN_MAX_AGE_SECONDS: row(
    '10',
    'Seconds that details and the list of domains serve again, unless this gateway changes them; what others change shows that late. The list serves on while a new one is asked for, up to ten times as long. 0 keeps none.',
    wholeNumber(0, 3_600, 10),
  ),
  AVAILABILITY_MAX_AGE_SECONDS: row(
    '3',
    'Seconds that it is remembered whether a name is free; a purchase always asks. 0 keeps nothing.',
    wholeNumber(0, 60, 3),
  ),
  AUTH: row(
    '`keys` with `live` or any key, else `open`',
    '`keys` asks every caller for an API key or a token of an issuer, `open` asks nobody and needs a loopback HOST.',
    oneOf(['keys', 'open']).optional(),
  ),
  API_KEY: secretRow(
    'none',
    'A key that callers send as `x-api-key`, named `default`, with every scope.',
    keyText,
  ),
  API_KEYS: secretRow(
    'none',
    'Keys by name in JSON, each as its SHA-256, with scopes and spend limits of its own; see docs/settings.md.',
    apiKeys,
  ),
  KEYS_FILE: row(
    '`keys.json` in DATA_DIR',
    'File of the keys that `npm run keys` makes; a running gateway follows its changes.',
    z.string().optional(),
  ),
  JWT_ISSUERS: secretRow(
    'none',
    'Issuers of tokens (JWT) that callers may show, in JSON; see docs/settings.md.',
    jwtIssuers,
  ),
  SPEND_LIMITS: row(
    'none',
    'What may be bought through this gateway, in JSON; see docs/settings.md.',
    spendLimits.optional(),
  ),
  DOCUMENT_MANIFEST: row(
    'none',
    'JSON file of the documents that clients ask for by id; see docs/settings.md.',
    z.string().optional(),
  ),
  DOCUMENT_MODE: row(
    'off',
    'What happens to a document that is not in the manifest: `off` runs it, `log` runs it and logs it once, `enforce` refuses it.',
    oneOf(['off', 'log', 'enforce']).default('off'),
  ),
  DEVELOPMENT: row(
    '`true` with the sandbox, `false` with `live`',
    'Whether GraphiQL, introspection and `extensions.upstream` are there. Without it an error repeats names of its document only.',
    flag.optional(),
  ),
  SUBGRAPH: row(
    'false',
    'Whether routers and stitching gateways find `_entities`; with DEVELOPMENT also `_service` and `_sdl`.',
    flag.default(false),
  ),
  TYPE_PREFIX: row(
    'none',
    'What stands before the name of every type but the root types, `Node` and `PageInfo`, such as `Acme`, so that none collides with one of another graph.',
    typePrefix.optional(),
  ),
  MAX_BODY_BYTES: row(
    '262144',
    'Bytes that the body of one request may have.',
    wholeNumber(1024, 16_777_216, 262_144),
  ),
  STOP_DELAY_SECONDS: row(
    '0',
    'Seconds that requests are still taken after a signal to stop, with /health/serving and /health/ready at 503, so that a load balancer can look elsewhere first.',
    wholeNumber(0, 20, 0),
  ),
  ALLOWED_HOSTS: row(
    'HOST and the names of loopback',
    'Names by which callers reach the gateway, with commas between them and without ports; a request with another Host is refused. A HOST that stands for every address needs it.',
    hostNames.optional(),
  ),
  CORS_ORIGINS: row(
    'none',
    'Origins of the web pages that may use the gateway, with commas between them, such as `https://shop.example`.',
    origins.optional(),
  ),
  MAX_STREAMS: row(
    '1000',
    'Subscriptions and answers in parts that may be open at a time.',
    wholeNumber(1, 100_000, 1000),
  ),
  MAX_STREAMS_PER_CALLER: row(
    '20',
    'The same for one API key, or with AUTH=open for one address.',
    wholeNumber(1, 100_000, 20),
  ),
  MAX_UPSTREAM_CALLS: row(
    '200',
    'Upstream calls that one request may make; a document that needs more is refused before it is executed.',
    wholeNumber(1, 1_000, 200),
  ),
  RATE_LIMIT_PER_MINUTE: row(
    '0',
    'Upstream calls a minute per key, by the cost that is computed before execution; each request costs at least 0.1, a purchase nothing. 0 sets no limit.',
    wholeNumber(0, 1_000_000, 0),
  ),
  RATE_LIMIT_BURST: row(
    '100',
    'Upstream calls that a key may request at once after a pause; applies when RATE_LIMIT_PER_MINUTE is set.',
    wholeNumber(1, 1_000_000, 100),
  ),
  LOG_LEVEL: row(
    'info',
    `Least level that is logged: ${logLevels.join(', ')}.`,
    oneOf(logLevels).default('info'),
  ),
  METRICS_PORT: row(
    'none: nothing is counted',
    'Port of `/metrics`, for Prometheus; 0 takes any free one. Nobody is asked for a key there.',
    port.optional(),
  ),
  METRICS_HOST: row(
    '127.0.0.1',
    'Address that `/metrics` is at; one that only the operator reaches.',
    hostName.default('127.0.0.1'),
  ),
} satisfies Record<string, Row<unknown>>;

export type SettingName = keyof typeof rows;

/** What each row reads, by name. */
export type Values = { readonly [Name in SettingName]: z.output<(typeof rows)[Name]['schema']> };

export interface Setting {
  readonly name: SettingName;
  readonly default: string;
  readonly description: string;
  readonly secret: boolean;
}

export const settings: readonly Setting[] = Object.entries(rows).map(
  ([name, { default: shown, description, secret }]) => ({
    name: name as SettingName,
    default: shown,
    description,
    secret,
  }),
);
