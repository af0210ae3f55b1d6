import type { NestedCosts, Samples } from '../../../../test/samples/sample.ts';

const calls = '1 `getdomainlist` and 1 `tldlist`, shared with all fields of the operation';
const counts = { getdomainlist: 1, resellerdetails: 1, tldlist: 1 };

export const samples: Samples = {
  'Query.reseller': {
    calls: '1 `resellerdetails`',
    counts: { resellerdetails: 1 },
    costs: {
      'reseller { name } again: reseller { name }': 1,
      'reseller { renewalsDue { count } } domainStats { totalCount } tlds { totalCount }': 3,
    },
    args: () => ({}),
    select: 'balance { money { amount } }',
    customers: 'refused',
    cached: false,
  },
};

export const nestedCosts: NestedCosts = {
  'Reseller.renewalsDue': {
    calls: calls,
    costs: {
      'reseller { renewalsDue { count covered } } domainStats { totalCount }': counts,
    },
  },
  'Reseller.coversRenewalsUntil': {
    calls: calls,
    costs: {
      'reseller { coversRenewalsUntil renewalsDue { count } }': counts,
    },
  },
};
