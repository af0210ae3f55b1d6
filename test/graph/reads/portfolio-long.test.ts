import { afterAll, expect, test } from 'vitest';
import { systemClock } from '../../../src/lib/system.ts';
import { startTestGateway } from '../../support/gateway.ts';
import { arm, read } from './reads.ts';

// A list of about 20 MB, above the size limit of other replies.
const gateway = await startTestGateway({
  sandboxDomains: 40_000,
  sandboxListSize: 0,
  env: { DOMAIN_MAX_AGE_SECONDS: '600', UPSTREAM_TIMEOUT_MS: '60000' },
});
afterAll(() => gateway.close());

const page = `{ domains(first: 2, orderBy: { direction: DESC }) {
  totalCount complete upstreamCount nodes { name } } }`;

test('a list above the size limit of other replies is complete', { timeout: 60_000 }, async () => {
  const { domains } = await read(gateway, page);

  expect(domains).toMatchObject({ totalCount: 40_000, complete: true, upstreamCount: 40_000 });
  expect(domains.nodes[0].name > domains.nodes[1].name).toBe(true);
  expect(await gateway.countCalls()).toEqual({ getdomainlist: 1 });
});

test('pages are served while a list is read', { timeout: 60_000 }, async () => {
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

test('a list is read after a leading PHP warning, and fails when it is truncated', async () => {
  const small = await startTestGateway({
    ...{ sandboxDomains: 1_000, sandboxListSize: 0, env: { DOMAIN_MAX_AGE_SECONDS: '600' } },
  });
  const refreshed = page.replace('(', '(refresh: true, ');
  await arm(small, 'html', 'getdomainlist', { times: 1 });
  const warned = await small.query(refreshed);
  await arm(small, 'cut', 'getdomainlist', { times: 3 });
  const cut = await small.query(refreshed);

  expect(warned.data.domains.totalCount).toBe(1_000);
  expect(cut.errors).toMatchObject([{ extensions: { code: 'UPSTREAM_PROTOCOL' } }]);
  expect((await read(small, page)).domains.totalCount).toBe(1_000);
  await small.close();
});
