import { mayAny, purchaseScopes } from '../../../kernel/caller.ts';
import { approvals } from '../../approval/parts.ts';
import { approvalOfEach, approvalOfJob, waitsFor } from '../../approval/related-schema.ts';
import { ApprovalRef, readableWith } from '../../approval/schema.ts';
import type { Approval } from '../../approval/service.ts';
import { builder } from '../../../schema/builder.ts';
import { costs, costsEach, costsList } from '../../../schema/cost.ts';
import type { Scope } from '../../../scope/scope.ts';
import { OrderLineRef } from '../line-schema.ts';
import { orders } from '../parts.ts';
import { OrderRef } from '../schema.ts';

builder.objectField(OrderRef, 'approval', approvalOfJob);

builder.objectField(OrderLineRef, 'approval', (t) =>
  t.field({
    type: ApprovalRef,
    description: `${waitsFor} Null also when the order waits as a whole: see the order.`,
    extensions: approvalOfEach,
    resolve: ({ heldId }, _args, { use }) => (heldId ? use(approvals).byId(heldId) : null),
  }),
);

const orderOf = ({ id, jobKind, line }: Approval, { use, caller }: Scope) => {
  const { seesAll } = use(approvals);
  const isReadable = jobKind === 'ORDER' && (seesAll || mayAny(caller, purchaseScopes));
  return use(orders).storedById(isReadable ? (line?.orderId ?? id) : null, seesAll);
};

builder.objectFields(ApprovalRef, (t) => ({
  order: t.field({
    type: OrderRef,
    description: `The order that waits, or one of whose lines does; null for any other operation. ${readableWith}`,
    extensions: {
      selectedByPage: {
        one: '{ state lines(first: 100) { domainName unicodeName kind period } }',
      },
      ...costs((count, _args, above) => ({
        owners: costsEach(count, above, 'orders of approvals'),
      })),
    },
    resolve: (approval, _args, scope) => orderOf(approval, scope),
  }),
  orderLine: t.field({
    type: OrderLineRef,
    description: `The line that waits alone; null for an order as a whole and any other operation. ${readableWith}`,
    extensions: {
      selectedByPage: { list: '{ period }', one: '{ period state }' },
      ...costs((count, _args, above) => {
        const owners = costsEach(count, above, 'orders of approvals');
        costsList(count, above, 2);
        return { purchases: count.page(owners.key, owners.amount), owners };
      }),
    },
    async resolve(approval, _args, scope) {
      const { line } = approval;
      const order = line ? await orderOf(approval, scope) : null;
      if (!line || !order) return null;
      const page = { first: 1, after: line.position - 1 };
      return (await scope.use(orders).lines(order, page))[0] ?? null;
    },
  }),
}));
