import { hash } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { makeKey } from '../../../src/access/keyring.ts';
import { writeKeys } from '../../../src/config/keys-file.ts';
import { systemRandomBytes } from '../../../src/lib/system.ts';
import { ada } from '../../support/ada.ts';
import { newFolder } from '../../support/folder.ts';
import { startTestGateway, type TestGateway } from '../../support/gateway.ts';
import { runCommand } from '../../support/process.ts';
import { openShop, operationFields, order, type Payload, type Shop, transferCode } from './shop.ts';

const profilesKey = Buffer.alloc(32, 7).toString('base64');
const key = makeKey(systemRandomBytes);
const headers = { 'x-api-key': key.text };
const scopes = [
  ...['domains:spend', 'domains:read', 'domains:check', 'domains:write', 'contacts:read', 'ops'],
  ...['customers:write', 'approvals:decide', 'prices:cost', 'account:read'],
];

/** The settings of a machine whose files are in this folder. */
const settingsIn = (folder: string) => ({
  DATA_DIR: join(folder, 'data'),
  KEYS_FILE: join(folder, 'etc', 'keys.json'),
  PRICES_FILE: join(folder, 'etc', 'prices.json'),
  APPROVALS_FILE: join(folder, 'etc', 'approvals.json'),
  PROFILES_KEY: profilesKey,
  METRICS_PORT: '0',
});

let parent: string;
let shop: Shop;
const machine = (name: string) => settingsIn(join(parent, name));

beforeAll(async () => {
  parent = await newFolder('backup');
  const env = machine('first');
  writeKeys(env.KEYS_FILE, {
    shop: {
      ...{ prefix: key.prefix, sha256: hash('sha256', key.text), scopes },
      made: '2026-01-01T00:00:00Z',
    },
  });
  await writeFile(env.PRICES_FILE, '{ "rules": [{ "margin": "50" }] }');
  await writeFile(env.APPROVALS_FILE, '{ "rules": [{ "operations": ["TRANSFER"] }] }');
  shop = await openShop({ env });
});
afterAll(async () => {
  await shop?.close();
  await rm(parent, { recursive: true, force: true });
});

const register = (number: number) =>
  shop.register({ domain: `backed-up-${number}.com`, idempotencyKey: `key-${number}` }, headers);

async function ask(gateway: TestGateway, document: string, variables = {}): Promise<Payload> {
  const { data, errors } = await gateway.query(document, variables, headers);
  expect(errors).toBeUndefined();
  return data;
}

/** Sends a mutation, and returns its payload. */
async function mutate(gateway: TestGateway, field: string, input: object, fields: string) {
  const type = `${field.charAt(0).toUpperCase()}${field.slice(1)}Input!`;
  const document = `mutation ($input: ${type}) { ${field}(input: $input) { ${fields} errors { code } } }`;
  return (await ask(gateway, document, { input }))[field];
}

const finished = '{ order(by: { key: "order" }) { finishedAt } }';
const stored = `{
  bought: purchase(by: { key: "key-1" }) { ${operationFields} }
  held: purchase(by: { key: "held" }) { state approval { id state rule { position text } caller } }
  order(by: { key: "order" }) { id createdAt finishedAt state lines { state domainName } }
  approvals { totalCount nodes { id state subject { ... on Purchase { domainName } } requestedAt expiresAt } }
  contactProfiles { nodes { id name contact { firstName email } } }
  tld(name: "com") { prices { cost { amount } price { amount } } }
}`;

test('a gateway over a restored backup has the same keys, rules, prices, profiles and purchases', async () => {
  const backup = join(parent, 'backup');
  const { gateway } = shop;
  for (const number of [1, 2]) await register(number);
  const transfer = { domain: 'outside-one.com', authCode: transferCode, idempotencyKey: 'held' };
  const lines = [{ registration: order({ domain: 'ordered.com' }) }];
  const prepared = [
    await mutate(gateway, 'transferDomain', transfer, 'needsApproval'),
    await mutate(gateway, 'placeOrder', { idempotencyKey: 'order', lines }, 'replayed'),
    await mutate(gateway, 'saveContactProfile', { name: 'Office', contact: ada }, 'profile { id }'),
  ];
  expect(prepared).toMatchObject([{ needsApproval: true }, { errors: [] }, { errors: [] }]);
  await expect
    .poll(async () => (await ask(gateway, finished)).order.finishedAt, { timeout: 60_000 })
    .not.toBeNull();
  const before = await ask(gateway, stored);
  expect(before).toMatchObject({
    bought: { state: 'SUCCEEDED' },
    held: { approval: { state: 'REQUESTED', caller: 'shop' } },
    contactProfiles: { nodes: [{ contact: { email: ada.email } }] },
  });

  let isOver = false;
  const concurrentPurchases = (async () => {
    for (let number = 3; !isOver; number += 1) await register(number);
  })();
  const made = await runCommand('src/cli/backup', machine('first'), [backup]);
  isOver = true;
  await concurrentPurchases;
  const booked = (await shop.ledger()).length;

  expect(made).toMatchObject({ exitCode: 0, stderr: '' });
  const [, copied] = /sandbox-journal\.sqlite \((\d+) purchases\)/.exec(made.stdout) ?? [];
  expect(Number(copied)).toBeGreaterThanOrEqual(4);
  expect(Number(copied)).toBeLessThanOrEqual(booked + 1);
  expect(made.stdout).toMatch(/^It leaves out: the data of the sandbox, .*PROFILES_KEY/m);
  const metrics = await (await fetch(`${gateway.metricsUrl}/metrics`)).text();
  expect(metrics).toMatch(/^reseller_graph_backup_timestamp_seconds \d+/m);

  const { PROFILES_KEY: _, ...withoutKey } = machine('second');
  const restored = await runCommand('src/cli/restore', withoutKey, [backup]);
  expect(restored).toMatchObject({ exitCode: 0, stderr: '' });
  expect(restored.stdout).toContain('PROFILES_KEY');
  expect(restored.stdout).toContain('purchases -- stop');
  const DOMAIN_API_URL = `${gateway.sandboxUrl}/domain-api`;
  const second = await startTestGateway({ env: { ...machine('second'), DOMAIN_API_URL } });
  onTestFinished(() => second.close());

  expect(await ask(second, stored)).toEqual(before);
  const again = order({ domain: 'backed-up-2.com', idempotencyKey: 'key-2' });
  expect(await mutate(second, 'registerDomain', again, 'replayed')).toMatchObject({
    replayed: true,
  });
  expect(await shop.ledger()).toHaveLength(booked);
});
