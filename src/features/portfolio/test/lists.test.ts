import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { errorFacts, portfolioNames, read } from '../../../../test/graph/reads/reads.ts';
import { ada } from '../../../../test/support/ada.ts';
import { startTestGateway, type TestGateway } from '../../../../test/support/gateway.ts';

const gateway = await startTestGateway({ sandboxDomains: 90 });
afterAll(() => gateway.close());
beforeEach(() => gateway.resetCalls());

const inOrder = portfolioNames(90).toSorted();
const pageInfo = 'pageInfo { hasNextPage hasPreviousPage startCursor endCursor }';
const namesOf = ({ nodes }: { readonly nodes: readonly { readonly name: string }[] }) =>
  nodes.map(({ name }) => name);

/** All pages in one direction, in the order in which they were read. */
async function walk(isForward: boolean, size: number, orderBy = '{}', from: TestGateway = gateway) {
  const args = isForward ? 'first: $size, after: $at' : 'last: $size, before: $at';
  const pages: string[][] = [];
  for (let at: string | null = null; ; ) {
    const { domains } = await read(
      from,
      `query ($size: Int, $at: String) { domains(${args}, orderBy: ${orderBy}) {
        totalCount nodes { name } ${pageInfo} } }`,
      { size, at },
    );
    pages.push(namesOf(domains));
    const { hasNextPage, hasPreviousPage, startCursor, endCursor } = domains.pageInfo;
    expect(isForward ? hasPreviousPage : hasNextPage).toBe(pages.length > 1);
    if (!(isForward ? hasNextPage : hasPreviousPage)) return pages;
    at = isForward ? endCursor : startCursor;
  }
}

describe('pages', { tags: ['G6'] }, () => {
  test.each([7, 30, 90, 100])('forward of %i contain every domain once', async (size) => {
    const pages = await walk(true, size);

    expect(pages.flat()).toEqual(inOrder);
    expect(pages).toHaveLength(Math.ceil(90 / size));
  });

  test.each([10, 21, 100])('backward of %i contain every domain once', async (size) => {
    expect((await walk(false, size)).toReversed().flat()).toEqual(inOrder);
  });

  test('have 20 domains by default, and their edges have the same nodes', async () => {
    const { domains } = await read(
      gateway,
      `{ domains { totalCount edges { cursor node { name } } nodes { name } ${pageInfo} } }`,
    );

    expect(namesOf(domains)).toEqual(inOrder.slice(0, 20));
    expect(domains.edges.map((edge: { node: unknown }) => edge.node)).toEqual(domains.nodes);
    expect(domains.pageInfo).toEqual({
      ...{ hasNextPage: true, hasPreviousPage: false },
      ...{ startCursor: domains.edges[0].cursor, endCursor: domains.edges[19].cursor },
    });
    expect(domains.totalCount).toBe(90);
  });

  test('of size 0 report whether domains follow or precede', async () => {
    const fields = `{ totalCount nodes { name } ${pageInfo} }`;
    const page = (hasNextPage: boolean) => ({
      ...{ totalCount: 90, nodes: [] },
      pageInfo: { hasNextPage, hasPreviousPage: !hasNextPage, startCursor: null, endCursor: null },
    });

    expect(
      await read(gateway, `{ none: domains(first: 0) ${fields} end: domains(last: 0) ${fields} }`),
    ).toEqual({ none: page(true), end: page(false) });
  });

  test('between two cursors have the domains between them', async () => {
    const { all } = await read(gateway, '{ all: domains(first: 63) { edges { cursor } } }');

    const { domains, last } = await read(
      gateway,
      `query ($after: String, $before: String) {
        domains(after: $after, before: $before) { nodes { name } }
        last: domains(after: $after, before: $before, last: 2) { nodes { name } }
      }`,
      { after: all.edges[9].cursor, before: all.edges[15].cursor },
    );

    expect(namesOf(domains)).toEqual(inOrder.slice(10, 15));
    expect(namesOf(last)).toEqual(inOrder.slice(13, 15));
  });

  test('continue at a cursor when domains are added and removed', async () => {
    const moving = await startTestGateway({ sandboxDomains: 63 });
    const document =
      'query ($after: String) { domains(first: 10, after: $after) { nodes { name } pageInfo { endCursor } } }';
    const { domains: before } = await read(moving, document);
    // One sorts into the page that was read, one into a later page.
    for (const domain of [`${namesOf(before)[3]?.split('.')[0]}-more.com`, 'zz-comes-later.com']) {
      const { registerDomain } = await read(
        moving,
        'mutation ($input: RegisterDomainInput!) { registerDomain(input: $input) { errors { message } } }',
        {
          input: {
            domain,
            registrant: { fields: ada },
            nameServers: ['ns1.a-host.net', 'ns2.a-host.net'],
          },
        },
      );
      expect(registerDomain.errors).toEqual([]);
    }
    // After 40 days redemption-demo.com and other expired domains no longer exist.
    await moving.admin('POST', '/clock', { advanceDays: 40 });

    const later: string[] = [];
    for (let after = before.pageInfo.endCursor; after; ) {
      const { domains } = await read(moving, document, { after });
      later.push(...namesOf(domains));
      after = domains.pageInfo.endCursor;
    }
    const all = (await walk(true, 100, '{}', moving)).flat();
    await moving.close();

    const last = namesOf(before).at(-1) ?? '';
    expect(later).toEqual(all.filter((name) => name > last));
    expect(later).toContain('zz-comes-later.com');
    expect(all).not.toContain('redemption-demo.com');
  });
});

