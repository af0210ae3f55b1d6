import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import {
  countPurchases,
  errorFields,
  openShop,
  order,
  type Payload,
  transferCode,
} from './shop.ts';

const shop = await openShop();
beforeEach(() => shop.gateway.resetCalls());
afterAll(() => shop.close());

async function buy(input: object, key?: string): Promise<Payload> {
  const { data, errors } = await shop.gateway.query(
    `mutation ($input: RegisterDomainInput!) { registerDomain(input: $input) {
      purchase { id key state } replayed errors { ${errorFields} } } }`,
    { input: order(input) },
    key === undefined ? {} : { 'idempotency-key': key },
  );
  expect(errors).toBeUndefined();
  return data.registerDomain;
}

test.each([
  ['bare', 'one-key', 'one-key'],
  ['with blanks around it', '  a-key-1  ', 'a-key-1'],
  ['as a quoted string', '"b-key-1"', 'b-key-1'],
  ['as a quoted string with escapes', String.raw`"c\"key\\1"`, String.raw`c"key\1`],
  ['with a quote that is part of it', '"d-key-1', '"d-key-1'],
])(
  'the Idempotency-Key header %s is the key, and a repeated request buys nothing',
  async (how, sent, key) => {
    const input = { domain: `header-${how.replaceAll(' ', '-')}.com` };

    const first = await buy(input, sent);
    const again = await buy(input, sent);
    const inInput = await buy({ ...input, idempotencyKey: key });

    expect(first).toMatchObject({ purchase: { key, state: 'SUCCEEDED' }, replayed: false });
    expect(again).toEqual({ ...first, replayed: true });
    expect(inInput).toEqual({ ...first, replayed: true });
    expect(await countPurchases(shop)).toBe(1);
    const { data } = await shop.gateway.query(
      'query ($key: String!) { purchase(by: { key: $key }) { id } }',
      {
        key,
      },
    );
    expect(data.purchase.id).toBe(first.purchase.id);
  },
);

test('the Idempotency-Key header applies to a transfer', async () => {
  const transfer = `mutation { transferDomain(input: { domain: "outside-header.com", authCode: "${transferCode}" }) {
    purchase { key } replayed } }`;
  const key = { 'idempotency-key': 'moved-by-header' };

  const first = await shop.gateway.query(transfer, {}, key);
  const again = await shop.gateway.query(transfer, {}, key);

  const purchase = { key: 'moved-by-header' };
  expect(first.data.transferDomain).toEqual({ purchase, replayed: false });
  expect(again.data.transferDomain).toEqual({ purchase, replayed: true });
  expect(await countPurchases(shop)).toBe(1);
});

test('the same key in header and input is accepted', async () => {
  const made = await buy({ domain: 'both-the-same.com', idempotencyKey: ' both ' }, '"both"');

  expect(made.purchase).toMatchObject({ key: 'both', state: 'SUCCEEDED' });
});

describe('the gateway refuses at "idempotencyKey", without an upstream purchase,', () => {
  test.each([
    [
      'a header that differs from the input',
      'right',
      { idempotencyKey: 'left' },
      /differ; send one of them/,
    ],
    ['a header beside a blank key in the input', 'right', { idempotencyKey: ' ' }, /1 to 200/],
    ['an empty key', '', {}, /1 to 200 characters/],
    ['an empty quoted key', '" "', {}, /1 to 200 characters/],
    ['an endless key', 'k'.repeat(201), {}, /1 to 200 characters/],
  ])('%s', async (_what, key, input, message) => {
    const made = await buy({ domain: 'refused-by-header.com', ...input }, key);

    expect(made.purchase).toBeNull();
    expect(made.errors).toMatchObject([
      {
        __typename: 'PlainError',
        code: 'INVALID_INPUT',
        path: ['input', 'idempotencyKey'],
        message: expect.stringMatching(message),
        executed: 'NO',
      },
    ]);
    expect(await countPurchases(shop)).toBe(0);
  });
});
