import type { Samples } from '../../../../test/samples/sample.ts';

export const samples: Samples = {
  'Query.reseller': {
    calls: '1 `resellerdetails`',
    counts: { resellerdetails: 1 },
    costs: {
      'reseller { name } again: reseller { name }': 1,
    },
    args: () => ({}),
    select: 'balance { money { amount } }',
    customers: 'refused',
    cached: false,
  },
};
