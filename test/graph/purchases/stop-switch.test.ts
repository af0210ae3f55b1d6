import { readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newFolder } from '../../support/folder.ts';
import { startTestGateway } from '../../support/gateway.ts';
import { isLong, whyNotShort } from '../../support/long.ts';
import { createDatabase, whyNoPostgres } from '../../support/postgres.ts';
import { runPurchases } from '../../support/process.ts';
import { because } from '../../support/skipped.ts';
import { countPurchases, openShop, type Shop } from './shop.ts';

/** The short form uses one of the two databases. */
const drivers = isLong
  ? ['SQLite', 'PostgreSQL']
  : [whyNoPostgres === null ? 'PostgreSQL' : 'SQLite'];

describe.each(drivers)('the stop switch of a journal on %s', (driver) => {
  const isLeftOut = driver === 'PostgreSQL' && whyNoPostgres !== null;
  if (isLeftOut) {
    test.skip(`all tests${because(whyNoPostgres)}`, () => undefined);
    return;
  }

  let folder: string;
  let env: Record<string, string>;
  let shop: Shop;
  let removeDatabase = async () => {};
  beforeAll(async () => {
    folder = await newFolder('stop');
    env = { DATA_DIR: folder };
    if (driver === 'PostgreSQL') {
      const database = await createDatabase();
      env = { ...env, DATABASE_URL: database.url };
      removeDatabase = database.remove;
    }
    shop = await openShop({ env });
  });
  afterAll(async () => {
    await shop?.close();
    await removeDatabase();
    await rm(folder, { recursive: true });
  });

  const time = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/;
  const reason = 'Invoices do not add up; ask Ada.';
  const refusal = {
    __typename: 'PurchasesStopped',
    code: 'PURCHASES_STOPPED',
    message: expect.stringMatching(
      `^The operator stopped all purchases at ${time.source}: "${reason}".$`,
    ),
    path: ['input', 'domain'],
    executed: 'NO',
    retryable: true,
    ...{ upstreamCode: null, upstreamMessage: null },
    since: expect.stringMatching(time),
    reason,
  };

  test('is off by default', async () => {
    expect(await runPurchases(env, 'status')).toEqual({
      exitCode: 0,
      stdout: 'Purchases of sandbox:demo are allowed.\n',
      stderr: '',
    });
  });

  test('refuses every new purchase with its reason at once', async () => {
    const known = { domain: 'bought-before.com', idempotencyKey: 'before' };
    const { purchase } = await shop.register(known);
    await shop.arm('gateway', { action: 'registerdomain' });
    const open = await shop.register({ domain: 'open-before.com' });

    const { exitCode, stdout } = await runPurchases(env, 'stop', ...reason.split(' '));
    const registration = await shop.register({ domain: 'not-now.com' });
    const sent = await countPurchases(shop);
    const transfer = await shop.transfer({ domain: 'outside-not-now.com' });
    const tried = await shop.register({ domain: 'not-now.com', dryRun: true });
    const wrong = await shop.register({ domain: 'reseller-demo.com', period: 99 });

    expect(exitCode).toBe(0);
    expect(stdout).toMatch(
      RegExp(`^Purchases of sandbox:demo are stopped since ${time.source}: "${reason}"\\.\n$`),
    );
    for (const made of [registration, transfer, tried]) {
      expect(made).toMatchObject({ purchase: null, errors: [refusal] });
    }
    expect(sent + (await countPurchases(shop))).toBe(0);
    expect(wrong.errors.map(({ code }: { code: string }) => code)).toEqual([
      'PERIOD_OUT_OF_RANGE',
      'ALREADY_OWNED',
      'PURCHASES_STOPPED',
    ]);
    expect(await shop.register(known)).toMatchObject({ purchase, replayed: true, errors: [] });
    expect((await shop.purchase(open.purchase.id)).state).toBe('PENDING');
  });

  test('affects no read, no other write and no settlement of an open purchase', async () => {
    const { data } = await shop.gateway.query(/* GraphQL */ `mutation {
      setNameServers(input: { domain: "unlocked-demo.com", nameServers: ["a.hosts.net", "b.hosts.net"] }) {
        domain { nameServers } errors { code } } }`);
    const read = await shop.gateway.query('{ domain(name: "reseller-demo.com") { name } }');

    expect(data.setNameServers).toEqual({
      domain: { nameServers: ['a.hosts.net', 'b.hosts.net'] },
      errors: [],
    });
    expect(read.data.domain).toEqual({ name: 'reseller-demo.com' });
  });

  test('applies to every gateway with this journal, and after a restart', async () => {
    const other = await startTestGateway({
      env: { ...env, DOMAIN_API_URL: `${shop.gateway.sandboxUrl}/domain-api` },
    });
    const document =
      'mutation { transferDomain(input: { domain: "outside-other.com", authCode: "x" }) { errors { code } } }';
    const { data } = await other.query(document);
    await other.close();
    await shop.gateway.restart();

    expect(data.transferDomain.errors).toEqual([{ code: 'PURCHASES_STOPPED' }]);
    expect((await shop.register({ domain: 'after-restart.com' })).errors).toEqual([refusal]);
  });

  test('applies to one tenant only', async () => {
    const login = { DOMAIN_API_USERNAME: 'other', DOMAIN_API_PASSWORD: 'other-password' };

    const { stdout } = await runPurchases({ ...env, ...login }, 'status');

    expect(stdout).toBe('Purchases of sandbox:other are allowed.\n');
  });

  test('allows purchases again after the start command', async () => {
    const { stdout } = await runPurchases(env, 'start');

    expect(stdout).toBe('Purchases of sandbox:demo are allowed.\n');
    expect((await shop.register({ domain: 'at-last.com' })).purchase.state).toBe('SUCCEEDED');
  });
});

