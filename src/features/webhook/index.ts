import type { Feature } from '../../seam/feature.ts';
import { webhookSettings } from './settings.ts';
import { webhookTables } from './table.ts';

declare module '../../scope/hooks.ts' {
  interface EventTypes {
    WEBHOOK_SUSPENDED: true;
  }
}

declare module '../../kernel/caller.ts' {
  interface FeatureScopes {
    'webhooks:write': true;
  }
}

/** Endpoints that receive the events of an account, by the specification Standard Webhooks. */
export const webhook: Feature = {
  name: 'webhook',
  uses: ['event'],
  events: {
    WEBHOOK_SUSPENDED:
      'The webhook whose id is `subject` was suspended, because its endpoint did not accept an event. `after` is the reason.',
  },
  settings: webhookSettings,
  scopes: {
    'webhooks:write': { allows: 'The webhooks of the account, which send its events to a URL.' },
  },
  tables: webhookTables,
  rootFields: {
    Query: ['webhook', 'webhooks'],
    Mutation: [
      ...['createWebhook', 'updateWebhook', 'deleteWebhook', 'testWebhook'],
      ...['rotateWebhookSecret', 'redeliverWebhookEvent'],
    ],
  },
  nodes: ['Webhook'],
  graph: () => import('./schema.ts'),
  parts: () => import('./open.ts'),
};
