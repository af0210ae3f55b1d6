import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { startTestGateway } from '../../../../test/support/gateway.ts';
import { mutate, type Problem } from '../../../../test/graph/writes/mutate.ts';
import { startRecordedGateway } from '../../../../test/graph/writes/recorded-gateway.ts';

const gateway = await startTestGateway({ sandboxDomains: 40 });
const recorded = await startRecordedGateway();
afterAll(() => Promise.all([gateway.close(), recorded.close()]));
beforeEach(async () => {
  recorded.seen.length = 0;
  await gateway.admin('POST', '/reset', {});
  await gateway.resetCalls();
});

/** The objects of the sandbox. */
const stored = async (path: string) =>
  (await gateway.admin('GET', path)) as readonly { readonly id: string }[];
const pathsOf = (problems: readonly Problem[]) => problems.map(({ path }) => path.join('.'));
const invalid = { __typename: 'PlainError', executed: 'NO', retryable: false };

describe('a cart', () => {
  const cart = 'cart { id total items { description quantity unitPrice total productType } }';
  const create = (items: readonly object[]) => mutate(gateway, 'createCart', { items }, cart);
  const item = (quantity: string, unitPrice: string, more: object = {}) => ({
    ...{ description: 'unlocked-demo.com, 1 year', productType: 'domain', quantity, unitPrice },
    ...more,
  });
  const storedCart = async (wanted: string) =>
    (await stored('/carts')).find(({ id }) => id === wanted);

  test('is in the sandbox under the returned id, after one call', async () => {
    const it = await create([item('2', '11.29'), item('1', '0', { description: 'Privacy' })]);

    expect(it.errors).toEqual([]);
    expect(it.cart).toMatchObject({
      ...{ total: '22.5800', items: [{ total: '22.5800' }, { total: '0.0000' }] },
    });
    expect(await storedCart(it.cart.id)).toMatchObject({
      ...{ user: 'demo', total: 22.58 },
      cartDetails: [
        { description: 'unlocked-demo.com, 1 year', quantity: 2, price: 11.29, total: 22.58 },
        { description: 'Privacy', quantity: 1, price: 0, total: 0, productType: 'domain' },
      ],
    });
    expect(await gateway.countCalls()).toEqual({ 'POST /carts': 1 });
  });

  test('of three times 0.1 costs 0.3', { tags: ['G7'] }, async () => {
    expect((await create([item('3', '0.1')])).cart).toEqual({
      ...{ id: expect.stringMatching(/^cart_/), total: '0.3000' },
      items: [{ ...item('3.0000', '0.1000'), total: '0.3000' }],
    });
    const { data } = await gateway.query(`mutation { createCart(input: { items: [
      { description: "x", productType: "y", quantity: 3, unitPrice: 0.10 }] }) { cart { total } } }`);
    expect(data.createCart.cart.total).toBe('0.3000');
  });

  test('has the total that is sent for an item, also a rounded one or one with tax', async () => {
    const it = await create([
      item('3', '0.3333', { total: '1' }),
      item('1', '10', { total: 11.9 }),
    ]);

    expect(it).toMatchObject({
      ...{ cart: { total: '12.9000', items: [{ total: '1.0000' }, { total: '11.9000' }] } },
      errors: [],
    });
  });

  test('can have an item with a negative price as a discount', async () => {
    const discount = { description: 'Welcome discount', productType: 'discount' };
    const it = await create([item('2', '11.29'), item('1', '-5.50', discount)]);

    expect(it.errors).toEqual([]);
    expect(it.cart).toMatchObject({ total: '17.0800', items: [{}, { total: '-5.5000' }] });
    expect(await storedCart(it.cart.id)).toMatchObject({
      cartDetails: [{}, { price: -5.5, total: -5.5 }],
    });
  });

  test('is not limited in the number of items or the length of texts', async () => {
    const long = { description: 'x'.repeat(501), productType: 'y' };
    const items = Array(101).fill(item('1', '0.01', { description: 'x', productType: 'y' }));

    expect((await create([...items, item('0', '1', long)])).cart.total).toBe('1.0100');
  });

  const blank = { description: '', productType: ' ' };
  test.each<[string, readonly object[], readonly string[]]>([
    ['no item', [], ['input.items']],
    ['a blank description', [item('1', '1', { description: ' ' })], ['input.items.0.description']],
    ['a blank product type', [item('1', '1', { productType: '' })], ['input.items.0.productType']],
    [
      'several blank texts',
      [item('1', '1'), item('1', '-1', blank)],
      ['input.items.1.description', 'input.items.1.productType'],
    ],
  ])('with %s is refused before an upstream call', async (_what, items, paths) => {
    const it = await create(items);

    expect(it.cart).toBeNull();
    expect(pathsOf(it.errors)).toEqual(paths);
    for (const problem of it.errors) expect(problem).toMatchObject(invalid);
    expect(await gateway.countCalls()).toEqual({});
  });

  test('above the body limit of the upstream is refused', async () => {
    const it = await create(Array(30).fill(item('1', '0.01', { description: 'x'.repeat(500) })));

    expect(it).toMatchObject({ cart: null, errors: [{ code: 'INVALID_INPUT', executed: 'NO' }] });
  });

  // All texts that are no amount are in `src/kernel/money.test.ts`.
  test.each(['1e3', '1,5', '', '1234567890123456789'])(
    'with the amount %j, which is no Decimal, refuses the whole document',
    async (price) => {
      const { data, errors } = await gateway.query(
        `mutation ($price: Decimal!) { createCart(input: { items: [
          { description: "x", productType: "y", quantity: "1", unitPrice: $price }] }) { cart { id } } }`,
        { price },
      );

      expect(data).toBeUndefined();
      expect(errors).toMatchObject([{ extensions: { code: 'INVALID_INPUT', executed: 'NO' } }]);
      expect(await gateway.countCalls()).toEqual({});
    },
  );

  const longest = '123456789012345678.123456789012';
  const nines = '999999999999999999';
  test.each([
    ['3', '0.1', '"quantity":3.0000,"price":0.1000', '0.3000'],
    ['1', longest, `"quantity":1.0000,"price":${longest}`, longest],
    [
      nines,
      nines,
      `"quantity":${nines}.0000,"price":${nines}.0000`,
      `${nines.slice(1)}8${'0'.repeat(17)}1.0000`,
    ],
  ])('of %s times %s is sent with exact digits', async (quantity, unitPrice, numbers, total) => {
    const items = [{ description: 'x', productType: 'y', quantity, unitPrice }];
    const it = await mutate(recorded.gateway, 'createCart', { items }, 'cart { total }');

    expect(it.cart).toEqual({ total });
    expect(recorded.seen.map(({ path, body }) => [path, body])).toEqual([
      [
        '/account-api/carts',
        `{"cartDetails":[{"description":"x",${numbers},"total":${total},"productType":"y"}]}`,
      ],
    ]);
  });

  test.each([
    ['{"id":7}', '7'],
    ['{"data":{"id":"c-1"}}', 'c-1'],
    ['{"statusCode":201,"data":{"id":12}}', '12'],
    ['{"data":[]}', null],
    ['{"data":{"cartId":"c-1"}}', null],
  ])('has its id from the reply %s: %j', async (body, id) => {
    recorded.replyNext({ status: 201, body });
    const items = [{ description: 'x', quantity: '1', unitPrice: '2', productType: 'y' }];

    expect(await mutate(recorded.gateway, 'createCart', { items }, 'cart { id }')).toEqual({
      ...{ cart: { id }, errors: [] },
    });
  });
});

