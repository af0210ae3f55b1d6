import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ada } from '../../../../test/support/ada.ts';
import { startTestGateway } from '../../../../test/support/gateway.ts';
import { leapingClock } from '../../../../test/support/leaping-clock.ts';
import { portfolioNames, read } from '../../../../test/graph/reads/reads.ts';

const { clock, pass } = leapingClock();
const gateway = await startTestGateway({
  sandboxDomains: 150,
  clock,
  env: { DOMAIN_MAX_AGE_SECONDS: '10' },
});
afterAll(() => gateway.close());
beforeEach(async () => {
  await gateway.admin('POST', '/reset', {});
  // Longer than a list is served, so that each test starts without one.
  pass(3_600);
  await gateway.resetCalls();
});
afterEach(async () => {
  await gateway.admin('DELETE', '/faults');
  await release();
  // Starts after a refresh that this test has left running, so that the next test does not join that.
  await read(gateway, '{ domains(first: 1, refresh: true) { totalCount } }');
});

const count = '{ domains(first: 1) { totalCount coverage { asOf } } }';
const isLocked = async (name: string, refresh = false): Promise<boolean> => {
  const { domains } = await read(
    gateway,
    `{ domains(filter: { contains: "${name}" }, refresh: ${refresh}) { nodes { transferLocked } } }`,
  );
  return domains.nodes[0].transferLocked;
};
const unlock = (name: string) =>
  read(
    gateway,
    `mutation { disableTransferLock(input: { domain: "${name}" }) { errors { code } } }`,
  );
/** A write by another program with the same account. */
const unlockOutsideTheGateway = (domain: string) =>
  gateway.callUpstream('disabletheftlock', { domain });
/** Holds the next getdomainlist of the upstream until `release`: before its execution, or its reply. */
const hold = (fault: 'hold-before' | 'hold-after') =>
  gateway.admin('POST', '/faults', { fault, action: 'getdomainlist' });
const isHeld = () => expect.poll(() => gateway.admin('GET', '/held')).toEqual({ held: 1 });
const release = () => gateway.admin('POST', '/release', {});
const callsOf = async (action: string) => (await gateway.countCalls())[action] ?? 0;

const { domains: found } = await read(
  gateway,
  `{ domains(first: 100, filter: { contains: "-", tlds: ["com"], states: [ACTIVE], transferLocked: true }) {
    nodes { name } } }`,
);
const locked: readonly string[] = found.nodes
  .map(({ name }: { name: string }) => name)
  .filter((name: string) => !name.includes('demo') && !name.startsWith('xn--'));
const [one = '', other = ''] = locked;

describe('a cached list serves', () => {
  test('all pages, filters and counts for ten seconds', async () => {
    const first = await read(
      gateway,
      '{ domains(first: 100) { nodes { name } pageInfo { endCursor } } }',
    );
    pass(4);
    await read(gateway, 'query ($after: String) { domains(after: $after) { nodes { name } } }', {
      after: first.domains.pageInfo.endCursor,
    });
    pass(4);
    const { data, extensions } = await gateway.query(
      '{ domainStats(filter: { tlds: ["com"] }) { totalCount } }',
    );

    expect(data.domainStats.totalCount).toBeGreaterThan(10);
    expect(extensions.upstream.cached).toMatchObject([{ action: 'getdomainlist', stale: false }]);
    expect(await gateway.countCalls()).toEqual({ getdomainlist: 1 });
  });

  test('the names of a request with many names', async () => {
    await read(gateway, count);
    const names = portfolioNames(60);

    const { domainsByName } = await read(
      gateway,
      'query ($names: [String!]!) { domainsByName(names: $names) { name } }',
      { names },
    );

    expect(domainsByName).toEqual(names.map((name) => ({ name })));
    expect(await gateway.countCalls()).toEqual({ getdomainlist: 1 });
  });

  test('concurrent users with one call, which only one of them counts', async () => {
    const responses = await Promise.all([1, 2, 3].map(() => gateway.query(count)));

    expect(responses.map(({ data }) => data.domains.totalCount)).toEqual([150, 150, 150]);
    expect(await gateway.countCalls()).toEqual({ getdomainlist: 1 });
    expect(responses.map(({ extensions }) => extensions.upstream.calls).sort()).toEqual([0, 0, 1]);
  });

  test('no auth codes, which cost one getdetails each, counted before execution', {
    tags: ['R7', 'S3'],
  }, async () => {
    await read(gateway, count);
    await gateway.resetCalls();

    const { data, extensions } = await gateway.query(
      '{ domains(first: 7) { nodes { authCode } } }',
    );

    expect(data.domains.nodes).toEqual(
      Array(7).fill({ authCode: expect.stringMatching(/^.{16}$/) }),
    );
    expect(await gateway.countCalls()).toEqual({ getdetails: 7 });
    expect(extensions.cost.upstreamCalls).toBeGreaterThanOrEqual(7);
  });
});

