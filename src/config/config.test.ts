import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { envExample, liveLines } from '../../scripts/env-example.ts';
import { configOf, errorsOf } from '../../test/support/own-config.ts';
import { settings } from '../app/read-config.ts';
import { allAccessScopes } from '../kernel/caller.ts';
import { ConfigError } from './config.ts';
import type { SettingRow } from './feature-settings.ts';
import type { Environment } from './read-values.ts';
import { settingRows } from './setting-rows.ts';
import { helpText } from './settings.ts';

const digest = (text: string) => createHash('sha256').update(text).digest('hex');
const keysOf = (keys: unknown) => JSON.stringify(keys);

const credentials =
  'credentials for clients: API_KEY, API_KEYS, JWT_ISSUERS, or a key of the command "keys".';

const live = {
  UPSTREAM: 'live',
  DOMAIN_API_URL: 'https://api.example/domain',
  DOMAIN_API_USERNAME: 'reseller',
  DOMAIN_API_PASSWORD: 'pa ss wörd',
  API_KEY: 'a-key-of-sixteen-characters',
};

describe('values', () => {
  test('an empty environment is an open sandbox on this machine', { tags: ['R1'] }, () => {
    expect(configOf({})).toMatchObject({
      isSandbox: true,
      hasEmbeddedSandbox: true,
      server: {
        port: 4000,
        host: '127.0.0.1',
        maxUpstreamCalls: 200,
        rateLimitPerMinute: 0,
        queueBudgetMs: 2000,
        documentMode: 'off',
        documentManifest: undefined,
        development: true,
        maxBodyBytes: 262_144,
      },
      sandbox: { port: 4001 },
      storage: { dataDir: './data' },
      upstream: { timeoutMs: 10_000, concurrency: 64, ratePerSecond: 0 },
      observability: { logLevel: 'info' },
      auth: { kind: 'open' },
      warnings: [],
    });
  });

  test('a live upstream requires a key and disables development features', () => {
    const config = configOf(live);

    expect(config).toMatchObject({
      isSandbox: false,
      hasEmbeddedSandbox: false,
      tenants: [{ name: 'default', urls: { accountApiUrl: null } }],
      auth: { kind: 'keys' },
      server: { development: false },
    });
    expect(config.tenants[0]?.login.password.reveal()).toBe('pa ss wörd');
  });

  test('a sandbox elsewhere is used with the demo login, and has both APIs', () => {
    const { isSandbox, hasEmbeddedSandbox, tenants } = configOf({
      DOMAIN_API_URL: 'http://sandbox:4001/domain-api',
      API_KEY: live.API_KEY,
    });

    expect({ isSandbox, hasEmbeddedSandbox }).toEqual({
      isSandbox: true,
      hasEmbeddedSandbox: false,
    });
    expect(tenants[0]?.urls?.accountApiUrl).toBe('http://sandbox:4001/account-api');
    expect(tenants[0]?.login.username.reveal()).toBe('demo');
    expect(tenants[0]?.login.password.reveal()).toBe('demo-password');
  });

  test('clients need a key as soon as one is configured', () => {
    expect(configOf({ API_KEY: live.API_KEY }).auth.kind).toBe('keys');
  });

  test('limits are exact, by ISO currency, and TLDs have their ASCII names', () => {
    const { spendLimits } = configOf({
      SPEND_LIMITS:
        '{"perCall":["50.5 usd","0 TL"],"perDay":[],"perHour":0,"tlds":[".COM","рф"],"longestPeriod":2}',
    }).purchases;

    expect(JSON.parse(JSON.stringify(spendLimits))).toEqual({
      perCall: [
        { amount: '50.5000', currency: 'USD' },
        { amount: '0.0000', currency: 'TRY' },
      ],
      perDay: [],
      perHour: 0,
      tlds: ['com', 'xn--p1ai'],
      longestPeriod: 2,
    });
    expect(configOf({}).purchases.spendLimits).toEqual({});
  });

  test('keys have names and limits of their own, and API_KEY is the one named default', () => {
    const API_KEYS = keysOf({
      shop: { sha256: digest('a').toUpperCase(), limits: { perHour: 1 } },
      'back-office': { sha256: digest('b') },
    });
    const { auth } = configOf({ API_KEY: live.API_KEY, API_KEYS });

    const keys = auth.kind === 'keys' ? auth.keys : [];
    expect(keys.map(({ name, sha256, limits }) => [name, sha256.reveal(), limits])).toEqual([
      ['default', digest(live.API_KEY), {}],
      ['shop', digest('a'), { perHour: 1 }],
      ['back-office', digest('b'), {}],
    ]);
    expect(configOf({ ...live, API_KEY: undefined, API_KEYS }).auth.kind).toBe('keys');
    const ALLOWED_HOSTS = 'graph.example';
    expect(configOf({ HOST: '0.0.0.0', ALLOWED_HOSTS, AUTH: 'keys', API_KEYS }).auth.kind).toBe(
      'keys',
    );
  });

  test('allowed hosts are loopback and HOST, or the listed ones', () => {
    const loopback = ['localhost', '127.0.0.1', '[::1]'];

    expect(configOf({}).server.allowedHosts).toEqual(loopback);
    expect(configOf({ ...live, HOST: 'Graph.example' }).server.allowedHosts).toEqual([
      ...loopback,
      'graph.example',
    ]);
    expect(
      configOf({ ...live, ALLOWED_HOSTS: 'A.example, ::1,10.0.0.7' }).server.allowedHosts,
    ).toEqual([...['a.example', '[::1]', '10.0.0.7']]);
  });

  test('allowed hosts are those of loopback when HOST is no host', () => {
    expect(configOf({ ...live, HOST: ':::' }).server.allowedHosts).toEqual([
      'localhost',
      '127.0.0.1',
      '[::1]',
    ]);
  });

  test('only listed origins may call the gateway from a page', () => {
    expect(configOf({}).server.corsOrigins).toEqual([]);
    expect(
      configOf({ CORS_ORIGINS: 'https://a.example,http://localhost:3000' }).server.corsOrigins,
    ).toEqual(['https://a.example', 'http://localhost:3000']);
  });

  test('a blank value counts as absent', () => {
    expect(configOf({ PORT: ' ', API_KEY: '' })).toMatchObject({
      server: { port: 4000 },
      auth: { kind: 'open' },
    });
  });

  test('printed settings contain no secret', () => {
    const config = configOf(live);

    const printed = `${inspect(config, { depth: 9 })}${JSON.stringify(config)}`;
    expect(printed).toContain('[redacted]');
    for (const secret of [live.API_KEY, live.DOMAIN_API_PASSWORD, live.DOMAIN_API_USERNAME]) {
      expect(printed).not.toContain(secret);
    }
  });
});

