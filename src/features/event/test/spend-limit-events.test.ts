import { expect, onTestFinished, test } from 'vitest';
import { apiKeysOf, keyOf } from '../../../../test/access/keys.ts';
import { openShop } from '../../../../test/graph/purchases/shop.ts';

const fields =
  'type subject caller source before { money { amount currency } } after { money { amount currency } }';
const usd = (amount: string) => ({ money: { amount, currency: 'USD' } });

/** A shop whose purchases cost 11.29 USD, with these daily limits. Comparisons do not matter here. */
async function openLimited(perDay: string, env: Record<string, string> = {}) {
  const shop = await openShop({
    env: {
      ...{ SPEND_LIMITS: JSON.stringify({ perDay: [perDay] }), EVENTS_INTERVAL_SECONDS: '3600' },
      ...env,
    },
  });
  onTestFinished(() => shop.close());
  const events = async (headers: Record<string, string> = {}) => {
    const filter = '{ types: [SPEND_LIMIT_NEAR, SPEND_LIMIT_REACHED] }';
    const { data, errors } = await shop.gateway.query(
      `{ events(filter: ${filter}) { nodes { ${fields} } } }`,
      {},
      headers,
    );
    expect(errors).toBeUndefined();
    return data.events.nodes;
  };
  return { ...shop, events };
}

const ofGateway = { subject: 'USD', caller: null, source: 'GATEWAY' };

test('a daily limit that is nearly used up, and one that stops a purchase, are an event once a day', {
  tags: ['E15'],
}, async () => {
  const { register, events } = await openLimited('28.00 USD');
  await register({ domain: 'limit-one.com' });
  expect(await events()).toEqual([]);

  await register({ domain: 'limit-two.com' });
  const near = { ...ofGateway, type: 'SPEND_LIMIT_NEAR', before: usd('28.0000') };
  await expect.poll(() => events()).toEqual([{ ...near, after: usd('22.5800') }]);

  await register({ domain: 'limit-three.com', dryRun: true });
  for (const domain of ['limit-four.com', 'limit-five.com']) {
    const { errors } = await register({ domain });
    expect(errors).toMatchObject([{ code: 'SPEND_LIMIT_EXCEEDED' }]);
  }
  const reached = { ...near, type: 'SPEND_LIMIT_REACHED', after: usd('22.5800') };
  await expect.poll(() => events()).toEqual([{ ...near, after: usd('22.5800') }, reached]);
});

test('a purchase that is above the limit on its own is no event, and the last cent of a limit is one', async () => {
  const { register, events } = await openLimited('11.29 USD', { SPEND_LIMIT_NEAR_PERCENT: '50' });
  await register({ domain: 'too-long.com', period: 9 });
  expect(await events()).toEqual([]);

  await register({ domain: 'all-of-it.com' });

  const amount = usd('11.2900');
  await expect
    .poll(() => events())
    .toEqual([{ ...ofGateway, type: 'SPEND_LIMIT_REACHED', before: amount, after: amount }]);
});

test('two keys that reach the limit of the gateway on one day are one event without a caller', async () => {
  const scopes = ['domains:spend'] as const;
  const { gateway, events } = await openLimited('11.00 USD', {
    API_KEYS: apiKeysOf({ one: scopes, two: scopes, office: ['events:read', 'ops'] }),
  });
  const by = (name: string) => ({ 'x-api-key': keyOf(name) });
  const transfer = (name: string) =>
    gateway.query(
      `mutation { transferDomain(input: { domain: "outside-of-${name}.com", authCode: "Transfer-Code-01" }) { errors { code } } }`,
      {},
      by(name),
    );
  await transfer('one');
  for (const name of ['one-more', 'two']) await transfer(name === 'two' ? name : 'one');
  const seen = async () =>
    (await events(by('office'))).map(
      ({ type, caller }: { type: string; caller: string | null }) => [type, caller],
    );

  await expect.poll(seen).toContainEqual(['SPEND_LIMIT_REACHED', null]);
  await transfer('two');
  expect((await seen()).filter(([type]: [string]) => type === 'SPEND_LIMIT_REACHED')).toHaveLength(
    1,
  );
});

test('the event of the limit of a key has its name, for callers that may see it', async () => {
  const keys = JSON.parse(
    apiKeysOf({ shop: ['domains:spend'], office: ['events:read', 'ops'], reader: ['events:read'] }),
  );
  keys.shop.limits = { perDay: ['12 USD'] };
  const by = (name: string) => ({ 'x-api-key': keyOf(name) });
  const { gateway, events } = await openLimited('9999.00 USD', { API_KEYS: JSON.stringify(keys) });
  const bought = await gateway.query(
    `mutation { transferDomain(input: { domain: "outside-of-key.com", authCode: "Transfer-Code-01" }) { errors { code } } }`,
    {},
    by('shop'),
  );
  expect(bought.data.transferDomain.errors).toEqual([]);

  const callersFor = async (name: string) =>
    (await events(by(name))).map(({ type, caller }: { type: string; caller: string }) => [
      type,
      caller,
    ]);
  await expect.poll(() => callersFor('office')).toEqual([['SPEND_LIMIT_NEAR', 'shop']]);
  expect(await callersFor('reader')).toEqual([['SPEND_LIMIT_NEAR', null]]);
});
