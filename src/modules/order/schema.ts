import { purchaseScopes } from '../../kernel/caller.ts';
import {
  type CallCount,
  type CostContext,
  maxChecksAlone,
  maxNamesPerCall,
} from '../../kernel/upstream-calls.ts';
import { builder, enumRef, needs } from '../../schema/builder.ts';
import { connectionRef, pageArgs, toConnection } from '../../schema/connection.ts';
import {
  costs,
  costsEach,
  costsList,
  costsOwner,
  costsPage,
  costsSum,
  lengthOf,
  neverLimited,
  ownersBelow,
  pageSize,
} from '../../schema/cost.ts';
import { keyOfId } from '../../schema/global-id.ts';
import { optionalInputs, requiredInputs } from '../../schema/input-fields.ts';
import {
  type LookupInput,
  LookupInputRef,
  lookupArg,
  lookupName,
  lookupOf,
} from '../../schema/lookup.ts';
import { knownBy } from '../../schema/marks.ts';
import { nullableFields, requiredFields } from '../../schema/member-fields.ts';
import { NodeRef, nodeId, registerNode } from '../../schema/node.ts';
import {
  jobFields,
  jobFilterFields,
  jobIdArg,
  jobPosition,
  progressRef,
  readJobPage,
} from '../job/schema.ts';
import type { CountedJob, JobUpdate } from '../job/service.ts';
import type { JobState } from '../job/view.ts';
import { mutation, type PayloadFieldBuilder } from '../mutation/schema.ts';
import { PurchaseRef } from '../purchase/schema.ts';
import { ContactInputRef } from '../registration/schema.ts';
import { OrderLineRef, OrderLineStateRef } from './line-schema.ts';
import type { OrderLineState, PlacedLine } from './order.ts';
import type { PlaceOrderInput } from './place-order.ts';
import {
  countQuote,
  maxTotalField,
  OrderQuoteRef,
  OrderTotalRef,
  orderFields,
} from './quote-schema.ts';
import type { RetryOrderInput } from './retry-order.ts';
import type { CancelledOrder, OrderPayload } from './service.ts';

const OrderStateRef = enumRef<JobState>('OrderState', 'State of an order, from its lines.', {
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

/** Lines of one order at most. */
const maxLines = 500;

const costsOrder = (count: CallCount, order: string): CostContext => ({
  purchases: count.page(`order ${order}`, maxLines),
  owners: costsOwner(count, `order ${order}`),
});

const costsCounts = costs((count, _args, above) => costsSum(count, above, 'counts'));
const costsSums = costs((count, _args, above) => costsSum(count, above, 'sums'));

const OrderRef = builder.objectRef<CountedJob>('Order').implement({
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
      resolve: (order, _args, { services }) => services.orders.stateOf(order),
    }),
    progress: t.field({
      type: OrderProgressRef,
      nullable: false,
      description: 'The number of lines in each state.',
      extensions: costsCounts,
      resolve: (order, _args, { services }) => services.orders.progressOf(order),
    }),
    finishedAt: t.field({
      type: 'DateTime',
      description: 'Time at which the last line ended; null while the order is RUNNING.',
      extensions: costsCounts,
      resolve: (order, _args, { services }) => services.orders.finishedAtOf(order),
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
        first: t.arg.int({
          required: true,
          defaultValue: 100,
          description: 'Number of lines: 0 to 500.',
        }),
        after: t.arg.int({
          description:
            'Only lines after this `position`: that of the last line of the page before.',
        }),
      },
      extensions: costs((count, args, above) => {
        // A row of the line, and one of its purchase.
        costsList(count, above, 2 * lengthOf(args.first, maxLines));
        if (args.states) costsSum(count, above, `lines ${args.states}`);
        const owners = ownersBelow(
          above,
          `lines ${JSON.stringify(args)}`,
          lengthOf(args.first, maxLines),
        );
        return { purchases: count.page(owners.key, owners.amount), owners };
      }),
      resolve: (order, page, { services }) => services.orders.lines(order, page),
    }),
    quoted: t.field({
      type: [OrderTotalRef],
      nullable: false,
      description:
        'The sums of the lines that passed the checks when the order was placed, one per currency.',
      extensions: costsSums,
      resolve: (order, _args, { services }) => services.orders.quotedTotals(order),
    }),
    spent: t.field({
      type: [OrderTotalRef],
      nullable: false,
      description:
        'The sums of the quotes of the lines that the registrar accepted, one per currency. Lines with an unknown outcome are not in it.',
      extensions: costsSums,
      resolve: (order, _args, { services }) => services.orders.spentTotals(order),
    }),
    stopReason: t.string({
      description:
        'Why lines are not sent, and the next step for a person. Null while lines are sent, and when each line has ended on its own.',
      extensions: costs((count, _args, above) => {
        costsList(count, above, 1);
        return costsSum(count, above, 'counts');
      }),
      resolve: (order, _args, { services }) => services.orders.stopReasonOf(order),
    }),
  }),
});

