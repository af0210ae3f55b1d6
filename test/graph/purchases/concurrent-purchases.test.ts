import { afterAll, beforeEach, expect, test } from 'vitest';
import { openShop, order, type Payload } from './shop.ts';

const shop = await openShop();
beforeEach(() => shop.gateway.resetCalls());
afterAll(() => shop.close());

const registerTwice = async (...inputs: object[]): Promise<readonly Payload[]> => {
  const responses = await Promise.all(
    inputs.map((input) =>
      shop.gateway.query(
        /* GraphQL */ `mutation ($input: RegisterDomainInput!) { registerDomain(input: $input) {
          purchase { id state } replayed
          errors { __typename code executed ... on OutcomeUnknown { purchase { id } } ... on IdempotencyConflict { purchase { id } } } } }`,
        { input: order(input) },
      ),
    ),
  );
  return responses.map(({ data }) => data.registerDomain);
};
const sent = async () => (await shop.gateway.countCalls()).registerdomain;

test('ten concurrent requests with one key make one purchase, and all return it', {
  tags: ['R21'],
}, async () => {
  const input = { domain: 'one-of-many.com', idempotencyKey: 'many' };
  const before = await shop.balances();
  const responses = await registerTwice(...Array.from({ length: 10 }, () => input));

  expect(await sent()).toBe(1);
  expect(new Set(responses.map(({ purchase }) => purchase.id)).size).toBe(1);
  expect(responses.filter(({ replayed }) => !replayed)).toHaveLength(1);
  for (const { purchase, errors } of responses) {
    expect(['SUCCEEDED', 'SENDING']).toContain(purchase.state);
    expect(errors).toEqual([]);
  }
  expect(Number(before.USD) - Number((await shop.balances()).USD)).toBeCloseTo(11.29);
});

test('of two concurrent keys for one domain one buys; the other gets a conflict that names the purchase', {
  tags: ['I2'],
}, async () => {
  await shop.arm('delay', { action: 'registerdomain', ms: 300 });

  const [one, two] = await registerTwice(
    { domain: 'two-keys.com', idempotencyKey: 'left' },
    { domain: 'two-keys.com', idempotencyKey: 'right' },
  );

  expect(await sent()).toBe(1);
  const [winner, loser] = one.purchase ? [one, two] : [two, one];
  expect(winner.purchase.state).toBe('SUCCEEDED');
  expect(loser).toMatchObject({
    purchase: null,
    errors: [{ __typename: 'IdempotencyConflict', purchase: { id: winner.purchase.id } }],
  });
});

test('a request that is delayed while an equal request buys returns that purchase, not NOT_AVAILABLE', async () => {
  const input = { domain: 'twin-asks.com', idempotencyKey: 'twin' };
  await shop.arm('hold-before', { action: 'singlecheckavailability' });
  const slow = registerTwice(input);
  await expect.poll(() => shop.gateway.admin('GET', '/held')).toEqual({ held: 1 });
  const [fast] = await registerTwice(input);
  await shop.gateway.admin('POST', '/release', {});
  const [late] = await slow;

  expect(fast).toMatchObject({ purchase: { state: 'SUCCEEDED' }, replayed: false });
  expect(late).toEqual({ purchase: fast.purchase, replayed: true, errors: [] });
  expect(await sent()).toBe(1);
});
