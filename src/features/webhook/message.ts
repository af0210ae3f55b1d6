import { cursorText, globalId } from '../../kernel/ids.ts';
import type { Quotes } from '../../modules/quote/quotes.ts';
import type { EventRecord } from '../event/log.ts';
import { placeOf } from '../event/place.ts';
import { eventValue } from '../event/value.ts';
import type { WebhookRecord } from './record.ts';

/** The content of a request to an endpoint, the same at each attempt. */
export interface WebhookMessage {
  /** The header `webhook-id`. */
  readonly id: string;
  readonly type: string;
  /** JSON. */
  readonly body: string;
}

/** The members `type`, `timestamp` and `data` are those of Standard Webhooks. */
const messageOf = (id: string, type: string, at: Date, data: object): WebhookMessage => ({
  id,
  type,
  body: JSON.stringify({ type, timestamp: at.toISOString(), data: { id, ...data } }),
});

/** An endpoint receives no costs. */
export function eventMessage(
  event: EventRecord,
  { owner }: Pick<WebhookRecord, 'owner'>,
  quotes: Quotes,
): WebhookMessage {
  const reader = { quotes, seesCosts: false };
  const { subject, domain, purchaseId, source, before, after } = event;
  return messageOf(event.id, event.type, event.at, {
    cursor: cursorText([placeOf(event, owner)]),
    subject,
    domainName: domain,
    purchaseId: purchaseId && globalId('Purchase', purchaseId),
    source,
    before: eventValue(event, before, reader),
    after: eventValue(event, after, reader),
  });
}

/** A message that is no event. */
export const testMessage = (id: string, at: Date): WebhookMessage =>
  messageOf(id, 'WEBHOOK_TEST', at, {});
