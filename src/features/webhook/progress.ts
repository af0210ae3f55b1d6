import type { EventFilter } from '../event/log.ts';
import type { EventStore } from '../event/store.ts';
import type { WebhookProgress, WebhookRecord } from './record.ts';
import type { WebhookStore } from './store.ts';

/** How an endpoint responded to an event. */
export interface DeliveryOutcome {
  /** Null without a response. */
  readonly status: number | null;
  /** Why the event was not accepted, in a sentence; null when it was. */
  readonly failure: string | null;
  /** The wait that the endpoint requested; null for none. */
  readonly retryAfterMs: number | null;
  /** Whether the endpoint is gone, so that no attempt can succeed. */
  readonly isGone: boolean;
}

/** The wait after the first failure. It doubles with each further one. */
const firstWaitMs = 5_000;
const maxWaitMs = 60 * 60_000;
/** A webhook is suspended when all attempts of an event failed for this long. */
const failingMs = 24 * 60 * 60_000;

interface Ending {
  /** The position of the event. */
  readonly position: number;
  readonly now: Date;
  /** At least 0, less than 1: endpoints that fail together are not called together. */
  readonly fraction: number;
  /** The wait before the next request to an endpoint that accepted this one. */
  readonly pauseMs: number;
}

/** The progress after an attempt to deliver the next event. */
export function afterAttempt(
  progress: WebhookProgress,
  { failure, retryAfterMs, isGone }: DeliveryOutcome,
  { position, now, fraction, pauseMs }: Ending,
): WebhookProgress {
  if (failure === null) {
    const dueAt = pauseMs > 0 ? new Date(now.getTime() + pauseMs) : null;
    return { ...progress, position, failures: 0, failingSince: null, dueAt };
  }
  const failures = progress.failures + 1;
  // A time after the present was stored with a wrong clock.
  const since = progress.failingSince && progress.failingSince <= now ? progress.failingSince : now;
  const failed = { ...progress, failures, failingSince: since, dueAt: null };
  const suspended = (reason: string) => ({ ...failed, suspension: { at: now, reason } });
  if (isGone) return suspended(failure);
  const leftMs = since.getTime() + failingMs - now.getTime();
  if (leftMs <= 0) return suspended(`All attempts of 24 hours failed. The last one: ${failure}`);
  const ownWaitMs = Math.min(firstWaitMs * 2 ** (failures - 1), maxWaitMs);
  const jitteredMs = ownWaitMs * (1 - fraction / 4);
  const waitMs = Math.min(Math.max(jitteredMs, retryAfterMs ?? 0), maxWaitMs, leftMs);
  return { ...failed, dueAt: new Date(now.getTime() + waitMs) };
}

/** Whether the next event may be sent now. */
export function isDue({ suspension, dueAt }: WebhookProgress, now: Date): boolean {
  if (suspension) return false;
  // A time that no wait reaches was stored with a wrong clock.
  return !dueAt || dueAt <= now || dueAt.getTime() > now.getTime() + maxWaitMs;
}

/** The filter of the events that a webhook receives. */
export const filterOf = ({ types, customer, labels }: WebhookRecord): EventFilter => ({
  ...(types.length > 0 && { types }),
  ...(customer !== null && { customer }),
  ...(labels.length > 0 && { labels }),
});

/** The number of webhooks by state, and the time of the oldest event that an active one has not accepted yet. */
export async function readBacklog(
  { store, events }: { readonly store: WebhookStore; readonly events: EventStore },
  account: string,
) {
  const all = await store.list(account);
  const active = all.filter(({ progress }) => progress.suspension === null);
  const nextEvents = active.map((webhook) => {
    const filter = filterOf(webhook);
    return events.list(account, { after: webhook.progress.position, limit: 1, filter });
  });
  const times = (await Promise.all(nextEvents)).flat().map(({ at }) => at.getTime());
  return {
    active: active.length,
    suspended: all.length - active.length,
    oldestAt: times.length > 0 ? new Date(Math.min(...times)) : null,
  };
}
