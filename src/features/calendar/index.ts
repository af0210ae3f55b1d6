import type { Feature } from '../../seam/feature.ts';
import { calendarFeedsTable } from './table.ts';

/** Files of expiry dates that calendar programs read without a key. */
export const calendar: Feature = {
  name: 'calendar',
  uses: ['portfolio', 'event'],
  tables: [calendarFeedsTable],
  rootFields: {
    Query: ['calendarFeeds'],
    Mutation: ['createCalendarFeed', 'deleteCalendarFeed'],
  },
  nodes: ['CalendarFeed'],
  graph: () => import('./schema.ts'),
  routes: async () => (await import('./route.ts')).calendarRoutes,
};
