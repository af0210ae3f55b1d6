import { Secret } from '../../kernel/secret.ts';
import { systemRandomBytes } from '../../lib/system.ts';
import { tenantPricing } from '../../modules/quote/quotes.ts';
import { perTenant, settings, signal, tenantHook } from '../../scope/tenant.ts';
import { eventPublisher } from '../event/parts.ts';
import { eventStore } from '../event/stores.ts';
import { Deliveries } from './deliveries.ts';
import type { WebhookDeps } from './deps.ts';
import { chatFormats } from './format.ts';
import { createOutbound, type Resolve, resolveBySystem } from './outbound.ts';
import type { DeliveryOutcome } from './progress.ts';
import { createSender } from './sender.ts';
import { webhookSettings } from './settings.ts';
import { webhookStore } from './store.ts';
import { webhookSecretOf } from './url.ts';

const secretBytes = 32;
/** Longest duration of a request. Standard Webhooks recommends 15 to 30 seconds. */
const timeoutMs = 15_000;

/** Finds the addresses of endpoints. Tests fill it. */
export const hostResolver = tenantHook<Resolve>('hostResolver', () => resolveBySystem);

/** Each request that was sent to an endpoint. */
export const sentAttempts = signal<DeliveryOutcome>('sentAttempts');

/** The deliveries to the webhooks of a tenant. */
export const webhookDeliveries = perTenant(
  'webhookDeliveries',
  ({ facts, use, store, reports }): WebhookDeps => {
    const { tenant, log, gateway, randomness } = facts;
    const values = webhookSettings.of(use(settings));
    const { WEBHOOKS: all, WEBHOOKS_ALLOW_PRIVATE: allowsPrivate } = values;
    const configured = all.filter((webhook) => webhook.tenant === tenant);
    // Receivers compare the time of a signature with their own clock.
    const clock = facts.wallClock;
    const outbound = createOutbound({
      ...{ clock, allowsPrivate, timeoutMs },
      resolve: use(hostResolver),
    });
    const sender = createSender({
      outbound,
      clock,
      randomness,
      formats: use(chatFormats),
      configured: new Map(configured.map(({ name, secrets }) => [name, secrets])),
      userAgent: `reseller-graph/${gateway.version}`,
      onAttempt: (outcome) => void use(sentAttempts).emit(outcome),
    });
    const closing = new AbortController();
    const deliveries = new Deliveries({
      store: store(webhookStore),
      events: store(eventStore),
      account: facts.account,
      clock,
      randomness,
      sender,
      quotes: use(tenantPricing).retail,
      timeoutMs,
      configured: configured.map(({ name, secrets: _secrets, tenant: _tenant, ...webhook }) => ({
        id: name,
        ...webhook,
      })),
      onSuspended({ id }, reason) {
        log.error('a webhook was suspended', { tenant, subject: id, reason });
        use(eventPublisher).wake();
      },
      onMissed: ({ id }) =>
        log.warn('events were deleted before they were sent to a webhook', { tenant, subject: id }),
      onError: reports('the deliveries to webhooks failed'),
    });
    return {
      outbound,
      sender,
      deliveries,
      allowsPrivate,
      newSecret: () => new Secret(webhookSecretOf(systemRandomBytes(secretBytes))),
      stop: closing.signal,
      async close(): Promise<void> {
        await deliveries.close();
        closing.abort();
      },
    };
  },
);
