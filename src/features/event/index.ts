import type { Feature } from '../../seam/feature.ts';
import { eventTables } from './table.ts';
import { eventTypes } from './types.ts';

/** Changes of the account that the gateway finds by comparing it, because the registrar sends no events. */
export const event: Feature = {
  name: 'event',
  uses: ['portfolio'],
  events: eventTypes,
  tables: eventTables,
  rootFields: { Query: ['events'], Subscription: ['events'] },
  fields: ['Domain.events', 'GatewayInfo.eventsIntervalSeconds', 'GatewayInfo.eventsSince'],
  everyday: ['changes since yesterday: `events`'],
  graph: () => import('./schema.ts'),
  examples: async () => [(await import('./example.ts')).example],
  parts: () => import('./open.ts'),
  tools: async () => (await import('./with/mcp.ts')).tools,
  figures: async () => (await import('./figure.ts')).figures,
};
