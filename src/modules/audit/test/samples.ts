import { readsJournal, type Samples } from '../../../../test/samples/sample.ts';

export const samples: Samples = {
  'Query.auditLog': {
    calls: readsJournal,
    args: () => ({}),
    select: 'totalCount nodes { operation }',
    customers: 'refused',
    cached: false,
  },
};