describe('the change of a hosting group', () => {
  const fields = 'updated hostingGroup { id name description imageUrl }';
  const update = (input: object, to = gateway) => mutate(to, 'updateHostingGroup', input, fields);
  const image = 'https://images.example/new.png';
  const action = 'PATCH /hosting/group/{id}';

  test.each([
    [
      'is in the sandbox after one call',
      { id: 'hg_demo_1', name: 'Büro & Co.', description: '', imageUrl: image },
      { name: 'Büro & Co.', description: '', imageUrl: image },
      image,
    ],
    [
      'leaves an absent field unchanged',
      { id: 'hg_demo_2', description: 'Now with carts.' },
      {
        ...{ name: 'Shops', description: 'Now with carts.' },
        imageUrl: 'https://images.example/hg_demo_2.png',
      },
      'https://images.example/hg_demo_2.png',
    ],
    [
      'removes the image by null, and leaves the texts unchanged',
      { id: 'hg_demo_3', name: 'Old things', description: null, imageUrl: null },
      { name: 'Old things', description: 'Sites that nobody edits any more.', imageUrl: null },
      '',
    ],
  ])('%s', async (_what, input, hostingGroup, storedImage) => {
    expect(await update(input)).toEqual({
      ...{ updated: true, hostingGroup: { id: input.id, ...hostingGroup }, errors: [] },
    });
    const groups = await stored('/hosting-groups');
    expect(groups.find(({ id }) => id === input.id)).toMatchObject({
      hostingGroupName: hostingGroup.name,
      hostingGroupDescription: hostingGroup.description,
      hostingGroupImage: storedImage,
    });
    expect(await gateway.countCalls()).toEqual({ [action]: 1 });
  });

  test.each(['hg_unknown', 'a/b', 'ä b', 'x'.repeat(200)])(
    'of an unknown group is NOT_FOUND: %s',
    async (id) => {
      expect(await update({ id, name: 'New' })).toMatchObject({
        ...{ updated: false, hostingGroup: null },
        errors: [{ __typename: 'PlainError', code: 'NOT_FOUND', executed: 'NO', retryable: false }],
      });
      expect(await gateway.countCalls()).toEqual({ [action]: 1 });
    },
  );

  test.each([
    ['a blank name', { id: 'hg_demo_1', name: '  ' }, ['input.name']],
    ['no change', { id: 'hg_demo_1' }, ['input']],
    ['only nulls', { id: 'hg_demo_1', name: null, description: null }, ['input']],
    ['an empty id', { id: '', name: 'New' }, ['input.id']],
    ['an id that is another path', { id: '..', name: 'New' }, ['input.id']],
    ['a blank id', { id: ' ', name: 'New' }, ['input.id']],
    ['a bad id and a blank name', { id: '.', name: '' }, ['input.id', 'input.name']],
    ['a bad id and no change', { id: '.' }, ['input.id', 'input']],
  ])('with %s is refused before an upstream call', async (_what, input, paths) => {
    const it = await update(input);

    expect(it.hostingGroup).toBeNull();
    expect(pathsOf(it.errors)).toEqual(paths);
    for (const problem of it.errors) expect(problem).toMatchObject(invalid);
    expect(await gateway.countCalls()).toEqual({});
  });

  test.each([
    ...['javascript:alert(1)', 'data:text/html,x', 'file:///etc/passwd', '//images.example/a.png'],
    ...['https://user:secret@images.example/a.png', 'no address', ''],
  ])('with the image URL %j is refused before an upstream call', async (url) => {
    const { data, errors } = await gateway.query(
      `mutation ($url: URL) { updateHostingGroup(input: { id: "hg_demo_1", imageUrl: $url }) { updated } }`,
      { url },
    );

    expect(data).toBeUndefined();
    expect(errors).toMatchObject([
      {
        message: 'A URL must be an absolute http or https address without credentials.',
        extensions: { code: 'INVALID_INPUT', executed: 'NO' },
      },
    ]);
    expect(await gateway.countCalls()).toEqual({});
  });

  const replied = {
    hostingGroupName: 'N',
    hostingGroupDescription: 'D',
    hostingGroupImage: image,
  };
  const shown = { name: 'N', description: 'D', imageUrl: image };
  test.each([
    ['the values of the reply', replied, shown],
    ['the values of the reply within `data`', { data: replied }, shown],
    [
      'the sent value or null where the reply omits or garbles it',
      { hostingGroupName: null, hostingGroupImage: 'javascript:alert(1)' },
      { name: 'Sent', description: 'Also sent', imageUrl: null },
    ],
  ])('returns %s', async (_what, body, hostingGroup) => {
    recorded.replyNext({ status: 200, body: JSON.stringify(body) });

    const sent = { id: '7', name: 'Sent', description: 'Also sent' };
    expect(await update(sent, recorded.gateway)).toMatchObject({
      ...{ hostingGroup, errors: [] },
    });
  });
});

