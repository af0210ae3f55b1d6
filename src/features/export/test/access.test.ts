import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { apiKeysOf, by } from '../../../../test/access/keys.ts';
import { openShop, order, type Shop } from '../../../../test/graph/purchases/shop.ts';
import { csvObjects } from '../../../../test/support/csv.ts';
import { startTestGateway, type TestGateway } from '../../../../test/support/gateway.ts';
import { sendRaw } from '../../../../test/support/raw-request.ts';
import { as, openThree, type SharedGateway } from '../../../../test/tenants/accounts.ts';
import { schema } from '../../../app/graph.ts';
import { type AccessScope, allAccessScopes } from '../../../kernel/caller.ts';
import { neededFor } from '../../../schema/access.ts';
import { exportFiles } from '../files.ts';
import { download, files, pathOf } from './downloads.ts';

/** The field of the graph with the data of each file. */
const fieldOf = {
  'domains.csv': 'domains',
  'domains.jsonl': 'domains',
  'purchases.csv': 'purchases',
  'audit.csv': 'auditLog',
  'statement.csv': 'purchases',
  'prices.csv': 'tlds',
} as const;

/** A scope that each file needs. */
const scopeOf: Readonly<Record<string, readonly AccessScope[]>> = {
  'domains.csv': ['domains:read'],
  'domains.jsonl': ['domains:read'],
  'purchases.csv': ['domains:spend'],
  'audit.csv': ['audit:read'],
  'statement.csv': ['domains:spend'],
  'prices.csv': ['domains:check'],
};
const othersThan = (file: string) =>
  allAccessScopes.filter((scope) => scope !== 'ops' && !scopeOf[file]?.includes(scope));
const keyFor = (file: string) => file.replace('.', '-');
const keyWithout = (file: string) => `not-${keyFor(file)}`;

const errorsIn = (text: string) => JSON.parse(text).errors;

describe('a gateway with keys', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startTestGateway({
      sandboxDomains: 10,
      accountToken: null,
      env: {
        API_KEYS: apiKeysOf({
          ...Object.fromEntries(files.map((file) => [keyFor(file), scopeOf[file]])),
          ...Object.fromEntries(files.map((file) => [keyWithout(file), othersThan(file)])),
          overseer: ['ops'],
        }),
      },
    });
  });
  beforeEach(() => gateway.resetCalls());
  afterAll(() => gateway?.close());

  test.each(files)('%s needs the scopes of its field in the graph, and no other', async (file) => {
    const field = schema.getQueryType()?.getFields()[fieldOf[file]];
    expect(exportFiles[file]?.needed).toEqual(field && neededFor(field));

    expect(await download(gateway, file, { headers: by(keyFor(file)) })).toMatchObject({
      status: 200,
    });
  });

  test.each(files)('%s is refused before any upstream call without its scope', async (file) => {
    for (const headers of [{}, { 'x-api-key': 'an-unknown-key-of-this-gateway' }]) {
      const refused = await download(gateway, file, { headers });
      const requestId = refused.headers['x-request-id'];

      expect(refused).toMatchObject({
        status: 401,
        headers: {
          'content-type': 'application/json; charset=utf-8',
          'www-authenticate': expect.any(String),
        },
      });
      expect(errorsIn(refused.text)).toMatchObject([
        {
          message: expect.any(String),
          extensions: { code: 'UNAUTHENTICATED', executed: 'NO', retryable: false, requestId },
        },
      ]);
    }
    const { status, text } = await download(gateway, file, { headers: by(keyWithout(file)) });

    expect(status).toBe(403);
    expect(errorsIn(text)).toMatchObject([
      {
        message: expect.stringContaining(`"${exportFiles[file]?.needed[0]}"`),
        extensions: { code: 'FORBIDDEN', executed: 'NO', retryable: false },
      },
    ]);
    expect(await gateway.countCalls()).toEqual({});
  });

  test('purchases are sent to a key with the scope ops', async () => {
    expect(await download(gateway, 'purchases.csv', { headers: by('overseer') })).toMatchObject({
      status: 200,
    });
  });
});

describe('purchases.csv', () => {
  let shop: Shop;
  beforeAll(async () => {
    shop = await openShop({
      env: {
        API_KEYS: apiKeysOf({
          shop: ['domains:spend', 'account:read'],
          rival: ['domains:spend', 'account:read'],
          overseer: ['ops'],
        }),
      },
    });
    await shop.register({ domain: 'of-the-shop.com' }, by('shop'));
    await shop.register({ domain: 'of-the-rival.com' }, by('rival'));
  });
  afterAll(() => shop?.close());

  const rowsOf = async (name: string) => {
    const { text } = await download(shop.gateway, 'purchases.csv', { headers: by(name) });
    return csvObjects(text).map(({ domain, caller }) => [domain, caller]);
  };

  test('has the own purchases of a caller, without its name', async () => {
    expect(await rowsOf('shop')).toEqual([['of-the-shop.com', '']]);
  });

  test('has the purchases and names of all callers with the scope ops', async () => {
    expect(await rowsOf('overseer')).toEqual([
      ['of-the-rival.com', 'rival'],
      ['of-the-shop.com', 'shop'],
    ]);
  });
});

