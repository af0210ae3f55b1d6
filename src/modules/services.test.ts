import { expect, test } from 'vitest';
import { createTenant, refusal } from '../../test/support/modules/purchase-tenant.ts';

test('a purchase is settled by reading, also for a request without calls left or whose client has left', async () => {
  const lost = { status: 502, body: 'Bad gateway' };
  const tenant = await createTenant();
  const { getdetails = () => refusal(500, 'Error.') } = tenant.upstream;
  tenant.upstream.registerdomain = ({ domain }) => {
    tenant.domains.set(domain, 'Active');
    tenant.upstream.getdetails = () => lost;
    return lost;
  };
  await tenant.register();
  const [purchase] = await tenant.purchases();
  expect(purchase?.state).toBe('PENDING');
  tenant.upstream.getdetails = getdetails;
  const left = new AbortController();
  left.abort();
  const request = tenant.request({ signal: left.signal });
  while (request.budget.take());

  const read = await request.services.purchases.byId(purchase?.id ?? '');

  expect(read?.state).toBe('SUCCEEDED');
});

test.each(['purchases', 'gatewayInfo', 'orders', 'domainChanges'] as const)(
  'a response with %s depends on the journal and is never cached',
  async (service) => {
    const { services } = (await createTenant()).request();
    expect(services.haveReadJournal).toBe(false);

    expect(services[service]).toBeDefined();

    expect(services.haveReadJournal).toBe(true);
  },
);

test('services that read no journal leave a response cacheable', async () => {
  const { services } = (await createTenant()).request();
  const { portfolio, quotes, search, nameServers, protection, sync, trackedDomains } = services;
  const all = [portfolio, quotes, search, nameServers, protection, sync, trackedDomains];

  expect(all.every((service) => typeof service === 'object')).toBe(true);
  expect(services.haveReadJournal).toBe(false);
});

test('a change of domains has the caller and the key of its request, and reads its list', async () => {
  const tenant = await createTenant();
  tenant.domains.set('maple.com', 'Active');
  const input = { filter: {}, expectedCount: 1, change: { privacyProtected: true } };
  const create = (header: string, idempotencyKey: string) =>
    tenant
      .request({ caller: 'shop', scopes: ['domains:read', 'domains:write'], header })
      .services.domainChanges.create({ ...input, idempotencyKey });

  const { job, errors } = await create('key-1', 'key-1');

  expect(errors).toEqual([]);
  expect(job?.job).toMatchObject({ caller: 'shop', key: 'key-1' });
  expect(tenant.sent('getdomainlist')).toHaveLength(1);
  expect((await create('key-2', 'key-3')).errors).not.toEqual([]);
});
