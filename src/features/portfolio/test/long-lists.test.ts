import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { systemClock } from '../../../lib/system.ts';
import { startTestGateway, type TestGateway } from '../../../../test/support/gateway.ts';
import { createGatewayClock } from '../../../../test/support/gateway-clock.ts';
import { whyNotShort } from '../../../../test/support/long.ts';
import { arm, portfolioNames, read } from '../../../../test/graph/reads/reads.ts';

const page = `{ domains(first: 2, orderBy: { direction: DESC }) {
  totalCount coverage { complete listed } nodes { name } } }`;
const refreshed = page.replace('(', '(refresh: true, ');

describe.skipIf(whyNotShort)('a list of about 20 MB, above the size limit of other replies', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startTestGateway({
      ...{ sandboxDomains: 40_000, sandboxListSize: 0 },
      env: { DOMAIN_MAX_AGE_SECONDS: '600', UPSTREAM_TIMEOUT_MS: '60000' },
    });
  });
  afterAll(() => gateway?.close());

  test('is complete', { timeout: 60_000 }, async () => {
    const { domains } = await read(gateway, page);

    expect(domains).toMatchObject({
      totalCount: 40_000,
      coverage: { complete: true, listed: 40_000 },
    });
    expect(domains.nodes[0].name > domains.nodes[1].name).toBe(true);
    expect(await gateway.countCalls()).toEqual({ getdomainlist: 1 });
  });

  test('is read while pages are served', { timeout: 60_000 }, async () => {
    await read(gateway, page);
    let isRead = false;
    const refreshing = read(gateway, refreshed).then(() => {
      isRead = true;
    });

    let served = 0;
    for (; !isRead; served += 1) {
      await read(gateway, page);
      await systemClock.wait(10);
    }
    await refreshing;

    expect(served).toBeGreaterThan(10);
  });
});

describe('a list of 1000 domains', () => {
  const time = createGatewayClock();
  let gateway: TestGateway;
  beforeAll(async () => {
    const started = await startTestGateway({
      ...{ sandboxDomains: 1_000, sandboxListSize: 0, clock: time.clock },
      env: { DOMAIN_MAX_AGE_SECONDS: '600', UPSTREAM_TIMEOUT_MS: '1000' },
    });
    gateway = time.withTime(started);
  });
  afterAll(() => gateway.close());
  beforeEach(async () => {
    await gateway.admin('DELETE', '/faults');
    await gateway.resetCalls();
  });

  test('may keep arriving for longer than any other reply', async () => {
    await arm(gateway, 'drip', 'getdomainlist', { times: 1, ms: 2_500 });

    expect((await read(gateway, refreshed)).domains.totalCount).toBe(1_000);
    expect(await gateway.countCalls()).toEqual({ getdomainlist: 1 });
  });

  test('is read after a leading PHP warning', async () => {
    await arm(gateway, 'html', 'getdomainlist', { times: 1 });

    expect((await read(gateway, refreshed)).domains.totalCount).toBe(1_000);
  });

  test.each([
    ['is truncated', 'cut', 'UPSTREAM_PROTOCOL'],
    ['stops arriving', 'hang', 'UPSTREAM_TIMEOUT'],
  ])('that %s fails, and the cached one is still served', async (_what, fault, code) => {
    await arm(gateway, fault, 'getdomainlist');

    expect((await gateway.query(refreshed)).errors).toMatchObject([{ extensions: { code } }]);
    expect((await read(gateway, page)).domains.totalCount).toBe(1_000);
  });
});

describe('a list that the upstream truncates to 200 of 320 domains, without a second page,', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startTestGateway({ sandboxDomains: 320 });
  });
  afterAll(() => gateway.close());
  beforeEach(() => gateway.resetCalls());
  const names = portfolioNames(320);

  test('is not complete, and its pages contain each of the 200 domains once', async () => {
    const seen: string[] = [];
    for (let after: string | null = null, more = true; more; ) {
      const { domains } = await read(
        gateway,
        `query ($after: String) { domains(first: 100, after: $after) {
          coverage { complete listed } totalCount nodes { name } pageInfo { hasNextPage endCursor } } }`,
        { after },
      );
      expect(domains).toMatchObject({
        coverage: { complete: false, listed: 320 },
        totalCount: 200,
      });
      seen.push(...domains.nodes.map(({ name }: { name: string }) => name));
      ({ endCursor: after, hasNextPage: more } = domains.pageInfo);
    }

    expect(seen).toEqual(names.slice(0, 200).toSorted());
  });

  test('is completed by one getdetails for each name beyond it', async () => {
    const own = [...names.slice(0, 90), ...names.slice(-9)];

    const { domainsByName } = await read(
      gateway,
      'query ($names: [String!]!) { domainsByName(names: $names) { name } }',
      { names: [...own, 'absent-from-all.com'] },
    );

    expect(domainsByName).toEqual([...own.map((name) => ({ name })), null]);
    expect(await gateway.countCalls()).toEqual({ getdomainlist: 1, getdetails: 10 });
  });
});
