import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Canary, createScanner, type Leak } from '../support/canary.ts';
import { startCollector } from '../support/collector.ts';
import { bareEnvironment } from '../support/process.ts';
import { type Mood, startEchoingService } from './echoing-service.ts';

const planted = {
  username: 'canary-user-7f3a',
  password: 'canary"pässword/7f3b',
  key: 'canary-key-7f3c7f3c7f3c',
  'wrong key': 'canary-wrong-key-7f3d',
  token: 'canaryhead.canarybody7f3e.canarysign7f3e',
  'auth code': 'Canary-Code-7f3f',
  'first name': 'Canarina7f40',
  'last name': 'Canaretti7f41',
  company: 'Canary Cages 7f42',
  email: 'canary7f43@cages.example',
  phone: '3015557144',
  street: 'Canary Row 7f45',
  'idempotency key': 'canary-order-7f46',
  cookie: 'canarysession7f47',
  'database password': 'canary-db-7f48',
  'collector login': 'canary-login-7f49',
  'profiles key': 'canary+profiles+key+7f4a/7f4a/7f4a/7f4a/7f4=',
} as const;
const canaries: readonly Canary[] = Object.entries(planted).map(([kind, value]) => ({
  kind,
  value,
}));
const scan = createScanner(canaries);

const contact = {
  ...{ firstName: planted['first name'], lastName: planted['last name'] },
  ...{ company: planted.company, email: planted.email, phone: `+1 ${planted.phone}` },
  address: { line1: planted.street, city: 'Reston', state: 'VA', zipCode: '20190', country: 'US' },
};

const register = /* GraphQL */ `mutation Buy($input: RegisterDomainInput!) {
  registerDomain(input: $input) { purchase { state } errors { code message } } }`;
const saveProfile = /* GraphQL */ `mutation Save($input: SaveContactProfileInput!) {
  saveContactProfile(input: $input) { profile { id name } errors { code message } } }`;
const transfer = /* GraphQL */ `mutation Move($input: TransferDomainInput!) {
  transferDomain(input: $input) { purchase { state } errors { code message } } }`;
const order = (domain: string) => ({
  input: {
    domain,
    period: 1,
    nameServers: ['a.hosts.net', 'b.hosts.net'],
    registrant: { fields: contact },
  },
});
const move = { input: { domain: 'outside-shop.com', authCode: planted['auth code'], period: 1 } };

/** The queries that are sent in every mode of the upstream. */
const queries: readonly (readonly [document: string, variables?: object])[] = [
  [
    '{ domain(name: "reseller-demo.com") { authCode contacts { registrant { email phone { e164 } } } } }',
  ],
  ['{ domains { totalCount } reseller { name } tlds { totalCount } }'],
  ['{ availability(name: "maple-harbor.com") { state reason } }'],
  [register, order('maple-harbor.com')],
  [transfer, move],
  [saveProfile, { input: { name: 'Office', contact } }],
  [
    'mutation { setDefaults(input: { profile: "unknown", transferLocked: true }) { errors { code message } } }',
  ],
  ['{ contactProfiles { nodes { id name customer } } purchaseDefaults { profile { name } } }'],
  ['mutation { deleteLogs(input: { confirm: true }) { errors { code message } } }'],
  ['mutation { createCart(input: { items: [] }) { errors { code message } } }'],
];

/** Invalid requests with secrets in them. */
const nonsense: readonly unknown[] = [
  {
    query: register,
    variables: { input: { ...order('a.com').input, authCode: planted['auth code'] } },
  },
  {
    query: register,
    variables: { input: { ...order('a.com').input, registrant: { fields: planted.email } } },
  },
  { query: register, variables: { input: [contact, planted.token] } },
  { query: saveProfile, variables: { input: { name: 'x', contact: { ...contact, phone: 'x' } } } },
  { query: saveProfile, variables: { input: { name: 'x', contact: [contact] } } },
  { query: transfer, variables: { input: { ...move.input, period: planted.password } } },
  { query: `{ domain(name: 5, code: "${planted['auth code']}") { name } }` },
  { query: `{ domains(first: "${planted.token}") { totalCount } }` },
  { query: `{ domain(name: "a.com" "${planted['auth code']}") { name } }` },
  { query: '{ tlds { totalCount } }', variables: planted.token },
  { query: '{ tlds { totalCount } }', secret: planted.key },
  `{ "query": ${planted.password}`,
];

