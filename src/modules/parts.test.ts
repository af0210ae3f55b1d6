import { expect, test } from 'vitest';
import { createTenant, refusal } from '../../test/support/modules/purchase-tenant.ts';
import { bulkChanges } from '../features/bulk-change/parts.ts';
import type { Key } from '../scope/parts.ts';
import type { Scope } from '../scope/scope.ts';
import { accountApi } from './account-api/service.ts';
import { customers } from './customer/service.ts';
import { gatewayInfo } from './gateway-info/service.ts';
import { nameServers } from './name-server/service.ts';
import { orders } from '../features/order/parts.ts';
import { protection } from './protection/service.ts';
import { purchases } from './purchase/service.ts';
import { quotes } from './quote/service.ts';
import { searches } from './search/service.ts';
import { synchronization } from './sync/service.ts';

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
  const { revision } = request.tenant;
  const before = revision.current;

  const read = await request.use(purchases).byId(purchase?.id ?? '');

  expect(read?.state).toBe('SUCCEEDED');
  // Cached responses with the domain end.
  expect(revision.current).toBeGreaterThan(before);
});

const services = [
  ...[accountApi, bulkChanges, customers],
  ...[gatewayInfo, nameServers, orders, protection, purchases, quotes],
  ...[searches, synchronization],
] as const;

test.each(services.map((key) => [key.name, key as Key<Scope, unknown>] as const))(
  'the service %s is created once, which reads nothing',
  async (_name, key) => {
    const scope = (await createTenant()).request();

    expect(scope.use(key)).toBe(scope.use(key));
    expect(scope.hasReadUncached).toBe(false);
  },
);

test.each<[string, (use: Scope['use']) => unknown]>([
  ['a purchase', (use) => use(purchases).byId('id')],
  ['an order', (use) => use(orders).find({ key: 'key' })],
  ['a job', (use) => use(bulkChanges).byId('id')],
  ['the stop switch', (use) => use(gatewayInfo).purchasesStopped()],
  ['the state of the registrar', (use) => use(gatewayInfo).upstream()],
])('a response with %s is never cached', async (_what, readFrom) => {
  const scope = (await createTenant()).request();
  await readFrom(scope.use);

  expect(scope.hasReadUncached).toBe(true);
});

test('a change of domains has the caller and the key of its request, and reads its list', async () => {
  const tenant = await createTenant();
  tenant.domains.set('maple.com', 'Active');
  const input = { filter: {}, expectedCount: 1, change: { privacyProtected: true } };
  const create = (header: string, idempotencyKey: string) =>
    tenant
      .request({ caller: 'shop', scopes: ['domains:read', 'domains:write'], header })
      .use(bulkChanges)
      .create({ ...input, idempotencyKey });

  const { bulkChange: job, errors } = await create('key-1', 'key-1');

  expect(errors).toEqual([]);
  expect(job?.job).toMatchObject({ caller: 'shop', key: 'key-1' });
  expect(tenant.sent('getdomainlist')).toHaveLength(1);
  expect((await create('key-2', 'key-3')).errors).not.toEqual([]);
});
