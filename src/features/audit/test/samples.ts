import { type Samples, storedQuery } from '../../../../test/samples/sample.ts';

export const samples: Samples = {
  'Query.auditLog': {
    ...storedQuery,
    args: () => ({}),
    select: 'totalCount nodes { operation }',
    customers: 'refused',
  },
};
