import type { CountedJob } from '../../modules/job/service.ts';
import { PurchaseRef } from '../../modules/purchase/schema.ts';
import { builder, type ObjectFieldBuilder } from '../../schema/builder.ts';
import { costs, costsEach } from '../../schema/cost.ts';
import { keyOfId } from '../../schema/global-id.ts';
import { ApprovalRequiredRef } from '../../schema/user-error.ts';
import { approvals } from './parts.ts';
import { ApprovalRef } from './schema.ts';

export const approvalOfEach = costs((count, _args, above) => ({
  owners: costsEach(count, above, 'approvals'),
}));

export const waitsFor =
  'The decision of another person that it needed before it was sent; null when it needed none. Costs no upstream call.';

builder.objectField(PurchaseRef, 'approval', (t) =>
  t.field({
    type: ApprovalRef,
    description: `${waitsFor} Of the line of an order see the order and its line.`,
    extensions: approvalOfEach,
    resolve: ({ id, orderId }, _args, { use }) =>
      orderId === null ? use(approvals).byId(id) : null,
  }),
);
export const approvalOfJob = (t: ObjectFieldBuilder<CountedJob>) =>
  t.field({
    type: ApprovalRef,
    description: waitsFor,
    extensions: approvalOfEach,
    resolve: ({ job }, _args, { use }) => use(approvals).byId(job.id),
  });
builder.objectField(ApprovalRequiredRef, 'approval', (t) =>
  t.field({
    type: ApprovalRef,
    description: 'The approval that waits for a decision; null when a new request is needed first.',
    extensions: approvalOfEach,
    resolve({ extensions }, _args, { use }) {
      const id = extensions?.approvalId && keyOfId('Approval', extensions.approvalId);
      return id ? use(approvals).byId(id) : null;
    },
  }),
);
