import { invalidInput } from '../../kernel/faults.ts';
import { dayMs } from '../../kernel/instant.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Journal } from '../../persistence/journal.ts';
import type { WebhookAttempt } from '../../persistence/webhook-attempts.ts';
import type { WebhookRecord } from '../../persistence/webhook-record.ts';
import type { WebhookStore } from '../../persistence/webhook-store.ts';
import type { WebhookMessage } from './message.ts';
import type { Sender } from './sender.ts';

/** Attempts are deleted at this age, and when a webhook has more. */
const limits = { ageMs: 30 * dayMs, most: 200 };

interface SendDeps {
  readonly journal: Pick<Journal, 'webhooks'>;
  readonly account: string;
  readonly clock: Pick<Clock, 'now'>;
  readonly webhooks: {
    readonly sender: Pick<Sender, 'canSign' | 'send'>;
    /** Aborts when the tenant closes. */
    readonly stop: AbortSignal;
  };
}

/** Sends one message at once, beside the deliveries in order. */
export async function sendNow(
  deps: SendDeps,
  webhook: WebhookRecord,
  message: WebhookMessage,
  kind: 'TEST' | 'REDELIVERY',
): Promise<WebhookAttempt> {
  const { sender, stop } = deps.webhooks;
  if (!sender.canSign(webhook)) {
    throw invalidInput('This gateway has no secret of the webhook in its setting WEBHOOKS.', {
      path: ['input', 'id'],
    });
  }
  const sent = await sender.send(webhook, message, stop);
  const made = { ...sent.attempt, kind, number: 1, nextAt: null };
  const { webhooks: store } = deps.journal;
  await store.addAttempt(deps.account, made);
  await deleteOldAttempts({ ...deps, store }, webhook.id);
  return made;
}

export function deleteOldAttempts(
  deps: Pick<SendDeps, 'account' | 'clock'> & { readonly store: WebhookStore },
  webhookId: string,
): Promise<void> {
  const before = new Date(deps.clock.now().getTime() - limits.ageMs);
  return deps.store.deleteAttempts(deps.account, webhookId, { before, most: limits.most });
}
