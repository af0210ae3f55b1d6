import { cursorText, keyOfId } from '../../kernel/ids.ts';
import { knownBy, nullWithError, secret as secretMark } from '../../kernel/schema-extensions.ts';
import type { Secret } from '../../kernel/secret.ts';
import { DeletedPayloadRef, idInput, mutation, payloadRef } from '../../modules/mutation/schema.ts';
import { defaultPageSize } from '../../schema/arguments.ts';
import { builder, enumRef, type InputFieldBuilder, needs } from '../../schema/builder.ts';
import { costs, costsList, costsObject } from '../../schema/cost.ts';
import {
  nullableFields,
  optionalInputs,
  requiredFields,
  requiredInputs,
} from '../../schema/fields.ts';
import { NodeRef, nodeId, registerNode } from '../../schema/node.ts';
import { labelConditionRef, labelFilterRef } from '../../schema/values.ts';
import { EventTypeRef, servedTypes } from '../event/schema.ts';
import { events } from '../event/service.ts';
import { DeliveryRef } from './delivery-schema.ts';
import { shownUrl } from './format.ts';
import { type WebhookAttempt, type WebhookRecord, webhooks } from './service.ts';

const typename = 'Webhook';
const scope = 'webhooks:write';
/** Webhooks of an account at most. */
const maxWebhooks = 50;
/** Deliveries in one list at most. */
const maxDeliveries = 200;

const costsWebhook = costsObject('webhook');

const WebhookStateRef = enumRef('WebhookState', 'Whether a webhook receives events.', {
  ACTIVE: 'Events are delivered.',
  SUSPENDED:
    'No events are delivered, because the endpoint did not accept one. `updateWebhook` with `resume: true` delivers those that followed.',
});

const WebhookSourceRef = enumRef('WebhookSource', 'Where a webhook was created.', {
  API: 'By `createWebhook`.',
  SETTINGS:
    'In the setting WEBHOOKS of the gateway. Mutations can only resume, test and redeliver.',
});

/** A feature that sends to chat services adds them. */
const WebhookFormatRef = enumRef('WebhookFormat', 'The format of the requests of a webhook.', {
  STANDARD: 'Signed events, by the specification Standard Webhooks, for programs.',
});

const WebhookRef = builder.objectRef<WebhookRecord>(typename).implement({
  description:
    'An endpoint that receives the events of the account, by the specification Standard Webhooks. Each event is sent at least once, and in order: the next one is sent when the endpoint accepted the one before.',
  interfaces: [NodeRef],
  extensions: knownBy('id'),
  fields: (t) => ({
    id: nodeId(t, typename, ({ id }: WebhookRecord) => id),
    url: t.string({
      nullable: false,
      description:
        'The URL to which events are sent. Of the URL of a chat service, which is a credential, only the host.',
      resolve: shownUrl,
    }),
    ...requiredFields(t, WebhookFormatRef, { format: 'The format of its requests.' }),
    ...nullableFields(t, 'String', {
      chatId: 'The chat, for a format whose URL does not name it.',
    }),
    ...nullableFields(t, 'String', { description: 'Your description; null without one.' }),
    types: t.field({
      type: [EventTypeRef],
      nullable: false,
      description: 'The types of events that it receives; empty for all.',
      resolve({ types }, _args, _scope, info) {
        const served = servedTypes(info);
        return types.filter((type) => served.includes(type));
      },
    }),
    ...nullableFields(t, 'String', {
      customer: 'The customer whose events it receives; null for all events.',
    }),
    ...requiredFields(t, [labelConditionRef()], {
      labels:
        'Conditions for the labels of the domains whose events it receives; empty for all events.',
    }),
    ...requiredFields(t, WebhookSourceRef, { source: 'Where it was created.' }),
    ...requiredFields(t, 'DateTime', { createdAt: 'Time of its creation.' }),
    state: t.field({
      type: WebhookStateRef,
      nullable: false,
      description: 'Whether it receives events.',
      resolve: ({ progress }) => (progress.suspension ? 'SUSPENDED' : 'ACTIVE'),
    }),
    suspendedAt: t.field({
      type: 'DateTime',
      description: 'Time at which it was suspended; null while it is active.',
      resolve: ({ progress }) => progress.suspension?.at,
    }),
    suspendedReason: t.string({
      description: 'Why it was suspended, in a sentence; null while it is active.',
      resolve: ({ progress }) => progress.suspension?.reason,
    }),
    failures: t.int({
      nullable: false,
      description: 'Number of failed attempts of the next event.',
      resolve: ({ progress }) => progress.failures,
    }),
    failingSince: t.field({
      type: 'DateTime',
      description: 'Time of the first of these failures; null without one.',
      resolve: ({ progress }) => progress.failingSince,
    }),
    nextAttemptAt: t.field({
      type: 'DateTime',
      description: 'Time of the next attempt after a failure; null without one.',
      resolve: ({ progress: { failures, dueAt } }) => (failures > 0 ? dueAt : null),
    }),
    deliveredUntil: t.string({
      nullable: false,
      description:
        'Cursor up to which events were delivered, or left out by the filter. Pass it as `after` of `events` to read those that follow.',
      resolve: async ({ progress }, _args, { use }) =>
        cursorText([await use(events).placeAt(progress.position)]),
    }),
    missedUntil: t.string({
      description:
        'Cursor of the last event that was deleted before it could be delivered: events before it may be missing. Null when none was, and for a webhook of a customer.',
      resolve: ({ owner, progress: { missedUntil } }) =>
        missedUntil === null || owner !== null ? null : cursorText([String(missedUntil)]),
    }),
    deliveries: t.field({
      type: [DeliveryRef],
      nullable: false,
      description: 'For operators: the requests to the endpoint, newest first.',
      args: {
        first: t.arg.int({
          required: true,
          defaultValue: defaultPageSize,
          description: 'How many of the newest requests, from 1 to 200.',
        }),
      },
      extensions: costs((count, { first }, above) => {
        // Any other number is refused.
        costsList(count, above, Math.min(Math.max(first, 1), maxDeliveries));
        return undefined;
      }),
      resolve: async ({ id }, { first }, { use, readOnce }) => [
        ...(await readOnce(`deliveries ${first} ${id}`, () => use(webhooks).attempts(id, first))),
      ],
    }),
  }),
});