describe('an invalid setting is reported in one sentence:', () => {
  const port = 'a whole number from 0 to 65535';
  const url = 'an http or https URL without credentials, query or fragment';
  const hosts = 'host names separated by commas, without ports, such as "graph.example,10.0.0.7"';

  test.each([
    ['PORT', 'http', port],
    ['PORT', '65536', port],
    ['SANDBOX_PORT', '-1', port],
    ['HOST', 'http://x', 'a host name or an IP address'],
    ['UPSTREAM', 'real', 'one of sandbox, live'],
    ['AUTH', 'jwt', 'one of keys, open'],
    ['DEVELOPMENT', 'yes', 'one of true, false'],
    ['DOCUMENT_MODE', 'strict', 'one of off, log, enforce'],
    ['UPSTREAM_TIMEOUT_MS', '0', 'a whole number from 100 to 600000'],
    ['MAX_BODY_BYTES', '10', 'a whole number from 1024 to 16777216'],
    ['LOG_LEVEL', 'loud', 'one of fatal, error, warn, info, debug, trace, silent'],
    ['DOMAIN_API_URL', 'api.example', url],
    ['DOMAIN_API_URL', 'ftp://api.example', url],
    ['DOMAIN_API_URL', 'https://api.example/?action=x', url],
    ['ALLOWED_HOSTS', 'a.example:443', hosts],
    [
      'CORS_ORIGINS',
      'https://a.example/',
      'origins separated by commas, such as "https://shop.example"',
    ],
  ])('%s=%s must be %s', (name, value, rule) => {
    expect(errorsOf({ [name]: value })).toEqual([`${name} must be ${rule}; it is "${value}".`]);
  });

  test.each<[string, Environment, string]>([
    [
      'two servers on one port',
      { PORT: '4001' },
      'PORT and SANDBOX_PORT are both 4001; change one of them.',
    ],
    [
      'documents without a manifest',
      { DOCUMENT_MODE: 'enforce' },
      'DOCUMENT_MODE=enforce requires DOCUMENT_MANIFEST: the file of the documents that clients may request.',
    ],
    [
      'a URL with a password, which is not repeated',
      { DOMAIN_API_URL: 'https://u:p@api.example' },
      'DOMAIN_API_URL must be an http or https URL without credentials, query or fragment.',
    ],
    [
      'a short key, which is not repeated',
      { API_KEY: 'short' },
      'API_KEY must be 16 to 512 visible ASCII characters without spaces.',
    ],
    ['keys without a key', { AUTH: 'keys' }, `AUTH=keys requires ${credentials}`],
    [
      'an open gateway that others can reach',
      { HOST: '0.0.0.0' },
      'HOST=0.0.0.0 is reachable from other machines without credentials; set AUTH=keys and API_KEY, or HOST=127.0.0.1.',
    ],
    ...[{}, { AUTH: 'open', API_KEY: live.API_KEY }].map((open): [string, Environment, string] => [
      `a gateway that is open over what may be the real service: ${JSON.stringify(open)}`,
      { DOMAIN_API_URL: 'https://api.example', ...open },
      'DOMAIN_API_URL is on another machine, and clients need no credentials; set UPSTREAM=live for the real registrar, or AUTH=keys and API_KEY for a sandbox.',
    ]),
    ...['0.0.0.0', '::', '0', '::ffff:0.0.0.0'].map((HOST): [string, Environment, string] => [
      `a HOST of every address without names: ${HOST}`,
      { HOST, API_KEY: live.API_KEY },
      `HOST=${HOST} is a wildcard address; set ALLOWED_HOSTS to the host names of the gateway.`,
    ]),
    [
      'an Account API without its Domain API',
      { ACCOUNT_API_URL: 'http://127.0.0.1:1/account-api' },
      'ACCOUNT_API_URL requires DOMAIN_API_URL; without it both APIs are those of the embedded sandbox.',
    ],
    [
      'a live upstream without a login',
      { ...live, DOMAIN_API_USERNAME: undefined, DOMAIN_API_PASSWORD: undefined },
      "UPSTREAM=live requires DOMAIN_API_USERNAME, DOMAIN_API_PASSWORD: the URL of the registrar's API and the login there.",
    ],
    [
      'a live upstream without a key',
      { ...live, API_KEY: undefined },
      `UPSTREAM=live requires ${credentials}`,
    ],
    [
      'a login in the clear',
      { ...live, DOMAIN_API_URL: 'http://api.example' },
      'DOMAIN_API_URL must be an https URL, because every call sends credentials.',
    ],
    [
      'a token in the clear',
      { ...live, ACCOUNT_API_URL: 'http://api.example' },
      'ACCOUNT_API_URL must be an https URL, because every call sends credentials.',
    ],
    [
      'a secret file that is not there',
      { API_KEY_FILE: '/nowhere/key' },
      'API_KEY_FILE: the file "/nowhere/key" cannot be read (ENOENT).',
    ],
    [
      'a secret given twice',
      { API_KEY: live.API_KEY, API_KEY_FILE: '/nowhere/key' },
      'API_KEY and API_KEY_FILE are both set; remove one of them.',
    ],
    [
      'a second key called default',
      { API_KEY: live.API_KEY, API_KEYS: keysOf({ default: { sha256: digest('one') } }) },
      'API_KEY is named "default", and API_KEYS has a key of the same name; rename that key.',
    ],
    [
      'one key under two names',
      { API_KEY: live.API_KEY, API_KEYS: keysOf({ shop: { sha256: digest(live.API_KEY) } }) },
      'API_KEY is the same key as "shop" of API_KEYS; remove one of the two.',
    ],
  ])('%s', (_what, env, sentence) => {
    expect(errorsOf(env)).toEqual([sentence]);
  });

  test('all errors are reported at once', () => {
    const problems = errorsOf({ UPSTREAM: 'live', PORT: 'x', LOG_LEVEL: 'y', HOST: '0.0.0.0' });

    expect(problems.map((one) => one.split(' ')[0])).toEqual([
      'PORT',
      'LOG_LEVEL',
      'UPSTREAM=live',
      'UPSTREAM=live',
      'HOST=0.0.0.0',
    ]);
  });

  test('a live service on this machine may use http', () => {
    expect(errorsOf({ ...live, DOMAIN_API_URL: 'http://127.0.0.1:9999/api' })).toEqual([]);
  });
});