describe('two tenants', () => {
  let shared: SharedGateway;
  beforeAll(async () => {
    shared = await openThree({
      env: { DOMAIN_MAX_AGE_SECONDS: '600', TLD_MAX_AGE_SECONDS: '600' },
    });
  });
  afterAll(() => shared?.close());

  test('each receive the domains of their own account, with its login', async () => {
    await shared.gateway.resetCalls();
    const [one, two] = shared.accounts;
    for (const account of [one, two, one]) {
      const headers = as(account?.tenant ?? '');
      const { text } = await download(shared.gateway, 'domains.csv', { headers });
      const names = csvObjects(text).map(({ name }) => name);
      expect(names).toEqual([...(account?.held.keys() ?? [])].toSorted());
    }
    const calls = await shared.gateway.upstreamCalls();
    expect(calls.map(({ action, reseller }) => [action, reseller])).toEqual([
      ['getdomainlist', one?.user],
      ['getdomainlist', two?.user],
    ]);
  });

  test('each receive their own purchases', async () => {
    const [one, two] = shared.accounts;
    await one?.send(
      'mutation ($input: RegisterDomainInput!) { registerDomain(input: $input) { errors { code } } }',
      { input: order({ domain: 'of-tenant-one.com' }) },
    );
    const domainsOf = async (tenant = '') => {
      const { text } = await download(shared.gateway, 'purchases.csv', { headers: as(tenant) });
      return csvObjects(text).map(({ domain }) => domain);
    };

    expect(await domainsOf(one?.tenant)).toEqual(['of-tenant-one.com']);
    expect(await domainsOf(two?.tenant)).toEqual([]);
  });
});

describe('a gateway without keys', () => {
  const page = 'https://shop.example';
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startTestGateway({ sandboxDomains: 5, env: { CORS_ORIGINS: page } });
  });
  beforeEach(() => gateway.resetCalls());
  afterAll(() => gateway?.close());

  const send = (headers: Record<string, string>, method = 'GET', path = '/export/domains.csv') =>
    sendRaw(gateway.url, { path, method, headers, body: '' });

  test.each(files)(
    'sends %s to a program and to an address bar, without a credential',
    async (file) => {
      const path = pathOf(file);

      expect(await send({}, 'GET', path)).toMatchObject({ status: '200 OK' });
      const opened = {
        'sec-fetch-site': 'none',
        'sec-fetch-mode': 'navigate',
        accept: 'text/html',
      };
      expect(await send(opened, 'GET', path)).toMatchObject({ status: '200 OK' });
    },
  );

  test.each([
    ['another name of this machine', { host: 'evil.example' }, '421 Misdirected Request'],
    ['a page of another origin', { origin: 'https://evil.example' }, '403 Forbidden'],
    ['an image or a form on another site', { 'sec-fetch-site': 'cross-site' }, '403 Forbidden'],
    [
      'a link on another site',
      { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', accept: 'text/html' },
      '403 Forbidden',
    ],
  ])('refuses a request from %s, before any upstream call', async (_from, headers, status) => {
    const refused = await send(headers);

    expect(refused.status).toBe(status);
    expect(errorsIn(refused.body)[0].extensions).toMatchObject({ executed: 'NO' });
    expect(await gateway.countCalls()).toEqual({});
  });

  test('lets a page of a listed origin send its key and read the file with its headers', async () => {
    const preflight = await send(
      {
        ...{ origin: page, 'access-control-request-method': 'GET' },
        'access-control-request-headers': 'x-api-key',
      },
      'OPTIONS',
    );
    const sent = await send({ origin: page });

    expect(preflight.status).toBe('204 No Content');
    expect(preflight.headers).toMatchObject({
      'access-control-allow-origin': page,
      'access-control-allow-headers': expect.stringContaining('x-api-key'),
    });
    expect(sent).toMatchObject({ status: '200 OK' });
    expect(sent.headers).toMatchObject({
      'access-control-allow-origin': page,
      'access-control-expose-headers': expect.stringContaining('x-list-complete'),
    });
  });

  test.each(['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'])(
    'refuses %s with 405',
    async (method) => {
      const { status, headers, body } = await send({}, method);

      expect(status).toBe('405 Method Not Allowed');
      expect(headers.allow).toBe('GET, HEAD');
      expect(errorsIn(body)[0].extensions.code).toBe('INVALID_REQUEST');
      expect(await gateway.countCalls()).toEqual({});
    },
  );

  test.each(files)('responds to HEAD of %s with the headers of GET and no body', async (file) => {
    const head = await send({}, 'HEAD', pathOf(file));
    const get = await send({}, 'GET', pathOf(file));

    expect(head).toMatchObject({ status: '200 OK', body: '' });
    for (const name of [
      'content-type',
      'content-disposition',
      'x-list-complete',
      'cache-control',
    ]) {
      expect(head.headers[name]).toBe(get.headers[name]);
      expect(get.headers[name]).toEqual(expect.any(String));
    }
    expect(head.headers['last-modified']).toEqual(expect.any(String));
  });

  test.each([
    '/export',
    '/export/',
    '/export/domains',
    '/export/domains.xlsx',
    '/export/__proto__',
  ])('has no file at %s', async (path) => {
    expect(await send({}, 'GET', path)).toMatchObject({ status: '404 Not Found' });
  });
});
