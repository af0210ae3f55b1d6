import { keyOfId } from '../../kernel/ids.ts';
import type { CountedJob } from '../../modules/job/service.ts';
import { PurchaseRef } from '../../modules/purchase/schema.ts';
import { PurchasePayloadRef } from '../../modules/purchase/input-schema.ts';
import { builder, type ObjectFieldBuilder } from '../../schema/builder.ts';
import { costs, costsEach } from '../../schema/cost.ts';
import { errorRef } from '../../schema/user-error.ts';
import { approvals } from './parts.ts';
import { ApprovalRef } from './schema.ts';

const approvalOfEach = costs((count, _args, above) => ({
  owners: costsEach(count, above, 'approvals'),
}));

const waitsFor =
  'The decision of another person that it needed before it was sent; null when it needed none. Calls: none.';

builder.objectField(PurchaseRef, 'approval', (t) =>
  t.field({
    type: ApprovalRef,
    description: `${waitsFor} Of the line of an order see the order.`,
    extensions: approvalOfEach,
    resolve: ({ id, orderId }, _args, { use }) =>
      orderId === null ? use(approvals).byId(id) : null,
  }),
);

builder.objectField(PurchasePayloadRef, 'needsApproval', (t) =>
  t.boolean({
    nullable: false,
    description:
      'Whether a rule of the operator needs the approval of another person, also for a dry run. A dry run of a caller without the scope `prices:cost` compares its price with the amounts of rules. The purchase is then `AWAITING_APPROVAL`, and the gateway sends it after the approval. False when a check refuses the purchase, and when `replayed` is true.',
    resolve: ({ isHeld = false }) => isHeld,
  }),
);

export const approvalOfJob = (t: ObjectFieldBuilder<CountedJob>) =>
  t.field({
    type: ApprovalRef,
    description: waitsFor,
    extensions: approvalOfEach,
    resolve: ({ job }, _args, { use }) => use(approvals).byId(job.id),
  });

const ApprovalRequiredRef = errorRef('ApprovalRequired', {
  description: 'A rule of the operator needs the approval of another person. Nothing was sent.',
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
