import { Secret } from '../kernel/secret.ts';
import { webhookSecretOf } from '../kernel/webhook-url.ts';
import { systemRandomBytes } from '../lib/system.ts';
import type { Quotes } from '../modules/quote/quotes.ts';
import { Deliveries } from '../modules/webhook/deliveries.ts';
import type { WebhookDeps } from '../modules/webhook/deps.ts';
import { createSender } from '../modules/webhook/sender.ts';
import { createOutbound } from '../outbound/outbound.ts';
import type { TenantObserver } from './observe.ts';
import type { SharedDeps } from './shared-deps.ts';

interface OpenWebhooksOptions {
  /** The name of the tenant. */
  readonly tenant: string;
  readonly account: string;
  readonly observer: TenantObserver;
  readonly quotes: Quotes;
}

const secretBytes = 32;
/** Longest duration of a request. Standard Webhooks recommends 15 to 30 seconds. */
const timeoutMs = 15_000;

/** Starts the deliveries to the webhooks of one tenant. `opened` stops them. */
export function openWebhooks(
  { tenant, account, observer, quotes }: OpenWebhooksOptions,
  shared: SharedDeps,
  opened: AsyncDisposableStack,
): WebhookDeps {
  // Receivers compare the time of a signature with their own clock.
  const { wallClock: clock, randomness, journal, log, gateway } = shared;
  const { configured: all, allowsPrivate } = shared.config.webhooks;
  const configured = all.filter((webhook) => webhook.tenant === tenant);
  const { resolveHost: resolve } = shared;
  const outbound = createOutbound({ clock, allowsPrivate, timeoutMs, resolve });
  const sender = createSender({
    outbound,
    clock,
    randomness,
    configured: new Map(configured.map(({ name, secrets }) => [name, secrets])),
    userAgent: `reseller-graph/${gateway.version}`,
    onAttempt: observer.webhookAttempt,
  });
  const closing = new AbortController();
  const deliveries = new Deliveries({
    store: journal.webhooks,
    events: journal.events,
    account,
    clock,
    randomness,
    sender,
    quotes,
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
    onError: (error) => log.error('the deliveries to webhooks failed', { tenant, error }),
  });
  opened.defer(() => closing.abort());
  opened.defer(() => deliveries.close());
  return {
    outbound,
    sender,
    deliveries,
    allowsPrivate,
    newSecret: () => new Secret(webhookSecretOf(systemRandomBytes(secretBytes))),
    stop: closing.signal,
  };
}
