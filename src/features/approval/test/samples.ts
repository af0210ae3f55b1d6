import { local, type Samples, storedQuery } from '../../../../test/samples/sample.ts';
import { afterAndBefore, page } from '../../../../test/samples/shared.ts';

export const samples: Samples = {
  'Query.approvals': {
    ...storedQuery,
    args: ({ cursors }) => afterAndBefore(cursors.purchase),
    select: page('id operation domainName customer'),
  },
  'Mutation.approve': {
    ...local,
    calls: `${local.calls}; the gateway then sends the purchase, the order or the bulk change`,
    costs: { 'approve(input: { id: "a" }) { approval { purchase { state } } }': 0 },
    args: ({ approval }) => ({ input: { id: approval } }),
    select: 'approval { state }',
    customers: 'refused',
    inputs: { ApproveInput: { base: { id: '%approval' }, fields: { id: 'none' } } },
  },
  'Mutation.reject': {
    ...local,
    costs: { 'reject(input: { id: "a", reason: "b" }) { approval { order { state } } }': 0 },
    args: ({ approval }) => ({ input: { id: approval } }),
    select: 'approval { state reason }',
    customers: 'refused',
    inputs: {
      RejectInput: { base: { id: '%approval' }, fields: { id: 'none', reason: 'Because.' } },
    },
  },
};
