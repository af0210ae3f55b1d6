import { afterAll, afterEach, expect, test } from 'vitest';
import { startTestGateway } from '../../support/gateway.ts';
import { arm, read } from './reads.ts';

const gateway = await startTestGateway({
  sandboxDomains: 150,
  env: { DOMAIN_MAX_AGE_SECONDS: '10', UPSTREAM_TIMEOUT_MS: '1000' },
});
afterAll(() => gateway.close());
afterEach(() => gateway.admin('DELETE', '/faults'));

const refreshed = '{ domains(refresh: true) { totalCount } }';

test('a list that keeps arriving may take longer than any other reply', async () => {
  await arm(gateway, 'drip', 'getdomainlist', { times: 1, ms: 2_500 });

  expect(await read(gateway, refreshed)).toEqual({ domains: { totalCount: 150 } });
  expect(await gateway.countCalls()).toEqual({ getdomainlist: 1 });
});

test('a list that stops arriving ends with UPSTREAM_TIMEOUT', async () => {
  await arm(gateway, 'hang', 'getdomainlist');

  const { errors } = await gateway.query(refreshed);

  expect(errors).toMatchObject([{ extensions: { code: 'UPSTREAM_TIMEOUT' } }]);
});
