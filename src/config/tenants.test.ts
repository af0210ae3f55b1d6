import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { afterAll, describe, expect, test } from 'vitest';
import { configOf, errorsOf } from '../../test/support/own-config.ts';
import type { Environment } from './read-values.ts';

const folder = mkdtempSync(join(tmpdir(), 'tenants-config-'));
afterAll(() => rmSync(folder, { recursive: true }));
const fileWith = (name: string, text: string) => {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
};
const adasUser = fileWith('ada-user', 'ada\n');
const bobsUser = fileWith('bob-user', 'bob\n');
const password = fileWith('password', 'pa ss wörd\n');
const empty = fileWith('empty', '\n');
const twoLines = fileWith('two-lines', 'a\nb\n');
const blank = fileWith('blank', ' ada\n');

const ada = { usernameFile: adasUser, passwordFile: password };
const bob = { usernameFile: bobsUser, passwordFile: password };
const keyFor = (tenant?: string) =>
  JSON.stringify({ shop: { sha256: createHash('sha256').update('key').digest('hex'), tenant } });
const twoKeys = JSON.stringify({
  shop: { sha256: 'a'.repeat(64), tenant: 'a' },
  office: { sha256: 'b'.repeat(64) },
});
const madeKeyFor = (tenant: string) =>
  JSON.stringify({
    made: {
      ...{ sha256: 'c'.repeat(64), prefix: '0123456789', made: '2026-01-31T12:00:00Z' },
      ...{ scopes: [], tenant },
    },
  });
const issuedBy = (members: object) => ({
  JWT_ISSUERS: JSON.stringify([
    {
      ...{ name: 'login', issuer: 'https://login.example', audience: ['graph'] },
      ...{ jwks: 'https://login.example/keys', algorithms: ['RS256'], ...members },
    },
  ]),
});
const rowsOf = (rows: unknown) => ({ TENANTS: JSON.stringify(rows), API_KEYS: keyFor('a') });
const live = { UPSTREAM: 'live', DOMAIN_API_URL: 'https://api.example/domain' };

test('each tenant has its login from its files, and its own URLs or those of the gateway', () => {
  const own = { domainApiUrl: 'https://other.example/api', spendLimits: { perHour: 3 } };

  const { tenants } = configOf({ ...live, ...rowsOf({ a: ada, b: { ...bob, ...own } }) });

  expect(tenants).toMatchObject([
    { name: 'a', urls: { domainApiUrl: live.DOMAIN_API_URL }, spendLimits: {} },
    { name: 'b', urls: { domainApiUrl: own.domainApiUrl }, spendLimits: { perHour: 3 } },
  ]);
  expect(tenants.map(({ login }) => [login.usernameFile, login.passwordFile])).toEqual([
    [adasUser, password],
    [bobsUser, password],
  ]);
  expect(tenants.map(({ login }) => [login.username.reveal(), login.password.reveal()])).toEqual([
    ['ada', 'pa ss wörd'],
    ['bob', 'pa ss wörd'],
  ]);
  expect(inspect(tenants, { depth: 9 })).not.toContain('pa ss');
});

test('a login can be in TENANTS_FILE, but not in the variable TENANTS', () => {
  const rows = JSON.stringify({ a: { username: 'ada', password: 'pa ss' } });
  const API_KEYS = keyFor('a');

  const TENANTS_FILE = fileWith('tenants', rows);

  const login = configOf({ TENANTS_FILE, API_KEYS }).tenants[0]?.login;
  expect(login).toMatchObject({ usernameFile: null, passwordFile: null });
  expect([login?.username.reveal(), login?.password.reveal()]).toEqual(['ada', 'pa ss']);
  for (const row of [
    { username: 'ada', password: 'pa ss' },
    { username: 'ada', passwordFile: password },
    { usernameFile: adasUser, password: 'pa ss' },
  ]) {
    expect(errorsOf(rowsOf({ a: row }))).toEqual([
      'TENANTS: the login of "a" is in the environment; use "usernameFile" and "passwordFile", or TENANTS_FILE.',
    ]);
  }
});

const urlsOf = (env: Environment) => configOf(env).tenants.map(({ urls }) => urls);

