import { invalidInput } from '../../kernel/faults.ts';
import { tryParseInstant } from '../../kernel/instant.ts';
import { builder, enumRef } from '../../schema/builder.ts';
import {
  connectionRef,
  type PageArgs,
  readCursor,
  readSpan,
  toConnection,
} from '../../schema/connection.ts';
import { nullableFields, requiredFields } from '../../schema/member-fields.ts';
import type { Services } from '../services.ts';
import type { AttemptPosition, WebhookAttempt } from './service.ts';

const DeliveryKindRef = enumRef('WebhookDeliveryKind', 'The reason for a request to an endpoint.', {
  DELIVERY: 'An event, in order.',
  REDELIVERY: 'An event, sent again by `redeliverWebhookEvent`.',
  TEST: 'A message of `testWebhook`, which is no event.',
});

export const DeliveryRef = builder.objectRef<WebhookAttempt>('WebhookDelivery').implement({
  description:
    'For operators: one request to an endpoint. The newest 200 of a webhook are available, for 30 days.',
  fields: (t) => ({
    ...requiredFields(t, DeliveryKindRef, { kind: 'The reason for the request.' }),
    ...requiredFields(t, 'String', {
      eventId: 'The header `webhook-id`: the `id` of the event, or that of the test message.',
      eventType: 'The type of the event; `WEBHOOK_TEST` for a test.',
    }),
    sentAt: t.expose('at', {
      type: 'DateTime',
      nullable: false,
      description: 'Time at which the request was sent.',
    }),
    ...requiredFields(t, 'Int', {
      durationMs: 'Duration of the request in milliseconds.',
      number: 'Number of the attempt to deliver the event, from 1.',
    }),
    ...nullableFields(t, 'Int', { status: 'HTTP status; null without a response.' }),
    ...nullableFields(t, 'String', {
      failure: 'Why the event was not accepted, in a sentence; null when it was.',
    }),
    ...nullableFields(t, 'DateTime', {
      nextAt: 'Time of the next attempt; null when this one was accepted or was the last one.',
    }),
  }),
});

export const DeliveryConnectionRef = connectionRef('WebhookDelivery', DeliveryRef);

const placeOf = ({ at, id }: AttemptPosition) => [at.toISOString(), id];

function readPlace(argument: 'after' | 'before', cursor: string): AttemptPosition {
  const [time = '', id = ''] = readCursor(argument, cursor, 2);
  const at = tryParseInstant(time);
  if (at) return { at, id };
  throw invalidInput(`"${argument}" is not a cursor of deliveries.`, { path: [argument] });
}

/** @throws Fault `INVALID_INPUT` for arguments or cursors that are not valid. */
export async function listDeliveries(
  services: Pick<Services, 'webhooks' | 'readOnce'>,
  id: string,
  page: PageArgs,
) {
  const key = `deliveries ${JSON.stringify([id, page])}`;
  const listed = await services.readOnce(key, () =>
    services.webhooks.attempts(id, {
      ...readSpan(page),
      ...(typeof page.after === 'string' && { after: readPlace('after', page.after) }),
      ...(typeof page.before === 'string' && { before: readPlace('before', page.before) }),
    }),
  );
  return toConnection(listed.items, placeOf, listed);
}
