import { type Samples, storedQuery } from '../../../../test/samples/sample.ts';

export const samples: Samples = {
  'Query.purchaseSums': {
    ...storedQuery,
    args: () => ({ by: 'MONTH' }),
    select: 'value count paid { amount }',
  },
};
