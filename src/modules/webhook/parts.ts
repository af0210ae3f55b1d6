import { Secret } from '../../kernel/secret.ts';
import { webhookSecretOf } from '../../kernel/webhook-url.ts';
import { systemRandomBytes } from '../../lib/system.ts';
import { createOutbound } from '../../outbound/outbound.ts';
import { observer, settings } from '../../scope/settings.ts';
import { perTenant } from '../../scope/tenant.ts';
import { tenantPricing } from '../quote/quotes.ts';
import { Deliveries } from './deliveries.ts';
import type { WebhookDeps } from './deps.ts';
import { createSender } from './sender.ts';

const secretBytes = 32;
/** Longest duration of a request. Standard Webhooks recommends 15 to 30 seconds. */
const timeoutMs = 15_000;

/** The deliveries to the webhooks of a tenant. */
export const webhookDeliveries = perTenant(
  'webhookDeliveries',
  ({ facts, use, reports }): WebhookDeps => {
    const { tenant, log, gateway, randomness, journal } = facts;
    const { webhooks, resolveHost: resolve } = use(settings);
    const { configured: all, allowsPrivate } = webhooks;
    const configured = all.filter((webhook) => webhook.tenant === tenant);
    // Receivers compare the time of a signature with their own clock.
    const clock = facts.wallClock;
    const outbound = createOutbound({ clock, allowsPrivate, timeoutMs, resolve });
    const sender = createSender({
      outbound,
      clock,
      randomness,
      configured: new Map(configured.map(({ name, secrets }) => [name, secrets])),
      userAgent: `reseller-graph/${gateway.version}`,
      onAttempt: use(observer).webhookAttempt,
    });
    const closing = new AbortController();
    const deliveries = new Deliveries({
      store: journal.webhooks,
      events: journal.events,
      account: facts.account,
      clock,
      randomness,
      sender,
      quotes: use(tenantPricing).retail,
      timeoutMs,
      configured: configured.map(({ name, url, types, description }) => ({
        id: name,
        url,
        types,
        description,
      })),
      onSuspended: ({ id }, reason) =>
        log.error('a webhook was suspended', { tenant, subject: id, reason }),
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
