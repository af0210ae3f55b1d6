import { afterAll, expect, test } from 'vitest';
import { startTestGateway } from '../../support/gateway.ts';
import { order } from './shop.ts';

const gateway = await startTestGateway({ sandboxDomains: 1 });
afterAll(() => gateway.close());

/** The payload of a registration with the domain, which the account has after a purchase. */
const register = async (changes: object) => {
  const { data, errors } = await gateway.query(
    `mutation ($input: RegisterDomainInput!) { registerDomain(input: $input) {
      domain { name state } price { amount } quote { highest { amount } } purchase { price { amount } }
    } }`,
    { input: order(changes) },
  );
  expect(errors).toBeUndefined();
  return data.registerDomain;
};

test('a dry run has the highest price of its quote, and no domain', async () => {
  const payload = await register({ domain: 'only-planned.com', dryRun: true });

  expect(payload).toMatchObject({ domain: null, purchase: null });
  expect(payload.price).toEqual(payload.quote.highest);
  expect(payload.price.amount).toMatch(/^\d/);
});

test('a registration of a TLD that is not sold has neither price nor domain', async () => {
  expect(await register({ domain: 'not-sold.zzzz' })).toEqual({
    ...{ domain: null, price: null, quote: null, purchase: null },
  });
});

test('a purchase has its price and the domain', async () => {
  const payload = await register({ domain: 'really-bought.com' });

  expect(payload.domain).toEqual({ name: 'really-bought.com', state: 'ACTIVE' });
  expect(payload.price).toEqual(payload.purchase.price);
});

test('an account that owns the domain of a refused registration does not see it in the payload', async () => {
  await register({ domain: 'owned-before.com' });

  expect(await register({ domain: 'owned-before.com', idempotencyKey: 'again' })).toMatchObject({
    ...{ domain: null, purchase: null },
  });
});
