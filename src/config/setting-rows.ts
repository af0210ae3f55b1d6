import { defaultMaxAges } from '../kernel/instant.ts';
import { apiKeys, jwtIssuers, tenants } from './credentials.ts';
import type { SettingRow } from './feature-settings.ts';
import * as format from './formats.ts';
import { secretText, userName } from './secret-file.ts';
import { spendLimits } from './spend-limits.ts';
import { traceSettingRows } from './trace-settings.ts';

/** The settings of commands that send requests to a gateway that runs. */
const commandRows = {
  GATEWAY_URL: {
    to: 'gateway.url',
    example: 'https://graph.example',
    default: '`http://127.0.0.1` with PORT',
    description:
      'Address of the gateway to which `domains change`, `domains plan` and `domains apply` send their requests, with or without `/graphql`.',
    schema: format.httpUrl.optional(),
  },
  GATEWAY_KEY: {
    to: 'gateway.key',
    description: 'API key of the caller of these commands.',
    secret: true,
    schema: format.secretKey.optional(),
  },
} satisfies Record<string, SettingRow>;

/** The limits of requests. */
const limitRows = {
  MAX_STREAMS: {
    to: 'server.maxStreams',
    description: 'Maximum number of open subscriptions, incremental responses and exports.',
    ...format.number(1, 100_000, 1000),
  },
  MAX_STREAMS_PER_CALLER: {
    to: 'server.maxStreamsPerCaller',
    description:
      'Maximum number of open subscriptions, incremental responses and exports of one API key, or with AUTH=open of one IP address.',
    ...format.number(1, 100_000, 200),
  },
  MAX_UPSTREAM_CALLS: {
    to: 'server.maxUpstreamCalls',
    description: 'Upstream calls of one request at most; a document that needs more is refused.',
    ...format.number(1, 1_000, 200),
  },
  MAX_STORED_ROWS: {
    to: 'server.maxStoredRows',
    description:
      'Rows of orders, bulk changes, purchases, events and deliveries that one request may read at most; a document that may read more is refused.',
    ...format.number(1_000, 1_000_000, 5_000),
  },
  RATE_LIMIT_PER_MINUTE: {
    to: 'server.rateLimitPerMinute',
    description:
      'Upstream calls per minute and key, by the estimate before execution. Each request costs at least 0.1, and each row of a stored list 0.001. Purchases and queries about purchases that read few rows cost nothing. 0 sets no limit.',
    ...format.number(0, 1_000_000, 0),
  },
} satisfies Record<string, SettingRow>;

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

