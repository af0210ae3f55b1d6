import type { Journal } from '../../persistence/store.ts';
import type { WebhookRecord } from '../../persistence/webhook-store.ts';

/** The number of webhooks by state, and the time of the oldest event that an active one has not accepted yet. */
export async function readBacklog(
  { webhooks, events }: Pick<Journal, 'webhooks' | 'events'>,
  account: string,
) {
  const all = await webhooks.list(account);
  const active = all.filter(({ progress }) => progress.suspension === null);
  const nextEvent = async ({ types, progress }: WebhookRecord) => {
    const filter = types.length > 0 ? { types } : {};
    const [event] = await events.list(account, { after: progress.position, limit: 1, filter });
    return event ? [event.at.getTime()] : [];
  };
  const times = (await Promise.all(active.map(nextEvent))).flat();
  return {
    active: active.length,
    suspended: all.length - active.length,
    oldestAt: times.length > 0 ? new Date(Math.min(...times)) : null,
  };
}
