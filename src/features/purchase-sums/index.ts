import type { Feature } from '../../seam/feature.ts';

/** The sums of purchases by month, customer or TLD. */
export const purchaseSums: Feature = {
  name: 'purchase-sums',
  uses: [],
  rootFields: { Query: ['purchaseSums'] },
  after: { Query: 'purchases' },
  graph: () => import('./schema.ts'),
};