const root = new URL('../../', import.meta.url).pathname;

function run(env: Readonly<Record<string, string>>) {
  const child: ChildProcess = spawn(process.execPath, ['src/cli/run.mjs', 'src/main'], {
    cwd: root,
    env: { ...bareEnvironment, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = { out: '', err: '' };
  child.stdout?.on('data', (chunk) => {
    output.out += chunk;
  });
  child.stderr?.on('data', (chunk) => {
    output.err += chunk;
  });
  return { child, output, ended: once(child, 'close') };
}

describe('a real gateway at LOG_LEVEL=debug with traces and metrics', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'reseller-graph-canary-'));
  const responses: { where: string; text: string }[] = [];
  const written: { where: string; text: string | Buffer }[] = [];

  beforeAll(async () => {
    const service = await startEchoingService({
      [planted.username]: 'demo',
      [planted.password]: 'demo-password',
      [planted.token]: 'demo-token',
    });
    const collector = await startCollector();
    const settings = {
      ...{ PORT: '0', METRICS_PORT: '0', LOG_LEVEL: 'debug', DEVELOPMENT: 'false' },
      ...{ DATA_DIR: dataDir, AUTH: 'keys', API_KEY: planted.key, UPSTREAM_TIMEOUT_MS: '30000' },
      DOMAIN_API_URL: `${service.url}/domain-api`,
      ACCOUNT_API_URL: `${service.url}/account-api`,
      ...{ DOMAIN_API_USERNAME: planted.username, DOMAIN_API_PASSWORD: planted.password },
      ...{ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_BSP_SCHEDULE_DELAY: '50' },
      PROFILES_KEY: planted['profiles key'],
      OTEL_EXPORTER_OTLP_HEADERS: `authorization=${planted['collector login']}`,
    };
    const gateway = run(settings);
    const beside = run({
      ...settings,
      DATABASE_URL: `postgres://canary:${planted['database password']}@127.0.0.1:1/none`,
    });
    const urlOf = async (event: string, { output, child } = gateway) => {
      for (;;) {
        const lines = output.err.split('\n').filter((line) => line.startsWith('{'));
        const line = lines.find((one) => one.includes(`"msg":"${event}"`));
        if (line) return JSON.parse(line).url as string;
        if (child.exitCode !== null) throw new Error(output.err);
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    };
    const url = await urlOf('listening');
    const headers = {
      'content-type': 'application/json',
      'x-api-key': planted.key,
      authorization: `Bearer ${planted.token}`,
      cookie: `session=${planted.cookie}`,
    };
    const send = async (where: string, path: string, init: RequestInit, isWhole: boolean) => {
      const response = await fetch(`${url}${path}`, init);
      const text = await response.text();
      const checked = isWhole || response.status >= 400 ? text : errorsIn(text);
      responses.push({ where, text: `${checked}\n${JSON.stringify([...response.headers])}` });
    };
    const post = (where: string, body: unknown, more: object = {}) =>
      send(
        where,
        '/graphql',
        {
          method: 'POST',
          headers: { ...headers, ...more },
          body: typeof body === 'string' ? body : JSON.stringify(body),
        },
        where !== 'as usual',
      );

    // The wrong login is last, because it pauses the calls to the upstream.
    const moods: readonly Mood[] = ['as usual', 'error', 'page', 'garbage', 'unauthorized'];
    for (const mood of moods) {
      service.be(mood);
      const key = { 'idempotency-key': `${planted['idempotency key']}-${moods.indexOf(mood)}` };
      await Promise.all(
        queries.map(([query, variables]) =>
          post(mood, { query, variables }, query.startsWith('mutation Buy') ? key : {}),
        ),
      );
    }
    for (const body of nonsense) await post('nonsense', body);
    await post('a wrong key', { query: '{ __typename }' }, { 'x-api-key': planted['wrong key'] });
    const inUrl = new URLSearchParams({ query: '{ nope }', variables: JSON.stringify(contact) });
    await send('a URL', `/graphql?${inUrl}`, { headers }, true);
    await send(
      'a path',
      `/${encodeURIComponent(planted.token)}?key=${planted.key}`,
      { headers },
      true,
    );
    const figures = await fetch(`${await urlOf('metrics')}/metrics`);
    written.push({ where: 'metrics', text: await figures.text() });

    // The last request was for a path, and its span is the last.
    const hasLast = () => collector.batches.some(({ body }) => body.includes('"intValue":404'));
    while (!hasLast()) await new Promise((resolve) => setTimeout(resolve, 20));
    // Without PostgreSQL a gateway keeps running, not ready.
    const health = await fetch(`${await urlOf('listening', beside)}/health/ready`);
    written.push({ where: 'health without a database', text: await health.text() });
    for (const { child } of [gateway, beside]) child.kill('SIGTERM');
    await Promise.all([gateway.ended, beside.ended]);
    for (const [name, { output }] of Object.entries({ gateway, beside })) {
      written.push({ where: `${name}: stdout`, text: output.out });
      written.push({ where: `${name}: stderr`, text: output.err });
    }
    for (const { body } of collector.batches) written.push({ where: 'spans', text: body });
    collector.close();
    await service.close();
  }, 120_000);
  afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

  const leaksIn = (all: readonly { where: string; text: string | Buffer }[]): readonly Leak[] =>
    all.flatMap(({ where, text }) => scan(where, text));

  test('returns no secret in an error', { tags: ['I8'] }, () => {
    expect(responses.length).toBeGreaterThan(queries.length * 5);
    expect(leaksIn(responses)).toEqual([]);
  });

  test('writes no secret to its output, its metrics and its spans', { tags: ['I8'] }, () => {
    const wheres = new Set(written.map(({ where }) => where));
    expect(wheres).toContain('spans');
    expect(written.find(({ where }) => where === 'gateway: stderr')?.text).toContain(
      'upstream call',
    );
    expect(written.find(({ where }) => where === 'beside: stderr')?.text).not.toBe('');
    expect(leaksIn(written)).toEqual([]);
  });

  test('stores on disk no secret but the account and the idempotency keys, which the journal needs', {
    tags: ['I8'],
  }, () => {
    const files = readdirSync(dataDir, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));
    const kinds = files.flatMap((file) => scan(file, readFileSync(file))).map(({ kind }) => kind);

    expect(files.length).toBeGreaterThan(0);
    expect([...new Set(kinds)].sort()).toEqual(['idempotency key', 'username']);
  });
});

