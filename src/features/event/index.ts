import type { Feature } from '../../seam/feature.ts';
import { eventSettings } from './settings.ts';
import { eventTables } from './table.ts';
import { eventTypes } from './types.ts';

declare module '../../kernel/caller.ts' {
  interface FeatureScopes {
    'events:read': true;
  }
}

/** Changes of the account that the gateway finds by comparing it, because the registrar sends no events. */
export const event: Feature = {
  name: 'event',
  uses: ['portfolio'],
  settings: eventSettings,
  scopes: {
    'events:read': {
      allows: 'Events of domains, purchases, balances and prices.',
      isDefault: true,
    },
  },
  events: eventTypes,
  tables: eventTables,
  rootFields: { Query: ['events'], Subscription: ['events'] },
  fields: ['Domain.events', 'GatewayInfo.eventsIntervalSeconds', 'GatewayInfo.eventsSince'],
  everyday: ['changes since yesterday: `events`'],
  graph: () => import('./schema.ts'),
  examples: async () => [(await import('./example.ts')).example],
  parts: () => import('./open.ts'),
  tools: async () => (await import('./with/mcp.ts')).tools,
};
