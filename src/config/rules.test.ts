import { hash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { configOf } from '../../test/support/own-config.ts';
import { ConfigError } from './config.ts';
import type { Environment } from './read-values.ts';

const API_KEY = 'a-key-of-sixteen-characters';
const API_KEYS = JSON.stringify({ shop: { sha256: hash('sha256', 'another key') } });
const JWT_ISSUERS = JSON.stringify([
  {
    ...{ name: 'login', issuer: 'https://login.example', jwks: 'https://login.example/keys' },
    ...{ audience: 'graph', algorithms: ['RS256'] },
  },
]);
const DATABASE_URL = 'postgres://127.0.0.1/journal';
const elsewhere = 'https://api.example';
const here = 'http://127.0.0.1:9999';
const live = {
  ...{ UPSTREAM: 'live', DOMAIN_API_URL: elsewhere, API_KEY, PRICES_FILE: 'none' },
  ...{ DOMAIN_API_USERNAME: 'user', DOMAIN_API_PASSWORD: 'password' },
};

/** The sentences of a configuration, or its errors. */
const sentencesOf = (env: Environment): readonly string[] => {
  try {
    return configOf(env).warnings;
  } catch (error) {
    if (error instanceof ConfigError) return error.errors;
    throw error;
  }
};

type Row = readonly [what: string, env: Environment];

describe('these settings fit together:', () => {
  test.each<Row>([
    ['any free ports', { PORT: '0', SANDBOX_PORT: '0' }],
    ['the default port of the sandbox, without a sandbox', { ...live, PORT: '4001' }],
    ['the same, with a sandbox elsewhere', { DOMAIN_API_URL: here, PORT: '4001' }],
    ['a mode of documents and a manifest', { DOCUMENT_MODE: 'log', DOCUMENT_MANIFEST: './m' }],
    ['a manifest', { DOCUMENT_MANIFEST: './m' }],
    ['http to a sandbox', { DOMAIN_API_URL: here, ACCOUNT_API_URL: here }],
    ['http to a sandbox elsewhere', { DOMAIN_API_URL: 'http://sandbox:4001', API_KEY }],
    ['an Account API of the registrar', { ...live, ACCOUNT_API_URL: elsewhere }],
    ['open access on every loopback name', { HOST: 'localhost' }],
    ['open access over a sandbox here', { DOMAIN_API_URL: here, AUTH: 'open' }],
    ['tokens instead of keys', { ...live, API_KEY: undefined, JWT_ISSUERS }],
    ['two different keys', { API_KEY, API_KEYS }],
    ['a wildcard address and its names', { HOST: '0.0.0.0', API_KEY, ALLOWED_HOSTS: 'a.example' }],
    ['one address and a key', { HOST: '10.0.0.7', API_KEY }],
    ['names and a key', { ALLOWED_HOSTS: 'a.example', API_KEY }],
    ['a shared journal', { DATABASE_URL }],
    ['the default port of the sandbox', { ...live, SANDBOX_PORT: '4001' }],
    ['another port of the sandbox', { SANDBOX_PORT: '4002' }],
  ])('%s', (_what, env) => {
    expect(sentencesOf(env)).toEqual([]);
  });
});

describe('one sentence names', () => {
  test.each<[...Row, ...words: string[]]>([
    ['open access to the registrar', { ...live, AUTH: 'open', API_KEY: undefined }, 'AUTH=open'],
    ['http to the registrar', { ...live, DOMAIN_API_URL: 'http://a' }, 'DOMAIN_API_URL'],
    ['names with open access', { ALLOWED_HOSTS: 'a.example' }, 'ALLOWED_HOSTS'],
    ['a key with open access', { AUTH: 'open', API_KEY }, 'API_KEY '],
    ['keys with open access', { AUTH: 'open', API_KEYS }, 'API_KEYS '],
    ['issuers with open access', { AUTH: 'open', JWT_ISSUERS }, 'JWT_ISSUERS '],
    ['approvals with open access', { APPROVALS_FILE: 'a.json' }, 'no second person'],
    ['a port of no sandbox', { DOMAIN_API_URL: here, SANDBOX_PORT: '4002' }, 'SANDBOX_PORT'],
    ['keys without credentials', { AUTH: 'keys' }, 'AUTH=keys'],
    ['live without credentials', { ...live, API_KEY: undefined }, 'UPSTREAM=live'],
    ['a host with open access', { HOST: '10.0.0.7', AUTH: 'open' }, 'HOST=10.0.0.7'],
    [
      'http for two APIs',
      { ...live, DOMAIN_API_URL: 'http://a', ACCOUNT_API_URL: 'http://b' },
      'DOMAIN_API_URL',
      'ACCOUNT_API_URL',
    ],
  ])('%s', (_what, env, ...words) => {
    expect(sentencesOf(env)).toEqual(words.map((word) => expect.stringContaining(word)));
  });
});

describe('an invalid setting counts as present, so that one error is reported for', () => {
  test.each<[string, Environment]>([
    ['UPSTREAM', { UPSTREAM: 'real', DOCUMENT_MODE: 'log' }],
    ['AUTH', { AUTH: 'none', HOST: '10.0.0.7' }],
    ['DOMAIN_API_URL', { ...live, DOMAIN_API_URL: 'api.example' }],
    ['DOMAIN_API_PASSWORD', { ...live, DOMAIN_API_PASSWORD: 'a\tb' }],
    ['API_KEY', { ...live, API_KEY: 'short' }],
    ['ALLOWED_HOSTS', { HOST: '::', API_KEY, ALLOWED_HOSTS: '/' }],
    ['TENANTS', { ...live, DOMAIN_API_USERNAME: undefined, TENANTS: '{' }],
  ])('%s', (name, env) => {
    expect(sentencesOf(env)).toEqual([expect.stringContaining(name)]);
  });
});

describe('a variable that is no setting', () => {
  test.each([
    ['a letter too many', 'MAX_STREAMSS', 'MAX_STREAMS?'],
    ['a letter too many at the front', 'XLOG_LEVEL', 'LOG_LEVEL?'],
    ['a letter too few', 'SPEND_LIMIT', 'SPEND_LIMITS?'],
    ['a letter too few in the middle', 'LOGLEVEL', 'LOG_LEVEL?'],
    ['another letter', 'DATA_DUR', 'DATA_DIR?'],
    ['two letters swapped', 'MAX_STRAEMS', 'MAX_STREAMS?'],
    ['the last letters swapped', 'LOG_LEVLE', 'LOG_LEVEL?'],
    ['a prefix of ours', 'ACCOUNT_API_TOKEN', '--help'],
    ['a file of a setting that is no secret', 'ACCOUNT_API_URL_FILE', '--help'],
  ])('is reported for %s', (_what, name, hint) => {
    expect(sentencesOf({ [name]: 'x' })).toEqual([expect.stringContaining(name)]);
    expect(sentencesOf({ [name]: 'x' }).join()).toContain(hint);
  });

  test.each([
    ['PART', 'one letter from a short name'],
    ['LOG_LEXXL', 'two letters replaced'],
    ['LOG_LEEXL', 'the first of two letters replaced by the second'],
    ['LOG_LEXVL', 'the second of two letters replaced by the first'],
    ['API_KYES_', 'two differences'],
    ['LOG_LVEELS', 'a swap and a letter'],
    ['DATA_RID', 'letters swapped that are no neighbours'],
    ['MY_DOMAIN_API_URL', 'our prefix in the middle'],
  ])('is not reported for %s, %s', (name) => {
    expect(sentencesOf({ [name]: 'x' })).toEqual([]);
  });

  test('is not reported without a value, or with the file of a secret', () => {
    expect(sentencesOf({ MAX_STREAMSS: undefined, DOMAIN_API_PASSWORD_FILE: '' })).toEqual([]);
  });
});
