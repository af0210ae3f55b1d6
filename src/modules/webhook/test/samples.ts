import { readsJournal, type Samples, writesJournal } from '../../../../test/samples/sample.ts';
import type { Target } from '../../../../test/samples/target.ts';

const webhook = 'url types description customer state labels { name value }';

const one = ({ webhook }: Target) => ({ input: { id: webhook } });
const sends = 'none: one request to the endpoint';

export const samples: Samples = {
  'Query.webhook': {
    calls: readsJournal,
    args: ({ webhook }) => ({ id: webhook }),
    select: 'url description deliveries { eventId }',
    customers: 'own',
    cached: false,
  },
  'Query.webhooks': {
    calls: readsJournal,
    args: () => ({}),
    select: 'url description deliveries { eventId status }',
    customers: 'own',
    cached: false,
  },
  'Mutation.createWebhook': {
    calls: 'none: writes the journal, and resolves the host',
    args: ({ hookUrl }) => ({ input: { url: hookUrl, types: ['PRICE_CHANGED'] } }),
    select: `webhook { ${webhook} }`,
    customers: 'own',
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
    calls: writesJournal,
    args: ({ webhook }) => ({ input: { id: webhook, description: 'mine' } }),
    select: `webhook { ${webhook} }`,
    customers: 'own',
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
    calls: writesJournal,
    args: one,
    select: 'secret webhook { url }',
    customers: 'own',
  },
  'Mutation.deleteWebhook': {
    calls: writesJournal,
    args: ({ webhook }) => ({ input: { id: webhook, confirm: true } }),
    select: 'deletedId',
    customers: 'own',
    inputs: {
      DeleteWebhookInput: {
        base: { id: '%webhook', confirm: true },
        fields: { id: 'none', confirm: false },
      },
    },
  },
  'Mutation.testWebhook': {
    calls: sends,
    args: one,
    select: 'delivery { status }',
    customers: 'own',
    inputs: {
      WebhookInput: { base: { id: '%webhook' }, fields: { id: 'none' } },
    },
  },
  'Mutation.redeliverWebhookEvent': {
    calls: sends,
    args: ({ webhook, event }) => ({ input: { id: webhook, eventId: event } }),
    select: 'delivery { status }',
    customers: 'own',
    inputs: {
      RedeliverWebhookEventInput: {
        base: { id: '%webhook', eventId: 'none' },
        fields: { id: 'none', eventId: '%event' },
      },
    },
  },
};
