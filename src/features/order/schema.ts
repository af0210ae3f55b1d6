import { purchaseScopes } from '../../kernel/caller.ts';
import { keyOfId } from '../../kernel/ids.ts';
import { maxOrderLines } from '../../kernel/job-sizes.ts';
import { knownBy } from '../../kernel/schema-extensions.ts';
import type { CallCount, CostContext } from '../../kernel/upstream-calls.ts';
import {
  itemPageArgs,
  jobFields,
  jobFilterRef,
  jobIdArg,
  jobOrder,
  placed,
  progressRef,
} from '../../modules/job/schema.ts';
import type { CountedJob, JobListPage, JobUpdate } from '../../modules/job/service.ts';
import type { JobState } from '../../modules/job/view.ts';
import { PurchaseRef } from '../../modules/purchase/schema.ts';
import { TotalRef, totalsFor } from '../../modules/quote/schema.ts';
import { lookupArg, lookupName, lookupOf } from '../../schema/arguments.ts';
import { builder, enumRef, needs } from '../../schema/builder.ts';
import {
  costs,
  costsEach,
  costsList,
  costsOwner,
  costsSum,
  lengthOf,
  neverLimited,
  ownersBelow,
} from '../../schema/cost.ts';
import { givenIn, requiredFields } from '../../schema/fields.ts';
import { NodeRef, nodeId, registerNode } from '../../schema/node.ts';
import { listArgs, storedList, storedListRef } from '../../schema/stored-list.ts';
import { OrderLineRef, OrderLineStateRef } from './line-schema.ts';
import type { OrderLineState, PlacedLine } from './order.ts';
import { orders } from './parts.ts';

const OrderStateRef = enumRef<JobState>('OrderState', 'State of an order, from its lines.', {
  HELD: 'The order waits for a decision, and nothing is sent before it.',
  RUNNING:
    'At least one line is waiting or being sent, or is a transfer in progress, which takes days.',
  SUCCEEDED: 'The account has every domain of the order.',
  PARTIAL: 'Some lines succeeded, or the outcome of a line could not be determined.',
  FAILED: 'Every line failed.',
  STOPPED: 'Some lines were not sent, because the order was cancelled or stopped after a failure.',
});

const OrderProgressRef = progressRef<OrderLineState>(
  'OrderProgress',
  'The number of lines in each state. The sum is the number of lines.',
  {
    WAITING: ['waiting', 'Lines that were not sent yet.'],
    SENDING: ['sending', 'Lines that are about to be sent, or whose call is in flight.'],
    PENDING: ['pending', 'Lines whose reply was lost, and whose outcome is not known yet.'],
    IN_PROGRESS: ['inProgress', 'Transfers in progress.'],
    SUCCEEDED: ['succeeded', 'Lines whose domain the account has.'],
    FAILED: ['failed', 'Lines that a check or the registrar refused.'],
    UNKNOWN: ['unknown', 'Lines whose outcome could not be determined.'],
    CANCELLED: ['cancelled', 'Lines that were not sent and never will be.'],
  },
);

export const costsOrder = (count: CallCount, order: string): CostContext => ({
  purchases: count.page(`order ${order}`, maxOrderLines),
  owners: costsOwner(count, `order ${order}`),
});

const costsCounts = costs((count, _args, above) => costsSum(count, above, 'counts'));
const costsSums = costs((count, _args, above) => costsSum(count, above, 'sums'));

