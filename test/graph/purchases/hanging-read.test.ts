import { afterAll, expect, test } from 'vitest';
import { createGatewayClock } from '../../support/gateway-clock.ts';
import { openShop, type Payload } from './shop.ts';

const shop = await openShop({ time: createGatewayClock() });
afterAll(() => shop.close());

/** A purchase with an unknown outcome, and an upstream that holds every read after it. */
async function buyAndHang(domain: string): Promise<Payload> {
  await shop.arm('lost-answer', { action: 'registerdomain' });
  await shop.arm('gateway', { action: 'getdetails', after: 1, times: 3 });
  await shop.arm('hold-before', { action: 'getdetails', after: 4, times: 9 });
  const { purchase } = await shop.register({ domain, idempotencyKey: domain });
  expect(purchase.state).toBe('PENDING');
  return purchase;
}
const goOn = async () => {
  await shop.gateway.admin('DELETE', '/faults');
  await shop.gateway.admin('POST', '/release', {});
};
/** The state in the journal, read without an upstream call. */
const inJournal = async (domain: string) => {
  const { data } = await shop.gateway.query(
    `{ purchases(filter: { domain: "${domain}" }) { nodes { state } } }`,
  );
  return data.purchases.nodes[0].state;
};

test.each([
  ['id', 'query ($id: ID!) { read: purchase(by: { id: $id }) { id state } }'],
  ['key', '{ read: purchase(by: { key: "hangs-by-key.com" }) { id state } }'],
  ['node', 'query ($id: ID!) { read: node(id: $id) { id ... on Purchase { state } } }'],
])(
  'an open purchase is read by %s without waiting for an upstream that hangs, and the late reply updates the journal',
  async (way, document) => {
    const domain = `hangs-by-${way}.com`;
    const { id } = await buyAndHang(domain);

    const { data } = await shop.gateway.query(document, { id });

    expect(data.read).toEqual({ id, state: 'PENDING' });
    expect(await shop.gateway.admin('GET', '/held')).toEqual({ held: 1 });
    expect(await inJournal(domain)).toBe('PENDING');
    await goOn();
    await expect.poll(() => inJournal(domain)).toBe('SUCCEEDED');
    expect(shop.gateway.lines).toEqual([]);
  },
);

test('a client that disconnects while the upstream hangs causes no error', async () => {
  const { id } = await buyAndHang('hangs-after-disconnect.com');
  const caller = new AbortController();
  const response = fetch(`${shop.gateway.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      query: 'query ($id: ID!) { purchase(by: { id: $id }) { state } }',
      variables: { id },
    }),
    signal: caller.signal,
  });
  await expect.poll(() => shop.gateway.admin('GET', '/held')).toEqual({ held: 1 });

  caller.abort();
  await expect(response).rejects.toThrow(/abort/);
  await goOn();

  expect((await shop.purchase(id)).state).toBe('SUCCEEDED');
  expect(shop.gateway.lines).toEqual([]);
});
