import { afterAll, expect, test } from 'vitest';
import { startTestGateway, type TestGateway } from '../../support/gateway.ts';
import { portfolioNames, read } from './reads.ts';

const gateway = await startTestGateway({ sandboxDomains: 63 });
afterAll(() => gateway.close());

const inOrder = [...portfolioNames(63)].sort();
const pageInfo = 'pageInfo { hasNextPage hasPreviousPage startCursor endCursor }';
const namesOf = (page: { nodes: readonly { name: string }[] }) =>
  page.nodes.map(({ name }) => name);

/** All pages in one direction, in the order in which they were read. */
async function walk(direction: 'forward' | 'backward', size: number, from: TestGateway = gateway) {
  const args = direction === 'forward' ? 'first: $size, after: $at' : 'last: $size, before: $at';
  const pages: string[][] = [];
  for (let at: string | null = null; ; ) {
    const { domains } = await read(
      from,
      `query ($size: Int, $at: String) { domains(${args}) { totalCount nodes { name } ${pageInfo} } }`,
      { size, at },
    );
    pages.push(namesOf(domains));
    const { hasNextPage, hasPreviousPage, startCursor, endCursor } = domains.pageInfo;
    const more = direction === 'forward' ? hasNextPage : hasPreviousPage;
    expect(direction === 'forward' ? hasPreviousPage : hasNextPage).toBe(pages.length > 1);
    if (!more) return pages;
    at = direction === 'forward' ? endCursor : startCursor;
  }
}

test.each([7, 21, 63, 100])(
  'forward pages of %i contain every domain once',
  { tags: ['G6'] },
  async (size) => {
    const pages = await walk('forward', size);

    expect(pages.flat()).toEqual(inOrder);
    expect(pages).toHaveLength(Math.ceil(63 / size));
  },
);

test.each([10, 21, 100])(
  'backward pages of %i contain every domain once',
  { tags: ['G6'] },
  async (size) => {
    const pages = await walk('backward', size);

    expect(pages.toReversed().flat()).toEqual(inOrder);
  },
);

test('a page has 20 domains by default, and its edges have the same nodes', {
  tags: ['G6'],
}, async () => {
  const { domains } = await read(
    gateway,
    `{ domains { totalCount edges { cursor node { name } } nodes { name } ${pageInfo} } }`,
  );

  expect(namesOf(domains)).toEqual(inOrder.slice(0, 20));
  expect(domains.edges.map((edge: { node: unknown }) => edge.node)).toEqual(domains.nodes);
  expect(domains.pageInfo).toEqual({
    hasNextPage: true,
    hasPreviousPage: false,
    startCursor: domains.edges[0].cursor,
    endCursor: domains.edges[19].cursor,
  });
  expect(domains.totalCount).toBe(63);
});

test('a page of size 0 reports whether domains follow or precede', async () => {
  const { none, end } = await read(
    gateway,
    `{
      none: domains(first: 0) { totalCount nodes { name } ${pageInfo} }
      end: domains(last: 0) { totalCount nodes { name } ${pageInfo} }
    }`,
  );

  const empty = { totalCount: 63, nodes: [] };
  const nowhere = { startCursor: null, endCursor: null };
  expect(none).toEqual({
    ...empty,
    pageInfo: { hasNextPage: true, hasPreviousPage: false, ...nowhere },
  });
  expect(end).toEqual({
    ...empty,
    pageInfo: { hasNextPage: false, hasPreviousPage: true, ...nowhere },
  });
});

test('two cursors select the domains between them', async () => {
  const { all } = await read(gateway, '{ all: domains(first: 63) { edges { cursor } } }');
  const between = { after: all.edges[9].cursor, before: all.edges[15].cursor };

  const { domains, last } = await read(
    gateway,
    `query ($after: String, $before: String) {
      domains(after: $after, before: $before) { nodes { name } }
      last: domains(after: $after, before: $before, last: 2) { nodes { name } }
    }`,
    between,
  );

  expect(namesOf(domains)).toEqual(inOrder.slice(10, 15));
  expect(namesOf(last)).toEqual(inOrder.slice(13, 15));
});

test('a cursor remains valid when domains are added and removed', async () => {
  const document =
    'query ($after: String) { domains(first: 10, after: $after) { nodes { name } pageInfo { endCursor } } }';
  const moving = await startTestGateway({ sandboxDomains: 63 });
  const { domains: before } = await read(moving, document);
  const person = `{ firstName: "A", lastName: "B", email: "a@b.example", phone: "+49 30 123456",
    address: { line1: "C 1", city: "D", zipCode: "10115", country: "DE" } }`;
  const register = (name: string) =>
    read(
      moving,
      `mutation { registerDomain(input: { domain: "${name}", registrant: ${person},
        nameServers: ["ns1.a-host.net", "ns2.a-host.net"] }) { errors { message } } }`,
    );
  // One sorts into the page that was read, one into a later page.
  const registered = [`${before.nodes[3].name.split('.')[0]}-more.com`, 'zz-comes-later.com'];
  for (const name of registered) expect((await register(name)).registerDomain.errors).toEqual([]);
  // After 40 days redemption-demo.com and other expired domains no longer exist.
  await moving.admin('POST', '/clock', { advanceDays: 40 });

  const seen = namesOf(before);
  for (let after = before.pageInfo.endCursor; after; ) {
    const { domains } = await read(moving, document, { after });
    seen.push(...namesOf(domains));
    after = domains.pageInfo.endCursor;
  }
  const { all } = await read(moving, '{ all: domains(first: 100) { nodes { name } } }');
  await moving.close();

  expect(new Set(seen).size).toBe(seen.length);
  expect(
    seen.filter((name) => !before.nodes.some((node: { name: string }) => node.name === name)),
  ).toEqual(namesOf(all).filter((name) => name > (before.nodes[9].name as string)));
  expect(seen).toContain('zz-comes-later.com');
  expect(namesOf(all)).not.toContain('redemption-demo.com');
});

test('a date in a filter is midnight UTC', { tags: ['G9'] }, async () => {
  const [date, instant] = await Promise.all(
    ['2027-01-31', '2027-01-31T00:00:00Z'].map((at) =>
      read(gateway, `{ domains(filter: { expiresBefore: "${at}" }) { totalCount } }`),
    ),
  );

  expect(date).toEqual(instant);
  expect(date.domains.totalCount).toBeGreaterThan(0);
});
