import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openShop, order, type Payload, type Shop } from './shop.ts';

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});
beforeEach(() => shop.gateway.resetCalls());
afterAll(() => shop?.close());

const registerTwice = async (...inputs: object[]): Promise<readonly Payload[]> => {
  const answers = await Promise.all(
    inputs.map((input) =>
      shop.gateway.query(
        /* GraphQL */ `mutation ($input: RegisterDomainInput!) { registerDomain(input: $input) {
          purchase { id state } replayed
          errors { __typename code executed ... on OutcomeUnknown { purchaseId } ... on IdempotencyConflict { purchaseId } } } }`,
        { input: order(input) },
      ),
    ),
  );
  return answers.map(({ data }) => data.registerDomain);
};
const sent = async () => (await shop.gateway.countCalls()).registerdomain;

test('ten at the same moment with one key are one purchase, and all are told the same one', async () => {
  const input = { domain: 'one-of-many.com', idempotencyKey: 'many' };
  const before = await shop.balances();
  const answers = await registerTwice(...Array.from({ length: 10 }, () => input));

  expect(await sent()).toBe(1);
  expect(new Set(answers.map(({ purchase }) => purchase.id)).size).toBe(1);
  expect(answers.filter(({ replayed }) => !replayed)).toHaveLength(1);
  for (const { purchase, errors } of answers) {
    if (purchase.state === 'SUCCEEDED') expect(errors).toEqual([]);
    else expect(errors).toMatchObject([{ code: 'OUTCOME_UNKNOWN', purchaseId: purchase.id }]);
  }
  expect(Number(before.USD) - Number((await shop.balances()).USD)).toBeCloseTo(11.29);
});

test('of two keys for one domain at the same moment one buys; the other is told which', async () => {
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
    errors: [{ __typename: 'IdempotencyConflict', purchaseId: winner.purchase.id }],
  });
});

test('a request that checks while its twin buys is told of that purchase, not that the name is taken', async () => {
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
