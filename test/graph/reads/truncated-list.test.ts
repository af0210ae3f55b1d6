import { afterAll, beforeEach, expect, test } from 'vitest';
import { startTestGateway } from '../../support/gateway.ts';
import { portfolioNames, read } from './reads.ts';

// The upstream returns 200 of the 320 domains and has no second page.
const gateway = await startTestGateway({ sandboxDomains: 320 });
afterAll(() => gateway.close());
beforeEach(() => gateway.resetCalls());

const names = portfolioNames(320);

test('a list that the upstream truncates is not complete', async () => {
  const { domains } = await read(gateway, '{ domains { complete upstreamCount totalCount } }');

  expect(domains).toEqual({ complete: false, upstreamCount: 320, totalCount: 200 });
});

test('names beyond a truncated list are read by one getdetails each', async () => {
  const requestedNames = [...names.slice(0, 90), ...names.slice(-9), 'absent-from-all.com'];

  const { domainsByName } = await read(
    gateway,
    'query ($names: [DomainName!]!) { domainsByName(names: $names) { name } }',
    { names: requestedNames },
  );

  expect(domainsByName).toEqual([...requestedNames.slice(0, 99).map((name) => ({ name })), null]);
  expect(await gateway.countCalls()).toEqual({ getdomainlist: 1, getdetails: 10 });
});

test('pages contain each of the 200 listed domains once', async () => {
  const seen: string[] = [];
  for (let after: string | null = null, more = true; more; ) {
    const { domains } = await read(
      gateway,
      `query ($after: String) { domains(first: 100, after: $after) {
        nodes { name } pageInfo { hasNextPage endCursor }
      } }`,
      { after },
    );
    seen.push(...domains.nodes.map(({ name }: { name: string }) => name));
    ({ endCursor: after, hasNextPage: more } = domains.pageInfo);
  }

  expect(seen).toEqual([...names.slice(0, 200)].sort());
});
