import { changed, settled } from './documents.ts';
import { costOf, type FieldCost } from './field-cost.ts';

/** Every root field of `Subscription`. */
export const subscriptionCosts: readonly FieldCost[] = [
  {
    field: 'Subscription.purchaseSettled',
    calls: 'none: reads the journal',
    measured: [
      {
        before: settled('cost-6'),
        document: 'subscription ($id: ID!) { purchaseSettled(id: $id) { state } }',
        counts: {},
      },
    ],
  },
  {
    field: 'Subscription.orderProgress',
    calls: 'none: reads the journal',
    measured: [],
  },
  {
    field: 'Subscription.events',
    calls: 'none: reads the journal',
    measured: [],
  },
  {
    field: 'Subscription.bulkChangeProgress',
    calls: 'none: reads the journal',
    measured: [
      {
        before: changed('cost-8'),
        document:
          'subscription ($id: ID!) { bulkChangeProgress(id: $id) { bulkChange { state } } }',
        counts: {},
      },
    ],
  },
  costOf(
    'Subscription.searchDomains',
    'as the query `searchDomains`',
    'subscription { searchDomains(labels: ["maple-harbor"], tlds: ["com", "net"]) { availability { name } } }',
    { tldlist: 1, bulkcheckavailability: 1 },
  ),
];
