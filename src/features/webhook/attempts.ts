import { invalidInput } from '../../kernel/faults.ts';
import { dayMs } from '../../kernel/instant.ts';
import type { TenantFacts } from '../../scope/tenant.ts';
import type { WebhookAttempt } from './attempt-store.ts';
import type { WebhookMessage } from './message.ts';
import type { WebhookRecord } from './record.ts';
import type { Sender } from './sender.ts';
import type { WebhookStore } from './store.ts';

/** Attempts are deleted at this age, and when a webhook has more. */
const limits = { ageMs: 30 * dayMs, most: 200 };

interface SendDeps extends Pick<TenantFacts, 'account' | 'clock'> {
  readonly store: WebhookStore;
  readonly webhooks: {
    readonly sender: Pick<Sender, 'canSend' | 'send'>;
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
  if (!sender.canSend(webhook)) {
    throw invalidInput(
      'This gateway has no secret of the webhook in its setting WEBHOOKS, or not the feature of its format.',
      { path: ['input', 'id'] },
    );
  }
  const sent = await sender.send(webhook, message, stop);
  const made = { ...sent.attempt, kind, number: 1, nextAt: null };
  await deps.store.addAttempt(deps.account, made);
  await deleteOldAttempts(deps, webhook.id);
  return made;
}

export function deleteOldAttempts(
  deps: Pick<SendDeps, 'store' | 'account' | 'clock'>,
  webhookId: string,
): Promise<void> {
  const before = new Date(deps.clock.now().getTime() - limits.ageMs);
  return deps.store.deleteAttempts(deps.account, webhookId, { before, most: limits.most });
}