registerNode(typename, {
  needed: [scope],
  load: ({ use }, key) => use(webhooks).byId(key),
  cost: costsWebhook,
});

builder.queryFields((t) => ({
  webhook: t.field({
    ...needs(scope),
    type: WebhookRef,
    description:
      'A webhook of the account; null for any other id. A caller that is bound to a customer has webhooks of its own. Calls: none.',
    args: { id: t.arg.id({ required: true, description: 'The id of a webhook.' }) },
    extensions: costs((count, { id }) => costsWebhook(count, id)),
    resolve: (_root, { id }, { use }) => use(webhooks).byId(keyOfId(typename, id) ?? ''),
  }),
  webhooks: t.field({
    ...needs(scope),
    type: [WebhookRef],
    description:
      'All webhooks of the account, oldest first: at most 50, and those of the setting WEBHOOKS. For a caller that is bound to a customer those of the customer, at most 10. Calls: none.',
    extensions: {
      ...nullWithError,
      ...costs((count) => {
        count.rows('webhooks', maxWebhooks);
        return { owners: { key: 'webhooks', amount: maxWebhooks } };
      }),
    },
    resolve: async (_root, _args, { use, readOnce }) => [
      ...(await readOnce('webhooks', () => use(webhooks).list())),
    ],
  }),
}));

const textOf = {
  url: 'An `https` URL without user name, password and fragment. Its host must have public addresses only. Redirects are not followed.',
  description: 'Your description, up to 200 characters.',
  types: 'Only events of these types. Default: all events.',
  customer:
    'Only events of domains and purchases of this customer. Default: all events. A caller that is bound to a customer receives its events only.',
};

const webhookId = (t: InputFieldBuilder) =>
  requiredInputs(t, 'ID', { id: 'The id of the webhook.' });

const WebhookPayloadRef = payloadRef<{ webhook: WebhookRecord; secret?: Secret }>(
  'WebhookPayload',
  'Result of a change of a webhook.',
  (t) => ({
    ...nullableFields(t, WebhookRef, { webhook: 'The webhook; null after an error.' }),
    secret: t.string({
      description:
        'A new secret that signs, `whsec_` and 32 random bytes in base64. It is shown in this response only. Null when the mutation creates none, and after an error.',
      extensions: secretMark,
      resolve: ({ secret }) => secret?.reveal(),
    }),
  }),
);

