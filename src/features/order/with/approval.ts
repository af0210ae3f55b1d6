import { mayAny, purchaseScopes } from '../../../kernel/caller.ts';
import { approvals } from '../../approval/parts.ts';
import { approvalOfJob } from '../../approval/related-schema.ts';
import { ApprovalRef, readableWith } from '../../approval/schema.ts';
import { builder } from '../../../schema/builder.ts';
import { costs, costsEach } from '../../../schema/cost.ts';
import { orders } from '../parts.ts';
import { OrderRef } from '../schema.ts';

builder.objectField(OrderRef, 'approval', approvalOfJob);

builder.objectField(ApprovalRef, 'order', (t) =>
  t.field({
    type: OrderRef,
    description: `The order that waits; null for any other operation. ${readableWith}`,
    extensions: {
      selectedByPage: '{ state lines(first: 100) { domainName unicodeName kind period } }',
      ...costs((count, _args, above) => ({
        owners: costsEach(count, above, 'orders of approvals'),
      })),
    },
    resolve({ id, jobKind }, _args, { use, caller }) {
      const { seesAll } = use(approvals);
      const isReadable = jobKind === 'ORDER' && (seesAll || mayAny(caller, purchaseScopes));
      return use(orders).storedById(isReadable ? id : null, seesAll);
    },
  }),
);
