import { afterAll, expect, test } from 'vitest';
import { systemClock } from '../../../src/lib/system.ts';
import { startTestGateway } from '../../support/gateway.ts';
import { arm, read } from './reads.ts';

// A list of some 20 MB: more than any other reply may have.
const gateway = await startTestGateway({
  sandboxDomains: 40_000,
  sandboxListSize: 0,
  env: { DOMAIN_MAX_AGE_SECONDS: '600', UPSTREAM_TIMEOUT_MS: '60000' },
});
afterAll(() => gateway.close());

const page = `{ domains(first: 2, orderBy: { direction: DESC }) {
  totalCount complete upstreamCount nodes { name } } }`;

test('a list longer than any other reply is read whole', { timeout: 60_000 }, async () => {
  const { domains } = await read(gateway, page);

  expect(domains).toMatchObject({ totalCount: 40_000, complete: true, upstreamCount: 40_000 });
  expect(domains.nodes[0].name > domains.nodes[1].name).toBe(true);
  expect(await gateway.countCalls()).toEqual({ getdomainlist: 1 });
});

test('pages are answered while it is read', { timeout: 60_000 }, async () => {
  await read(gateway, page);
  let isRead = false;
  const anew = read(gateway, page.replace('(', '(refresh: true, ')).then(() => {
    isRead = true;
  });

  let answered = 0;
  for (; !isRead; answered += 1) {
    await read(gateway, page);
    await systemClock.wait(10);
  }
  await anew;

  expect(answered).toBeGreaterThan(10);
});

test('the same behind a warning, and not at all when it is cut off', {
  timeout: 60_000,
}, async () => {
  const anew = page.replace('(', '(refresh: true, ');
  await arm(gateway, 'html', 'getdomainlist', { times: 1 });
  const warned = await gateway.query(anew);
  await arm(gateway, 'cut', 'getdomainlist', { times: 3 });
  const cut = await gateway.query(anew);

  expect(warned.data.domains.totalCount).toBe(40_000);
  expect(cut.errors).toMatchObject([{ extensions: { code: 'UPSTREAM_PROTOCOL' } }]);
  expect((await read(gateway, page)).domains.totalCount).toBe(40_000);
});