export const settingRows = {
  PORT: {
    to: 'server.port',
    description: 'Port to listen on; 0 takes any free port.',
    ...format.number(0, 65_535, 4000),
  },
  HOST: {
    to: 'server.host',
    description: 'Address to listen on.',
    ...format.text('127.0.0.1', format.hostName),
  },
  UPSTREAM: {
    description:
      '`sandbox` starts a sandbox of the registrar, or uses the one at DOMAIN_API_URL. `live` uses the real registrar.',
    ...format.choice(['sandbox', 'live'], 'sandbox'),
  },
  SANDBOX_PORT: {
    to: 'sandbox.port',
    description: 'Port of the embedded sandbox; 0 takes any free port.',
    ...format.number(0, 65_535, 4001),
  },
  SANDBOX_LATENCY: {
    to: 'sandbox.latency',
    description:
      'Latency of the embedded sandbox: `realistic` is 100 to 300 ms and 600 ms more for a purchase, `none` responds immediately.',
    ...format.choice(['realistic', 'none'], 'realistic'),
  },
  DATA_DIR: {
    to: 'storage.dataDir',
    description: 'Directory of all files that the gateway writes.',
    ...format.text('./data'),
  },
  DATABASE_URL: {
    to: 'storage.databaseUrl',
    example: 'postgres://user:password@127.0.0.1:5432/reseller_graph',
    default: 'none: the journal is a SQLite file in DATA_DIR',
    description: 'PostgreSQL database of the purchase journal; needed with several replicas.',
    secret: true,
    schema: format.databaseUrl.optional(),
  },
  DOMAIN_API_URL: {
    example: 'https://api.example/domain-api',
    default: 'the embedded sandbox',
    description: 'Base URL of the Domain API; required with `live`.',
    schema: format.httpUrl.optional(),
  },
  DOMAIN_API_USERNAME: {
    default: '`demo` with the sandbox',
    description: 'User name at the Domain API; required with `live`.',
    secret: true,
    schema: userName.optional(),
  },
  DOMAIN_API_PASSWORD: {
    default: '`demo-password` with the sandbox',
    description: 'Password at the Domain API; required with `live`.',
    secret: true,
    schema: secretText.optional(),
  },
  ACCOUNT_API_URL: {
    example: 'https://api.example/account-api',
    default: 'the sandbox; none with `live`',
    description: 'Base URL of the Account API, for carts, hosting groups and sessions.',
    schema: format.httpUrl.optional(),
  },
  TENANTS: {
    example:
      '{"acme":{"usernameFile":"/run/secrets/acme-user","passwordFile":"/run/secrets/acme-password"}}',
    default: 'none: the single tenant of DOMAIN_API_USERNAME',
    description:
      'Tenants by name, in JSON; see docs/authentication.md. Replaces DOMAIN_API_USERNAME.',
    secret: true,
    schema: tenants.optional(),
  },
  UPSTREAM_TIMEOUT_MS: {
    to: 'upstream.timeoutMs',
    description:
      'Deadline of a read in milliseconds, for all attempts together. A write has three times as long, a bulk check one more second per name.',
    ...format.number(100, 600_000, 10_000),
  },
  UPSTREAM_CONCURRENCY: {
    to: 'upstream.concurrency',
    description:
      'Maximum number of concurrent calls, per tenant and API. One in eight is reserved for writes, and for reads that verify a write or settle a purchase.',
    ...format.number(2, 256, 64),
  },
  UPSTREAM_RATE_PER_SECOND: {
    to: 'upstream.ratePerSecond',
    description:
      'Maximum number of calls per second, per tenant and API. Writes go first; a call that cannot be sent in time is refused. 0 sets no limit.',
    ...format.number(0, 10_000, 0),
  },
  QUEUE_BUDGET_MS: {
    to: 'server.queueBudgetMs',
    description:
      'Longest expected wait of a request in a queue, in milliseconds, for the event loop or for an upstream slot. A request with a longer expected wait is refused with 503 and `Retry-After`.',
    ...format.number(100, 60_000, 2000),
  },
  JOB_CONCURRENCY: {
    to: 'purchases.jobConcurrency',
    description: 'Lines of orders and domains of bulk changes in progress, per tenant and process.',
    ...format.number(1, 64, 4),
  },
  TLD_MAX_AGE_SECONDS: {
    to: 'maxAges.tldsMs',
    description:
      'Seconds that the list of TLDs and prices is cached. An older list is refreshed in the background. A purchase bypasses the cache. 0 disables caching.',
    ...format.seconds(0, 86_400, defaultMaxAges.tldsMs / 1_000),
  },
  DOMAIN_MAX_AGE_SECONDS: {
    to: 'maxAges.domainsMs',
    description:
      'Seconds that domain details and the domain list are cached; writes of this gateway invalidate them. An older list is used for up to ten times as long while it is refreshed. 0 disables caching.',
    ...format.seconds(0, 3_600, defaultMaxAges.domainsMs / 1_000),
  },
  AVAILABILITY_MAX_AGE_SECONDS: {
    to: 'maxAges.availabilityMs',
    description: 'Seconds that the availability of a name is cached; 0 disables caching.',
    ...format.seconds(0, 60, defaultMaxAges.availabilityMs / 1_000),
  },
  PUBLIC_CACHE_SECONDS: {
    to: 'server.publicCacheMs',
    description:
      'Seconds for which browsers and shared caches may store the responses to anonymous reads of TLDs and prices, which then need no key; see docs/caching.md. 0 disables it.',
    ...format.seconds(0, 86_400, 0),
  },
  AUTH: {
    example: 'open',
    default: '`keys` with `live` or any key, else `open`',
    description:
      '`keys` requires an API key or a token of an issuer. `open` requires no credentials, and HOST must be loopback.',
    schema: format.oneOf(['keys', 'open']).optional(),
  },
  API_KEY: {
    description: 'A key that clients send as `x-api-key`, named `default`, with every scope.',
    secret: true,
    schema: format.keyText.optional(),
  },
  API_KEYS: {
    example:
      '{"shop":{"sha256":"<64 hexadecimal digits>","scopes":["domains:spend"],"limits":{"perDay":["100 USD"]}}}',
    description: 'Keys by name, in JSON, with scopes and limits; see docs/authentication.md.',
    secret: true,
    schema: apiKeys.optional(),
  },
  KEYS_FILE: {
    example: './data/keys.json',
    default: '`keys.json` in DATA_DIR',
    description:
      'File of the keys that the command `keys` creates. A running gateway applies a change of the file within two seconds.',
    ...format.file,
  },
  JWT_ISSUERS: {
    example:
      '[{"name":"login","issuer":"https://login.example","jwks":"https://login.example/jwks.json","audience":"reseller-graph","algorithms":["RS256"]}]',
    description: 'Issuers of accepted tokens (JWT), in JSON; see docs/authentication.md.',
    secret: true,
    schema: jwtIssuers.optional(),
  },
  SPEND_LIMITS: {
    to: 'purchases.spendLimits',
    example:
      '{"perCall":["50 USD"],"perDay":["500 USD","9000 TRY"],"perHour":20,"tlds":["com","co.uk"],"longestPeriod":2}',
    description: 'Limits of the purchases of each tenant, in JSON; see docs/purchases.md.',
    schema: spendLimits.default({}),
  },
  FEATURES: {
    to: 'server.features',
    description:
      'The features of this gateway: `all`, `none`, a list of names, or a list of names with a minus, which it leaves out. What a feature adds to the graph, to the paths and to the journal is there only with it. All replicas need the same.',
    ...format.text('all'),
  },
  DOCUMENT_MANIFEST: {
    to: 'server.documentManifest',
    example: './persisted-documents.json',
    description: 'JSON file of the documents that clients request by id; see docs/clients.md.',
    ...format.file,
  },
  DOCUMENT_MODE: {
    to: 'server.documentMode',
    description:
      'A document that is not in the manifest is executed (`off`), executed and logged once (`log`), or refused (`enforce`).',
    ...format.choice(['off', 'log', 'enforce'], 'off'),
  },
  DEVELOPMENT: {
    to: 'server.development',
    example: 'true',
    default: '`true` with the sandbox, `false` with `live`',
    description:
      'Enables GraphiQL, the documents at `/llms.txt` and `/docs` and, for callers that are not bound to a customer, `extensions.upstream`.',
    schema: format.flag.optional(),
  },
  INTROSPECTION: {
    to: 'server.introspection',
    example: 'caller',
    default: '`caller` with DEVELOPMENT, else `off`',
    description:
      'With `caller` introspection and `/schema.graphql` show each caller the fields that its scopes allow. With `off` they are refused, and error messages mention only names in the document.',
    schema: format.oneOf(['caller', 'off']).optional(),
  },
  COMPILED_QUERIES: {
    to: 'server.compilesQueries',
    default: 'true',
    description:
      'Compiles a query at its second execution. `false` executes every operation with graphql-js; responses are the same.',
    schema: format.flag.default(true),
  },
  MAX_BODY_BYTES: {
    to: 'server.maxBodyBytes',
    description: 'Maximum size of a request body, in bytes.',
    ...format.number(1024, 16_777_216, 262_144),
  },
  STOP_DELAY_SECONDS: {
    to: 'server.stopDelayMs',
    description:
      'Seconds that requests are still accepted after a stop signal. During this time /health/serving and /health/ready return 503, so that a load balancer stops sending.',
    ...format.seconds(0, 20, 0),
  },
  ALLOWED_HOSTS: {
    to: 'server.allowedHosts',
    example: 'graph.example,10.0.0.7',
    default: 'HOST and the names of loopback',
    description:
      'Host names of the gateway, separated by commas, without ports. A request with another Host is refused. Required when HOST is a wildcard address.',
    schema: format.hostNames.optional(),
  },
  CORS_ORIGINS: {
    to: 'server.corsOrigins',
    example: 'https://shop.example',
    description:
      'Origins of web pages that may call the gateway, separated by commas, such as `https://shop.example`.',
    schema: format.origins.default([]),
  },
  ...limitRows,
  LOG_LEVEL: {
    to: 'observability.logLevel',
    description: `Lowest level that is logged: ${logLevels.join(', ')}.`,
    ...format.choice(logLevels, 'info'),
  },
  METRICS_PORT: {
    to: 'observability.metricsPort',
    example: '9464',
    default: 'none: no metrics',
    description: 'Port of `/metrics` for Prometheus, without credentials; 0 takes any free port.',
    schema: format.port.optional(),
  },
  METRICS_HOST: {
    to: 'observability.metricsHost',
    description: 'Address of `/metrics`; choose one that only the operator can reach.',
    ...format.text('127.0.0.1', format.hostName),
  },
  ...traceSettingRows,
  ...commandRows,
} satisfies Record<string, SettingRow>;
