import { createHmac } from 'node:crypto';
import type { Secret } from '../../kernel/secret.ts';
import type { Clock, Randomness } from '../../lib/clock.ts';
import { retryAfterMs } from '../../lib/http.ts';
import type { WebhookAttempt } from './attempt-store.ts';
import type { WebhookMessage } from './message.ts';
import type { Outbound, OutboundResponse } from './outbound.ts';
import type { DeliveryOutcome } from './progress.ts';
import type { WebhookRecord } from './record.ts';
import { webhookKeyOf } from './url.ts';

interface SenderOptions {
  readonly outbound: Pick<Outbound, 'post'>;
  readonly clock: Pick<Clock, 'now' | 'monotonicMs'>;
  readonly randomness: Pick<Randomness, 'uuid'>;
  /** The secrets of the webhooks of the settings by id. */
  readonly configured: ReadonlyMap<string, readonly Secret[]>;
  readonly userAgent: string;
  /** Called after each attempt. */
  readonly onAttempt: (outcome: DeliveryOutcome) => void;
}

/** An attempt without its place among the attempts of the event. */
export type SentAttempt = Omit<WebhookAttempt, 'kind' | 'number' | 'nextAt'>;

export type Sender = ReturnType<typeof createSender>;

/** Sends messages to endpoints, signed by Standard Webhooks. */
export function createSender(options: SenderOptions) {
  const { outbound, clock, randomness, configured, userAgent, onAttempt } = options;

  /** The secrets that sign now. */
  const secretsOf = ({ id, source, secret, oldSecret }: WebhookRecord): readonly Secret[] => {
    if (source === 'SETTINGS') return configured.get(id) ?? [];
    const isOldValid = oldSecret && oldSecret.until > clock.now();
    return [...(secret ? [secret] : []), ...(isOldValid ? [oldSecret.secret] : [])];
  };

  return {
    /** Whether this process has a secret of the webhook: another one can have newer settings. */
    canSign: (webhook: WebhookRecord): boolean => secretsOf(webhook).length > 0,
    /** @throws the reason of `stop` */
    async send(
      webhook: WebhookRecord,
      message: WebhookMessage,
      stop: AbortSignal,
    ): Promise<{ readonly attempt: SentAttempt; readonly outcome: DeliveryOutcome }> {
      const at = clock.now();
      const startMs = clock.monotonicMs();
      const headers = {
        'content-type': 'application/json',
        'user-agent': userAgent,
        ...signatureHeaders(message, at, secretsOf(webhook)),
      };
      const { url } = webhook;
      const response = await outbound.post({ url, headers, body: message.body, stop });
      const outcome =
        'failure' in response
          ? { ...response, status: null, retryAfterMs: null }
          : outcomeOf(response, clock.now());
      onAttempt(outcome);
      const attempt = {
        id: randomness.uuid(),
        webhookId: webhook.id,
        at,
        eventId: message.id,
        eventType: message.type,
        durationMs: Math.round(clock.monotonicMs() - startMs),
        status: outcome.status,
        failure: outcome.failure,
      };
      return { attempt, outcome };
    },
  };
}

/** The headers of Standard Webhooks. A message has a signature for each secret. */
function signatureHeaders(
  { id, body }: WebhookMessage,
  at: Date,
  secrets: readonly Secret[],
): Readonly<Record<string, string>> {
  const timestamp = String(Math.floor(at.getTime() / 1_000));
  const signatures = secrets.map((secret) => {
    const hmac = createHmac('sha256', webhookKeyOf(secret.reveal()));
    return `v1,${hmac.update(`${id}.${timestamp}.${body}`).digest('base64')}`;
  });
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  };
}

const tooManyRequests = 429;
const unavailable = 503;

function outcomeOf({ status, retryAfter }: OutboundResponse, now: Date): DeliveryOutcome {
  const mayRequestWait = status === tooManyRequests || status === unavailable;
  return {
    status,
    failure: failureOf(status),
    retryAfterMs: mayRequestWait ? retryAfterMs(retryAfter, now) : null,
  };
}

function failureOf(status: number): string | null {
  if (status >= 200 && status < 300) return null;
  if (status >= 300 && status < 400) {
    return `The endpoint responded with a redirect (${status}), which is not followed.`;
  }
  return `The endpoint responded ${status}.`;
}
