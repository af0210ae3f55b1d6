import { type NestedCosts, type Samples, storedQuery } from '../../../../test/samples/sample.ts';

export const samples: Samples = {
  'Query.customers': {
    ...storedQuery,
    args: () => ({}),
    select: 'totalCount nodes { name spent { price { amount } } }',
  },
};

const calls = '1 `getdomainlist`, shared with all fields of the operation';
const due = { getdomainlist: 1, tldlist: 1 };

export const nestedCosts: NestedCosts = {
  'Customer.domainCount': {
    calls,
    costs: {
      'customers { nodes { name domainCount spent { price { amount } } } }': { getdomainlist: 1 },
    },
  },
  'Customer.renewalsDue': {
    calls: `${calls}, and 1 \`tldlist\``,
    costs: {
      'customers { nodes { renewalsDue { count } } } reseller { renewalsDue { count } }': {
        ...due,
        resellerdetails: 1,
      },
    },
  },
  'DomainStats.byCustomer': {
    calls: 'none: reads the journal',
    costs: { 'domainStats { byCustomer { value count } }': { getdomainlist: 1 } },
  },
};
