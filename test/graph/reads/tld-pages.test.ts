import { afterAll, expect, test } from 'vitest';
import { catalogue } from '../../../sandbox/service/catalogue.ts';
import { everyTld, startTestGateway } from '../../support/gateway.ts';
import { read } from './reads.ts';

const gateway = await startTestGateway({ sandboxDomains: 1, sandboxTlds: everyTld });
afterAll(() => gateway.close());

const inOrder = catalogue.map(({ tld }) => tld).sort();

test.each([
  ['forward', '', 100],
  ['backward', 'com', 20],
  ['single', '', 1_000],
])('%s pages contain every TLD once', async (direction, contains, size) => {
  const isForward = direction !== 'backward';
  const args = isForward ? 'first: $size, after: $at' : 'last: $size, before: $at';
  const chosen = inOrder.filter((name) => name.includes(contains));
  const seen: string[] = [];
  for (let at: string | null = null, more = true; more; ) {
    const { tlds } = await read(
      gateway,
      `query ($size: Int, $at: String) { tlds(${args}, filter: { contains: "${contains}" }) {
        totalCount nodes { name } pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
      } }`,
      { size, at },
    );
    expect(tlds.totalCount).toBe(chosen.length);
    const page = tlds.nodes.map(({ name }: { name: string }) => name);
    if (isForward) seen.push(...page);
    else seen.unshift(...page);
    at = isForward ? tlds.pageInfo.endCursor : tlds.pageInfo.startCursor;
    more = isForward ? tlds.pageInfo.hasNextPage : tlds.pageInfo.hasPreviousPage;
  }

  expect(seen).toEqual(chosen);
});

test.each([
  ['{ names: [".COM", "рф", "unsold-tld"] }', ['com', 'xn--p1ai']],
  ['{ contains: "ОНЛ" }', ['xn--80asehdb']],
  ['{ contains: "com.", active: true }', ['com.au', 'com.ng', 'com.tr']],
  ['{ active: false }', ['museum']],
  ['{ currency: "TL" }', ['com.tr', 'gen.tr', 'tr']],
  ['{ currency: "TRY" }', ['com.tr', 'gen.tr', 'tr']],
  ['{ period: 1, names: ["ai", "com", "de"] }', ['com', 'de']],
  ['{ period: 6, names: ["ai", "com", "de", "co"] }', ['ai', 'com']],
  ['{ names: [] }', []],
])('the filter %s returns exactly the matching TLDs', async (filter, names) => {
  const { tlds } = await read(gateway, `{ tlds(filter: ${filter}) { totalCount nodes { name } } }`);

  expect(tlds.nodes).toEqual(names.map((name) => ({ name })));
  expect(tlds.totalCount).toBe(names.length);
});

test('a filter of a thousand names is parsed once, and not once per TLD', async () => {
  const names = Array.from({ length: 1_000 }, (_, at) => `unsold-ü${at}`);
  const startedMs = performance.now();

  const { tlds } = await read(
    gateway,
    'query ($names: [String!]) { tlds(filter: { names: $names }) { totalCount } }',
    { names: [...names, 'com'] },
  );

  expect(tlds.totalCount).toBe(1);
  expect(performance.now() - startedMs).toBeLessThan(3_000);
});