/** Each of them starts a process. */
const misused: readonly (readonly [what: string, args: readonly string[], sentence: string])[] = [
  ['nothing to do', [], 'Give a command: stop "reason", start or status; see --help.'],
  ['an unknown word', ['pause'], 'Give a command: stop "reason", start or status; see --help.'],
  [
    'a stop without a reason',
    ['stop', ' '],
    'stop needs a reason of 1 to 200 characters, which clients see: stop "reason".',
  ],
  ['a word too many', ['start', 'now'], 'start takes no further words; see --help.'],
  [
    'an unknown option, which is no reason',
    ['stop', '--reason', 'Why'],
    "Unknown option '--reason'; see --help.",
  ],
];

describe('the purchases command', () => {
  test.each(isLong ? misused : misused.slice(-1))(
    'refuses %s with one sentence',
    async (_what, args, sentence) => {
      expect(await runPurchases({}, ...args)).toEqual({
        exitCode: 2,
        stdout: '',
        stderr: `purchases: ${sentence}\n`,
      });
    },
  );

  test.skipIf(whyNotShort)('refuses settings that the gateway refuses', async () => {
    const { exitCode, stderr } = await runPurchases({ PORT: 'x' }, 'status');

    expect([exitCode, stderr]).toEqual([
      2,
      'purchases: PORT must be a whole number from 0 to 65535; it is "x".\n',
    ]);
  });

  test('creates no journal where none exists', async () => {
    const empty = await newFolder('stop');

    const thrown = await runPurchases({ DATA_DIR: empty }, 'stop', 'In the wrong folder.');

    expect(thrown).toMatchObject({ exitCode: 1, stdout: '' });
    expect(thrown.stderr).toContain('There is no journal at');
    expect(await readdir(empty)).toEqual([]);
    await rm(empty, { recursive: true });
  });

  test('reports a journal that it cannot use', async () => {
    const folder = await newFolder('stop');
    await writeFile(join(folder, 'sandbox-journal.sqlite'), 'This is no database. '.repeat(99));

    const { exitCode, stderr } = await runPurchases({ DATA_DIR: folder }, 'stop', 'why');
    await rm(folder, { recursive: true });

    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/^purchases: The journal cannot use the file .*\n$/);
  });

  test.skipIf(whyNotShort)('prints its help', async () => {
    const { exitCode, stdout } = await runPurchases({}, '--help');

    expect(exitCode).toBe(0);
    expect(stdout).toContain('npm run purchases -- [--tenant name] <command>');
  });
});
