import {
  local,
  type NestedCosts,
  type Samples,
  stored,
  storedQuery,
} from '../../../../test/samples/sample.ts';
import {
  afterAndBefore,
  byIdAndKey,
  page,
  registrationText,
  settled,
} from '../../../../test/samples/shared.ts';

const purchase =
  'id key domainName price { amount } state domain { id } order { id } errors { message }';
const stateById = 'query ($id: ID!) { purchase(by: { id: $id }) { state } }';

export const samples: Samples = {
  'Query.purchase': {
    calls: 'none once settled; 1 `getdetails` while `SENDING` or `PENDING`',
    exceptions:
      'while `IN_PROGRESS`: 1 `getdetails` per minute at most, for all clients together; 1 `resellerdetails` when the transfer failed',
    measured: [
      { before: settled('cost-1'), document: stateById, counts: {}, counted: 2 },
      {
        // Its reply is lost, and the sandbox completes it seconds later: it is `PENDING` for a while.
        before: `mutation { ${registrationText('late-maple.com', 'purchase { id }', ', idempotencyKey: "cost-2"')} }`,
        document: stateById,
        counts: { getdetails: 1 },
        counted: 2,
      },
      {
        // The upstream accepts it, and completes it later.
        before: `mutation { transferDomain(input: { domain: "outside-cost-4.com", authCode: "Transfer-Code-01",
          idempotencyKey: "cost-4" }) { purchase { id } } }`,
        document: stateById,
        counts: {},
        counted: 2,
      },
      {
        before: settled('cost-3'),
        document: '{ purchase(by: { key: "cost-3" }) { state } }',
        counts: {},
        counted: 2,
      },
    ],
    args: (target) => byIdAndKey(target.purchase, target.purchaseKey),
    select: purchase,
    customers: 'own',
    cached: false,
  },
  'Query.purchases': {
    ...storedQuery,
    measured: [{ document: '{ purchases { totalCount nodes { key state } } }', counts: {} }],
    args: ({ cursors }) => afterAndBefore(cursors.purchase),
    select: page(purchase),
  },
  'Mutation.cancelPurchase': {
    ...local,
    estimates: { 'cancelPurchase(input: { id: "1" }) { purchase { domain { name } } }': 1 },
    args: (target) => ({ input: { id: target.purchase } }),
    select: 'purchase { id state domainName }',
  },
  'Subscription.purchaseSettled': {
    ...stored,
    measured: [
      {
        before: settled('cost-6'),
        document: 'subscription ($id: ID!) { purchaseSettled(id: $id) { state } }',
        counts: {},
      },
    ],
    args: (target) => ({ id: target.purchase }),
    select: purchase,
  },
};

export const nestedCosts: NestedCosts = {
  'Purchase.domain': {
    calls: '1 `getdetails` per domain',
    measured: [
      {
        before: settled('cost-5'),
        document: '{ purchase(by: { key: "cost-5" }) { domain { name } } }',
        counts: { getdetails: 1 },
        counted: 3,
      },
    ],
  },
};
