import type { Feature } from '../../seam/feature.ts';

/** Several purchases that are quoted, placed and followed together. */
export const order: Feature = {
  name: 'order',
  uses: [],
  rootFields: {
    Query: ['quoteOrder', 'order', 'orders'],
    Mutation: ['placeOrder', 'cancelOrder', 'retryOrder'],
    Subscription: ['orderProgress'],
  },
  after: { Query: 'purchases', Mutation: 'cancelPurchase' },
  nodes: ['Order', 'OrderLine'],
  fields: ['Purchase.order'],
  everyday: ['place an order: `placeOrder`', 'follow an order: the subscription `orderProgress`'],
  joins: {
    // One line for each.
    approval: () => import('./with/approval.ts'),
  },
  graph: () => import('./graph.ts'),
  examples: async () => [(await import('./example.ts')).example],
  parts: () => import('./open.ts'),
  jobs: async () => ({ ORDER: (await import('./parts.ts')).lineRunner }),
};
