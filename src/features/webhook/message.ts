import { cursorText, globalId } from '../../kernel/ids.ts';
import type { Quotes } from '../../modules/quote/quotes.ts';
import type { EventRecord } from '../event/log.ts';
import { placeOf } from '../event/place.ts';
import { eventValue } from '../event/value.ts';
import { type ChatFormat, testType } from './format.ts';
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

type Target = Pick<WebhookRecord, 'owner' | 'chatId'>;

/** An endpoint receives no costs. */
const readerOf = (quotes: Quotes) => ({ quotes, seesCosts: false });

/** The message about the first of the events; for a chat about as many of them as it can have. `last` is the last one. */
export function nextMessage(
  format: ChatFormat | null,
  events: readonly [EventRecord, ...EventRecord[]],
  webhook: Target,
  quotes: Quotes,
): WebhookMessage & { readonly last: EventRecord } {
  if (format) return chatMessage(format, events, webhook, quotes);
  const [last] = events;
  return { ...eventMessage(last, webhook, quotes), last };
}

function eventMessage(
  event: EventRecord,
  { owner }: Pick<Target, 'owner'>,
  quotes: Quotes,
): WebhookMessage {
  const reader = readerOf(quotes);
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

function chatMessage(
  format: ChatFormat,
  events: readonly EventRecord[],
  { chatId }: Pick<Target, 'chatId'>,
  quotes: Quotes,
) {
  const reader = readerOf(quotes);
  const shown = events.map((event) => ({
    type: event.type,
    subject: event.subject,
    customer: event.customer,
    before: eventValue(event, event.before, reader)?.text ?? null,
    after: eventValue(event, event.after, reader)?.text ?? null,
  }));
  const { body, count } = format.messageOf(shown, chatId);
  const last = events[count - 1] as EventRecord;
  return { id: last.id, type: last.type, body, last };
}

/** A message that is no event. */
export function testMessage(
  id: string,
  at: Date,
  format: ChatFormat | null,
  { chatId }: Pick<Target, 'chatId'>,
): WebhookMessage {
  if (!format) return messageOf(id, testType, at, {});
  const shown = { type: testType, subject: id, customer: null, before: null, after: null };
  return { id, type: testType, body: format.messageOf([shown], chatId).body };
}