test.each([
  ['SPEND_LIMITS', '{"perHour":2,"tlds":[],"perHour":20}', 'a second "perHour"'],
  ['API_KEYS', '{"shop":{},"shop":{}}', 'a second "shop"'],
  ['TENANTS', '{"acme":{"username":"a","username":"b"}}', 'a second "username" in "acme"'],
  ['JWT_ISSUERS', '[{"name":"one","name":"two"}]', 'a second "name" in [0]'],
])('%s with a member that occurs twice is refused: %s', (name, text, second) => {
  const [error, ...others] = errorsOf({ [name]: text });

  expect(error).toContain(`${name} must be `);
  expect(error).toContain(`, without ${second}`);
  expect(others).toEqual([]);
});

describe('invalid limits are reported:', () => {
  const such = 'limits such as {"perCall":["50 USD"],"perDay":["500 USD"],"perHour":20}';
  const anObject = 'an object with only perCall, perDay, perHour, tlds, longestPeriod';
  const aList = 'is a list such as ["50 USD", "900.50 TRY"] with each currency once';

  test.each<[string, string, string]>([
    ['no JSON', '50 USD', `it is ${anObject}`],
    ['a list', '[]', `it is ${anObject}`],
    ['an unknown member', '{"perWeek":["1 USD"]}', `it is ${anObject}, not "perWeek"`],
    ['an amount without a list', '{"perCall":"50 USD"}', `"perCall" ${aList}`],
    ['an amount without a currency', '{"perCall":["50"]}', `"perCall" ${aList}`],
    ['an amount below nothing', '{"perCall":["-1 USD"]}', `"perCall" ${aList}`],
    ['five fractional digits', '{"perCall":["1.00001 USD"]}', `"perCall" ${aList}`],
    ['a currency twice', '{"perCall":["1 TL","2 TRY"]}', `"perCall" ${aList}`],
    ['half a purchase', '{"perHour":0.5}', '"perHour" is a whole number from 0 to 1000000'],
    ['text for a number', '{"perHour":"20"}', '"perHour" is a whole number from 0 to 1000000'],
    ['null', '{"perHour":null}', '"perHour" is a whole number from 0 to 1000000'],
    ['no TLD', '{"tlds":["com","co uk"]}', '"tlds" is a list of TLDs such as ["com", "co.uk"]'],
    [
      'a long life',
      '{"longestPeriod":101}',
      '"longestPeriod" is a whole number of years from 0 to 100',
    ],
  ])('%s', (_what, text, rule) => {
    expect(errorsOf({ SPEND_LIMITS: text })).toEqual([
      `SPEND_LIMITS must be ${such}, where ${rule}; it is "${text}".`,
    ]);
  });

  const keys =
    'keys such as {"shop":{"sha256":"<64 hexadecimal digits>","scopes":["domains:check"],"limits":{"perHour":20}}}';
  const members =
    '"shop" is an object with "sha256", perhaps "scopes", "limits", "tenant" and "customer", and nothing else';
  const sha256 = '"shop"."sha256" is the SHA-256 of a key, 64 hexadecimal digits';
  const key = 'a-key-in-the-clear-by-mistake';

  test.each<[string, unknown, string]>([
    ['a list', [key], 'it is an object with at least one name and its key'],
    ['none', {}, 'it is an object with at least one name and its key'],
    [
      'a name with a capital',
      { Shop: {} },
      'each name is 1 to 40 of the characters a to z, 0 to 9 and -',
    ],
    ['a key in the clear', { shop: key }, members],
    ['a key in the clear for its digest', { shop: { sha256: key } }, sha256],
    ['the digest of nothing', { shop: { sha256: digest('') } }, sha256],
    ['an unknown member', { shop: { sha256: digest(key), scope: [] } }, `${members}, not "scope"`],
    [
      'an unknown scope',
      { shop: { sha256: digest(key), scopes: ['domains:all'] } },
      `"shop"."scopes" is a list of ${allAccessScopes.join(', ')}`,
    ],
    [
      'an unknown limit',
      { shop: { sha256: digest(key), limits: { perWeek: 1 } } },
      `"shop"."limits" is ${anObject}, not "perWeek"`,
    ],
    [
      'two names for one key',
      { a: { sha256: digest(key) }, b: { sha256: digest(key).toUpperCase() } },
      'it is an object in which no two keys have the same "sha256"',
    ],
  ])('%s in keys is reported without the text of a key', (_what, value, rule) => {
    expect(errorsOf({ API_KEYS: keysOf(value) })).toEqual([
      `API_KEYS must be ${keys}, where ${rule}.`,
    ]);
  });
});

