import { afterAll, describe, expect, test } from 'vitest';
import { startTestGateway } from '../../support/gateway.ts';
import { read } from './reads.ts';

const gateway = await startTestGateway({ sandboxDomains: 90 });
afterAll(() => gateway.close());

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

async function list(args: string, variables: object = {}, declared = ''): Promise<Row[]> {
  const { domains } = await read(
    gateway,
    `query ${declared} { domains(first: 100, ${args}) { totalCount nodes { ${fields} } } }`,
    variables,
  );
  expect(domains.totalCount).toBe(domains.nodes.length);
  return domains.nodes;
}

const everything = await list('orderBy: {}');

describe('domains are in the requested order, then by name:', () => {
  const byField = {
    NAME: () => '',
    EXPIRES_AT: (row: Row) => row.expiresAt,
    REGISTERED_AT: (row: Row) => row.registeredAt,
  };

  test.each(
    Object.entries(byField).flatMap(([field, of]) => [
      [field, 'ASC', of] as const,
      [field, 'DESC', of] as const,
    ]),
  )('%s %s', async (field, direction, of) => {
    const rows = await list(`orderBy: { field: ${field}, direction: ${direction} }`);

    const keys = rows.map((row) => `${of(row)} ${row.name}`);
    const sorted = [...everything].map((row) => `${of(row)} ${row.name}`).sort();
    expect(keys).toEqual(direction === 'ASC' ? sorted : sorted.toReversed());
  });
});

test('the pages of an order follow each other without a gap', async () => {
  const seen: string[] = [];
  for (let after: string | null = null, more = true; more; ) {
    const { domains } = await read(
      gateway,
      `query ($after: String) {
        domains(first: 17, after: $after, orderBy: { field: EXPIRES_AT, direction: DESC }) {
          nodes { name } pageInfo { hasNextPage endCursor }
        }
      }`,
      { after },
    );
    seen.push(...domains.nodes.map(({ name }: Row) => name));
    ({ endCursor: after, hasNextPage: more } = domains.pageInfo);
  }

  const whole = await list('orderBy: { field: EXPIRES_AT, direction: DESC }');
  expect(seen).toEqual(whole.map(({ name }) => name));
});

describe('a filter returns exactly the matching domains:', () => {
  const now = new Date().toISOString();
  const soon = new Date(Date.now() + 20 * 86_400_000).toISOString();

  test.each<[string, string, (row: Row) => boolean]>([
    ['contains', '{ contains: " DEMO " }', ({ name }) => name.includes('demo')],
    ['contains in Unicode', '{ contains: "Bücher" }', (row) => row.unicodeName.includes('bücher')],
    ['tlds', '{ tlds: [".COM", "co.uk"] }', ({ name }) => /\.com$|\.co\.uk$/.test(name)],
    ['states', '{ states: [REDEMPTION, OTHER] }', ({ state }) => /REDEMPTION|OTHER/.test(state)],
    ['expiresBefore', `{ expiresBefore: "${now}" }`, ({ expiresAt }) => expiresAt < now],
    [
      'both dates',
      `{ expiresAfter: "${now}", expiresBefore: "${soon}" }`,
      ({ expiresAt }) => expiresAt >= now && expiresAt < soon,
    ],
    ['locked', '{ transferLocked: true }', ({ transferLocked }) => transferLocked],
    ['unlocked', '{ transferLocked: false }', ({ transferLocked }) => !transferLocked],
    ['protected', '{ privacyProtected: true }', ({ privacyProtected }) => privacyProtected],
    [
      'nameServer',
      '{ nameServer: "NS1.reseller-demo.com." }',
      ({ nameServers }) => nameServers.includes('ns1.reseller-demo.com'),
    ],
    [
      'all of them together',
      '{ contains: "demo", tlds: ["com"], states: [ACTIVE], transferLocked: false }',
      (row) =>
        /demo.*\.com$/.test(row.name) && row.state === 'ACTIVE' && row.transferLocked === false,
    ],
    ['a part that is null', '{ contains: null, states: [DELETED] }', (r) => r.state === 'DELETED'],
  ])('%s', async (_what, filter, holds) => {
    const rows = await list(`filter: ${filter}`);

    const expected = everything.filter(holds).map(({ name }) => name);
    expect(expected.length).toBeGreaterThan(0);
    expect(expected.length).toBeLessThan(everything.length);
    expect(rows.map(({ name }) => name)).toEqual(expected);
  });

  test.each(['{ tlds: ["unsold-tld"] }', '{ states: [] }', '{ contains: "no such text" }'])(
    'a filter without matches returns no domains: %s',
    async (filter) => {
      expect(await list(`filter: ${filter}`)).toEqual([]);
    },
  );
});