export const OrderRef = builder.objectRef<CountedJob>('Order').implement({
  description:
    'Up to 500 purchases that the gateway makes in the background. It survives the request and a restart of the gateway.',
  extensions: knownBy('id'),
  interfaces: [NodeRef],
  fields: (t) => ({
    id: nodeId(t, 'Order', ({ job }: CountedJob) => job.id),
    ...jobFields(t, 'order', 'placed'),
    state: t.field({
      type: OrderStateRef,
      nullable: false,
      description: 'State of the order.',
      extensions: costsCounts,
      resolve: (order, _args, { use }) => use(orders).stateOf(order),
    }),
    progress: t.field({
      type: OrderProgressRef,
      nullable: false,
      description: 'The number of lines in each state.',
      extensions: costsCounts,
      resolve: (order, _args, { use }) => use(orders).progressOf(order),
    }),
    finishedAt: t.field({
      type: 'DateTime',
      description: 'Time at which the last line ended; null until then.',
      extensions: costsCounts,
      resolve: (order, _args, { use }) => use(orders).finishedAtOf(order),
    }),
    lines: t.field({
      type: [OrderLineRef],
      nullable: false,
      description: 'The lines in the order of the input.',
      args: {
        states: t.arg({
          type: [OrderLineStateRef],
          description: 'Only lines in these states. Default: all lines.',
        }),
        ...itemPageArgs(t, 'lines'),
      },
      extensions: costs((count, args, above) => {
        // A row of the line, and one of its purchase.
        costsList(count, above, 2 * lengthOf(args.first, maxOrderLines));
        if (args.states) costsSum(count, above, `lines ${args.states}`);
        const owners = ownersBelow(
          above,
          `lines ${JSON.stringify(args)}`,
          lengthOf(args.first, maxOrderLines),
        );
        return { purchases: count.page(owners.key, owners.amount), owners };
      }),
      resolve: (order, page, { use }) => use(orders).lines(order, placed(page)),
    }),
    quoted: t.field({
      type: [TotalRef],
      nullable: false,
      description:
        'The sums of the lines that passed the checks when the order was placed, one per currency.',
      extensions: costsSums,
      resolve: async (order, _args, { caller, use }) =>
        totalsFor(caller, await use(orders).quotedTotals(order)),
    }),
    spent: t.field({
      type: [TotalRef],
      nullable: false,
      description:
        'The sums of the quotes of the lines that the registrar accepted, one per currency. Lines with an unknown outcome are not in it.',
      extensions: costsSums,
      resolve: async (order, _args, { caller, use }) =>
        totalsFor(caller, await use(orders).spentTotals(order)),
    }),
    stopReason: t.string({
      description:
        'Why lines are not sent, and the next step for a person. Null while lines are sent, and when each line has ended on its own.',
      extensions: costs((count, _args, above) => {
        costsList(count, above, 1);
        return costsSum(count, above, 'counts');
      }),
      resolve: (order, _args, { use }) => use(orders).stopReasonOf(order),
    }),
  }),
});

registerNode('Order', {
  needed: purchaseScopes,
  load: ({ use }, key) => use(orders).byId(key),
  cost: costsOrder,
});

const OrderConnectionRef = storedListRef('Order', OrderRef);

const orderList = storedList({
  name: 'orders',
  ...jobOrder,
  each: { purchases: maxOrderLines },
  list: ({ use }, page: JobListPage) => use(orders).list(page),
});

builder.objectField(PurchaseRef, 'order', (t) =>
  t.field({
    type: OrderRef,
    description:
      'The order that made the purchase, which `cancelOrder` cancels; null for a single purchase, and for an order of another caller without the scope `ops`. Of such a purchase `path` in `errors` is in the input of `placeOrder`. Calls: none.',
    extensions: costs((count, _args, above) => ({ owners: costsEach(count, above, 'orders') })),
    resolve: ({ orderId }, _args, { use }) => use(orders).storedById(orderId),
  }),
);

builder.queryFields((t) => ({
  order: t.field({
    ...needs(...purchaseScopes),
    type: OrderRef,
    description:
      'An order of the caller; null when it has no such order. With the scope `ops` also an order of another caller. Calls: none.',
    args: lookupArg(t, 'an order'),
    extensions: { ...neverLimited, ...costs((count, { by }) => costsOrder(count, lookupName(by))) },
    resolve: (_root, { by }, { use }) => use(orders).find(lookupOf('Order', by)),
  }),
  orders: t.field({
    ...needs(...purchaseScopes),
    type: OrderConnectionRef,
    description:
      'Orders of the caller, newest first. With the scope `ops` orders of all callers. Calls: none.',
    args: listArgs(t, jobFilterRef(), 'orders'),
    extensions: { ...neverLimited, ...orderList.extensions },
    resolve: (_root, { filter, ...page }, scope) => orderList.page(scope, page, givenIn(filter)),
  }),
}));

const OrderProgressUpdateRef = builder
  .objectRef<JobUpdate<PlacedLine>>('OrderProgressUpdate')
  .implement({
    description: 'The progress of an order since the update before.',
    fields: (t) => ({
      order: t.field({
        type: OrderRef,
        nullable: false,
        description: 'The order after the change.',
        resolve: ({ job }) => job,
      }),
      ...requiredFields(t, [OrderLineRef], {
        changed:
          'The lines whose state, or whose purchase or its state, changed since the update before, by position. Empty in the first update only.',
      }),
    }),
  });

builder.subscriptionFields((t) => ({
  orderProgress: t.field({
    ...needs(...purchaseScopes),
    type: OrderProgressUpdateRef,
    nullable: false,
    description:
      'Sends an update now and after changes of the lines, at most four per second, and ends when the order has ended. Read the lines with `order` after the first update; each later update has the lines that changed. A client that reads slowly gets several changes in one update. Another replica may send the lines. After a disconnect subscribe again. Calls: none.',
    args: jobIdArg(t, 'an order'),
    extensions: {
      ...neverLimited,
      ...costs((count, { id }) => {
        const order = costsOrder(count, id);
        costsSum(count, order, 'counts');
        return order;
      }),
    },
    subscribe: (_root, { id }, { use }) => use(orders).progress(keyOfId('Order', id) ?? ''),
    resolve(update, _args, { beginUpdate }) {
      beginUpdate();
      return update;
    },
  }),
}));
