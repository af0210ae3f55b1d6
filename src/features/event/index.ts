import type { Feature } from '../../seam/feature.ts';
import { eventTables } from './table.ts';
import { eventTypes } from './types.ts';

/** Changes of the account that the gateway finds by comparing it, because the registrar sends no events. */
export const event: Feature = {
  name: 'event',
  uses: [],
  events: eventTypes,
  tables: eventTables,
  rootFields: { Query: ['events'], Subscription: ['events'] },
  fields: ['Domain.events', 'GatewayInfo.eventsIntervalSeconds', 'GatewayInfo.eventsSince'],
  graph: () => import('./schema.ts'),
  parts: () => import('./open.ts'),
  tools: async () => (await import('./with/mcp.ts')).tools,
  figures: async () => (await import('./figure.ts')).figures,
};