interface Row {
  readonly name: string;
  readonly unicodeName: string;
  readonly state: string;
  readonly registeredAt: string;
  readonly expiresAt: string;
  readonly transferLocked: boolean;
  readonly privacyProtected: boolean;
  readonly nameServers: readonly string[];
}
const fields =
  'name unicodeName state registeredAt expiresAt transferLocked privacyProtected nameServers';

/** The list with all of its domains in one page. */
async function listed(args: string): Promise<Row[]> {
  const { domains } = await read(
    gateway,
    `{ domains(first: 100, ${args}) { totalCount nodes { ${fields} } } }`,
  );
  expect(domains.totalCount).toBe(domains.nodes.length);
  return domains.nodes;
}
const everything = await listed('orderBy: {}');

describe('domains are in the requested order, then by name:', () => {
  const keys = {
    NAME: ({ name }: Row) => name,
    EXPIRES_AT: ({ expiresAt, name }: Row) => `${expiresAt} ${name}`,
    REGISTERED_AT: ({ registeredAt, name }: Row) => `${registeredAt} ${name}`,
  };

  test.each(Object.entries(keys))('%s', async (field, keyOf) => {
    const sorted = everything.map(keyOf).sort();
    const ascending = await listed(`orderBy: { field: ${field}, direction: ASC }`);
    const descending = await listed(`orderBy: { field: ${field}, direction: DESC }`);

    expect(ascending.map(keyOf)).toEqual(sorted);
    expect(descending.map(keyOf)).toEqual(sorted.toReversed());
  });

  test('by pages without a gap', async () => {
    const order = '{ field: EXPIRES_AT, direction: DESC }';

    expect((await walk(true, 17, order)).flat()).toEqual(
      (await listed(`orderBy: ${order}`)).map(({ name }) => name),
    );
  });
});

describe('a filter returns exactly the matching domains:', () => {
  const now = new Date().toISOString();
  const soon = new Date(Date.now() + 20 * 86_400_000).toISOString();

  test.each<[string, (row: Row) => boolean]>([
    ['contains: " DEMO "', ({ name }) => name.includes('demo')],
    ['contains: "REDEMPTİON"', ({ name }) => name.includes('redemption')],
    ['contains: "BU\u0308CHER"', (row) => row.unicodeName.includes('bücher')],
    ['contains: "Bücher"', (row) => row.unicodeName.includes('bücher')],
    ['tlds: [".COM", "co.uk"]', ({ name }) => /\.com$|\.co\.uk$/.test(name)],
    ['states: [REDEMPTION, OTHER]', ({ state }) => /REDEMPTION|OTHER/.test(state)],
    [`expires: { until: "${now}" }`, ({ expiresAt }) => expiresAt < now],
    [
      `expires: { from: "${now}", until: "${soon}" }`,
      ({ expiresAt }) => expiresAt >= now && expiresAt < soon,
    ],
    ['transferLocked: true', ({ transferLocked }) => transferLocked],
    ['transferLocked: false', ({ transferLocked }) => !transferLocked],
    ['privacyProtected: true', ({ privacyProtected }) => privacyProtected],
    [
      'nameServer: "NS1.reseller-demo.com."',
      ({ nameServers }) => nameServers.includes('ns1.reseller-demo.com'),
    ],
    [
      'contains: "demo", tlds: ["com"], states: [ACTIVE], transferLocked: false',
      (row) => /demo.*\.com$/.test(row.name) && row.state === 'ACTIVE' && !row.transferLocked,
    ],
    ['contains: null, states: [DELETED]', ({ state }) => state === 'DELETED'],
  ])('%s', async (filter, holds) => {
    const expected = everything.filter(holds);

    expect(expected.length).toBeGreaterThan(0);
    expect(expected.length).toBeLessThan(everything.length);
    expect(await listed(`filter: { ${filter} }`)).toEqual(expected);
  });

  test.each(['tlds: ["unsold-tld"]', 'states: []', 'contains: "no such text"'])(
    'none for %s',
    async (filter) => {
      expect(await listed(`filter: { ${filter} }`)).toEqual([]);
    },
  );

  test.each(['com,net', '.com; .net'])(
    'and none is empty for a TLD that is none: %j',
    async (tld) => {
      const { data, errors } = await gateway.query(
        'query ($tlds: [String!]) { domains(filter: { tlds: $tlds }) { totalCount } }',
        { tlds: ['com', tld] },
      );

      expect(data).toEqual({ domains: null });
      expect(errors).toMatchObject([{ extensions: { code: 'INVALID_INPUT' } }]);
      expect(errors[0].message).toContain(`"${tld}" is no TLD`);
    },
  );

  test('a date is midnight UTC', { tags: ['G9'] }, async () => {
    const date = await listed('filter: { expires: { until: "2027-01-31" } }');

    expect(date).toEqual(await listed('filter: { expires: { until: "2027-01-31T00:00:00Z" } }'));
    expect(date.length).toBeGreaterThan(0);
  });
});

