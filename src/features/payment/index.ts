import { refusal } from '../../kernel/faults.ts';
import type { Feature } from '../../seam/feature.ts';
import { paymentSettings } from './settings.ts';
import { resolutionsTable } from './resolution-table.ts';
import { paymentTables } from './table.ts';

declare module '../../kernel/faults.ts' {
  interface FeatureFaults {
    NOT_BOUGHT: true;
    PAYMENT_REQUIRED: true;
    PAYMENT_NOT_ACCEPTED: true;
    REFUND_NOT_DUE: true;
    TOO_MANY_UNPAID_ORDERS: true;
  }
}

declare module '../../scope/hooks.ts' {
  interface EventTypes {
    PAYMENT_DUE: true;
    PAYMENT_CONFIRMED: true;
    PAYMENT_EXPIRED: true;
    REFUND_DUE: true;
    REFUND_WITHDRAWN: true;
  }
}

declare module '../../kernel/caller.ts' {
  interface FeatureScopes {
    'payments:confirm': true;
  }
}

/** Orders that wait for a payment, and the exact refunds of lines that were not bought. */
export const payment: Feature = {
  name: 'payment',
  uses: ['order'],
  settings: paymentSettings,
  scopes: {
    'payments:confirm': {
      allows: 'Reporting payments and refunds of the orders of all callers.',
      isOfAccount: true,
    },
  },
  faults: {
    NOT_BOUGHT: refusal('A person found that the registrar did not make this purchase.'),
    PAYMENT_REQUIRED: refusal(
      'This caller buys with paid orders only; send `placeOrder` with `payment`.',
    ),
    PAYMENT_NOT_ACCEPTED: refusal('The amount is recorded, starts nothing, and is due back.', {
      executed: 'NO',
    }),
    REFUND_NOT_DUE: refusal('The amount is more than is due back, so it was not recorded.'),
    TOO_MANY_UNPAID_ORDERS: refusal('This caller has too many orders that are not paid.', {
      category: 'LIMIT',
      retryable: true,
    }),
  },
  events: {
    PAYMENT_DUE: 'An order waits for its payment. `subject` is the id of the order.',
    PAYMENT_CONFIRMED: 'An order is paid. `subject` is the id of the order.',
    PAYMENT_EXPIRED:
      'An order was not paid in time, so nothing is bought. `subject` is the id of the order.',
    REFUND_DUE:
      'More must be returned for an order: a line was not bought, or an amount did not pay the order. `subject` is the id of the order.',
    REFUND_WITHDRAWN:
      'Less must be returned for an order: a line may be bought after all. `subject` is the id of the order.',
  },
  tables: [...paymentTables, resolutionsTable],
  rootFields: {
    Query: ['refundsDue'],
    Mutation: ['confirmPayment', 'recordRefund', 'resolvePurchase'],
  },
  after: { Query: 'orders', Mutation: 'retryOrder' },
  enumValues: {
    OrderState: {
      AWAITING_PAYMENT:
        'The order waits for its payment: see `payment`. Nothing is sent before it.',
    },
  },
  fields: [
    'Order.payment',
    'OrderLine.refundDue',
    'Purchase.resolution',
    'PlaceOrderInput.payment',
    'RetryOrderInput.payment',
  ],
  graph: () => import('./graph.ts'),
  parts: () => import('./open.ts'),
};