describe('a stale list', () => {
  test('is served at once while one call reads a new list', async () => {
    const { domains: first } = await read(gateway, count);
    pass(30);
    await hold('hold-before');

    const old = await Promise.all([1, 2, 3].map(() => gateway.query(count)));
    await isHeld();
    await release();
    await expect
      .poll(async () => (await read(gateway, count)).domains.coverage.asOf)
      .not.toBe(first.coverage.asOf);

    expect(old.map(({ data }) => data.domains.coverage.asOf)).toEqual(
      Array(3).fill(first.coverage.asOf),
    );
    expect(old[0]?.extensions.upstream.cached).toMatchObject([
      { action: 'getdomainlist', stale: true },
    ]);
    expect(await gateway.countCalls()).toEqual({ getdomainlist: 2 });
  });
});

describe('a write shows in the cached list at once', () => {
  test('for one getdetails, and a new list is read in the background', async () => {
    expect(await isLocked(one)).toBe(true);
    await unlock(one);
    await gateway.resetCalls();

    expect(await isLocked(one)).toBe(false);
    await expect.poll(() => gateway.countCalls()).toEqual({ getdetails: 1, getdomainlist: 1 });
    expect(await isLocked(one)).toBe(false);
    expect(await gateway.countCalls()).toEqual({ getdetails: 1, getdomainlist: 1 });
  });

  test('with a registered domain in its position and in every count', async () => {
    await read(gateway, count);
    const input = { domain: 'maple-thing.com', registrant: { fields: ada } };
    await read(
      gateway,
      'mutation ($input: RegisterDomainInput!) { registerDomain(input: $input) { purchase { state } } }',
      { input: { ...input, nameServers: ['ns1.example.net', 'ns2.example.net'] } },
    );

    const { domains, byExpiry } = await read(
      gateway,
      `{ domains(filter: { contains: "maple-" }, first: 100) { nodes { name } }
        byExpiry: domains(orderBy: { field: EXPIRES_AT }, first: 100) { totalCount nodes { expiresAt } } }`,
    );

    const names = domains.nodes.map(({ name }: { name: string }) => name);
    const dates = byExpiry.nodes.map(({ expiresAt }: { expiresAt: string }) => expiresAt);
    expect(names).toContain('maple-thing.com');
    expect(names).toEqual(names.toSorted());
    expect(dates).toEqual(dates.toSorted());
    expect(byExpiry.totalCount).toBe(151);
  });
});

test('refresh starts a new read of the list, which then serves other clients', async () => {
  expect(await isLocked(other)).toBe(true);
  await unlockOutsideTheGateway(other);

  const cached = await isLocked(other);
  const fresh = await isLocked(other, true);
  const after = await isLocked(other);

  expect([cached, fresh, after]).toEqual([true, false, false]);
  expect(await callsOf('getdomainlist')).toBe(2);
});
