import { randomUUID } from 'node:crypto';
import { newItems } from '../../../../test/persistence/new-jobs.ts';
import { createPaymentStore } from '../store.ts';
import { parseDomainName } from '../../../kernel/domain-name.ts';
import { cursorText } from '../../../kernel/ids.ts';
import { createJobStore } from '../../../persistence/job-store.ts';
import { createPurchaseStore } from '../../../persistence/purchase-store.ts';
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
  /** A purchase that is UNKNOWN. Of no customer, because its end is an event that tests of customers count. */
  doubt: {
    type: 'Purchase',
    async insert(database, account, label) {
      const purchases = createPurchaseStore(database);
      const [id, at] = [randomUUID(), new Date()];
      await purchases.claim(
        {
          ...{ id, account, caller: null, customer: null, kind: 'REGISTRATION' },
          ...{ domain: parseDomainName(`doubt-${id}.com`), key: `doubt-${id}`, fingerprint: label },
          ...{ period: 1, cost: null, retail: null, balanceAfter: null, claimedAt: at },
          ...{ orderId: null, orderLine: null },
        },
        { GATEWAY: {}, KEY: {} },
      );
      await purchases.move(id, ['CLAIMED'], { to: 'SENDING', at, callUntil: at });
      await purchases.move(id, ['SENDING'], { to: 'UNKNOWN', at });
      return id;
    },
  },
  /** An order that waits for its payment. Of no customer, because tests of customers count orders. */
  unpaidOrder: {
    type: 'Order',
    async insert(database, account) {
      const [id, createdAt] = [randomUUID(), new Date()];
      const [amountDue, expiresAfterMs] = [100_000n, 3_600_000];
      const of = { caller: null, customer: null, createdAt };
      await createPaymentStore(database).create(
        account,
        {
          ...{ ...of, id, currency: 'USD', state: 'DUE', amountDue, owed: amountDue, paid: 0n },
          ...{ refunded: 0n, expiresAfterMs, reference: null, confirmedAt: null },
          expiresAt: new Date(createdAt.getTime() + expiresAfterMs),
        },
        [{ position: 0, price: amountDue }],
      );
      const job = { ...of, id, account, kind: 'ORDER', key: `unpaid-${id}`, options: '{}' };
      await createJobStore(database).create(job, newItems(1), 'payment');
      return id;
    },
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
  order: { id: '%unpaidOrder' },
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
      order: { id: ids.unpaidOrder },
      reference: 'pay',
      amount: { amount: '1', currency: 'USD' },
    },
  }),
  select: 'payment { state amounts { reference } }',
  customers: 'refused',
} as const;

const found = { purchase: { id: '%doubt' }, outcome: 'BOUGHT', note: 'In the account.' };

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
  'Mutation.resolvePurchase': {
    ...local,
    costs: {
      'resolvePurchase(input: { purchase: { id: "1" }, outcome: BOUGHT, note: "a" }) { purchase { resolution { note } } }':
        {},
    },
    args: ({ ids }) => ({ input: { ...found, purchase: { id: ids.doubt } } }),
    select: 'purchase { state resolution { outcome note } }',
    customers: 'refused',
    inputs: {
      ResolvePurchaseInput: {
        base: found,
        fields: { purchase: { id: 'none' }, outcome: 'NOT_BOUGHT', note: 'Other.' },
      },
    },
  },
};
