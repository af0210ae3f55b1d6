import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { openShop, order } from './shop.ts';

const shop = await openShop();
beforeEach(() => shop.gateway.resetCalls());
afterAll(() => shop.close());

const variables = {
  one: order({ domain: 'only-one.com' }),
  two: order({ domain: 'only-two.com' }),
};
const head = 'mutation ($one: RegisterDomainInput!, $two: RegisterDomainInput!)';
const one = 'registerDomain(input: $one) { purchase { state } }';
const two = 'registerDomain(input: $two) { purchase { state } }';
const moved = 'transferDomain(input: { domain: "only-three.com", authCode: "x" }) { dryRun }';

describe('a document with more than one purchase buys nothing and causes no upstream call:', () => {
  test.each([
    ['two purchases under aliases', `${head} { a: ${one} b: ${two} }`],
    ['a registration and a transfer', `mutation ($one: RegisterDomainInput!) { ${one} ${moved} }`],
    [
      'one of them in a fragment',
      `${head} { ${one} ... { ...More } } fragment More on Mutation { b: ${two} }`,
    ],
    [
      'one in another purchase',
      `mutation A($one: RegisterDomainInput!) { ${one} } mutation B { ${moved} }`,
    ],
  ])('%s', async (_how, query) => {
    for (const accept of ['application/json', 'application/graphql-response+json']) {
      const response = await fetch(`${shop.gateway.url}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept },
        body: JSON.stringify({
          query,
          variables,
          operationName: query.includes(' A(') ? 'A' : null,
        }),
      });
      const { data, errors } = await response.json();

      expect(response.status).toBe(accept === 'application/json' ? 200 : 422);
      expect(data).toBeUndefined();
      expect(errors[0]).toMatchObject({
        message: 'A document may hold one purchase; send each in a request of its own.',
        locations: [expect.anything(), expect.anything()],
        extensions: { code: 'INVALID_REQUEST', executed: 'NO', retryable: false },
      });
    }
    expect(await shop.gateway.countCalls()).toEqual({});
  });

  test.each([
    ['an alias', `{ a: ${one} }`, 'A purchase has no alias; write "registerDomain" alone.'],
    [
      '@defer around it',
      `{ ... @defer { ${one} } }`,
      '"@defer" must not be on a purchase or around it, where only "@skip" and "@include" may be.',
    ],
  ])('%s', async (_how, selection, message) => {
    const { data, errors } = await shop.gateway.query(
      `mutation ($one: RegisterDomainInput!) ${selection}`,
      variables,
    );

    expect(data).toBeUndefined();
    expect(errors).toContainEqual(
      expect.objectContaining({
        message,
        extensions: expect.objectContaining({ code: 'INVALID_REQUEST', executed: 'NO' }),
      }),
    );
    expect(await shop.gateway.countCalls()).toEqual({});
  });
});

test('one purchase is made in a fragment, beside another write and behind @include', async () => {
  const { data, errors } = await shop.gateway.query(
    `mutation ($one: RegisterDomainInput!, $buy: Boolean!) {
      syncDomain(input: { domain: "reseller-demo.com" }) { errors { code } } ...Buy @include(if: $buy) }
    fragment Buy on Mutation { ${one} }`,
    { one: variables.one, buy: true },
  );

  expect(errors).toBeUndefined();
  expect(data.registerDomain).toEqual({ purchase: { state: 'SUCCEEDED' } });
  expect(await shop.gateway.countCalls()).toMatchObject({ registerdomain: 1 });
});
