import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../../src/lib/system.ts';
import { startTestGateway, type TestGateway } from '../../support/gateway.ts';
import { whyNotShort } from '../../support/long.ts';
import { arm, read } from './reads.ts';

const page = `{ domains(first: 2, orderBy: { direction: DESC }) {
  totalCount complete upstreamCount nodes { name } } }`;

describe.skipIf(whyNotShort)('a list of about 20 MB, above the size limit of other replies', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startTestGateway({
      sandboxDomains: 40_000,
      sandboxListSize: 0,
      env: { DOMAIN_MAX_AGE_SECONDS: '600', UPSTREAM_TIMEOUT_MS: '60000' },
    });
  });
  afterAll(() => gateway?.close());

  test('is complete', { timeout: 60_000 }, async () => {
    const { domains } = await read(gateway, page);

    expect(domains).toMatchObject({ totalCount: 40_000, complete: true, upstreamCount: 40_000 });
    expect(domains.nodes[0].name > domains.nodes[1].name).toBe(true);
    expect(await gateway.countCalls()).toEqual({ getdomainlist: 1 });
  });

  test('is read while pages are served', { timeout: 60_000 }, async () => {
    await read(gateway, page);
    let isRead = false;
    const refreshing = read(gateway, page.replace('(', '(refresh: true, ')).then(() => {
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

test('a list is read after a leading PHP warning, and fails when it is truncated', async () => {
  const small = await startTestGateway({
    ...{ sandboxDomains: 1_000, sandboxListSize: 0, env: { DOMAIN_MAX_AGE_SECONDS: '600' } },
  });
  onTestFinished(() => small.close());
  const refreshed = page.replace('(', '(refresh: true, ');
  await arm(small, 'html', 'getdomainlist', { times: 1 });
  const warned = await small.query(refreshed);
  await arm(small, 'cut', 'getdomainlist', { times: 3 });
  const cut = await small.query(refreshed);

  expect(warned.data.domains.totalCount).toBe(1_000);
  expect(cut.errors).toMatchObject([{ extensions: { code: 'UPSTREAM_PROTOCOL' } }]);
  expect((await read(small, page)).domains.totalCount).toBe(1_000);
});
