import { builder, enumRef } from '../../schema/builder.ts';
import { nullableFields, requiredFields } from '../../schema/fields.ts';
import type { WebhookAttempt } from './service.ts';

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
