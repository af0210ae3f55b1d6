import { afterAll, beforeEach, expect, test } from 'vitest';
import { startTestGateway } from '../../support/gateway.ts';
import { arm } from './reads.ts';

const gateway = await startTestGateway({ sandboxDomains: 40 });
afterAll(() => gateway.close());
beforeEach(() => gateway.resetCalls());

const document = `{
  domains(first: 10) { nodes { name contacts { registrant { email } } tld { name } } }
  reseller { name }
  availabilities(names: ["free-a.com", "free-b.com"]) { state }
}`;

test('extensions.upstream counts the calls that the sandbox received', async () => {
  const { extensions } = await gateway.query(document);

  const counts = await gateway.countCalls();
  expect(counts).toEqual({
    getdomainlist: 1,
    getcontacts: 10,
    tldlist: 1,
    resellerdetails: 1,
    bulkcheckavailability: 1,
  });
  expect(extensions.upstream.byAction).toEqual(counts);
  expect(extensions.upstream.calls).toBe(14);
  expect(extensions.upstream.list).toHaveLength(14);
});

test('extensions.upstream lists each attempt of a retried call', async () => {
  await arm(gateway, 'gateway', 'resellerdetails', { times: 1 });

  const { data, extensions } = await gateway.query('{ reseller { name } }');

  expect(data.reseller).toEqual({ name: 'Demo Reseller' });
  expect(extensions.upstream.list).toMatchObject([
    { action: 'resellerdetails', attempt: 1, outcome: 'UPSTREAM_UNAVAILABLE' },
    { action: 'resellerdetails', attempt: 2, outcome: 'OK' },
  ]);
  expect(await gateway.countCalls()).toEqual({ resellerdetails: 2 });
});

test('extensions.upstream contains no calls of another request', async () => {
  const responses = await Promise.all([
    gateway.query('{ reseller { name } }'),
    gateway.query('{ domain(name: "reseller-demo.com") { name } }'),
  ]);

  expect(responses.map(({ extensions }) => extensions.upstream.byAction)).toEqual([
    { resellerdetails: 1 },
    { getdetails: 1 },
  ]);
});

test('extensions.upstream is absent outside development', async () => {
  const quiet = await startTestGateway({ sandboxDomains: 1, env: { DEVELOPMENT: 'false' } });

  const response = await quiet.query('{ reseller { name } }');
  await quiet.close();

  expect(response.data.reseller.name).toBe('Demo Reseller');
  expect(Object.keys(response.extensions)).toEqual(['cost']);
});