describe('secrets from files', () => {
  const directory = mkdtempSync(join(tmpdir(), 'reseller-graph-config-'));
  afterAll(() => rmSync(directory, { recursive: true }));
  const fileWith = (text: string | Buffer) => {
    const file = join(directory, `secret-${text.length}`);
    writeFileSync(file, text);
    return file;
  };

  // Of issuers nothing is a secret; they may come from a file because they are long.
  const ofSecrets = Object.entries<SettingRow>(settingRows).flatMap(([name, { secret }]) =>
    secret && name !== 'JWT_ISSUERS' ? name : [],
  );
  test.each(ofSecrets)('%s', (name) => {
    const plain = 'sixteen-characters-and-more';
    const [text, secret] = {
      DATABASE_URL: Array(2).fill('postgres://ada:sixteen-characters@db.example/journal'),
      API_KEY: [plain, digest(plain)],
      API_KEYS: [JSON.stringify({ shop: { sha256: digest(plain) } }), digest(plain)],
      TENANTS: [JSON.stringify({ default: { username: 'ada', password: plain } }), plain],
      OTEL_EXPORTER_OTLP_HEADERS: [`authorization=${plain}`, plain],
    }[name as string] ?? [plain, plain];
    const file = fileWith(`${text}\n`);

    const { DOMAIN_API_USERNAME, DOMAIN_API_PASSWORD, ...others } = live;
    const logins = name === 'TENANTS' ? {} : { DOMAIN_API_USERNAME, DOMAIN_API_PASSWORD };

    const config = configOf({
      ...others,
      ...logins,
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318',
      [name]: undefined,
      [`${name}_FILE`]: file,
    });

    const keys = config.auth.kind === 'keys' ? config.auth.keys : [];
    const login = config.tenants[0]?.login;
    const secrets = [
      login?.username,
      login?.password,
      config.storage.databaseUrl,
      config.gateway.key,
      config.traceExport?.headers.authorization,
    ];
    for (const { sha256 } of keys) secrets.push(sha256);
    expect(secrets.map((one) => one?.reveal())).toContain(secret);
  });

  test('only secrets can come from a file', () => {
    expect(configOf({ DOMAIN_API_URL_FILE: '/nowhere' }).warnings).toEqual([
      'DOMAIN_API_URL_FILE is not a setting and is ignored; see --help.',
    ]);
  });

  test('line breaks at the end of a file are no part of the secret', () => {
    const file = fileWith(' sixteen characters\r\n\r\n');
    const { DOMAIN_API_PASSWORD: _, ...others } = live;

    const { tenants } = configOf({ ...others, DOMAIN_API_PASSWORD_FILE: file });

    expect(tenants[0]?.login.password.reveal()).toBe(' sixteen characters');
  });

  test('a byte order mark at the start of a file is no part of the secret', () => {
    const { DOMAIN_API_PASSWORD: _, ...others } = live;

    const { tenants } = configOf({
      ...others,
      DOMAIN_API_PASSWORD_FILE: fileWith('\ufeffa password'),
    });

    expect(tenants[0]?.login.password.reveal()).toBe('a password');
  });

  test('a file that is neither UTF-8 nor marked UTF-16 is an error', () => {
    const file = fileWith(Buffer.from([0xe9, 0x20]));

    expect(errorsOf({ API_KEY_FILE: file })).toEqual([
      `API_KEY_FILE: the file "${file}" is not UTF-8 text.`,
    ]);
  });

  test.each([' ada', 'ada ', '\u00a0ada'])(
    'the user name %j, with a blank, is an error',
    (username) => {
      const error = 'must be text without blanks before or after it.';

      expect(errorsOf({ ...live, DOMAIN_API_USERNAME: username })).toEqual([
        `DOMAIN_API_USERNAME ${error}`,
      ]);
    },
  );

  test('an empty file is an error', () => {
    const file = fileWith('\n');

    expect(errorsOf({ API_KEY_FILE: file })).toEqual([
      `API_KEY_FILE: the file "${file}" is empty.`,
    ]);
  });
});