/** The top-level errors and the errors in the data. */
function errorsIn(text: string): string {
  const found: unknown[] = [];
  JSON.parse(text, (key, value) => {
    if (key === 'errors') found.push(value);
    return value;
  });
  return JSON.stringify(found);
}

describe('the scanner', () => {
  const value = planted.password;
  const bytes = Buffer.from(value);

  test.each([
    ['plain', `x${value}y`],
    ['in other letters', value.toUpperCase()],
    ['in JSON', JSON.stringify({ value })],
    ['in JSON in JSON', JSON.stringify(JSON.stringify({ value }))],
    ['in base64', Buffer.from(`ab${value}cd`).toString('base64')],
    ['in base64url', Buffer.from(`a${value}bc`).toString('base64url')],
    ['in hex', bytes.toString('hex')],
    ['percent-encoded', `?p=${encodeURIComponent(value)}`],
    ['backwards', [...value].reverse().join('')],
  ])('finds a secret %s', (_how, text) => {
    expect(scan('here', text)).toContainEqual(expect.objectContaining({ kind: 'password' }));
  });

  test('finds a secret in UTF-16', () => {
    const written = Buffer.from(planted.key, 'utf16le');

    expect(scan('here', written)).toContainEqual(expect.objectContaining({ encoding: 'UTF-16' }));
  });

  test('finds no secret in other text', () => {
    expect(scan('here', 'canary and user, key and password')).toEqual([]);
  });
});
