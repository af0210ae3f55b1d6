import { randomUUID } from 'node:crypto';
import {
  local,
  type Samples,
  type StoredObject,
  storedQuery,
} from '../../../../test/samples/sample.ts';
import { afterAndBefore, page } from '../../../../test/samples/shared.ts';
import { parseDomainName } from '../../../kernel/domain-name.ts';
import { createApprovalStore } from '../store.ts';

export const objects: Readonly<Record<string, StoredObject>> = {
  approval: {
    type: 'Approval',
    insert: (database, account, label) =>
      createApprovalStore(database).request(account, {
        ...{ id: randomUUID(), operation: 'UNLOCK', jobKind: null, fingerprint: randomUUID() },
        domain: parseDomainName('bolt-harbor.com'),
        ...{ caller: 'bolt', customer: 'bolt', count: 1, cost: null, price: null },
        rule: {
          ...{ position: 1, operations: ['UNLOCK'], when: { keys: [label] } },
          expiresAfterMs: 3_600_000,
        },
        ...{ requestedAt: new Date(), expiresAt: new Date(Date.now() + 3_600_000) },
      }),
  },
};

export const samples: Samples = {
  'Query.approvals': {
    ...storedQuery,
    args: ({ cursors }) => afterAndBefore(cursors.purchase),
    select: page(
      'id operation subject { ... on DomainRead { domainName } } rule { text } customer',
    ),
  },
  'Mutation.approve': {
    ...local,
    calls: `${local.calls}; the gateway then sends the purchase, the order or the bulk change`,
    costs: {
      'approve(input: { id: "a" }) { approval { subject { ... on Purchase { state } } } }': 0,
    },
    args: ({ ids }) => ({ input: { id: ids.approval } }),
    select: 'approval { state }',
    customers: 'refused',
    inputs: { IdInput: { base: { id: '%approval' }, fields: { id: 'none' } } },
  },
  'Mutation.reject': {
    ...local,
    costs: {
      'reject(input: { id: "a", reason: "b" }) { approval { subject { ... on Order { lines { state } } } } }': 0,
    },
    args: ({ ids }) => ({ input: { id: ids.approval } }),
    select: 'approval { state reason }',
    customers: 'refused',
    inputs: {
      RejectInput: { base: { id: '%approval' }, fields: { id: 'none', reason: 'Because.' } },
    },
  },
};