describe('warnings', () => {
  const shop = keysOf({ shop: { sha256: digest('one') } });

  test.each<[Environment, string]>([
    [{ API_KEYSS: 'x' }, 'API_KEYSS is not a setting and is ignored; did you mean API_KEYS?'],
    [{ LOG_LEVLE: 'x' }, 'LOG_LEVLE is not a setting and is ignored; did you mean LOG_LEVEL?'],
    [{ DOMAIN_API_PASS: 'x' }, 'DOMAIN_API_PASS is not a setting and is ignored; see --help.'],
    [{ AUTH: 'open', API_KEY: live.API_KEY }, 'API_KEY has no effect while AUTH is open.'],
    [{ AUTH: 'open', API_KEYS: shop }, 'API_KEYS has no effect while AUTH is open.'],
    [
      { ...live, PRICES_FILE: 'none', SANDBOX_PORT: '4002' },
      'SANDBOX_PORT has no effect: no sandbox is started.',
    ],
    [
      live,
      'PRICES_FILE is not set, so that callers without the scope "prices:cost" see no prices and buy nothing; set it to a price file, or to "none" to sell at cost.',
    ],
  ])('%j', (env, sentence) => {
    expect(configOf(env).warnings).toEqual([sentence]);
  });

  test('variables of other programs cause no warning', () => {
    expect(
      configOf({ PATH: '/bin', HOSTNAME: 'box', PORTS: undefined, SANDBOX_HOST: '::' }).warnings,
    ).toEqual([]);
  });
});

