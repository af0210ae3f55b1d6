import { expect, test } from 'vitest';
import { createTenant } from '../../../test/support/modules/purchase-tenant.ts';
import { testSettings } from '../../../test/support/modules/test-settings.ts';
import { createSimulatedClock } from '../../../test/support/simulated-clock.ts';
import { settings } from '../../scope/tenant.ts';
import { webhookDeliveries } from './parts.ts';
import { webhooks } from './service.ts';
import { webhookSettings } from './settings.ts';
import { webhookStore } from './store.ts';
import { noWebhooks } from './test/no-webhooks.ts';

test('the service is created once, which reads nothing, and a response with a webhook is never cached', async () => {
  const tenant = await createTenant();
  tenant.gateway.provide(webhookDeliveries, noWebhooks);
  const scope = tenant.request();

  expect(scope.use(webhooks)).toBe(scope.use(webhooks));
  expect(scope.hasReadUncached).toBe(false);
  await scope.use(webhooks).list();
  expect(scope.hasReadUncached).toBe(true);
});

test('a webhook of the settings is stored and signed for its tenant only', async () => {
  const secrets = [`whsec_${Buffer.alloc(32, 'x').toString('base64')}`];
  const crm = { url: 'https://crm.example/events', secrets, tenant: 'two' };
  const featureValues = {
    WEBHOOKS: webhookSettings.rows.WEBHOOKS.schema.parse(JSON.stringify({ crm })),
  };
  const { start } = await createTenant();
  const time = createSimulatedClock();
  const opened = ['one', 'two'].map((tenant) =>
    start({ tenant, account: tenant, wallClock: time.clock }).provide(settings, {
      ...testSettings,
      featureValues,
    }),
  );
  const parts = opened.map(({ use }) => use(webhookDeliveries));
  await time.pass(1_000);

  const stored = await Promise.all(
    opened.map(({ store, facts }) => store(webhookStore).list(facts.account)),
  );
  for (const tenant of opened) await tenant.close();
  const [webhook] = stored[1] ?? [];

  expect(stored).toMatchObject([[], [{ id: 'crm', source: 'SETTINGS' }]]);
  expect(parts.map(({ sender }) => webhook && sender.canSend(webhook))).toEqual([false, true]);
});