const DeliveryPayloadRef = payloadRef<{ delivery: WebhookAttempt }>(
  'WebhookDeliveryPayload',
  'Result of a request to an endpoint.',
  (t) =>
    nullableFields(t, DeliveryRef, {
      delivery: 'The request and how the endpoint responded; null when nothing was sent.',
    }),
);

const keyOf = (id: string): string => keyOfId(typename, id) ?? '';

mutation('createWebhook', {
  needs: scope,
  description:
    'Creates a webhook, which receives the events from now on. A URL that another webhook has is refused, so a repeated request creates no second one. Calls: none.',
  extensions: {},
  input: {
    description: 'A new webhook.',
    fields: (t) => ({
      ...requiredInputs(t, 'String', { url: textOf.url }),
      ...optionalInputs(t, 'String', {
        description: textOf.description,
        customer: textOf.customer,
      }),
      ...optionalInputs(t, [EventTypeRef], { types: textOf.types }),
      format: t.field({
        type: WebhookFormatRef,
        required: true,
        defaultValue: 'STANDARD',
        description: 'The format of its requests. It does not change.',
      }),
      ...optionalInputs(t, 'String', {
        chatId: 'The chat, for a format whose URL does not name it.',
      }),
      ...optionalInputs(t, [labelFilterRef()], {
        labels:
          'Only events of domains that meet each of these conditions when they are delivered; at most 20.',
      }),
    }),
  },
  result: WebhookPayloadRef,
  resolve: (input, { use }) => use(webhooks).create(input),
});

mutation('updateWebhook', {
  needs: scope,
  description:
    'Changes a webhook. With a new URL, or with `resume`, the next event is sent at once. Calls: none.',
  extensions: {},
  input: {
    description: 'The changes of a webhook. Absent fields are not changed.',
    fields: (t) => ({
      ...webhookId(t),
      ...optionalInputs(t, 'String', {
        url: textOf.url,
        description: `${textOf.description} Null removes it.`,
      }),
      ...optionalInputs(t, [EventTypeRef], {
        types: 'Only events of these types from now on. Null or an empty list: all events.',
      }),
      ...optionalInputs(t, 'Boolean', {
        resume:
          'Makes a suspended webhook ACTIVE. It receives the events since its suspension that are not deleted yet.',
      }),
    }),
  },
  result: WebhookPayloadRef,
  resolve: ({ id, ...changes }, { use }) => use(webhooks).update({ id: keyOf(id), ...changes }),
});

mutation('rotateWebhookSecret', {
  needs: scope,
  description:
    'For operators: creates a new secret. For 24 hours each request has a signature with the new secret and one with the secret before. Calls: none.',
  extensions: {},
  input: idInput('The webhook that gets a new secret.'),
  result: WebhookPayloadRef,
  resolve: ({ id }, { use }) => use(webhooks).rotate({ id: keyOf(id) }),
});

mutation('deleteWebhook', {
  needs: scope,
  description:
    'Deletes a webhook and its deliveries. A request in progress is not interrupted. Calls: none.',
  extensions: {},
  input: {
    description: 'The webhook to delete.',
    fields: (t) => ({
      ...webhookId(t),
      ...requiredInputs(t, 'Boolean', { confirm: 'Must be true.' }),
    }),
  },
  result: DeletedPayloadRef,
  resolve: ({ id, confirm }, { use }) => use(webhooks).remove({ id: keyOf(id), confirm }),
});

mutation('testWebhook', {
  needs: scope,
  description:
    'Sends a message of the type `WEBHOOK_TEST` at once, also to a suspended webhook, and returns how the endpoint responded. It is no event, and changes no state. Calls: none.',
  extensions: {},
  input: idInput('The webhook to test.'),
  result: DeliveryPayloadRef,
  resolve: ({ id }, { use }) => use(webhooks).test({ id: keyOf(id) }),
});

mutation('redeliverWebhookEvent', {
  needs: scope,
  description:
    'For operators: sends one event again at once, with the same `webhook-id`, whatever the filter and the state of the webhook. It does not change which events are delivered in order. Calls: none.',
  extensions: {},
  input: {
    description: 'The webhook and the event.',
    fields: (t) => ({
      ...webhookId(t),
      ...requiredInputs(t, 'ID', { eventId: 'The `id` of an event.' }),
    }),
  },
  result: DeliveryPayloadRef,
  resolve: ({ id, eventId }, { use }) => use(webhooks).redeliver({ id: keyOf(id), eventId }),
});
