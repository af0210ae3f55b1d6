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
  domainCommands: {
    transfer: {
      does: `  transfer FILE  CSV with the columns "domain", "code" and, where it is another one than by default, "customer". Prints the
                 price, and for each domain what blocks its transfer. With --yes, and when nothing blocks one, it places
                 the transfers as orders; the same file again places none.
`,
      needsYes: true,
      run: async () => (await import('./command/transfer-file.ts')).transferByFile,
    },
  },
  graph: () => import('./graph.ts'),
  examples: async () => [(await import('./example.ts')).example],
  parts: () => import('./open.ts'),
  jobs: async () => ({ ORDER: (await import('./parts.ts')).lineRunner }),
};
