import { demoPortfolio } from '../../sandbox/service/seed.ts';
import { changeDomains, placeOrder } from './jobs.ts';
import { type Data, liveWhile, type Pair, responseOf, spanCell, startPair } from './pair.ts';

/** Aliases of one selection. */
export const aliased = (count: number, selectionAt: (at: number) => string) =>
  `{ ${Array.from({ length: count }, (_, at) => `a${at}: ${selectionAt(at)}`).join(' ')} }`;

const documents: Readonly<Record<string, (orders: readonly string[]) => string>> = {
  'lines of 20 orders': () => '{ orders(first: 20) { nodes { lines { domainName state } } } }',
  '200 items of 20 bulk changes': () =>
    '{ bulkChanges(first: 20) { nodes { items(first: 200) { domainName state endedAt } } } }',
  '500 items of 20 bulk changes': () =>
    '{ bulkChanges(first: 20) { nodes { items(first: 500) { domainName state } } } }',
  'lines of orders by 100 ids': (orders) =>
    `{ nodes(ids: ${JSON.stringify(Array.from({ length: 100 }, (_, at) => orders[at % orders.length]))}) { ... on Order { lines { domainName } } } }`,
  'lines of 20 orders, 10 aliases': () =>
    aliased(10, () => 'orders(first: 20) { nodes { lines { domainName state } } }'),
  '500 items of 20 bulk changes, 10 aliases': () =>
    aliased(
      10,
      () => 'bulkChanges(first: 20) { nodes { items(first: 500) { domainName state } } }',
    ),
  'totals of 20 orders, 50 aliases': () =>
    aliased(
      50,
      () =>
        'orders(first: 20) { nodes { stopReason finishedAt spent { price { amount } } quoted { price { amount } } } }',
    ),
};

/** 20 orders of 500 lines and 20 bulk changes of 2,000 domains, each cancelled; then each document again and again. */
export async function measureDocuments(size: {
  readonly orders: number;
  readonly lines: number;
  readonly items: number;
  readonly repeats: number;
}): Promise<string[][]> {
  const pair = await startPair({
    domains: size.items,
    env: { DEVELOPMENT: 'false', AUTH: 'open', RATE_LIMIT_PER_MINUTE: '0' },
  });
  try {
    const orders = await fill(pair, size);
    const rows: string[][] = [];
    for (const [what, documentOf] of Object.entries(documents)) {
      const document = documentOf(orders);
      let last: Data;
      const repeat = async () => {
        for (let at = 0; at < size.repeats; at += 1)
          last = await responseOf(pair.gateway, document);
      };
      await responseOf(pair.gateway, document);
      const before = pair.gateway.rssBytes() ?? Number.NaN;
      const spans = await liveWhile(pair.gateway, repeat());
      const growth = (pair.gateway.rssBytes() ?? Number.NaN) - before;
      rows.push([
        `${what}: ${last.errors?.[0]?.extensions?.code ?? 'served'}, ${size.repeats} times`,
        spanCell(spans),
        `${(growth / 2 ** 20).toFixed(0)} MiB more memory`,
      ]);
    }
    return rows;
  } finally {
    await pair.close();
  }
}

async function fill(
  pair: Pair,
  size: { readonly orders: number; readonly lines: number; readonly items: number },
): Promise<string[]> {
  const names = [...demoPortfolio(size.items)].map(([name]) => name);
  const orders: string[] = [];
  for (let at = 0; at < size.orders; at += 1) {
    const id = await placeOrder(pair, `stored${at}`, size.lines);
    orders.push(id);
    await pair.query(
      'mutation ($input: LookupInput!) { cancelOrder(input: $input) { errors { message } } }',
      { input: { id } },
    );
    const job = await changeDomains(pair, `change${at}`, names);
    await pair.query(
      'mutation ($input: LookupInput!) { cancelBulkChange(input: $input) { errors { message } } }',
      { input: { id: job } },
    );
  }
  return orders;
}
