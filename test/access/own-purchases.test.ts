import { afterAll, expect, test } from 'vitest';
import { openShop } from '../graph/purchases/shop.ts';
import { openStream } from '../support/event-stream.ts';
import { apiKeysOf, by } from './keys.ts';

const shop = await openShop({
  env: {
    API_KEYS: apiKeysOf({
      shop: ['domains:spend', 'account:read'],
      rival: ['domains:spend', 'account:read'],
      overseer: ['domains:spend', 'account:read', 'ops'],
    }),
  },
});
afterAll(() => shop.close());

const sendQuery = (name: string, document: string) => shop.gateway.query(document, {}, by(name));

test('only its caller and callers with the scope ops can read a purchase', async () => {
  const { purchase } = await shop.register(
    { domain: 'only-mine.com', idempotencyKey: 'mine' },
    by('shop'),
  );
  const reads = `{
    purchase(by: { id: "${purchase.id}" }) { id }
    byKey: purchase(by: { key: "mine" }) { id }
    node(id: "${purchase.id}") { id }
    purchases { totalCount nodes { id } }
  }`;
  const id = { id: purchase.id };
  const all = { purchase: id, byKey: id, node: id };
  const none = { purchase: null, byKey: null, node: null };
  const query = `subscription { purchaseSettled(id: "${purchase.id}") { domainName } }`;
  const stream = await openStream(shop.gateway.url, { query, headers: by('rival') });

  expect((await sendQuery('shop', reads)).data).toEqual({
    ...all,
    purchases: { totalCount: 1, nodes: [id] },
  });
  expect((await sendQuery('overseer', reads)).data).toEqual({
    ...all,
    purchases: { totalCount: 1, nodes: [id] },
  });
  expect((await sendQuery('rival', reads)).data).toEqual({
    ...none,
    purchases: { totalCount: 0, nodes: [] },
  });
  const [event] = await stream.rest();
  expect(event?.data.errors[0].extensions.code).toBe('NOT_FOUND');
  expect(JSON.stringify(event)).not.toContain('only-mine.com');
});

test('an idempotency key of another caller is a conflict that reveals nothing and buys nothing', {
  tags: ['I6'],
}, async () => {
  const input = { domain: 'my-secret-plan.com', idempotencyKey: 'a-key-of-two' };
  await shop.register(input, by('shop'));
  await shop.gateway.resetCalls();
  const same = await shop.register(input, by('rival'));
  const other = await shop.register({ ...input, domain: 'another-plan.com' }, by('rival'));
  const own = await shop.register(input, by('shop'));

  expect(other.errors).toMatchObject([{ code: 'IDEMPOTENCY_CONFLICT', purchase: null }]);
  expect(same).toMatchObject({
    purchase: null,
    errors: [{ code: 'IDEMPOTENCY_CONFLICT', purchase: null }],
  });
  expect(JSON.stringify(other)).not.toContain('my-secret-plan.com');
  expect(own).toMatchObject({ replayed: true, errors: [] });
  expect(await shop.gateway.countCalls()).not.toHaveProperty('registerdomain');
});

test('only with the scope ops a purchase names its caller and a list can be filtered by caller', async () => {
  await shop.register({ domain: 'whose-is-this.com', idempotencyKey: 'whose' }, by('shop'));
  const mine = '{ purchase(by: { key: "whose" }) { caller } }';
  const listOf = (caller: string) =>
    `{ purchases(filter: { caller: "${caller}" }) { nodes { caller key } } }`;

  expect((await sendQuery('shop', mine)).data).toEqual({ purchase: { caller: null } });
  expect((await sendQuery('overseer', mine)).data).toEqual({ purchase: { caller: 'shop' } });
  const { data } = await sendQuery('overseer', listOf('shop'));
  expect(data.purchases.nodes).toContainEqual({ caller: 'shop', key: 'whose' });
  expect((await sendQuery('overseer', listOf('rival'))).data.purchases.nodes).toEqual([]);
  for (const name of ['shop', 'rival']) {
    const { errors } = await sendQuery(name, listOf('shop'));
    expect(errors).toMatchObject([{ extensions: { code: 'FORBIDDEN' } }]);
  }
});
