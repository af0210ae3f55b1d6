import { readsJournal, type Samples, writesJournal } from '../../../../test/samples/sample.ts';
import type { Target } from '../../../../test/samples/target.ts';

const one = ({ webhook }: Target) => ({ input: { id: webhook } });
const sends = 'none: one request to the endpoint';

export const samples: Samples = {
  'Query.webhook': {
    calls: readsJournal,
    args: ({ webhook }) => ({ id: webhook }),
    select: 'url description deliveries { eventId }',
    customers: 'own',
  },
  'Query.webhooks': {
    calls: readsJournal,
    args: () => ({}),
    select: 'url description deliveries { eventId status }',
    customers: 'own',
  },
  'Mutation.createWebhook': {
    calls: 'none: writes the journal, and resolves the host',
    args: ({ hookUrl }) => ({ input: { url: hookUrl, types: ['PRICE_CHANGED'] } }),
    select: 'webhook { customer types }',
    customers: 'own',
  },
  'Mutation.updateWebhook': {
    calls: writesJournal,
    args: ({ webhook }) => ({ input: { id: webhook, description: 'mine' } }),
    select: 'webhook { url }',
    customers: 'own',
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
  },
  'Mutation.testWebhook': {
    calls: sends,
    args: one,
    select: 'delivery { status }',
    customers: 'own',
  },
  'Mutation.redeliverWebhookEvent': {
    calls: sends,
    args: ({ webhook, event }) => ({ input: { id: webhook, eventId: event } }),
    select: 'delivery { status }',
    customers: 'own',
  },
};