registerNode('Order', {
  needed: purchaseScopes,
  load: ({ services }, key) => services.orders.byId(key),
  cost: costsOrder,
});

const OrderConnectionRef = connectionRef('Order', OrderRef);

const OrderFilterRef = builder.inputType('OrderFilter', {
  description: 'Conditions for orders. An order must meet all conditions that are set.',
  fields: (t) => jobFilterFields(t, 'orders', 'placed'),
});

builder.objectField(PurchaseRef, 'order', (t) =>
  t.field({
    type: OrderRef,
    description:
      'The order that made the purchase; null for a single purchase, and for an order of another caller without the scope `ops`. Costs no upstream call.',
    extensions: costs((count, _args, above) => ({ owners: costsEach(count, above, 'orders') })),
    resolve: ({ orderId }, _args, { services }) => services.orders.storedById(orderId),
  }),
);

builder.queryFields((t) => ({
  order: t.field({
    ...needs(...purchaseScopes),
    type: OrderRef,
    description:
      'An order of the caller; null when it has no such order. With the scope `ops` also an order of another caller. Costs no upstream call.',
    args: lookupArg(t, 'an order'),
    extensions: { ...neverLimited, ...costs((count, { by }) => costsOrder(count, lookupName(by))) },
    resolve: (_root, { by }, { services }) => services.orders.find(lookupOf('Order', by)),
  }),
  orders: t.field({
    ...needs(...purchaseScopes),
    type: OrderConnectionRef,
    description:
      'Orders of the caller, newest first. With the scope `ops` orders of all callers. Costs no upstream call.',
    args: {
      ...pageArgs(t),
      filter: t.arg({ type: OrderFilterRef, description: 'Conditions. Default: all orders.' }),
    },
    extensions: {
      ...neverLimited,
      ...costs((count, args) => ({
        purchases: count.page(`orders ${JSON.stringify(args)}`, pageSize(args) * maxLines),
        owners: costsPage(count, 'orders', args),
      })),
    },
    resolve: (_root, args, { services }) =>
      services.readOnce(`orders ${JSON.stringify(args)}`, async () => {
        const listed = await services.orders.list(readJobPage(args));
        return toConnection(listed.items, jobPosition, listed);
      }),
  }),
}));

const OnFailureRef = enumRef('OrderOnFailure', 'The effect of a line that fails on the others.', {
  CONTINUE: 'The other lines are sent.',
  STOP: 'No other line is sent. Lines that are being sent go on.',
});

const keyText =
  'Your key for this order, 1 to 194 characters. The same key with the same input is always the same order. An order that is refused does not use its key; see `keyUsed`.';

const orderPayload = (t: PayloadFieldBuilder<OrderPayload>) => ({
  ...nullableFields(t, OrderRef, { order: 'The order; null when it is refused.' }),
  ...nullableFields(t, OrderQuoteRef, {
    quote:
      'The quote of the order, also when it is refused: then `errors` of this payload has all errors, and the quote has none. Null when `replayed` is true, and when the key is refused.',
  }),
  ...requiredFields(t, 'Boolean', {
    replayed: 'Whether an earlier request with this idempotency key placed the order.',
    keyUsed:
      'Whether an order with this idempotency key is stored. When it is false, the same key may be sent with other input.',
  }),
});

mutation('placeOrder', {
  needs: 'domains:spend',
  description:
    'Places an order of up to 500 purchases. It makes the checks of `quoteOrder`, stores the order and returns; the gateway then sends the lines, a few at a time, each once. The same key with the same order returns the stored order without an upstream call. Costs the calls of `quoteOrder`; later one `getdetails` and one purchase per line. A line that waits for more than five minutes is checked again before it is sent, and is never sent for more than its quote.',
  extensions: {
    purchase: true,
    ...costs((count, { input }: { input: PlaceOrderInput }) => {
      const quoted = countQuote(count, input);
      return { ...costsOrder(count, `key ${input.idempotencyKey}`), ...quoted };
    }),
  },
  input: {
    argument: 'The order.',
    description: 'The lines of an order, their limits, and its key.',
    fields: (t) => ({
      ...requiredInputs(t, 'String', {
        idempotencyKey: keyText,
      }),
      ...orderFields(t, 'Values for registrations that have none of their own.'),
      onFailure: t.field({
        type: OnFailureRef,
        required: true,
        defaultValue: 'CONTINUE',
        description:
          'With STOP a line that fails a check also refuses the whole order. With CONTINUE that line is stored as FAILED, and so is each line that the balance does not cover, counted from the first line on.',
      }),
    }),
  },
  result: 'Result of an order: stored, or refused (see `errors`).',
  payload: orderPayload,
  resolve: (input, { services }) => services.orders.place(input),
});

