import { globalId } from '../../kernel/ids.ts';
import { parseInstant } from '../../kernel/instant.ts';
import { Decimal, type Money } from '../../kernel/money.ts';
import { mutation, payloadRef } from '../../modules/mutation/schema.ts';
import { type LookupInput, LookupInputRef, lookupName, lookupOf } from '../../schema/arguments.ts';
import { builder, enumRef, type InputFieldBuilder, needs } from '../../schema/builder.ts';
import { pageArgs } from '../../schema/connection.ts';
import { costs, costsEach, costsList, neverLimited } from '../../schema/cost.ts';
import { inputFields, nullableFields, requiredInputs } from '../../schema/fields.ts';
import { storedList, storedListRef } from '../../schema/stored-list.ts';
import { MoneyInputRef, MoneyRef } from '../../schema/values.ts';
import { OrderLineRef } from '../order/line-schema.ts';
import { PlaceOrderInputRef, RetryOrderInputRef } from '../order/place-schema.ts';
import { costsOrder, OrderRef } from '../order/schema.ts';
import { payments } from './parts.ts';
import { moneyOfUnits, overRefundedOf, refundDueOf, type ShownState } from './payment.ts';
import { maxAmounts, type OrderPayment } from './service.ts';
import type { RefundPage, StoredAmount, StoredPayment } from './store.ts';

const scope = 'payments:confirm';

const StateRef = enumRef<ShownState>('PaymentState', 'State of the payment of an order.', {
  DUE: 'The amount is not paid yet, or the order waits for a decision first.',
  PAID: 'The amount is paid. The gateway buys the lines.',
  EXPIRED: 'The amount was not paid in time, so that nothing is bought.',
  CANCELLED: 'The order was cancelled or refused before its payment.',
});

const KindRef = enumRef<StoredAmount['kind']>('PaymentAmountKind', 'Kind of an amount.', {
  PAYMENT: 'Paid by the customer.',
  REFUND: 'Returned to the customer.',
});

const AmountRef = builder.objectRef<StoredAmount>('PaymentAmount').implement({
  description: 'An amount that was reported for an order, once under its reference.',
  fields: (t) => ({
    kind: t.expose('kind', { type: KindRef, nullable: false, description: 'Kind of the amount.' }),
    reference: t.exposeString('reference', {
      nullable: false,
      description: 'The reference of the payment provider.',
    }),
    amount: t.field({
      type: MoneyRef,
      nullable: false,
      description: 'The amount.',
      resolve: ({ amount, currency }) => moneyOfUnits(amount, currency),
    }),
    accepted: t.exposeBoolean('isAccepted', {
      nullable: false,
      description: 'Whether it paid the order, or is a refund. When false, all of it is due back.',
    }),
    at: t.expose('at', { type: 'DateTime', nullable: false, description: 'Time of the report.' }),
  }),
});

const costsPayment = costs((count, _args, above) => ({
  owners: costsEach(count, above, 'payments'),
}));

const OrderPaymentRef = builder.objectRef<OrderPayment>('OrderPayment').implement({
  description:
    'The payment of an order. All sums are in the currency of the order; `otherRefundsDue` has the other ones.',
  fields: (t) => {
    const sum = (description: string, moneyOf: (payment: StoredPayment) => Money) =>
      t.field({
        type: MoneyRef,
        nullable: false,
        description,
        resolve: ({ payment }) => moneyOf(payment),
      });
    const units = (member: 'amountDue' | 'paid' | 'refunded') => (payment: StoredPayment) =>
      moneyOfUnits(payment[member], payment.currency);
    return {
      orderId: t.id({
        nullable: false,
        description: 'The id of the order.',
        resolve: ({ id }) => globalId('Order', id),
      }),
      state: t.field({
        type: StateRef,
        nullable: false,
        description: 'State of the payment.',
        resolve: (payment, _args, { use }) => use(payments).stateOf(payment),
      }),
      amountDue: sum(
        'The sum of the prices of the lines, each rounded to the smallest unit of the currency. It never changes.',
        units('amountDue'),
      ),
      paid: sum(
        'The sum of all amounts that were paid, whether they paid the order or not.',
        units('paid'),
      ),
      refunded: sum('The sum of the refunds that were recorded.', units('refunded')),
      refundDue: sum(
        'What must be returned now: everything that was paid, less refunds, and less the prices of the lines that are bought or not decided yet.',
        refundDueOf,
      ),
      overRefunded: sum(
        'The amount that was returned for lines that are bought, for example because a reply arrived after the refund. A person has to look.',
        overRefundedOf,
      ),
      otherRefundsDue: t.field({
        type: [MoneyRef],
        nullable: false,
        description: 'What must be returned in other currencies, which cannot pay the order.',
        resolve: ({ others }) =>
          others.map(refundDueOf).filter(({ amount }) => !amount.equals(Decimal.zero)),
      }),
      expiresAt: t.field({
        type: 'DateTime',
        description:
          'The order must be paid before this time. Null while it waits for a decision, after which the time begins.',
        resolve: ({ payment }) => payment.expiresAt,
      }),
      amounts: t.field({
        type: [AmountRef],
        nullable: false,
        description: 'The amounts that were reported, oldest first, at most 100.',
        extensions: costs((count, _args, above) => {
          costsList(count, above, maxAmounts);
          return {};
        }),
        resolve: async ({ id }, _args, { use }) => [...(await use(payments).amountsOf(id))],
      }),
    };
  },
});

