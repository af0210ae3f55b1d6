import { afterAll, describe, expect, test } from 'vitest';
import { errorFields, openShop, type Payload } from '../purchases/shop.ts';
import { registration, transfer, usd } from './order-shop.ts';

const document = /* GraphQL */ `
  mutation ($input: CreateCartFromQuoteInput!) {
    createCartFromQuote(input: $input) {
      cart { id total items { description productType quantity unitPrice total } }
      errors { ${errorFields} }
    }
  }
`;

const shop = await openShop();
afterAll(() => shop.close());

async function createCart(input: object): Promise<Payload> {
  await shop.gateway.resetCalls();
  const { data, errors } = await shop.gateway.query(document, { input });
  if (errors) throw new Error(JSON.stringify(errors));
  return data.createCartFromQuote;
}
const countCarts = async () => (await shop.gateway.countCalls())['POST /carts'] ?? 0;

describe('a cart from a quote', () => {
  test('has one item per line with its exact price, and is what the upstream has', async () => {
    const { cart, errors } = await createCart({
      lines: [
        registration('cart-name.com'),
        registration('cart-name.blog', { period: 2 }),
        transfer('outside-cart.com'),
      ],
    });

    expect(errors).toEqual([]);
    expect(cart.items.map(({ description }: Payload) => description)).toEqual([
      'cart-name.com, registration, 1 year',
      'cart-name.blog, registration, 2 years',
      'outside-cart.com, transfer, 1 year',
    ]);
    expect(cart.items.map(({ unitPrice }: Payload) => unitPrice)).toEqual([
      '22.5800',
      expect.stringMatching(/^\d+\.\d{4}$/),
      '21.1800',
    ]);
    const stored = (await shop.gateway.admin('GET', '/carts')) as Payload;
    const [{ cartDetails }] = stored.slice(-1).map((one: Payload) => one.body ?? one);
    expect(cartDetails.map(({ price }: Payload) => Number(price))).toEqual(
      cart.items.map(({ unitPrice }: Payload) => Number(unitPrice)),
    );
    expect(await countCarts()).toBe(1);
  });

  test.each([
    [
      'a line that cannot be bought',
      { lines: [registration('weather.com')] },
      'NOT_AVAILABLE',
      ['lines', '0', 'registration', 'domain'],
    ],
    [
      'an estimated price',
      { lines: [registration('estimated.online', { period: 5 })] },
      'PRICE_UNAVAILABLE',
      ['lines', '0', 'registration', 'period'],
    ],
    [
      'prices in two currencies',
      { lines: [registration('two-currencies.com'), registration('two-currencies.gen.tr')] },
      'INVALID_INPUT',
      ['lines'],
    ],
    [
      'a total above the limit',
      { lines: [registration('dear.com')], maxTotal: [usd('1')] },
      'MAX_PRICE_EXCEEDED',
      ['maxTotal'],
    ],
    ['no lines', { lines: [] }, 'INVALID_INPUT', ['lines']],
  ])('with %s is refused, and no cart is sent', async (_what, input, code, path) => {
    const { cart, errors } = await createCart(input);

    expect(cart).toBeNull();
    expect(errors).toMatchObject([{ code, path: ['input', ...path], executed: 'NO' }]);
    expect(await countCarts()).toBe(0);
  });

  test('says the range of an estimate, and the currencies', async () => {
    const estimate = await createCart({ lines: [registration('estimated.online', { period: 5 })] });
    const currencies = await createCart({
      lines: [registration('two-currencies.com'), registration('two-currencies.gen.tr')],
    });

    expect(estimate.errors[0].message).toBe(
      'The price of 5 years of estimated.online is an estimate from 19.9000 USD to 235.1800 USD, and a cart needs one price. Choose a period whose quote is LISTED.',
    );
    expect(currencies.errors[0].message).toBe(
      'A cart has one currency; the prices of these lines are in USD, TRY.',
    );
  });

  test('is created although the balance does not cover it, because it buys nothing', async () => {
    // 20 × 279.60 USD, at a cost of 139.80 USD; the balance is 2,500 USD.
    const lines = Array.from({ length: 20 }, (_, at) =>
      registration(`cart-line-${at}.ai`, { period: 2 }),
    );

    const { cart, errors } = await createCart({ lines });

    expect(errors).toEqual([]);
    expect(cart.total).toBe('5592.0000');
  });
});
