import { local, type Samples, storedQuery } from '../../../../test/samples/sample.ts';
import type { Target } from '../../../../test/samples/target.ts';

const webhook = 'url types description customer state labels { name value }';

const one = ({ webhook }: Target) => ({ input: { id: webhook } });
const sending = { ...local, calls: 'none: one request to the endpoint' };

export const samples: Samples = {
  'Query.webhook': {
    ...storedQuery,
    args: ({ webhook }) => ({ id: webhook }),
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
    args: ({ hookUrl }) => ({ input: { url: hookUrl, types: ['PRICE_CHANGED'] } }),
    select: `webhook { ${webhook} }`,
    inputs: {
      CreateWebhookInput: {
        base: { url: 'http://127.0.0.1:9/$' },
        fields: {
          ...{ url: 'http://127.0.0.1:9/other-$', customer: 'acme', description: 'Text' },
          ...{ labels: [{ name: 'team' }], types: ['EXPIRED'] },
        },
      },
    },
  },
  'Mutation.updateWebhook': {
    ...local,
    args: ({ webhook }) => ({ input: { id: webhook, description: 'mine' } }),
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
    args: ({ webhook }) => ({ input: { id: webhook, confirm: true } }),
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
    inputs: { WebhookInput: { base: { id: '%webhook' }, fields: { id: 'none' } } },
  },
  'Mutation.redeliverWebhookEvent': {
    ...sending,
    args: ({ webhook, event }) => ({ input: { id: webhook, eventId: event } }),
    select: 'delivery { status }',
    inputs: {
      RedeliverWebhookEventInput: {
        base: { id: '%webhook', eventId: 'none' },
        fields: { id: 'none', eventId: '%event' },
      },
    },
  },
};
