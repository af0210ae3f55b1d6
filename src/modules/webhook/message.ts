import { cursorText } from '../../kernel/cursor.ts';
import { globalId } from '../../kernel/global-id.ts';
import type { EventRecord } from '../../persistence/event-store.ts';

/** The content of a request to an endpoint, the same at each attempt. */
export interface WebhookMessage {
  /** The header `webhook-id`. */
  readonly id: string;
  readonly type: string;
  /** JSON. */
  readonly body: string;
}

interface Content {
  readonly id: string;
  readonly type: string;
  readonly at: Date;
  readonly data: Readonly<Record<string, unknown>>;
}

/** The members `type`, `timestamp` and `data` are those of Standard Webhooks. */
const messageOf = ({ id, type, at, data }: Content): WebhookMessage => ({
  ...{ id, type },
  body: JSON.stringify({ type, timestamp: at.toISOString(), data: { id, ...data } }),
});

export const eventMessage = (event: EventRecord): WebhookMessage => {
  const { id, type, at, position, subject, domain, purchaseId } = event;
  const { source, before, after } = event;
  return messageOf({
    ...{ id, type, at },
    data: {
      cursor: cursorText([String(position)]),
      ...{ subject, domainName: domain },
      purchaseId: purchaseId && globalId('Purchase', purchaseId),
      ...{ source, before, after },
    },
  });
};

/** A message that is no event. */
export const testMessage = (id: string, at: Date): WebhookMessage =>
  messageOf({ id, type: 'WEBHOOK_TEST', at, data: {} });
