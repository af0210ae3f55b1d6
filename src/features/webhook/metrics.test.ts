import { Registry } from 'prom-client';
import { expect, test } from 'vitest';
import { createTenant } from '../../../test/support/modules/purchase-tenant.ts';
import { Secret } from '../../kernel/secret.ts';
import { createTenantMetrics } from '../../observability/metrics.ts';
import { gaugeReads } from '../../scope/tenant.ts';
import { eventStore } from '../event/stores.ts';
import { eventNumber } from '../event/test/new-events.ts';
import { webhookMetrics } from './metrics.ts';
import { sentAttempts } from './parts.ts';
import { webhookStore } from './store.ts';

/** The metrics of the tenants `one` and `two`, and `two` with them. */
async function start() {
  const { start: startTenant, clock } = await createTenant();
  const registry = new Registry();
  const { factory, add } = createTenantMetrics(registry, clock, ['one', 'two']);
  const tenant = startTenant({ tenant: 'two', account: 'of two' });
  tenant.use(webhookMetrics(factory));
  add({
    tenant: 'two',
    calls: () => [],
    async journal() {
      await tenant.use(gaugeReads).emit();
      return { operations: [], spending: [], isStopped: false, backedUpAt: null };
    },
  });
  const sample = async (name: string) =>
    (await registry.metrics())
      .split('\n')
      .filter((line) => line.startsWith(name))
      .map((line) => line.slice(name.length));
  return { tenant, clock, sample };
}

test('the attempts are counted by tenant and outcome, from 0', async () => {
  const { tenant, sample } = await start();
  const attempts = tenant.use(sentAttempts);
  const failure = 'No.';
  void attempts.emit({ status: 200, failure: null, retryAfterMs: null, isGone: false });
  void attempts.emit({ status: 500, failure, retryAfterMs: null, isGone: false });
  void attempts.emit({ status: 410, failure, retryAfterMs: null, isGone: false });
  for (let count = 0; count < 3; count += 1) {
    void attempts.emit({ status: null, failure, retryAfterMs: null, isGone: false });
  }

  expect(await sample('reseller_graph_webhook_attempts_total{')).toEqual([
    ...['accepted', 'refused', 'failed'].map((outcome) => `tenant="one",outcome="${outcome}"} 0`),
    ...['tenant="two",outcome="accepted"} 1', 'tenant="two",outcome="refused"} 2'],
    'tenant="two",outcome="failed"} 3',
  ]);
});

test('the gauges have the webhooks by state, and the age of the oldest event that waits', async () => {
  const { tenant, clock, sample } = await start();
  const { account } = tenant.facts;
  const store = tenant.store(webhookStore);
  for (const id of ['a', 'b', 'c']) {
    const options = { url: `https://${id}.example/`, description: null, types: [] };
    const scope = { owner: null, customer: null, labels: [], format: 'STANDARD', chatId: null };
    const facts = { id, secret: new Secret('whsec_'), createdAt: clock.now(), position: 0 };
    await store.add(account, { ...options, ...scope, ...facts }, 10);
  }
  const foundAt = new Date(clock.now().getTime() - 90_000);
  await tenant.store(eventStore).append(account, eventNumber(1, { at: foundAt }));
  const lease = { owner: 'a', now: clock.now(), until: clock.now(), latest: clock.now() };
  await store.lease(account, 'c', lease);
  const webhook = await store.byId(account, 'c');
  if (!webhook) throw new Error('There is no webhook.');
  const suspension = { at: clock.now(), reason: 'Gone.' };
  await store.save(account, 'a', webhook, { ...webhook.progress, suspension });

  expect(await sample('reseller_graph_webhooks{')).toEqual([
    ...['tenant="two",state="ACTIVE"} 2', 'tenant="two",state="SUSPENDED"} 1'],
  ]);
  expect(await sample('reseller_graph_webhook_oldest_event_seconds{')).toEqual([
    'tenant="two"} 90',
  ]);
});
