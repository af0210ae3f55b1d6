import { mayAny, purchaseScopes } from '../../../kernel/caller.ts';
import { builder } from '../../../schema/builder.ts';
import { approvals } from '../../approval/parts.ts';
import { approvalOfJob } from '../../approval/related-schema.ts';
import { registerSubject } from '../../approval/subject.ts';
import { orders } from '../parts.ts';
import { OrderRef } from '../schema.ts';

builder.objectField(OrderRef, 'approval', approvalOfJob);

registerSubject('ORDER', {
  type: OrderRef,
  async load({ id }, { use, caller }) {
    const { seesAll } = use(approvals);
    return seesAll || mayAny(caller, purchaseScopes) ? use(orders).storedById(id, seesAll) : null;
  },
  selectedByPage: 'orderState: state lines(first: 100) { domainName unicodeName kind period }',
});
