import {
  local,
  type Samples,
  type StoredObject,
  storedQuery,
} from '../../../../test/samples/sample.ts';
import type { Target } from '../../../../test/samples/target.ts';

const webhook = 'url types description customer state labels { name value }';

const one = ({ ids }: Target) => ({ input: { id: ids.webhook } });
const sending = { ...local, calls: 'none: one request to the endpoint' };

/** No server listens on the discard port. */
const urlOf = (label: string) => `http://127.0.0.1:9/of-${label}`;

export const objects: Readonly<Record<string, StoredObject>> = {
  webhook: {
    type: 'Webhook',
    create: (label) =>
      `createWebhook(input: { url: "${urlOf(label)}", description: "Of ${label}" }) { webhook { id } }`,
  },
};

export const samples: Samples = {
  'Query.webhook': {
    ...storedQuery,
    args: ({ ids }) => ({ id: ids.webhook }),
    select: 'url description deliveries { eventId }',
  },
  'Query.webhooks': {
    ...storedQuery,
    args: () => ({}),
    select: 'url description deliveries { eventId status }',
  },
  'Mutation.createWebhook': {
    ...local,
    calls: 'none: writes the journal, and resolves the host',
    args: ({ objectLabel }) => ({ input: { url: urlOf(objectLabel), types: ['PRICE_CHANGED'] } }),
    select: `webhook { ${webhook} }`,
    inputs: {
      CreateWebhookInput: {
        base: { url: 'http://127.0.0.1:9/$' },
        fields: {
          ...{ url: 'http://127.0.0.1:9/other-$', customer: 'acme', description: 'Text' },
          ...{ labels: [{ name: 'team' }], types: ['EXPIRED'] },
          ...{ format: 'SLACK', chatId: '1' },
        },
      },
    },
  },
  'Mutation.updateWebhook': {
    ...local,
    args: ({ ids }) => ({ input: { id: ids.webhook, description: 'mine' } }),
    select: `webhook { ${webhook} }`,
    inputs: {
      UpdateWebhookInput: {
        base: { id: '%webhook', description: 'One' },
        fields: {
          ...{ id: 'none', description: 'Two', types: ['EXPIRED'] },
          url: 'http://127.0.0.1:9/other-$',
        },
      },
    },
  },
  'Mutation.rotateWebhookSecret': {
    ...local,
    args: one,
    select: 'secret webhook { url }',
  },
  'Mutation.deleteWebhook': {
    ...local,
    args: ({ ids }) => ({ input: { id: ids.webhook, confirm: true } }),
    select: 'deletedId',
    inputs: {
      DeleteWebhookInput: {
        base: { id: '%webhook', confirm: true },
        fields: { id: 'none', confirm: false },
      },
    },
  },
  'Mutation.testWebhook': {
    ...sending,
    args: one,
    select: 'delivery { status }',
    inputs: { IdInput: { base: { id: '%webhook' }, fields: { id: 'none' } } },
  },
  'Mutation.redeliverWebhookEvent': {
    ...sending,
    args: ({ ids, event }) => ({ input: { id: ids.webhook, eventId: event } }),
    select: 'delivery { status }',
    inputs: {
      RedeliverWebhookEventInput: {
        base: { id: '%webhook', eventId: 'none' },
        fields: { id: 'none', eventId: '%event' },
      },
    },
  },
};
