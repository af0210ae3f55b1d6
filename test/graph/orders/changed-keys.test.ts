import { hash } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { makeKey } from '../../../src/access/keyring.ts';
import { systemRandomBytes } from '../../../src/lib/system.ts';
import { newFolder } from '../../support/folder.ts';
import { openShop, type Payload, type Shop } from '../purchases/shop.ts';
import { codesOf, defaults, registration } from './order-shop.ts';

const names = ['buyer', 'overseer'] as const;
type Name = (typeof names)[number];
const made = { buyer: makeKey(systemRandomBytes), overseer: makeKey(systemRandomBytes) };
const by = (name: Name) => ({ 'x-api-key': made[name].text });

let shop: Shop;
let file: string;
beforeEach(async () => {
  const folder = await newFolder('changed-keys');
  onTestFinished(() => rm(folder, { recursive: true }));
  file = join(folder, 'keys.json');
  await setKeys({ buyer: {}, overseer: {} });
  shop = await openShop({ env: { KEYS_FILE: file, JOB_CONCURRENCY: '1' } });
  onTestFinished(() => shop.close());
});

const scopes = ['domains:spend', 'domains:write', 'domains:read'];
const setKeys = (keys: Partial<Record<Name, object>>) =>
  writeFile(
    file,
    JSON.stringify(
      Object.fromEntries(
        (Object.keys(keys) as Name[]).map((name) => {
          const { prefix, text } = made[name];
          const key = { prefix, sha256: hash('sha256', text), made: '2026-01-01T00:00:00Z' };
          const own = name === 'overseer' ? [...scopes, 'ops'] : scopes;
          return [name, { ...key, scopes: own, ...keys[name] }];
        }),
      ),
    ),
  );

const send = async (name: Name, document: string, variables = {}): Promise<Payload> => {
  const { data, errors } = await shop.gateway.query(document, variables, by(name));
  expect(errors).toBeUndefined();
  return data;
};

const lines = [1, 2, 3].map((number) => registration(`changed-key-${number}.com`));
const lineFields =
  'state lines { state errors { code message ... on SpendLimitExceeded { limit scope } } }';

/** Places an order of three lines, and changes the keys while its first line is being sent. */
async function changeWhileRunning(
  keys: Partial<Record<Name, object>>,
  isApplied: () => Promise<boolean>,
) {
  const before = await shop.balances();
  await shop.arm('hold-before', { action: 'registerdomain' });
  const { placeOrder } = await send(
    'buyer',
    'mutation ($input: PlaceOrderInput!) { placeOrder(input: $input) { order { id } errors { code message } } }',
    { input: { idempotencyKey: 'changed', defaults, lines } },
  );
  expect(placeOrder.errors).toEqual([]);
  await expect.poll(() => shop.gateway.admin('GET', '/held')).toEqual({ held: 1 });
  await setKeys(keys);
  await expect.poll(isApplied, { timeout: 10_000 }).toBe(true);
  await shop.gateway.admin('POST', '/release', {});
  const read = async () =>
    (await send('overseer', `{ order(id: "${placeOrder.order.id}") { ${lineFields} } }`)).order;
  await expect.poll(async () => (await read()).state, { timeout: 10_000 }).not.toBe('RUNNING');
  const spent = Number(before.USD) - Number((await shop.balances()).USD);
  expect((await shop.gateway.countCalls()).registerdomain).toBe(1);
  return { order: await read(), spent };
}

const statusOfBuyer = async () =>
  (await shop.gateway.query('{ gateway { version } }', {}, by('buyer'))).status;
const isRevoked = async () => (await statusOfBuyer()) === 401;

test.each([
  ['PER_HOUR', { perHour: 1 }],
  ['PER_CALL', { perCall: ['5 USD'] }],
  ['TLDS', { tlds: ['net'] }],
])(
  'a tighter limit %s of a key applies to the lines of its order that wait',
  async (limit, limits) => {
    const isTighter = async () => {
      const { gateway } = await send('buyer', '{ gateway { limits { spend { scope } } } }');
      return JSON.stringify(gateway).includes('KEY');
    };
    const { order, spent } = await changeWhileRunning(
      { buyer: { limits }, overseer: {} },
      isTighter,
    );

    expect(order.lines.map(codesOf)).toEqual([
      [],
      ['SPEND_LIMIT_EXCEEDED'],
      ['SPEND_LIMIT_EXCEEDED'],
    ]);
    expect(order.lines[1].errors).toMatchObject([{ limit, scope: 'KEY' }]);
    expect(spent).toBeCloseTo(11.29);
  },
);

test.each<[string, Partial<Record<Name, object>>, () => Promise<boolean>]>([
  ['was revoked', { overseer: {} }, isRevoked],
  ['has expired', { buyer: { expires: '2026-01-02T00:00:00Z' }, overseer: {} }, isRevoked],
  [
    'lost its scope',
    { buyer: { scopes: ['domains:read'] }, overseer: {} },
    async () => {
      const { gateway } = await send('buyer', '{ gateway { scopes } }');
      return gateway.scopes.length === 1;
    },
  ],
])(
  'the lines of an order that wait are not sent when its key %s',
  async (_how, keys, isApplied) => {
    const { order, spent } = await changeWhileRunning(keys, isApplied);

    expect(order.lines.map(codesOf)).toEqual([[], ['FORBIDDEN'], ['FORBIDDEN']]);
    expect(order.lines[1].errors[0].message).toContain('API key of this order was revoked');
    expect(spent).toBeCloseTo(11.29);
  },
);

test('the domains of a job that wait are not changed when its key was revoked', async () => {
  await shop.arm('hold-before', { action: 'modifyprivacystatus' });
  const { changeDomains } = await send(
    'buyer',
    `mutation { changeDomains(input: { idempotencyKey: "changed", change: { privacyProtected: true },
      expectedCount: 2, names: ["unlocked-demo.com", "hostless-demo.com"] }) { job { id } errors { code } } }`,
  );
  expect(changeDomains.errors).toEqual([]);
  await expect.poll(() => shop.gateway.admin('GET', '/held')).toEqual({ held: 1 });
  await setKeys({ overseer: {} });
  await expect.poll(isRevoked, { timeout: 10_000 }).toBe(true);
  await shop.gateway.admin('POST', '/release', {});

  const states = async () => {
    const { domainChange } = await send(
      'overseer',
      `{ domainChange(id: "${changeDomains.job.id}") { items(first: 2) { state errors { code } } } }`,
    );
    return domainChange.items;
  };
  await expect.poll(states, { timeout: 10_000 }).toEqual([
    { state: 'SUCCEEDED', errors: [] },
    { state: 'FAILED', errors: [{ code: 'FORBIDDEN' }] },
  ]);
  expect((await shop.gateway.countCalls()).modifyprivacystatus).toBe(1);
});
