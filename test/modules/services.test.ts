import { expect, test } from 'vitest';
import { createTenant, refusal } from './registration/tenant.ts';

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