test('the Account API of a tenant is its own, else that of the gateway, else there is none', () => {
  const accountApiUrl = 'https://other.example/account';
  const rows = rowsOf({ a: ada, b: { ...bob, accountApiUrl } });
  const ACCOUNT_API_URL = 'https://api.example/account';
  const domainApiUrl = live.DOMAIN_API_URL;

  expect(urlsOf({ ...live, ...rows, ACCOUNT_API_URL })).toEqual([
    { domainApiUrl, accountApiUrl: ACCOUNT_API_URL },
    { domainApiUrl, accountApiUrl },
  ]);
  expect(urlsOf({ ...live, ...rows })).toEqual([
    { domainApiUrl, accountApiUrl: null },
    { domainApiUrl, accountApiUrl },
  ]);
});

test('a tenant at an address that may be of the real registrar makes the upstream one', () => {
  const DOMAIN_API_URL = 'http://sandbox:4001/domain-api';
  const mayBeReal = (domainApiUrl: string) =>
    configOf({ DOMAIN_API_URL, ...rowsOf({ a: ada, b: { ...bob, domainApiUrl } }) }).mayBeReal;

  expect(mayBeReal('http://another:4001/domain-api')).toBe(false);
  expect(mayBeReal('https://api.example/domain')).toBe(true);
});

test('each tenant may have a sandbox elsewhere, and without URLs all use the embedded one', () => {
  const DOMAIN_API_URL = 'http://sandbox:4001/domain-api';
  const domainApiUrl = 'http://another:4001/domain-api';

  expect(urlsOf({ DOMAIN_API_URL, ...rowsOf({ a: ada, b: { ...bob, domainApiUrl } }) })).toEqual([
    { domainApiUrl: DOMAIN_API_URL, accountApiUrl: 'http://sandbox:4001/account-api' },
    { domainApiUrl, accountApiUrl: 'http://another:4001/account-api' },
  ]);
  expect(urlsOf(rowsOf({ a: ada, b: bob }))).toEqual([null, null]);
});

test('a tenant "default" is needed only for clients that name no tenant', () => {
  const issuers = [{ tenant: 'a' }, { tenantClaim: 'reseller' }];

  expect(errorsOf(rowsOf({ a: ada }))).toEqual([]);
  for (const issuer of issuers) {
    expect(errorsOf({ ...rowsOf({ a: ada }), API_KEYS: undefined, ...issuedBy(issuer) })).toEqual(
      [],
    );
  }
});