describe('a deletion', { tags: ['G23'] }, () => {
  const confirm = { confirm: true };
  const left = async () => ({
    groups: (await stored('/hosting-groups')).map(({ id }) => id),
    logs: (await stored('/logs')).length,
  });
  const groups = ['hg_demo_1', 'hg_demo_2', 'hg_demo_3'];

  test.each(['deleteHostingGroup', 'deleteLogs'])(
    'by %s without confirm is refused before an upstream call',
    async (name) => {
      expect(await mutate(gateway, name, { confirm: false }, 'deleted')).toEqual({
        deleted: false,
        errors: [
          {
            ...{ __typename: 'PlainError', code: 'CONFIRMATION_REQUIRED' },
            message: 'This cannot be undone; pass `confirm: true` to confirm it.',
            ...{ path: ['input', 'confirm'], executed: 'NO', retryable: false },
          },
        ],
      });
      expect(await gateway.countCalls()).toEqual({});
      expect(await left()).toEqual({ groups, logs: 25 });
    },
  );

  test('by deleteHostingGroup deletes one group with one call, until there is none', async () => {
    const remove = () => mutate(gateway, 'deleteHostingGroup', confirm, 'deleted deletedId');

    expect(await remove()).toEqual({ deleted: true, deletedId: 'hg_demo_3', errors: [] });
    expect(await gateway.countCalls()).toEqual({ 'DELETE /hosting/group': 1 });
    expect(await left()).toEqual({ groups: groups.slice(0, 2), logs: 25 });
    await remove();
    await remove();
    expect(await remove()).toMatchObject({
      ...{ deleted: false, errors: [{ code: 'NOT_FOUND', executed: 'NO' }] },
    });
  });

  test('by deleteLogs deletes the logs and nothing else, with one call', async () => {
    expect(await mutate(gateway, 'deleteLogs', confirm, 'deleted')).toEqual({
      ...{ deleted: true, errors: [] },
    });
    expect(await gateway.countCalls()).toEqual({ 'DELETE /logs': 1 });
    expect(await left()).toEqual({ groups, logs: 0 });
  });

  test.each([
    ['{"data":{"id":"g-1"}}', 'g-1'],
    ['{"id":9}', '9'],
    ['', null],
  ])('of a hosting group has its id from the reply %s: %j', async (body, deletedId) => {
    recorded.replyNext({ status: 200, body });
    const name = 'deleteHostingGroup';

    expect(await mutate(recorded.gateway, name, confirm, 'deleted deletedId')).toEqual({
      ...{ deleted: true, deletedId, errors: [] },
    });
  });
});