const RetryLineInputRef = builder.inputType('RetryLineInput', {
  description: 'Values of one line of the order, which the gateway deleted when the line ended.',
  fields: (t) => ({
    ...requiredInputs(t, 'Int', { position: 'The `position` of the line in the order.' }),
    ...optionalInputs(t, ContactInputRef, {
      registrant: 'The holder of the domain. Required when the line had one of its own.',
      contact:
        'Administrative, billing and technical contact. Required when the line had one of its own.',
    }),
    ...optionalInputs(t, 'String', {
      authCode:
        'Auth code (EPP code) from the current registrar. Required for a transfer. A secret.',
    }),
  }),
});

/** The calls of `quoteOrder` for as many registrations as an order has, and for the transfers, which all need a code. */
function countRetry(count: CallCount, { lines }: RetryOrderInput): void {
  count.calls(2 + (maxLines / maxNamesPerCall) * (1 + maxChecksAlone));
  const transfers = lines?.filter(({ authCode }) => authCode).length ?? 0;
  count.domains({ names: [], others: transfers });
}

mutation('retryOrder', {
  needs: 'domains:spend',
  description:
    'Places the lines of an order that has ended again, as a new order: those that were not sent, and those that FAILED. It makes the checks of `placeOrder`. A line that was bought or whose outcome is not known is never placed again, also when another order or purchase bought its domain since. Each line has the period, the name servers, the flags and the `maxPrice` of the order, but the contacts and auth codes must be sent again. The same key with the same input returns the same order without an upstream call. A RUNNING order is refused. Costs the calls of `quoteOrder` for these lines; later those of `placeOrder`.',
  extensions: {
    purchase: true,
    ...costs((count, { input }: { input: RetryOrderInput }) => {
      countRetry(count, input);
      return costsOrder(count, `key ${input.idempotencyKey}`);
    }),
  },
  input: {
    argument: 'The order and the key of the new one.',
    description: 'An order whose lines are placed again.',
    fields: (t) => ({
      by: t.field({
        type: LookupInputRef,
        required: true,
        description: 'The id or the idempotency key of the order.',
      }),
      ...requiredInputs(t, 'String', { idempotencyKey: keyText }),
      ...optionalInputs(t, ContactInputRef, {
        registrant: 'The holder of the domains. Required for lines that had that of `defaults`.',
        contact:
          'Administrative, billing and technical contact of the same lines. Required when `defaults` had one.',
      }),
      ...optionalInputs(t, [RetryLineInputRef], {
        lines: 'Values of single lines: their own contacts, and the auth codes of transfers.',
      }),
      ...maxTotalField(t),
    }),
  },
  result: 'Result of a retry: a new order, or refused (see `errors`).',
  payload: orderPayload,
  resolve: ({ by, ...input }, { services }) => services.orders.retry(lookupOf('Order', by), input),
});

mutation('cancelOrder', {
  needs: 'domains:spend',
  description:
    'Cancels the lines of an order that were not sent. A line that is being sent goes on, and a purchase cannot be undone. Costs no upstream call.',
  extensions: {
    ...neverLimited,
    ...costs((count, { input }: { input: LookupInput }) => costsOrder(count, lookupName(input))),
  },
  input: { type: LookupInputRef, argument: 'The id or the idempotency key of the order.' },
  result: 'Result of a cancellation.',
  payload: (t: PayloadFieldBuilder<CancelledOrder>) => ({
    ...nullableFields(t, OrderRef, { order: 'The order; null when nothing was cancelled.' }),
    ...nullableFields(t, 'Int', { cancelled: 'Number of lines that were cancelled.' }),
  }),
  resolve: (by, { services }) => services.orders.cancel(lookupOf('Order', by)),
});

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
      'Sends an update now and after changes of the lines, at most four per second, and ends when the order is no longer RUNNING. Read the lines with `order` after the first update; each later update has the lines that changed. A client that reads slowly gets several changes in one update. Another replica may send the lines. After a disconnect subscribe again. Costs no upstream call.',
    args: jobIdArg(t, 'an order'),
    extensions: {
      ...neverLimited,
      ...costs((count, { id }) => {
        const order = costsOrder(count, id);
        costsSum(count, order, 'counts');
        return order;
      }),
    },
    subscribe: (_root, { id }, { services }) =>
      services.orders.progress(keyOfId('Order', id) ?? ''),
    resolve(update, _args, { services }) {
      services.beginUpdate();
      return update;
    },
  }),
}));
