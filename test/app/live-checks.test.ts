import { open, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { checkLive, type Finding } from '../../src/app/live-checks.ts';
import { readConfig } from '../../src/app/read-config.ts';
import { recordBackup } from '../../src/persistence/backup.ts';
import { openSqliteJournal } from '../../src/persistence/sqlite.ts';
import { newFolder } from '../support/folder.ts';
import { startTestGateway } from '../support/gateway.ts';
import { bareEnvironment, runCommand } from '../support/process.ts';

const gateway = await startTestGateway();
const folder = await newFolder('check');
await writeFile(join(folder, 'file'), '');
afterAll(async () => {
  await gateway.close();
  await rm(folder, { recursive: true });
});

const live = {
  ...{ UPSTREAM: 'live', DATA_DIR: folder, API_KEY: 'key-of-the-shop-0123456789' },
  DOMAIN_API_URL: `${gateway.sandboxUrl}/domain-api`,
  ACCOUNT_API_URL: `${gateway.sandboxUrl}/account-api`,
  ...{ DOMAIN_API_USERNAME: 'demo', DOMAIN_API_PASSWORD: 'demo-password' },
};
const complete = {
  ...{ SPEND_LIMITS: '{"perHour":20}', METRICS_PORT: '0', BALANCE_LOW: 'USD:100' },
  ...{ EVENTS_INTERVAL_SECONDS: '300', PRICES_FILE: 'none' },
};

/** A folder whose journal has a damaged page that no statement of a start reads. */
async function damageJournal(): Promise<string> {
  const damaged = join(folder, 'damaged');
  const file = join(damaged, 'journal.sqlite');
  await (await openSqliteJournal({ file })).close();
  await using handle = await open(file, 'r+');
  await handle.write(Buffer.alloc(pageSize, 'x'), 0, pageSize, 30 * pageSize);
  return damaged;
}
const pageSize = 4_096;

const expectNoSecret = (output: string) =>
  expect(output).not.toMatch(/demo-password|key-of-the-shop|wrong-password/);

/** The lines of `check` by status, and its exit code. */
async function check(env: Readonly<Record<string, string>>) {
  const { exitCode, stdout, stderr } = await runCommand('src/cli/check', { ...live, ...env }, []);
  const lines = stdout.trim().split('\n');
  const of = (status: string) => lines.filter((line) => line.startsWith(`${status} `));
  expectNoSecret(stdout + stderr);
  expect(stderr).toBe('');
  return { exitCode, ok: of('ok'), warnings: of('warning'), failed: of('failed'), lines };
}

/** What `check` prints as lines. */
async function findingsOf(env: Readonly<Record<string, string>>) {
  const findings: Finding[] = [];
  const config = readConfig({ ...bareEnvironment, ...live, ...env });
  for await (const finding of checkLive(config)) findings.push(finding);
  expectNoSecret(JSON.stringify(findings));
  return findings;
}

test('a gateway that is ready for live use has no warnings, and the registrar receives one read', async () => {
  const file = join(folder, 'journal.sqlite');
  await (await openSqliteJournal({ file })).close();
  recordBackup(file, new Date());
  await gateway.resetCalls();

  const { exitCode, ok, lines } = await check(complete);

  expect(ok).toHaveLength(lines.length - 1);
  expect(ok).toContain(
    'ok       login of "default": The registrar accepts it. Balances: 2500.0000 USD, 60000.0000 TRY.',
  );
  expect(lines.at(-1)).toBe(`${ok.length} ok, 0 warnings, 0 failed.`);
  expect(exitCode).toBe(0);
  expect(await gateway.countCalls()).toEqual({ resellerdetails: 1 });
});

test.each([
  [
    'an upstream that is away',
    { DOMAIN_API_URL: 'http://127.0.0.1:2' },
    /refused the connection \(ECONNREFUSED\)\. Check DOMAIN_API_URL/,
  ],
  [
    'an upstream with plain HTTP',
    { DOMAIN_API_URL: `${gateway.sandboxUrl.replace('http:', 'https:')}/domain-api` },
    /The TLS handshake with the endpoint failed \(\w+\)\. Check DOMAIN_API_URL/,
  ],
  [
    'an address that is not that of the API',
    { DOMAIN_API_URL: `${gateway.sandboxUrl}/elsewhere` },
    /The response is not one of the Domain API, perhaps a page or a redirect\. Check DOMAIN_API_URL/,
  ],
  [
    'an Account API that is away',
    { ACCOUNT_API_URL: 'http://127.0.0.1:2' },
    /refused the connection \(ECONNREFUSED\)\. Check ACCOUNT_API_URL/,
  ],
  [
    'a journal that cannot be written',
    { DATA_DIR: join(folder, 'file'), KEYS_FILE: join(folder, 'keys.json') },
    /journal: .*: a part of its path is a file, not a folder\. Check DATA_DIR/,
  ],
  ['a damaged journal', { DATA_DIR: await damageJournal() }, /journal: .* it is damaged \(/],
])('%s fails with what to do', async (_what, env, sentence) => {
  const found = await findingsOf({ ...complete, ...env });

  const failed = found.filter(({ status }) => status === 'failed');
  expect(failed.map((one) => `${one.point}: ${one.sentence}`)).toEqual([
    expect.stringMatching(sentence),
  ]);
});

test('the login is checked before a client has a key', async () => {
  const { exitCode, ok, failed } = await check({
    ...complete,
    ...{ API_KEY: '', KEYS_FILE: join(folder, 'no-keys.json') },
  });

  expect(ok[2]).toMatch(/login of "default": The registrar accepts it/);
  expect(failed).toEqual([expect.stringMatching(/keys: No client has credentials/)]);
  expect(exitCode).toBe(1);
});

test('a made key that has expired is a warning with its name', async () => {
  const KEYS_FILE = join(folder, 'expiring.json');
  const key = (digit: string, expires: string) => ({
    ...{ prefix: digit.repeat(10), sha256: digit.repeat(64), scopes: ['ops'], expires },
    made: '2026-01-01T00:00:00Z',
  });
  const keys = { old: key('1', '2026-01-02T00:00:00Z'), till: key('2', '2099-01-01T00:00:00Z') };
  await writeFile(KEYS_FILE, JSON.stringify(keys));

  const found = await findingsOf({ ...complete, KEYS_FILE });

  expect(found.filter(({ point }) => point === 'keys')).toEqual([
    { status: 'ok', point: 'keys', sentence: 'Keys: 3; issuers of tokens: 0.' },
    {
      ...{ status: 'warning', point: 'keys' },
      sentence: 'The key "old" has expired; revoke it and make another one.',
    },
  ]);
});

test('of several tenants each login is checked, and the limits of one are limits', async () => {
  const TENANTS_FILE = join(folder, 'tenants.json');
  const tenants = {
    north: { username: 'demo', password: 'demo-password' },
    south: { username: 'demo-two', password: 'wrong-password', spendLimits: { perHour: 20 } },
  };
  await writeFile(TENANTS_FILE, JSON.stringify(tenants));
  const keys = { shop: { sha256: 'a'.repeat(64), tenant: 'south' } };

  const found = await findingsOf({
    ...{ ...complete, TENANTS_FILE, API_KEYS: JSON.stringify(keys), API_KEY: '' },
    ...{ SPEND_LIMITS: '', DOMAIN_API_USERNAME: '', DOMAIN_API_PASSWORD: '' },
  });

  const statuses = Object.fromEntries(found.map(({ point, status }) => [point, status]));
  expect(statuses).toMatchObject({
    ...{ 'login of "north"': 'ok', 'login of "south"': 'failed', 'spend limits': 'ok' },
  });
});

test.each([
  ['a refused login', { DOMAIN_API_PASSWORD: 'wrong-password' }, /login of "default": .*refuses/],
  ['a wrong setting', { PORT: 'x' }, /settings: PORT must be/],
])('%s is the failure of the command', async (_what, env, sentence) => {
  const { exitCode, failed, lines } = await check({ ...complete, ...env });

  expect(failed).toEqual([expect.stringMatching(sentence)]);
  expect(lines.at(-1)).toMatch(/, 1 failed\.$/);
  expect(exitCode).toBe(1);
});

test('settings that live use should have are warnings', async () => {
  const { exitCode, warnings } = await check({
    KEYS_FILE: join(folder, 'keys.json'),
    ...{ EVENTS_INTERVAL_SECONDS: '0', PRICES_FILE: '', DATA_DIR: join(folder, 'no-backup') },
  });

  expect(warnings[0]).toMatch(/^warning {2}settings: PRICES_FILE is not set, .*; set it to /);
  expect(warnings.map((line) => /^warning {2}([^:]+)/.exec(line)?.[1])).toEqual([
    'settings',
    'spend limits',
    'backup',
    'alerts',
    'events',
    'low balance',
  ]);
  expect(exitCode).toBe(0);
});
