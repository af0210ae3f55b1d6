import { beforeEach, expect, test } from 'vitest';
import { ada } from '../../../test/support/ada.ts';
import {
  createTenant,
  registration,
  type Sender,
} from '../../../test/support/modules/purchase-tenant.ts';
import { bulkChanges } from '../../features/bulk-change/parts.ts';
import { orders } from '../../features/order/parts.ts';
import type { Scope } from '../../scope/scope.ts';
import { jobProgress } from './parts.ts';

let tenant: Awaited<ReturnType<typeof createTenant>>;
let checked: string[];
beforeEach(async () => {
  tenant = await createTenant();
  checked = [];
  const check = async (id: string) => void checked.push(id);
  tenant.gateway.provide(jobProgress, { ...tenant.gateway.use(jobProgress), check });
});

const shop: Sender = { scopes: ['domains:spend', 'domains:read', 'domains:write'] };
const { nameServers } = registration;
const line = {
  domain: 'maple.com',
  nameServers,
  registrant: { fields: ada },
  acceptPremium: false,
};

type Use = Scope['use'];
const order = async (use: Use) => {
  const service = use(orders);
  const lines = [{ registration: line }];
  await service.place({ lines, idempotencyKey: 'one', onFailure: 'STOP' });
  const { order: cancelled } = await service.cancel({ key: 'one' });
  return cancelled;
};
const bulkChange = async (use: Use) => {
  const service = use(bulkChanges);
  const change = { privacyProtected: true };
  await service.create({ names: ['a.com'], change, expectedCount: 1, idempotencyKey: 'one' });
  const { bulkChange: cancelled } = await service.cancel({ key: 'one' });
  return cancelled;
};

test.each([
  ['an order', order],
  ['a bulk change', bulkChange],
])('the followers of %s read its progress as soon as it is cancelled', async (_what, cancel) => {
  const job = await cancel(tenant.request(shop).use);

  expect(checked).toEqual([job?.job.id]);
});
