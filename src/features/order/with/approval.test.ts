import { expect, test } from 'vitest';
import { bulkReply, problems } from '../../../../test/support/modules/purchase-tenant.ts';
import { createRuledTenant } from '../../approval/test/ruled-tenant.ts';
import { orders } from '../parts.ts';

test('an order that waits for an approval is retried after its end', async () => {
  const tenant = await createRuledTenant();
  tenant.needApprovals(['TRANSFER']);
  tenant.upstream.bulkcheckavailability = bulkReply({});
  tenant.elsewhere.add('oak.com');
  const shop = () => tenant.request({ caller: 'shop' }).use(orders);
  const lines = [{ transfer: { domain: 'oak.com', authCode: 'Auth-1' } }];
  await shop().place({ lines, idempotencyKey: 'order', onFailure: 'CONTINUE' });
  const again = { idempotencyKey: 'again', lines: [{ position: 0, authCode: 'Auth-1' }] };

  const waiting = await shop().retry({ key: 'order' }, again);
  await shop().cancel({ key: 'order' });
  const ended = await shop().retry({ key: 'order' }, again);

  expect(problems(waiting)).toEqual(['INVALID_INPUT by']);
  expect(waiting.errors[0]?.message).toContain('This order is AWAITING_APPROVAL.');
  expect(ended.errors).toEqual([]);
});
