import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newFolder } from '../../support/folder.ts';
import { countPurchases, openShop, type Shop } from './shop.ts';

let folder: string;
let shop: Shop;
beforeAll(async () => {
  folder = await newFolder('purchases');
  shop = await openShop({ env: { DATA_DIR: folder } });
});
afterAll(async () => {
  await shop?.close();
  await rm(folder, { recursive: true, force: true });
});

test('a key with an unpaired surrogate is refused, because the journal cannot distinguish it from others', async () => {
  for (const idempotencyKey of ['sur\ud800', 'sur\ud801', '\udc00rogate']) {
    const { purchase, errors } = await shop.register({ domain: 'surrogate.com', idempotencyKey });

    expect(purchase).toBeNull();
    expect(errors).toMatchObject([
      {
        code: 'INVALID_INPUT',
        message: '"idempotencyKey" is not valid Unicode: it contains an unpaired surrogate.',
        path: ['input', 'idempotencyKey'],
        executed: 'NO',
      },
    ]);
  }
  expect(await countPurchases(shop)).toBe(0);
  const whole = await shop.register({
    domain: 'surrogate.com',
    idempotencyKey: 'pair \ud83d\ude00',
  });
  expect(whole.purchase).toMatchObject({ key: 'pair \ud83d\ude00', state: 'SUCCEEDED' });
});

test('a key that was used with another input buys nothing, and the error names its purchase', async () => {
  const input = { domain: 'first-requested.com', idempotencyKey: 'requested' };
  const { purchase } = await shop.register(input);

  const again = await shop.register({ ...input, period: 2 });

  expect(again.purchase).toBeNull();
  expect(again.errors).toMatchObject([
    {
      ...{ __typename: 'IdempotencyConflict', code: 'IDEMPOTENCY_CONFLICT', executed: 'NO' },
      ...{ path: ['input', 'idempotencyKey'], purchase: { id: purchase.id } },
    },
  ]);
  expect(await shop.gateway.countCalls()).toEqual({});
});

test('a refusal by a check does not use the key, and a refusal by the registrar does', async () => {
  const input = { domain: 'outside-corrected.com', idempotencyKey: 'corrected' };
  const empty = await shop.transfer({ ...input, authCode: ' ' });
  const tried = await shop.transfer({ ...input, dryRun: true });
  const wrong = await shop.transfer({ ...input, authCode: 'not-this' });
  const refused = await shop.transfer(input);
  const calls = await countPurchases(shop);
  const right = await shop.transfer({ ...input, idempotencyKey: 'corrected-2' });

  expect([empty, tried, wrong, refused, right]).toMatchObject([
    { purchase: null, keyUsed: false, errors: [{ code: 'AUTH_CODE_REQUIRED' }] },
    { purchase: null, keyUsed: false, errors: [] },
    { purchase: { state: 'FAILED' }, keyUsed: true, errors: [{ code: 'AUTH_CODE_INVALID' }] },
    { purchase: null, keyUsed: true, errors: [{ code: 'IDEMPOTENCY_CONFLICT' }] },
    { purchase: { state: 'IN_PROGRESS' }, keyUsed: true, errors: [] },
  ]);
  expect(calls).toBe(0);
});

test('a key of a registration conflicts with a transfer', { tags: ['I6'] }, async () => {
  await shop.register({ domain: 'kind-of.com', idempotencyKey: 'kind' });

  const { errors } = await shop.transfer({ domain: 'kind-of.com', idempotencyKey: 'kind' });

  expect(errors).toMatchObject([{ __typename: 'IdempotencyConflict' }]);
});

test('keys of successful and failed purchases are replayed after a restart', {
  tags: ['I6'],
}, async () => {
  const bought = { domain: 'over-restart.com', idempotencyKey: 'over-1' };
  const refused = { domain: 'needs-more.eu', idempotencyKey: 'over-2' };
  const moved = { domain: 'outside-over.com', idempotencyKey: 'over-3' };
  const before = [
    await shop.register(bought),
    await shop.register(refused),
    await shop.transfer(moved),
  ];
  await shop.gateway.restart();

  const after = [await shop.register(bought)];
  expect(await shop.gateway.countCalls()).toEqual({});
  after.push(await shop.register(refused));
  expect(await shop.gateway.countCalls()).toEqual({});
  after.push(await shop.transfer(moved));
  expect(await shop.gateway.countCalls()).toEqual({});

  expect(before.map(({ purchase }) => purchase.state)).toEqual([
    'SUCCEEDED',
    'FAILED',
    'IN_PROGRESS',
  ]);
  expect(after.map(({ purchase }) => purchase)).toEqual(before.map(({ purchase }) => purchase));
  expect(after.map(({ replayed }) => replayed)).toEqual([true, true, true]);
});

test('a purchase without a key gets a generated key that can be replayed', async () => {
  const input = { domain: 'made-key.com' };
  const { purchase } = await shop.register(input);

  const again = await shop.register({ ...input, idempotencyKey: purchase.key });

  expect(purchase.key).toMatch(/^[\w-]{16,}$/);
  expect(again).toMatchObject({ purchase: { id: purchase.id }, replayed: true });
});

test('a second key for a domain with an open purchase is refused, and the error names that purchase', {
  tags: ['I2'],
}, async () => {
  await shop.arm('gateway', { action: 'registerdomain' });
  const { purchase } = await shop.register({ domain: 'still-open.com', idempotencyKey: 'open-1' });

  const rival = await shop.register({ domain: 'still-open.com', idempotencyKey: 'open-2' });

  expect(rival.purchase).toBeNull();
  expect(rival.errors).toMatchObject([
    {
      __typename: 'IdempotencyConflict',
      path: ['input', 'domain'],
      executed: 'NO',
      purchase: { id: purchase.id },
    },
  ]);
  expect(await countPurchases(shop)).toBe(0);
});

test('two tenants can use the same key', async () => {
  const input = { domain: 'per-account.com', idempotencyKey: 'shared' };
  await shop.register(input);
  await shop.close();
  const env = { DOMAIN_API_USERNAME: 'other', DOMAIN_API_PASSWORD: 'other-password' };
  shop = await openShop({ env: { DATA_DIR: folder, ...env } });

  const { data } = await shop.gateway.query(
    '{ purchase(by: { key: "shared" }) { id } purchases { totalCount } }',
  );
  const made = await shop.register({ ...input, domain: 'per-account-two.com' });

  expect(data).toEqual({ purchase: null, purchases: { totalCount: 0 } });
  expect(made).toMatchObject({ purchase: { state: 'SUCCEEDED' }, replayed: false });
});
