import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { startTestGateway } from '../support/gateway.ts';
import { createGatewayClock } from '../support/gateway-clock.ts';
import { whyNotShort } from '../support/long.ts';
import { runCommand } from '../support/process.ts';

const folder = await mkdtemp(join(tmpdir(), 'keys-'));
const KEYS_FILE = join(folder, 'keys.json');
afterAll(() => rm(folder, { recursive: true }));

const keys = (...words: string[]) => keysWith({ KEYS_FILE }, ...words);
const keysWith = async (
  settings: Readonly<Record<string, string>>,
  ...words: string[]
): Promise<string> => {
  const { exitCode, stdout, stderr } = await runCommand('src/cli/keys', settings, words);
  if (exitCode !== 0) throw Object.assign(new Error(stderr), { code: exitCode, stderr });
  return stdout.trim();
};
const refusalOf = (...words: string[]) =>
  keys(...words).then(
    () => null,
    ({ code, stderr }: { code: number; stderr: string }) => ({ code, stderr }),
  );

test('a created key is stored as a hash in a private file, and a running gateway applies each change', async () => {
  const shop = await keys('make', 'shop', '--scopes', 'domains:check');
  const time = createGatewayClock();
  const gateway = time.withTime(await startTestGateway({ clock: time.clock, env: { KEYS_FILE } }));
  /** The gateway reads the file again within two seconds. */
  const untilRead = () => time.pass(2_000);
  const sendQuery = (key: string, document = '{ tld(name: "com") { name } }') =>
    gateway.query(document, {}, { 'x-api-key': key });
  const statusOf = async (key: string) => (await sendQuery(key)).status;

  expect(shop).toMatch(/^rg_[0-9a-f]{10}_[\w-]{43}$/);
  expect(await readFile(KEYS_FILE, 'utf8')).not.toContain(shop.slice(14));
  expect((await stat(KEYS_FILE)).mode & 0o777).toBe(0o600);
  expect((await sendQuery(shop)).data).toEqual({ tld: { name: 'com' } });
  expect((await sendQuery(shop, '{ reseller { name } }')).errors).toMatchObject([
    { extensions: { code: 'FORBIDDEN' } },
  ]);
  expect(await statusOf(`${shop.slice(0, -1)}_`)).toBe(401);

  const office = await keys('make', 'office', '--scopes', 'account:read,domains:check');
  await untilRead();
  expect(await statusOf(office)).toBe(200);

  const good = await readFile(KEYS_FILE, 'utf8');
  await writeFile(KEYS_FILE, '{ not json');
  await untilRead();
  expect(gateway.lines.map(({ msg }) => msg)).toContain('keys unchanged');
  expect(await statusOf(office)).toBe(200);

  await writeFile(KEYS_FILE, good);
  await keys('revoke', 'shop');
  await untilRead();
  expect(await statusOf(shop)).toBe(401);
  expect(await statusOf(office)).toBe(200);

  await rm(KEYS_FILE);
  await untilRead();
  expect(await statusOf(office)).toBe(401);
  await gateway.close();
});

test('a key has the expiry, the limits, the tenant and the customer of its options', async () => {
  const limits = { perHour: 20 };
  const name = ['till', '--scopes', 'domains:check'];
  const owner = ['--tenant', 'north', '--customer', 'maple'];
  await keys(
    'make',
    ...name,
    '--expires',
    '2099-01-01',
    '--limits',
    JSON.stringify(limits),
    ...owner,
  );

  expect(JSON.parse(await readFile(KEYS_FILE, 'utf8'))).toMatchObject({
    till: { expires: '2099-01-01T00:00:00.000Z', limits, tenant: 'north', customer: 'maple' },
  });
  expect(await keys('list')).toContain(
    'expires 2099-01-01T00:00:00.000Z  tenant north  customer maple  limits {"perHour":20}',
  );
  expect(await refusalOf('make', 'shop', ...name.slice(1), '--limits', '{perHour')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--limits must be JSON'),
  });
  await rm(KEYS_FILE);
});

test('a key whose name exists is not replaced, and a key that does not exist cannot be revoked', async () => {
  await keys('make', 'till', '--scopes', 'domains:check');
  const before = await readFile(KEYS_FILE, 'utf8');

  expect(await refusalOf('make', 'till', '--scopes', 'ops')).toEqual({
    code: 2,
    stderr: 'keys: The key "till" exists; revoke it first, or choose another name.\n',
  });
  expect(await refusalOf('revoke', 'unknown')).toEqual({
    code: 2,
    stderr: 'keys: The key "unknown" does not exist.\n',
  });
  expect(await readFile(KEYS_FILE, 'utf8')).toBe(before);
  await rm(KEYS_FILE);
});

test.skipIf(whyNotShort)(
  'a command that is not valid changes nothing and reports what to do',
  async () => {
    expect(await refusalOf('make', 'till')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--scopes must be a list'),
    });
    await expect(stat(KEYS_FILE)).rejects.toThrow('ENOENT');
  },
);

test('a key of API_KEYS cannot be created or revoked, and an expired key cannot be created', async () => {
  const API_KEYS = JSON.stringify({ shop: { sha256: 'a'.repeat(64), scopes: ['ops'] } });
  const run = (...words: string[]) => keysWith({ KEYS_FILE, API_KEYS }, ...words);
  const refused = (sentence: string) => ({ code: 2, stderr: `keys: ${sentence}\n` });
  const scopes = ['--scopes', 'domains:check'];

  await expect(run('make', 'shop', ...scopes)).rejects.toMatchObject(
    refused('The key "shop" is in API_KEY or API_KEYS; choose another name.'),
  );
  await expect(run('revoke', 'shop')).rejects.toMatchObject(
    refused('The key "shop" is in API_KEY or API_KEYS; remove it there.'),
  );
  await expect(run('make', 'till', ...scopes, '--expires', '2020-01-01')).rejects.toMatchObject(
    refused('--expires 2020-01-01 is in the past.'),
  );
  await expect(stat(KEYS_FILE)).rejects.toThrow('ENOENT');
});

test.skipIf(whyNotShort)('a key that the other replicas would not read is refused', async () => {
  const settings = { DATABASE_URL: 'postgres://gateway@127.0.0.1/gateway', DATA_DIR: folder };
  const make = ['make', 'shop', '--scopes', 'domains:check'];

  await expect(keysWith(settings, ...make)).rejects.toMatchObject({
    code: 2,
    stderr: expect.stringContaining('set KEYS_FILE to a file that all of them read'),
  });
  await expect(stat(KEYS_FILE)).rejects.toThrow('ENOENT');

  expect(await keysWith({ ...settings, KEYS_FILE }, ...make)).toMatch(/^rg_/);
  await rm(KEYS_FILE);
});
