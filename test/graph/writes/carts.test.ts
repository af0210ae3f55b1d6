import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { startTestGateway } from '../../support/gateway.ts';
import { mutate, type Problem } from './mutate.ts';

const gateway = await startTestGateway({ sandboxDomains: 40 });
afterAll(() => gateway.close());
beforeEach(() => gateway.resetCalls());

const cart = 'cart { id total items { description quantity unitPrice total productType } }';
const create = (items: readonly object[]) => mutate(gateway, 'createCart', { items }, cart);
const item = (quantity: string, unitPrice: string, more: object = {}) => ({
  description: 'unlocked-demo.com, 1 year',
  productType: 'domain',
  quantity,
  unitPrice,
  ...more,
});

test('a cart is in the sandbox under the returned id, after one call', async () => {
  const it = await create([item('2', '11.29'), item('1', '0', { description: 'Privacy' })]);

  expect(it.errors).toEqual([]);
  expect(it.cart).toMatchObject({
    total: '22.5800',
    items: [{ total: '22.5800' }, { total: '0.0000' }],
  });
  const carts = (await gateway.admin('GET', '/carts')) as readonly { id: string }[];
  expect(carts.find(({ id }) => id === it.cart.id)).toMatchObject({
    user: 'demo',
    total: 22.58,
    cartDetails: [
      { description: 'unlocked-demo.com, 1 year', quantity: 2, price: 11.29, total: 22.58 },
      { description: 'Privacy', quantity: 1, price: 0, total: 0, productType: 'domain' },
    ],
  });
  expect(await gateway.countCalls()).toEqual({ 'POST /carts': 1 });
});

test('the total of three times 0.1 is 0.3', { tags: ['G7'] }, async () => {
  const it = await create([item('3', '0.1')]);

  expect(it.cart).toEqual({
    id: expect.stringMatching(/^cart_/),
    total: '0.3000',
    items: [
      {
        description: 'unlocked-demo.com, 1 year',
        productType: 'domain',
        quantity: '3.0000',
        unitPrice: '0.1000',
        total: '0.3000',
      },
    ],
  });
});

test('a total that is sent is the total of the item, also a rounded one or one with tax', async () => {
  const it = await create([item('3', '0.3333', { total: '1' }), item('1', '10', { total: 11.9 })]);

  expect(it.errors).toEqual([]);
  expect(it.cart).toMatchObject({
    total: '12.9000',
    items: [{ total: '1.0000' }, { total: '11.9000' }],
  });
});

test('numbers of a document are exact amounts', async () => {
  const { data } = await gateway.query(`mutation {
    createCart(input: { items: [{ description: "x", productType: "y", quantity: 3, unitPrice: 0.10 }] }) { cart { total } }
  }`);

  expect(data.createCart.cart.total).toBe('0.3000');
});

test('a discount is an item with a negative price', async () => {
  const discount = { description: 'Welcome discount', productType: 'discount' };
  const it = await create([item('2', '11.29'), item('1', '-5.50', discount)]);

  expect(it.errors).toEqual([]);
  expect(it.cart).toMatchObject({ total: '17.0800', items: [{}, { total: '-5.5000' }] });
  const carts = (await gateway.admin('GET', '/carts')) as readonly { id: string }[];
  expect(carts.find(({ id }) => id === it.cart.id)).toMatchObject({
    cartDetails: [{}, { price: -5.5, total: -5.5 }],
  });
});

test('the gateway limits neither the number of items nor the length of texts', async () => {
  const short = { description: 'x', productType: 'y' };
  const long = { description: 'x'.repeat(501), productType: 'y' };
  const items = Array.from({ length: 101 }, () => item('1', '0.01', short));

  expect((await create([...items, item('0', '1', long)])).cart.total).toBe('1.0100');
});

describe('a cart is refused before an upstream call:', () => {
  const refusals: readonly (readonly [string, readonly object[], readonly string[]])[] = [
    ['no item', [], ['input.items']],
    ['a blank description', [item('1', '1', { description: ' ' })], ['input.items.0.description']],
    ['a blank product type', [item('1', '1', { productType: '' })], ['input.items.0.productType']],
    [
      'several things at once',
      [item('1', '1'), item('1', '-1', { description: '', productType: ' ' })],
      ['input.items.1.description', 'input.items.1.productType'],
    ],
  ];

  test.each(refusals)('%s', async (_what, items, paths) => {
    const it = await create(items);

    expect(it.cart).toBeNull();
    expect(it.errors.map(({ path }: Problem) => path.join('.'))).toEqual(paths);
    for (const problem of it.errors) {
      expect(problem).toMatchObject({
        __typename: 'InvalidInput',
        executed: 'NO',
        retryable: false,
      });
    }
    expect(await gateway.countCalls()).toEqual({});
  });

  test('when it exceeds the body limit of the upstream', async () => {
    const long = { description: 'x'.repeat(500) };
    const it = await create(Array.from({ length: 30 }, () => item('1', '0.01', long)));

    expect(it.cart).toBeNull();
    expect(it.errors).toMatchObject([{ code: 'INVALID_INPUT', executed: 'NO' }]);
  });
});

test.each(['1e3', 'abc', '', '1,5', '0x10', '1234567890123456789', '0.1234567890123'])(
  'the amount %j is no Decimal and refuses the whole document',
  async (unitPrice) => {
    const document =
      'mutation ($price: Decimal!) { createCart(input: { items: [{ description: "x", productType: "y", quantity: "1", unitPrice: $price }] }) { cart { id } } }';
    const { data, errors } = await gateway.query(document, { price: unitPrice });

    expect(data).toBeUndefined();
    expect(errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT', executed: 'NO' } }]);
    expect(await gateway.countCalls()).toEqual({});
  },
);
