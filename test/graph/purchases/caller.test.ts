import { afterAll, expect, test } from 'vitest';
import { openWatchedShop } from './journal.ts';
import { countPurchases, operationFields, order } from './shop.ts';

const shop = await openWatchedShop();
afterAll(() => shop.close());

/** Sends a registration and disconnects as soon as `isThere` returns one held call. */
async function hangUp(input: object, isThere: () => Promise<unknown>): Promise<void> {
  const caller = new AbortController();
  const query =
    'mutation ($input: RegisterDomainInput!) { registerDomain(input: $input) { purchase { id } } }';
  const response = fetch(`${shop.gateway.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query, variables: { input: order(input) } }),
    signal: caller.signal,
  });
  await expect.poll(isThere).toEqual({ held: 1 });
  caller.abort();
  await expect(response).rejects.toThrow(/abort/);
}
const held = () => shop.gateway.admin('GET', '/held');
const stateOf = async (key: string) => {
  const { data } = await shop.gateway.query(
    `{ purchase(by: { key: "${key}" }) { ${operationFields} } }`,
  );
  return data.purchase?.state;
};

test('a purchase continues when its client disconnects', async () => {
  await shop.gateway.resetCalls();
  await shop.arm('hold-before', { action: 'registerdomain' });

  await hangUp({ domain: 'hung-up.com', idempotencyKey: 'hung-up' }, held);
  await shop.gateway.admin('POST', '/release', {});

  await expect.poll(() => shop.row('hung-up.com')?.state).toBe('SUCCEEDED');
  expect(await stateOf('hung-up')).toBe('SUCCEEDED');
  expect(await shop.rows('hung-up.com')).toHaveLength(1);
  expect(await countPurchases(shop)).toBe(1);
  expect(shop.gateway.lines).toEqual([]);
});

test('a client that disconnected finds its purchase, even while the upstream reply is pending', async () => {
  await shop.arm('hold-after', { action: 'registerdomain' });
  await hangUp({ domain: 'hung-up-lost.com', idempotencyKey: 'hung-up-lost' }, held);
  await shop.gateway.admin('DELETE', '/faults');

  expect(await shop.rows('hung-up-lost.com')).toHaveLength(1);
  expect(await stateOf('hung-up-lost')).toBe('SUCCEEDED');
  expect(await shop.gateway.admin('POST', '/release', {})).toEqual({ released: 1 });
  expect(await stateOf('hung-up-lost')).toBe('SUCCEEDED');
  expect(shop.row('hung-up-lost.com')).toMatchObject({ state: 'SUCCEEDED' });
});

test('a client that disconnects before the purchase is claimed buys nothing', async () => {
  await shop.gateway.resetCalls();
  await shop.arm('hold-before', { action: 'resellerdetails' });

  await hangUp({ domain: 'hung-up-early.com', idempotencyKey: 'hung-up-early' }, held);
  await shop.gateway.admin('POST', '/release', {});

  expect(await stateOf('hung-up-early')).toBeUndefined();
  expect(await shop.rows('hung-up-early.com')).toEqual([]);
  expect(await countPurchases(shop)).toBe(0);
  expect(shop.gateway.lines).toEqual([]);
});

test('no response, log line or journal file contains an auth code or the password', async () => {
  const authCode = 'Very-Secret-Code-42';
  const wrong = await shop.transfer({ domain: 'outside-secret.com', authCode });
  await shop.arm('reset', { action: 'transferdomain' });
  const silent = await shop.transfer({ domain: 'outside-silent.com', authCode });
  const right = await shop.transfer({ domain: 'outside-right.com' });

  expect([wrong, silent, right].map(({ purchase }) => purchase.state)).toEqual([
    'FAILED',
    'PENDING',
    'IN_PROGRESS',
  ]);
  const exposed = JSON.stringify([wrong, silent, right, shop.gateway.lines]) + (await shop.bytes());
  for (const secret of [authCode, 'Transfer-Code-01', 'demo-password']) {
    expect(exposed).not.toContain(secret);
  }
  expect(exposed).toContain('outside-secret.com');
});

test('a purchase continues when its client disconnects between the claim and the call', async () => {
  await shop.gateway.resetCalls();
  await shop.arm('hold-before', { action: 'getdetails' });

  await hangUp({ domain: 'hung-up-claimed.com', idempotencyKey: 'hung-up-claimed' }, held);
  await shop.gateway.admin('POST', '/release', {});

  await expect.poll(() => shop.row('hung-up-claimed.com')?.state).toBe('SUCCEEDED');
  expect(await countPurchases(shop)).toBe(1);
  expect(shop.gateway.lines).toEqual([]);
});