builder.objectField(OrderRef, 'payment', (t) =>
  t.field({
    type: OrderPaymentRef,
    description: 'The payment of the order; null for an order without `payment`. Calls: none.',
    extensions: costsPayment,
    resolve: ({ job }, _args, { use }) => use(payments).byId(job.id),
  }),
);

builder.objectField(OrderLineRef, 'refundDue', (t) =>
  t.field({
    type: MoneyRef,
    description:
      'The price that the customer gets back for this line, returned already or not: only for a line that is proved not to be bought. Null for an order without `payment`. Calls: none.',
    extensions: costsPayment,
    resolve: ({ orderId, position }, _args, { use }) =>
      use(payments).refundDueOfLine(orderId, position),
  }),
);

const OrderPaymentInputRef = builder.inputType('OrderPaymentInput', {
  description: 'The terms of an order that is paid before its lines are sent.',
  fields: (t) =>
    requiredInputs(t, 'String', {
      expiresAfter:
        'Time in which the order must be paid: an ISO 8601 duration from PT5M to PT72H. It begins after the decision about an order that is held for one.',
    }),
});

const paymentField = (t: InputFieldBuilder) => ({
  payment: t.field({
    type: OrderPaymentInputRef,
    description:
      'The order waits for its payment, with a total that is frozen until then. Nothing is sent before `confirmPayment`. Required for callers that `PAYMENT_REQUIRED` names. Default: no payment.',
  }),
});

inputFields(PlaceOrderInputRef, paymentField);
inputFields(RetryOrderInputRef, paymentField);

const amountInput = (of: string) => ({
  description: `An amount of an order that was ${of}.`,
  fields: (t: InputFieldBuilder) => ({
    order: t.field({
      type: LookupInputRef,
      required: true,
      description:
        'The id of the order; also of another caller. Or the idempotency key of an order of this caller.',
    }),
    ...requiredInputs(t, 'String', {
      reference:
        'The unique reference of the payment provider, 1 to 255 visible characters. The same reference with the same order and amount is recorded once.',
    }),
    ...requiredInputs(t, MoneyInputRef, { amount: `The amount that was ${of}.` }),
  }),
});

const PaymentPayloadRef = payloadRef<{ payment: OrderPayment }>(
  'PaymentPayload',
  'Result of the report of an amount.',
  (t) =>
    nullableFields(t, OrderPaymentRef, {
      payment:
        'The payment of the order after the report; null when it was not found, or the input is not valid.',
    }),
);

interface SentAmount {
  readonly order: LookupInput;
  readonly reference: string;
  readonly amount: Money;
}

const amountOf = ({ order, reference, amount }: SentAmount) => ({
  order: lookupOf('Order', order),
  reference,
  amount,
});

const costsAmount = {
  ...neverLimited,
  ...costs((count, { input }: { input: SentAmount }) => costsOrder(count, lookupName(input.order))),
};

mutation('confirmPayment', {
  needs: scope,
  description:
    'Records an amount that a customer paid, once under its reference. An amount that is exactly the amount due of an order in the state AWAITING_PAYMENT starts the order. Any other amount starts nothing: `errors` says why, and all of it is `refundDue`. The same reference with another amount or order is refused. Calls: none; later those of the lines.',
  extensions: costsAmount,
  input: amountInput('paid'),
  result: PaymentPayloadRef,
  resolve: (input, { use }) => use(payments).confirm(amountOf(input)),
});

mutation('recordRefund', {
  needs: scope,
  description:
    'Records an amount that was returned to a customer, once under its reference. An amount above `refundDue`, and above the refunds that were withdrawn, is refused and not recorded. The same reference with another amount or order is refused. Calls: none.',
  extensions: costsAmount,
  input: amountInput('returned'),
  result: PaymentPayloadRef,
  resolve: (input, { use }) => use(payments).refund(amountOf(input)),
});

const RefundRef = builder.objectRef<StoredPayment>('Refund').implement({
  description: 'An amount that must be returned for one order in one currency.',
  fields: (t) => ({
    amount: t.field({
      type: MoneyRef,
      nullable: false,
      description: 'What must be returned now.',
      resolve: refundDueOf,
    }),
    orderId: t.id({
      nullable: false,
      description: 'The id of the order.',
      resolve: ({ id }) => globalId('Order', id),
    }),
    customer: t.exposeString('customer', {
      description: 'The customer to whom the caller of the order is bound; null for none.',
    }),
    payment: t.field({
      type: OrderPaymentRef,
      description: 'The payment of the order, with the references of its amounts. Calls: none.',
      extensions: costsPayment,
      resolve: ({ id }, _args, { use }) => use(payments).byId(id),
    }),
  }),
});

const refunds = storedList({
  name: 'refundsDue',
  parts: 3,
  positionOf: ({ createdAt, id, currency }: StoredPayment) => [
    createdAt.toISOString(),
    id,
    currency,
  ],
  placeOf: ([time = '', id = '', currency = '']) => ({
    createdAt: parseInstant(time),
    id,
    currency,
  }),
  list: ({ use }, page: RefundPage) => use(payments).refundsDue(page),
});

const RefundConnectionRef = storedListRef('Refund', RefundRef);

builder.queryField('refundsDue', (t) =>
  t.field({
    ...needs(scope),
    type: RefundConnectionRef,
    description:
      'What must be returned to customers, one entry for each order and currency, the oldest order first. Calls: none.',
    args: pageArgs(t),
    extensions: { ...neverLimited, ...refunds.extensions },
    resolve: (_root, page, context) => refunds.page(context, page, {}),
  }),
);
