import type { Samples } from '../../../../test/samples/sample.ts';

export const samples: Samples = {
  'Query.gateway': {
    calls: 'none: reads settings and journal',
    counts: {},
    args: () => ({}),
    select: `environment version scopes tenant caller spendLimits { scope } spendLeft { amount }
      purchasesStoppedReason purchasesStoppedSince upstream { inFlight }`,
    customers: 'unnamed',
    cached: {
      'gateway { version scopes }': true,
      'gateway { upstream { state } }': false,
      'gateway { purchasesStoppedReason }': false,
      'gateway { spendLeft { amount } }': false,
    },
  },
};
