import { cursorText } from '../../../kernel/ids.ts';
import {
  type AddedInputs,
  local,
  type Samples,
  type StoredObject,
  storedQuery,
} from '../../../../test/samples/sample.ts';
import type { Target } from '../../../../test/samples/target.ts';
import {
  afterAndBefore,
  dollar,
  page,
  person,
  personText,
  transferCode,
  values,
} from '../../../../test/samples/shared.ts';

const payment = { expiresAfter: 'PT1H' };
const lines = [{ registration: { domain: '$-a.xyz', ...values } }];
const placed = { idempotencyKey: 'order-$', lines };
const retried = {
  ...{ by: { key: 'first-$' }, idempotencyKey: 'retry-$', registrant: person, contact: person },
  lines: [
    { position: 0, registrant: person, contact: person },
    { position: 2, authCode: transferCode },
  ],
};

export const objects: Readonly<Record<string, StoredObject>> = {
  paidOrder: {
    type: 'Order',
    create: (label) =>
      `placeOrder(input: { idempotencyKey: "paid-${label}", payment: { expiresAfter: "PT72H" }
        lines: [{ registration: { domain: "paid-${label}.xyz" } }]
        defaults: { nameServers: ["ns1.example.com", "ns2.example.com"], registrant: { fields: ${personText} } }
      }) { order { id } }`,
  },
};

export const addedInputs: AddedInputs = {
  'Mutation.placeOrder': {
    PlaceOrderInput: { base: placed, fields: { payment: { expiresAfter: 'PT1M' } } },
    OrderPaymentInput: {
      base: { ...placed, maxTotal: [dollar], payment },
      at: ['payment'],
      fields: { expiresAfter: 'PT1M' },
    },
  },
  'Mutation.retryOrder': {
    RetryOrderInput: { base: retried, fields: { payment: { expiresAfter: 'PT1M' } } },
  },
};

const amount = {
  order: { id: '%paidOrder' },
  reference: 'pay-$',
  amount: { amount: '1', currency: 'USD' },
};
const otherAmounts = {
  order: { id: 'none' },
  reference: ' ',
  amount: { amount: '-1', currency: 'USD' },
};
const reported = {
  ...local,
  args: ({ ids }: Target) => ({
    input: {
      order: { id: ids.paidOrder },
      reference: 'pay',
      amount: { amount: '1', currency: 'USD' },
    },
  }),
  select: 'payment { state amounts { reference } }',
  customers: 'refused',
} as const;

export const samples: Samples = {
  'Query.refundsDue': {
    ...storedQuery,
    args: () => afterAndBefore(cursorText(['2020-01-01T00:00:00.000Z', 'none', 'USD'])),
    select: page('orderId amount { amount currency } customer'),
    customers: 'refused',
  },
  'Mutation.confirmPayment': {
    ...reported,
    calls: `${local.calls}; the gateway then sends the lines of the order`,
    inputs: { ConfirmPaymentInput: { base: amount, fields: otherAmounts } },
  },
  'Mutation.recordRefund': {
    ...reported,
    inputs: { RecordRefundInput: { base: amount, fields: otherAmounts } },
  },
};