test('--help --all describes every setting with its default, and the file of every secret', () => {
  const text = helpText(settings, true);

  for (const { name, secret } of settings) {
    expect(text).toMatch(new RegExp(`^  ${name} .*\\n {23}Default: .+\\.$`, 'm'));
    expect(text.includes(`${name}_FILE`)).toBe(secret);
  }
});

test('--help describes ten settings, and has the names of the others in their groups', () => {
  const text = helpText(settings);
  const described = [...text.matchAll(/^ {2}([A-Z_]+) .*\n {23}Default: /gm)].map(
    ([, name]) => name,
  );
  const named = [...text.matchAll(/^ {4}([A-Z_]+)$/gm)].map(([, name]) => name);

  expect(described).toHaveLength(10);
  expect([...described, ...named].sort()).toEqual(settings.map(({ name }) => name).sort());
  expect(text).toContain('  Caches\n    TLD_MAX_AGE_SECONDS\n');
  expect(text).toContain('npm start -- --help --all');
});

test('.env.example is current, shows every setting, and sets none', () => {
  const text = readFileSync(new URL('../../.env.example', import.meta.url), 'utf8');
  const lines = text.split('\n');

  expect(text).toBe(envExample());
  expect(lines.flatMap((line) => /^#([A-Z_]+)=/.exec(line)?.[1] ?? [])).toEqual([
    ...liveLines.map((line) => line.replace(/=.*/, '')),
    ...settings.map(({ name }) => name),
  ]);
  expect(lines.filter((line) => line !== '' && !line.startsWith('#'))).toEqual([]);
  // The first setting has a group, so that every one is in a group.
  expect(settings[0]?.title).not.toBeNull();
});

