import { readsJournal, type Samples, writesJournal } from '../../../../test/samples/sample.ts';
import { afterAndBefore, page } from '../../../../test/samples/selections.ts';

export const samples: Samples = {
  'Query.approvals': {
    calls: readsJournal,
    args: ({ cursors }) => afterAndBefore(cursors.purchase),
    select: page('id operation domainName customer'),
    customers: 'own',
    cached: false,
  },
  'Mutation.approve': {
    calls: `${writesJournal}; the gateway then sends the purchase, the order or the bulk change`,
    estimates: { 'approve(input: { id: "a" }) { approval { purchase { state } } }': 0 },
    args: ({ approval }) => ({ input: { id: approval } }),
    select: 'approval { state }',
    customers: 'refused',
    inputs: {
      ApproveInput: { base: { id: '%approval' }, fields: { id: 'none' } },
    },
  },
  'Mutation.reject': {
    calls: writesJournal,
    estimates: { 'reject(input: { id: "a", reason: "b" }) { approval { order { state } } }': 0 },
    args: ({ approval }) => ({ input: { id: approval } }),
    select: 'approval { state reason }',
    customers: 'refused',
    inputs: {
      RejectInput: { base: { id: '%approval' }, fields: { id: 'none', reason: 'Because.' } },
    },
  },
};
