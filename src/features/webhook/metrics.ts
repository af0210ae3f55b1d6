import type { TenantMetricFactory } from '../../observability/metrics.ts';
import { gaugeReads, perTenant } from '../../scope/tenant.ts';
import { eventStore } from '../event/stores.ts';
import { sentAttempts } from './parts.ts';
import { type DeliveryOutcome, readBacklog } from './progress.ts';
import { webhookStore } from './store.ts';

/** How an endpoint responded to an event: with 2xx, with another status, or not at all. */
const outcomes = ['accepted', 'refused', 'failed'] as const;

const outcomeOf = ({ status, failure }: DeliveryOutcome): (typeof outcomes)[number] =>
  failure === null ? 'accepted' : status === null ? 'failed' : 'refused';

/** Creates the metrics, and what each tenant sets them with. */
export function webhookMetrics({ counter, journalGauge, tenants, clock }: TenantMetricFactory) {
  const attempts = counter(
    'webhook_attempts_total',
    'Requests to the endpoints of webhooks by outcome: accepted, refused (a status other than 2xx) or failed (no response).',
    ['tenant', 'outcome'],
  );
  for (const tenant of tenants) {
    for (const outcome of outcomes) attempts.inc({ tenant, outcome }, 0);
  }
  const webhooks = journalGauge(
    'webhooks',
    'Webhooks by state; a SUSPENDED one receives no events.',
    'state',
  );
  const oldest = journalGauge(
    'webhook_oldest_event_seconds',
    'Age of the oldest event that an active webhook has not accepted yet; 0 without one.',
  );

  return perTenant('webhookMetrics', ({ use, store, facts: { tenant, account } }) => {
    const stores = { store: store(webhookStore), events: store(eventStore) };
    use(sentAttempts).listen((attempt) => attempts.inc({ tenant, outcome: outcomeOf(attempt) }));
    use(gaugeReads).listen(async () => {
      const { active, suspended, oldestAt } = await readBacklog(stores, account);
      webhooks.set({ tenant, state: 'ACTIVE' }, active);
      webhooks.set({ tenant, state: 'SUSPENDED' }, suspended);
      const ageMs = oldestAt ? clock.now().getTime() - oldestAt.getTime() : 0;
      oldest.set({ tenant }, Math.max(0, ageMs) / 1_000);
    });
    return {};
  });
}
