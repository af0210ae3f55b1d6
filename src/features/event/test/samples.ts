import { type NestedCosts, type Samples, stored } from '../../../../test/samples/sample.ts';
import { afterAndBefore, page, settled } from '../../../../test/samples/shared.ts';

export const samples: Samples = {
  'Query.events': {
    ...stored,
    costs: {
      'events { totalCount nodes { type domainName } }': {},
    },
    args: ({ name, cursors }) => [
      { filter: { domain: name } },
      { filter: { customer: 'bolt' } },
      ...afterAndBefore(cursors.event),
      {},
    ],
    select: page('id type domainName'),
    cached: { 'events { totalCount }': false, 'events { nodes { id } }': false },
  },
  'Subscription.events': {
    ...stored,
    args: ({ cursors }) => ({ after: cursors.event }),
    select: 'id domainName',
  },
};

export const nestedCosts: NestedCosts = {
  'Event.domain': {
    calls: '1 `getdetails` per domain; 1 `getdomainlist` from 5 domains on',
    exceptions: 'the same for `domain` of an order line, an item and a preview',
    costs: {
      'previewBulkChange(names: ["reseller-demo.com", "unlocked-demo.com"], change: { sync: true }) { sample { domain { state } } }':
        { counts: { getdomainlist: 1 }, estimate: 11 },
    },
  },
  'Event.purchase': {
    calls: 'none: one read of the journal for all purchases of a list',
    exceptions:
      'the same for `purchase` of an error, `Purchase.order`, `Domain.purchases` and `Domain.events`',
    costs: {
      'events(first: 1) { nodes { purchase { order { id } } } } purchases(first: 1) { nodes { order { id } } } domain(name: "reseller-demo.com") { purchases { totalCount } events { totalCount } }':
        { before: settled('cost-9'), counts: { getdetails: 1 } },
    },
  },
};