describe('an invalid setting is reported in one sentence:', () => {
  const such =
    'tenants such as {"acme":{"usernameFile":"/run/secrets/user","passwordFile":"/run/secrets/password"}}';
  const members =
    '"a" is an object with a "usernameFile" and a "passwordFile", perhaps "domainApiUrl", "accountApiUrl" and "spendLimits", and nothing else';

  test.each<[string, unknown, string]>([
    ['a list', [], 'it is an object with at least one name and its tenant'],
    ['none', {}, 'it is an object with at least one name and its tenant'],
    [
      'a name with a capital',
      { Ada: ada },
      'each name is 1 to 40 of the characters a to z, 0 to 9 and -',
    ],
    ['no password', { a: { usernameFile: adasUser } }, members],
    ['two passwords', { a: { ...ada, password: 'x' } }, members],
    ['an unknown member', { a: { ...ada, url: 'x' } }, `${members}, not "url"`],
    [
      'a URL with a password',
      { a: { ...ada, domainApiUrl: 'https://a:b@c' } },
      '"a"."domainApiUrl" is an http or https URL without credentials, query or fragment',
    ],
    [
      'an unknown limit',
      { a: { ...ada, spendLimits: { perWeek: 1 } } },
      '"a"."spendLimits" is an object with only perCall, perDay, perHour, tlds, longestPeriod, not "perWeek"',
    ],
  ])('%s', (_what, rows, rule) => {
    expect(errorsOf(rowsOf(rows))).toEqual([`TENANTS must be ${such}, where ${rule}.`]);
  });

  test.each<[string, Environment, string]>([
    [
      'a login beside TENANTS',
      { ...rowsOf({ a: ada }), DOMAIN_API_PASSWORD: 'x' },
      'TENANTS has the logins of all tenants; remove DOMAIN_API_USERNAME and DOMAIN_API_PASSWORD.',
    ],
    [
      'one user name twice, at whatever address',
      { ...live, ...rowsOf({ a: ada, b: { ...ada, domainApiUrl: 'https://other.example' } }) },
      'TENANTS: "a" and "b" have the same user name, which identifies a tenant in the journal; remove one of them.',
    ],
    [
      'a live account without an address',
      { UPSTREAM: 'live', ...rowsOf({ a: ada }) },
      'TENANTS: "a" requires a "domainApiUrl", because DOMAIN_API_URL is not set.',
    ],
    [
      'an address that can be listened to',
      { ...live, ...rowsOf({ a: { ...ada, domainApiUrl: 'http://other.example' } }) },
      'TENANTS: the URLs of "a" must be https URLs, because every call sends credentials.',
    ],
    [
      'an address beside the sandbox started along',
      rowsOf({ a: { ...ada, domainApiUrl: 'http://other.example' } }),
      'TENANTS: the URLs of "a" require UPSTREAM=live or DOMAIN_API_URL; without them all tenants use the embedded sandbox.',
    ],
    [
      'an empty file',
      rowsOf({ a: { ...ada, passwordFile: empty } }),
      `TENANTS: "a": the file "${empty}" is empty.`,
    ],
    [
      'a file of two lines',
      rowsOf({ a: { ...ada, usernameFile: twoLines } }),
      `TENANTS: "a": the file "${twoLines}" has more than one line, or more than 512 characters.`,
    ],
    [
      'a user name with a blank in its file',
      rowsOf({ a: { ...ada, usernameFile: blank } }),
      `TENANTS: "a": the file "${blank}" begins or ends with a blank.`,
    ],
    [
      'a key for an unknown tenant',
      { ...rowsOf({ a: ada }), API_KEYS: keyFor('z') },
      'API_KEYS: the key "shop" has the tenant "z", which is not in TENANTS.',
    ],
    [
      'a key for a tenant without TENANTS',
      { API_KEYS: keyFor('a') },
      'API_KEYS: the key "shop" has the tenant "a", which is not in TENANTS.',
    ],
    [
      'a live gateway without a URL',
      {
        ...{ UPSTREAM: 'live', API_KEY: 'key-of-the-shop-0123456789' },
        ...{ DOMAIN_API_USERNAME: 'ada', DOMAIN_API_PASSWORD: 'x' },
      },
      "UPSTREAM=live requires DOMAIN_API_URL: the URL of the registrar's API and the login there.",
    ],
    [
      'a made key for an unknown tenant',
      { ...rowsOf({ a: ada }), KEYS_FILE: fileWith('keys.json', madeKeyFor('z')) },
      'KEYS_FILE: the key "made" has the tenant "z", which is not in TENANTS.',
    ],
    [
      'an issuer for an unknown tenant',
      { ...rowsOf({ a: ada }), ...issuedBy({ tenant: 'z' }) },
      'JWT_ISSUERS: the issuer "login" has the tenant "z", which is not in TENANTS.',
    ],
    ...[{ API_KEYS: twoKeys }, { API_KEY: 'key-of-the-shop-0123456789' }, { AUTH: 'open' }].map(
      (env): [string, Environment, string] => [
        `${Object.keys(env)} for clients without a tenant, beside a key with one`,
        { ...rowsOf({ a: ada }), ...env },
        'TENANTS requires a tenant "default" for clients without one; or give each key and issuer a "tenant", and remove API_KEY.',
      ],
    ),
    [
      'a key that names no account',
      { ...rowsOf({ a: ada }), API_KEYS: keyFor() },
      'TENANTS requires a tenant "default" for clients without one; or give each key and issuer a "tenant", and remove API_KEY.',
    ],
    [
      'clients without a tenant',
      { ...rowsOf({ a: ada }), API_KEYS: undefined },
      'TENANTS requires a tenant "default" for clients without one; or give each key and issuer a "tenant", and remove API_KEY.',
    ],
  ])('%s', (_what, env, sentence) => {
    expect(errorsOf(env)).toEqual([sentence]);
  });
});
