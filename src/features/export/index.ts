import type { Feature } from '../../seam/feature.ts';

/** Lists as CSV and JSON lines, for spreadsheets and scripts. */
export const exports: Feature = {
  name: 'export',
  uses: [],
  joins: {
    // One line for each.
    portfolio: () => import('./with/portfolio.ts'),
    audit: () => import('./with/audit.ts'),
  },
  routes: async () => (await import('./route.ts')).exportRoutes,
};
