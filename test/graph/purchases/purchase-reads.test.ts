import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openShop, operationFields, type Payload, type Shop } from './shop.ts';

let shop: Shop;
const made: Payload[] = [];
beforeAll(async () => {
  shop = await openShop();
  for (const at of [1, 2, 3]) {
    const { purchase } = await shop.register({
      domain: `read-${at}.com`,
      idempotencyKey: `k-${at}`,
    });
    made.push(purchase);
  }
  made.push((await shop.register({ domain: 'needs-more.eu' })).purchase);
  made.push((await shop.transfer({ domain: 'outside-read.com' })).purchase);
});
beforeEach(() => shop.gateway.resetCalls());
afterAll(() => shop?.close());

const newestFirst = () => made.map(({ id }) => id).toReversed();
const send = async (document: string, variables?: object) => {
  const { data, errors } = await shop.gateway.query(document, variables);
  expect(errors).toBeUndefined();
  return data;
};
const list = async (args: string): Promise<Payload> => {
  const { purchases } =
    await send(`{ purchases${args && `(${args})`} { totalCount edges { cursor node { id } }
    pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } }`);
  const { edges, totalCount, pageInfo } = purchases;
  return { ids: edges.map(({ node }: Payload) => node.id), totalCount, pageInfo, edges };
};

test.each(['at once', 'after a restart'])(
  'a purchase is the same by id, by key and as a node, %s, without an upstream call',
  { tags: ['G2'] },
  async (when) => {
    if (when === 'after a restart') {
      await shop.gateway.restart();
      await shop.gateway.resetCalls();
    }
    const [first] = made;

    const data = await send(
      `query ($id: ID!) { purchase(by: { id: $id }) { ${operationFields} }
        byKey: purchase(by: { key: " k-1 " }) { ${operationFields} }
        node(id: $id) { id ... on Purchase { ${operationFields} } }
        nodes(ids: [$id, $id]) { id } }`,
      { id: first.id },
    );

    expect(data).toEqual({
      purchase: first,
      byKey: first,
      node: first,
      nodes: [{ id: first.id }, { id: first.id }],
    });
    expect(await shop.gateway.countCalls()).toEqual({});
  },
);

test('the list of purchases is complete and newest first, without an upstream call', async () => {
  const { ids, totalCount, pageInfo } = await list('');

  expect(ids).toEqual(newestFirst());
  expect(totalCount).toBe(5);
  expect(pageInfo).toMatchObject({ hasNextPage: false, hasPreviousPage: false });
  expect(await shop.gateway.countCalls()).toEqual({});
});

test.each([
  ['first', 'after', 'endCursor', 'hasNextPage'],
  ['last', 'before', 'startCursor', 'hasPreviousPage'],
])(
  'pages with %s and %s contain each purchase once, in the same order',
  async (size, from, cursor, more) => {
    const pages: string[][] = [];
    for (let at = ''; pages.length < 4; ) {
      const page = await list(`${size}: 2${at}`);
      pages.push(page.ids);
      if (!page.pageInfo[more]) break;
      at = `, ${from}: "${page.pageInfo[cursor]}"`;
    }

    expect(pages.map(({ length }) => length)).toEqual([2, 2, 1]);
    expect((size === 'first' ? pages : pages.toReversed()).flat()).toEqual(newestFirst());
  },
);

test('a page of size 0 reports that more follow, and an empty cursor is refused', async () => {
  expect((await list('first: 0')).pageInfo).toMatchObject({ hasNextPage: true });

  const { data, errors } = await shop.gateway.query('{ purchases(after: "") { totalCount } }');

  expect(data).toEqual({ purchases: null });
  expect(errors[0]).toMatchObject({ extensions: { code: 'INVALID_INPUT' } });
});

test('filters combine, and totalCount counts the filtered purchases', async () => {
  const [one, two, three, failed, moved] = made.map(({ id }) => id);

  expect(await list('filter: { states: [FAILED] }')).toMatchObject({
    ids: [failed],
    totalCount: 1,
  });
  expect((await list('filter: { kinds: [TRANSFER] }')).ids).toEqual([moved]);
  expect((await list('filter: { domain: "Read-2.com" }')).ids).toEqual([two]);
  expect((await list('filter: { states: [SUCCEEDED], kinds: [REGISTRATION] }')).ids).toEqual([
    three,
    two,
    one,
  ]);
  expect((await list('filter: { states: [PENDING] }')).totalCount).toBe(0);
  expect((await list('filter: { states: [] }')).totalCount).toBe(0);
});

test('an unknown id or key is null', async () => {
  const unknown = Buffer.from('Purchase:unknown').toString('base64url');
  const domain = Buffer.from('Domain:read-1.com').toString('base64url');

  const data =
    await send(`{ one: purchase(by: { id: "${unknown}" }) { id } two: purchase(by: { id: "${domain}" }) { id }
    garbage: purchase(by: { id: "garbage" }) { id }
    three: purchase(by: { key: "unknown" }) { id } node(id: "${unknown}") { id } }`);

  expect(data).toEqual({ one: null, two: null, garbage: null, three: null, node: null });
});

test.each([
  ['a cursor of nothing', 'after: "x"'],
  ['a cursor of another list', `after: "${Buffer.from('["a","b"]').toString('base64url')}"`],
  ['both sizes', 'first: 1, last: 1'],
  ['too large a page', 'first: 101'],
])('%s is INVALID_INPUT and not an error of the journal', async (_case, args) => {
  const { errors } = await shop.gateway.query(`{ purchases(${args}) { totalCount } }`);

  expect(errors).toMatchObject([{ path: ['purchases'], extensions: { code: 'INVALID_INPUT' } }]);
});