describe('the arguments of a page', { tags: ['G6'] }, () => {
  const notACursor = (argument: string) =>
    `"${argument}" is not a cursor of this list; pass a "cursor", "startCursor" or "endCursor" of it, with the same order.`;
  const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

  // All malformed cursors are in `src/schema/connection.test.ts`.
  test.each(
    Object.entries({ domains: 100, tlds: 1_000, purchases: 100 }).flatMap(([field, most]) => [
      [field, `first: ${most + 1}`, `"first" must be from 0 to ${most}; it is ${most + 1}.`],
      [field, `last: ${most + 1}`, `"last" must be from 0 to ${most}; it is ${most + 1}.`],
      [field, 'first: -1', `"first" must be from 0 to ${most}; it is -1.`],
      [field, 'last: -1', `"last" must be from 0 to ${most}; it is -1.`],
      [field, 'first: 0, last: 0', 'Pass "first" or "last", not both.'],
      [field, 'after: "no cursor"', notACursor('after')],
      [field, 'before: "☃"', notACursor('before')],
      [field, `after: "${encoded([1, 2, 3])}"`, notACursor('after')],
      [field, `after: "${encoded(['a', 'b', 'c', 'd'])}"`, notACursor('after')],
      [field, 'after: ""', notACursor('after')],
    ]),
  )('of %s are refused before an upstream call: %s', async (field = '', args, message) => {
    const { data, errors } = await gateway.query(`{ ${field}(${args}) { totalCount } }`);

    expect(data).toEqual({ [field]: null });
    expect(errors.map(errorFacts)).toEqual([
      { path: [field], message, code: 'INVALID_INPUT', retryable: false, executed: 'NO' },
    ]);
    expect(await gateway.upstreamCalls()).toEqual([]);
  });

  test.each([
    ['list', 'tlds(first: 1)', 'after: $cursor'],
    ['field', 'domains(first: 1)', 'after: $cursor, orderBy: { field: EXPIRES_AT }'],
    ['direction', 'domains(first: 1)', 'after: $cursor, orderBy: { direction: DESC }'],
  ])('must not have a cursor of another %s', async (_what, first, args) => {
    const { it } = await read(gateway, `{ it: ${first} { pageInfo { endCursor } } }`);
    await gateway.resetCalls();

    const { errors } = await gateway.query(
      `query ($cursor: String) { it: domains(${args}) { totalCount } }`,
      { cursor: it.pageInfo.endCursor },
    );

    expect(errors.map(errorFacts)).toMatchObject([
      { path: ['it'], message: notACursor('after'), code: 'INVALID_INPUT' },
    ]);
    expect(await gateway.upstreamCalls()).toEqual([]);
  });

  test('may be null, which equals absent', async () => {
    const { domains } = await read(
      gateway,
      '{ domains(first: null, last: 3, after: null, before: null) { nodes { name } } }',
    );

    expect(domains.nodes).toHaveLength(3);
  });
});
