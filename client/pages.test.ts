import { expect, test } from 'vitest';
import { collect, connectScripted, json } from '../test/support/scripted-fetch.ts';
import type { Page, TypedDocument } from './index.ts';

type Nodes = readonly string[];
interface Domains {
  readonly domains: Page<string>;
}
interface Variables {
  readonly first: number;
  readonly after?: string | null;
}

const document: TypedDocument<Domains, Variables> = 'query Pages { domains }';
const pageOf = ({ domains }: Domains) => domains;

const page = (nodes: Nodes, endCursor: string | null, hasNextPage = true) =>
  json({ data: { domains: { nodes, pageInfo: { hasNextPage, endCursor } } } });

test('every page is read after the end of the one before', async () => {
  const { client, bodies } = connectScripted([
    page(['a', 'b'], '2'),
    page([], '3'),
    page(['c'], '4', false),
  ]);

  const nodes = await collect(client.paginate(document, { first: 3 }, pageOf));

  expect(nodes).toEqual(['a', 'b', 'c']);
  expect(bodies().map(({ variables }) => variables)).toEqual([
    { first: 3 },
    { first: 3, after: '2' },
    { first: 3, after: '3' },
  ]);
});

test('reading starts after the cursor of the caller', async () => {
  const { client, bodies } = connectScripted([page([], null, false)]);

  await collect(client.paginate(document, { first: 3, after: '7' }, pageOf));

  expect(bodies()).toMatchObject([{ variables: { after: '7' } }]);
});

test('no page is read after the caller stops', async () => {
  const { client, calls } = connectScripted([page(['a', 'b'], '2'), page(['c', 'd'], '4')]);

  for await (const node of client.paginate(document, { first: 2 }, pageOf)) {
    if (node === 'b') break;
  }

  expect(calls).toHaveLength(1);
});

test.each([
  ['selects no cursor', [page(['a'], null)]],
  ['ignores the cursor', [page(['a'], '2'), page(['a'], '2')]],
])('a document that %s is an error, and no endless loop', async (_title, steps) => {
  const { client, calls } = connectScripted(steps);

  const read = collect(client.paginate(document, { first: 1 }, pageOf));

  await expect(read).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
  expect(calls).toHaveLength(steps.length);
});

test('the options of a request apply to each page', async () => {
  const errors = [{ message: 'One domain is missing.' }];
  const data = { domains: { nodes: ['a'], pageInfo: { hasNextPage: false } } };
  const received: unknown[] = [];
  const { client } = connectScripted([json({ data, errors })]);

  const nodes = client.paginate(document, { first: 1 }, pageOf, {
    onErrors: (all) => void received.push(...all),
  });

  expect(await collect(nodes)).toEqual(['a']);
  expect(received).toEqual(errors);
});
