import { local, type NestedCosts, type Samples, stored } from '../../../../test/samples/sample.ts';
import {
  afterAndBefore,
  byIdAndKey,
  page,
  registrationText,
  settled,
} from '../../../../test/samples/shared.ts';

const purchase =
  'id key domainName price { amount } state domain { id } order { id } errors { message }';
const stateById = 'purchase(by: { id: $id }) { state }';

export const samples: Samples = {
  'Query.purchase': {
    calls: 'none once settled; 1 `getdetails` while `SENDING` or `PENDING`',
    exceptions:
      'while `IN_PROGRESS`: 1 `getdetails` per minute at most, for all clients together; 1 `resellerdetails` when the transfer failed',
    costs: {
      [`settled: ${stateById}`]: { before: settled('cost-1'), counts: {}, estimate: 2 },
      // Its reply is lost, and the sandbox completes it seconds later: it is `PENDING` for a while.
      [`pending: ${stateById}`]: {
        before: `mutation { ${registrationText('late-maple.com', 'purchase { id }', ', idempotencyKey: "cost-2"')} }`,
        counts: { getdetails: 1 },
        estimate: 2,
      },
      // The upstream accepts it, and completes it later.
      [`inProgress: ${stateById}`]: {
        before: `mutation { transferDomain(input: { domain: "outside-cost-4.com", authCode: "Transfer-Code-01",
          idempotencyKey: "cost-4" }) { purchase { id } } }`,
        counts: {},
        estimate: 2,
      },
      'purchase(by: { key: "cost-3" }) { state }': {
        before: settled('cost-3'),
        counts: {},
        estimate: 2,
      },
    },
    args: (target) => byIdAndKey(target.purchase, target.purchaseKey),
    select: purchase,
    customers: 'own',
    cached: false,
  },
  'Query.purchases': {
    ...stored,
    cached: false,
    costs: {
      'purchases { totalCount nodes { key state } }': {},
    },
    args: ({ cursors }) => afterAndBefore(cursors.purchase),
    select: page(purchase),
  },
  'Mutation.cancelPurchase': {
    ...local,
    costs: { 'cancelPurchase(input: { id: "1" }) { purchase { domain { name } } }': 1 },
    args: (target) => ({ input: { id: target.purchase } }),
    select: 'purchase { id state domainName }',
  },
  'Subscription.purchaseSettled': {
    ...stored,
    costs: {
      'purchaseSettled(id: $id) { state }': { before: settled('cost-6'), counts: {} },
    },
    args: (target) => ({ id: target.purchase }),
    select: purchase,
  },
};

export const nestedCosts: NestedCosts = {
  'Purchase.domain': {
    calls: '1 `getdetails` per domain',
    costs: {
      'purchase(by: { key: "cost-5" }) { domain { name } }': {
        before: settled('cost-5'),
        counts: { getdetails: 1 },
        estimate: 3,
      },
    },
  },
};