test('the first lines of .env.example are all that live use needs', () => {
  const folder = mkdtempSync(join(tmpdir(), 'reseller-graph-env-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const env = Object.fromEntries(
    liveLines.map((line) => line.replace('/run/secrets', folder).split('=') as [string, string]),
  );
  for (const path of Object.values(env).filter((value) => value.startsWith(folder))) {
    writeFileSync(path, 'a-secret-of-more-than-16-characters');
  }

  expect(configOf(env)).toMatchObject({
    isSandbox: false,
    warnings: [],
  });
  const { UPSTREAM: _, PRICES_FILE, ...required } = env;
  for (const name of Object.keys(required)) {
    expect(() => configOf({ ...env, [name]: '' }), name).toThrow(ConfigError);
  }
  expect(PRICES_FILE).toBeDefined();
  expect(configOf({ ...env, PRICES_FILE: '' }).warnings).toHaveLength(1);
});

describe('the table of settings', () => {
  const places = Object.entries<SettingRow>(settingRows).flatMap(([name, { to }]) =>
    to === undefined ? [] : [[name, to] as const],
  );

  test.each(places)('maps %s to %s of the configuration', (_name, to) => {
    const [group = '', member = '', ...more] = to.split('.');

    expect(more).toEqual([]);
    expect(Object.keys(Reflect.get(configOf({}), group))).toContain(member);
  });

  test('puts a given value at the place that its row names', () => {
    const { maxAges, server, storage } = configOf({
      TLD_MAX_AGE_SECONDS: '7',
      MAX_STREAMS: '8',
      DATA_DIR: './elsewhere',
    });

    expect([maxAges.tldsMs, server.maxStreams, storage.dataDir]).toEqual([7_000, 8, './elsewhere']);
  });

  test('has a different place in each row', () => {
    expect(new Set(places.map(([, to]) => to)).size).toBe(places.length);
  });
});

test.each([
  ['http://127.0.0.1:4001/domain-api', false],
  ['https://localhost:4001/domain-api', false],
  // As in docker-compose.yml. The real registrar has TLS.
  ['http://sandbox:4001/domain-api', false],
  ['https://api.example/domain', true],
])('whether the sandbox %s may be a real registrar: %j', (url, mayBeReal) => {
  const env = { API_KEY: live.API_KEY, DOMAIN_API_URL: url };

  expect(configOf(env).mayBeReal).toBe(mayBeReal);
});
