import { Registry } from 'prom-client';
import { expect, test } from 'vitest';
import { createTenant } from '../../../test/support/modules/purchase-tenant.ts';
import { createTenantMetrics } from '../../observability/metrics.ts';
import { eventMetrics } from './metrics.ts';
import { renewalsCovered } from './parts.ts';

test('the time until which renewals are covered is absent when it is not known', async () => {
  const { start, clock } = await createTenant();
  const registry = new Registry();
  const metrics = eventMetrics(createTenantMetrics(registry, clock, ['one', 'two']).factory);
  const [one, two] = ['one', 'two'].map((tenant) => {
    const { use } = start({ tenant });
    use(metrics);
    return use(renewalsCovered);
  });
  const until = clock.now();
  await one?.emit(until);
  await two?.emit(until);
  await two?.emit(null);

  const lines = (await registry.metrics()).split('\n');
  expect(lines.filter((line) => /^reseller_graph_renewals_covered\w+\{/.test(line))).toEqual([
    `reseller_graph_renewals_covered_until_timestamp_seconds{tenant="one"} ${until.getTime() / 1_000}`,
  ]);
});
