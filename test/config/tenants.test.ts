import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { afterAll, describe, expect, test } from 'vitest';
import { ConfigError, type Environment, readConfig } from '../../src/config/config.ts';

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

const ada = { usernameFile: adasUser, passwordFile: password };
const bob = { usernameFile: bobsUser, passwordFile: password };
const keyFor = (tenant?: string) =>
  JSON.stringify({ shop: { sha256: createHash('sha256').update('key').digest('hex'), tenant } });
const rowsOf = (rows: unknown) => ({ TENANTS: JSON.stringify(rows), API_KEYS: keyFor('a') });
const live = { UPSTREAM: 'live', DOMAIN_API_URL: 'https://api.example/domain' };

const problemsOf = (env: Environment): readonly string[] => {
  try {
    readConfig(env);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
};

test('each account has its login from its files, and the URLs of the gateway unless it has its own', () => {
  const own = { domainApiUrl: 'https://other.example/api', spendLimits: { perHour: 3 } };

  const { tenants } = readConfig({ ...live, ...rowsOf({ a: ada, b: { ...bob, ...own } }) });

  expect(tenants).toMatchObject([
    { name: 'a', urls: { domainApiUrl: live.DOMAIN_API_URL }, spendLimits: {} },
    { name: 'b', urls: { domainApiUrl: own.domainApiUrl }, spendLimits: { perHour: 3 } },
  ]);
  expect(tenants.map(({ login }) => [login.username.reveal(), login.password.reveal()])).toEqual([
    ['ada', 'pa ss wörd'],
    ['bob', 'pa ss wörd'],
  ]);
  expect(inspect(tenants, { depth: 9 })).not.toContain('pa ss');
});

test('a login may stand in the file of TENANTS, and in no variable', () => {
  const rows = JSON.stringify({ a: { username: 'ada', password: 'pa ss' } });
  const API_KEYS = keyFor('a');

  const TENANTS_FILE = fileWith('tenants', rows);

  expect(readConfig({ TENANTS_FILE, API_KEYS }).tenants[0]?.login.password.reveal()).toBe('pa ss');
  expect(problemsOf({ TENANTS: rows, API_KEYS })).toEqual([
    'TENANTS: the login of "a" stands in the environment; name files with it by "usernameFile" and "passwordFile", or set TENANTS_FILE.',
  ]);
});

describe('what is refused, each with one sentence', () => {
  const such =
    'accounts such as {"acme":{"usernameFile":"/run/secrets/user","passwordFile":"/run/secrets/password"}}';
  const members =
    '"a" has a "usernameFile" and a "passwordFile", perhaps "domainApiUrl", "accountApiUrl" and "spendLimits", and nothing else';

  test.each<[string, unknown, string]>([
    ['a list', [], 'there is at least one, each with a name'],
    ['none', {}, 'there is at least one, each with a name'],
    [
      'a name with a capital',
      { Ada: ada },
      'each name has 1 to 40 of the characters a to z, 0 to 9 and -',
    ],
    ['no password', { a: { usernameFile: adasUser } }, members],
    ['two passwords', { a: { ...ada, password: 'x' } }, members],
    ['an unknown member', { a: { ...ada, url: 'x' } }, members],
    ['a URL with a password', { a: { ...ada, domainApiUrl: 'https://a:b@c' } }, members],
    [
      'an unknown limit',
      { a: { ...ada, spendLimits: { perWeek: 1 } } },
      'for "a" "perWeek" is none of perCall, perDay, perHour, tlds, longestPeriod',
    ],
  ])('%s', (_what, rows, rule) => {
    expect(problemsOf(rowsOf(rows))).toEqual([`TENANTS must be ${such}, where ${rule}.`]);
  });

  test.each<[string, Environment, string]>([
    [
      'a login beside TENANTS',
      { ...rowsOf({ a: ada }), DOMAIN_API_PASSWORD: 'x' },
      'TENANTS has the logins of all accounts; take DOMAIN_API_USERNAME and DOMAIN_API_PASSWORD away.',
    ],
    [
      'one user name twice, at whatever address',
      { ...live, ...rowsOf({ a: ada, b: { ...ada, domainApiUrl: 'https://other.example' } }) },
      'TENANTS: "a" and "b" have the same user name, by which the journal tells accounts apart; keep one of them.',
    ],
    [
      'a live account without an address',
      { UPSTREAM: 'live', ...rowsOf({ a: ada }) },
      'TENANTS: "a" needs a "domainApiUrl", because DOMAIN_API_URL is not set.',
    ],
    [
      'an address that can be listened to',
      { ...live, ...rowsOf({ a: { ...ada, domainApiUrl: 'http://other.example' } }) },
      'TENANTS: the URLs of "a" must begin with https: because a credential travels in every call.',
    ],
    [
      'an address beside the sandbox started along',
      rowsOf({ a: { ...ada, domainApiUrl: 'http://other.example' } }),
      'TENANTS: the URLs of "a" need UPSTREAM=live or DOMAIN_API_URL; without those, all accounts are of the sandbox started along.',
    ],
    [
      'an empty file',
      rowsOf({ a: { ...ada, passwordFile: empty } }),
      `TENANTS: of "a" the file "${empty}" is empty.`,
    ],
    [
      'a file of two lines',
      rowsOf({ a: { ...ada, usernameFile: twoLines } }),
      `TENANTS: of "a" the file "${twoLines}" holds more than one line, or more than 512 characters.`,
    ],
    [
      'a key for nobody',
      { ...rowsOf({ a: ada }), API_KEYS: keyFor('z') },
      'API_KEYS: the key "shop" is for "z", which is no account of TENANTS.',
    ],
    [
      'a key for somebody without TENANTS',
      { API_KEYS: keyFor('a') },
      'API_KEYS: the key "shop" is for "a", which is no account of TENANTS.',
    ],
    [
      'a key that names no account',
      { ...rowsOf({ a: ada }), API_KEYS: keyFor() },
      'TENANTS needs an account called "default" for callers that name none; else give each key and issuer a "tenant", and set no API_KEY.',
    ],
    [
      'callers that nobody asks',
      { ...rowsOf({ a: ada }), API_KEYS: undefined },
      'TENANTS needs an account called "default" for callers that name none; else give each key and issuer a "tenant", and set no API_KEY.',
    ],
  ])('%s', (_what, env, sentence) => {
    expect(problemsOf(env)).toEqual([sentence]);
  });
});
