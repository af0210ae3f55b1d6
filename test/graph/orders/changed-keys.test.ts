import { hash } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { makeKey } from '../../../src/access/keyring.ts';
import { systemRandomBytes } from '../../../src/lib/system.ts';
import { newFolder } from '../../support/folder.ts';
import { createGatewayClock, type GatewayClock } from '../../support/gateway-clock.ts';
import { secondMs } from '../../support/simulated-clock.ts';
import { openShop, type Payload, type Shop } from '../purchases/shop.ts';
import { defaults, registration } from './order-shop.ts';

const names = ['buyer', 'overseer'] as const;
type Name = (typeof names)[number];
const made = { buyer: makeKey(systemRandomBytes), overseer: makeKey(systemRandomBytes) };
const by = (name: Name) => ({ 'x-api-key': made[name].text });

let shop: Shop;
let time: GatewayClock;
let file: string;
beforeEach(async () => {
  const folder = await newFolder('changed-keys');
  onTestFinished(() => rm(folder, { recursive: true }));
  file = join(folder, 'keys.json');
  await setKeys({ buyer: {}, overseer: {} });
  time = createGatewayClock();
  shop = await openShop({ time, env: { KEYS_FILE: file, JOB_CONCURRENCY: '1' } });
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

/** Changes the keys while the first `action` of a job is being sent, and lets the rest of the job run. */
async function changeDuring(action: string, begin: () => Promise<Payload>, keys: object) {
  await shop.arm('hold-before', { action });
  const { errors, ...begun } = await begin();
  expect(errors).toEqual([]);
  await expect
    .poll(async () => {
      await time.pass(secondMs);
      return shop.gateway.admin('GET', '/held');
    })
    .toEqual({ held: 1 });
  await setKeys(keys);
  // The gateway reads the file of keys every second.
  await time.pass(2 * secondMs);
  await shop.gateway.admin('POST', '/release', {});
  return begun;
}

const over = { code: 'SPEND_LIMIT_EXCEEDED', scope: 'KEY' };
const forbidden = {
  code: 'FORBIDDEN',
  message: expect.stringContaining('API key of this order was revoked'),
};

test.each<[string, object, object]>([
  [
    'has a tighter limit PER_HOUR',
    { buyer: { limits: { perHour: 1 } } },
    { ...over, limit: 'PER_HOUR' },
  ],
  [
    'has a tighter limit PER_CALL',
    { buyer: { limits: { perCall: ['5 USD'] } } },
    { ...over, limit: 'PER_CALL' },
  ],
  [
    'has a tighter limit TLDS',
    { buyer: { limits: { tlds: ['net'] } } },
    { ...over, limit: 'TLDS' },
  ],
  ['was revoked', {}, forbidden],
  ['has expired', { buyer: { expires: '2026-01-02T00:00:00Z' } }, forbidden],
  ['has a customer now', { buyer: { customer: 'acme' } }, forbidden],
  ['lost its scope', { buyer: { scopes: ['domains:read'] } }, forbidden],
])('the lines of an order that wait are not sent when its key %s', async (_how, keys, error) => {
  const before = await shop.balances();
  const place = async () =>
    (
      await send(
        'buyer',
        'mutation ($input: PlaceOrderInput!) { placeOrder(input: $input) { order { id } errors { code message } } }',
        { input: { idempotencyKey: 'changed', defaults, lines } },
      )
    ).placeOrder;
  const { order } = await changeDuring('registerdomain', place, { ...keys, overseer: {} });
  const read = async () => {
    await time.pass(secondMs);
    return (await send('overseer', `{ order(by: { id: "${order.id}" }) { ${lineFields} } }`)).order;
  };
  await expect.poll(async () => (await read()).state).not.toBe('RUNNING');

  const [sent, ...waiting] = (await read()).lines;
  expect(sent.errors).toEqual([]);
  expect(waiting).toMatchObject([{ errors: [error] }, { errors: [error] }]);
  expect(Number(before.USD) - Number((await shop.balances()).USD)).toBeCloseTo(11.29);
  expect((await shop.gateway.countCalls()).registerdomain).toBe(1);
});

test('the domains of a job that wait are not changed when its key was revoked', async () => {
  const change = async () =>
    (
      await send(
        'buyer',
        `mutation { changeDomains(input: { idempotencyKey: "changed", change: { privacyProtected: true },
          expectedCount: 2, names: ["unlocked-demo.com", "hostless-demo.com"] }) { bulkChange { id } errors { code } } }`,
      )
    ).changeDomains;
  const { bulkChange: job } = await changeDuring('modifyprivacystatus', change, { overseer: {} });

  const states = async () => {
    await time.pass(secondMs);
    const { bulkChange } = await send(
      'overseer',
      `{ bulkChange(by: { id: "${job.id}" }) { items(first: 2) { state errors { code } } } }`,
    );
    return bulkChange.items;
  };
  await expect.poll(states).toEqual([
    { state: 'SUCCEEDED', errors: [] },
    { state: 'FAILED', errors: [{ code: 'FORBIDDEN' }] },
  ]);
  expect((await shop.gateway.countCalls()).modifyprivacystatus).toBe(1);
});
