import { expect, test } from 'vitest';
import { createTenant, refusal } from '../../test/support/modules/purchase-tenant.ts';
import type { Services } from './services.ts';

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

test('a service is created once, which reads nothing', async () => {
  const { services } = (await createTenant()).request();
  const read = () => [
    ...[services.purchases, services.gatewayInfo, services.portfolio, services.quotes],
    ...[services.search, services.registration, services.orders, services.bulkChanges],
    ...[services.nameServers, services.protection, services.sync, services.events],
    ...[services.webhooks, services.trackedDomains, services.accountApi],
    ...[services.contactProfiles],
  ];

  const first = read();

  for (const [at, service] of read().entries()) expect(service).toBe(first[at]);
  expect(services.haveReadUncached).toBe(false);
});

test('each update of a subscription needs its own approval for an auth code', async () => {
  const { services } = (await createTenant()).request();
  const before = services.approvalGate;

  services.beginUpdate();

  expect(services.approvalGate).not.toBe(before);
});

test.each<[string, (services: Services) => unknown]>([
  ['a purchase', ({ purchases }) => purchases.byId('id')],
  ['an order', ({ orders }) => orders.find({ key: 'key' })],
  ['a job', ({ bulkChanges }) => bulkChanges.byId('id')],
  ['an event', ({ events }) => events.list({ limit: 1 })],
  ['a webhook', ({ webhooks }) => webhooks.list()],
  ['a contact profile', ({ contactProfiles }) => contactProfiles.byId('id')],
  ['the stop switch', ({ gatewayInfo }) => gatewayInfo.purchasesStopped()],
  ['the state of the registrar', ({ gatewayInfo }) => gatewayInfo.upstream()],
])('a response with %s is never cached', async (_what, readFrom) => {
  const { services } = (await createTenant()).request();
  await readFrom(services);

  expect(services.haveReadUncached).toBe(true);
});

test('a change of domains has the caller and the key of its request, and reads its list', async () => {
  const tenant = await createTenant();
  tenant.domains.set('maple.com', 'Active');
  const input = { filter: {}, expectedCount: 1, change: { privacyProtected: true } };
  const create = (header: string, idempotencyKey: string) =>
    tenant
      .request({ caller: 'shop', scopes: ['domains:read', 'domains:write'], header })
      .services.bulkChanges.create({ ...input, idempotencyKey });

  const { bulkChange: job, errors } = await create('key-1', 'key-1');

  expect(errors).toEqual([]);
  expect(job?.job).toMatchObject({ caller: 'shop', key: 'key-1' });
  expect(tenant.sent('getdomainlist')).toHaveLength(1);
  expect((await create('key-2', 'key-3')).errors).not.toEqual([]);
});
