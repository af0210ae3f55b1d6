import { createHmac } from 'node:crypto';
import type { Secret } from '../../kernel/secret.ts';
import type { Clock, Randomness } from '../../lib/clock.ts';
import { retryAfterMs } from '../../lib/http.ts';
import type { WebhookAttempt } from './attempt-store.ts';
import type { WebhookMessage } from './message.ts';
import type { Outbound, OutboundResponse } from './outbound.ts';
import { type ChatFormat, standard } from './format.ts';
import type { DeliveryOutcome } from './progress.ts';
import type { WebhookRecord } from './record.ts';
import { webhookKeyOf } from './url.ts';

interface SenderOptions {
  readonly outbound: Pick<Outbound, 'post'>;
  readonly clock: Pick<Clock, 'now' | 'monotonicMs'>;
  readonly randomness: Pick<Randomness, 'uuid'>;
  /** The secrets of the webhooks of the settings by id. */
  readonly configured: ReadonlyMap<string, readonly Secret[]>;
  readonly formats: readonly ChatFormat[];
  readonly userAgent: string;
  /** Called after each attempt. */
  readonly onAttempt: (outcome: DeliveryOutcome) => void;
}

/** An attempt without its place among the attempts of the event. */
export type SentAttempt = Omit<WebhookAttempt, 'kind' | 'number' | 'nextAt'>;

export type Sender = ReturnType<typeof createSender>;

/** Sends messages to endpoints, signed by Standard Webhooks unless they are for a chat service. */
export function createSender(options: SenderOptions) {
  const { outbound, clock, randomness, configured, formats, userAgent, onAttempt } = options;

  /** The secrets that sign now. */
  const secretsOf = ({ id, source, secret, oldSecret }: WebhookRecord): readonly Secret[] => {
    if (source === 'SETTINGS') return configured.get(id) ?? [];
    const isOldValid = oldSecret && oldSecret.until > clock.now();
    return [...(secret ? [secret] : []), ...(isOldValid ? [oldSecret.secret] : [])];
  };

  /** Null for signed events. */
  const formatOf = ({ format }: Pick<WebhookRecord, 'format'>): ChatFormat | null =>
    formats.find(({ name }) => name === format) ?? null;

  return {
    formatOf,
    /** Whether this process can send to the webhook: another one can have newer settings, and other features. */
    canSend: (webhook: WebhookRecord): boolean =>
      webhook.format === standard ? secretsOf(webhook).length > 0 : formatOf(webhook) !== null,
    /** @throws the reason of `stop` */
    async send(
      webhook: WebhookRecord,
      message: WebhookMessage,
      stop: AbortSignal,
    ): Promise<{ readonly attempt: SentAttempt; readonly outcome: DeliveryOutcome }> {
      const format = formatOf(webhook);
      const at = clock.now();
      const startMs = clock.monotonicMs();
      const headers = {
        'content-type': 'application/json',
        'user-agent': userAgent,
        ...(format === null && signatureHeaders(message, at, secretsOf(webhook))),
      };
      const url = format ? format.targetOf(webhook.url) : webhook.url;
      const response = await outbound.post({ url, headers, body: message.body, stop });
      const outcome =
        'failure' in response
          ? { ...response, status: null, retryAfterMs: null, isGone: false }
          : { status: response.status, ...outcomeIn(format, response, clock.now()) };
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
const gone = 410;

type Outcome = Omit<DeliveryOutcome, 'status'>;

function outcomeIn(format: ChatFormat | null, response: OutboundResponse, now: Date): Outcome {
  const standardOutcome = outcomeOf(response, now);
  if (!format) return standardOutcome;
  const outcome = format.outcomeOf(response);
  return { ...outcome, retryAfterMs: outcome.retryAfterMs ?? standardOutcome.retryAfterMs };
}

function outcomeOf({ status, retryAfter }: OutboundResponse, now: Date): Outcome {
  const mayRequestWait = status === tooManyRequests || status === unavailable;
  return {
    failure: failureOf(status),
    retryAfterMs: mayRequestWait ? retryAfterMs(retryAfter, now) : null,
    isGone: status === gone,
  };
}

function failureOf(status: number): string | null {
  if (status >= 200 && status < 300) return null;
  if (status >= 300 && status < 400) {
    return `The endpoint responded with a redirect (${status}), which is not followed.`;
  }
  return `The endpoint responded ${status}${status === gone ? ' Gone' : ''}.`;
}
