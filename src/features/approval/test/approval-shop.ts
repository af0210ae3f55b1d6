import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { apiKeysOf, by } from '../../../../test/access/keys.ts';
import {
  countPurchases,
  errorFields,
  openShop,
  order,
  type Payload,
  transferCode,
} from '../../../../test/graph/purchases/shop.ts';
import { newFolder } from '../../../../test/support/folder.ts';
import { createGatewayClock, type GatewayClock } from '../../../../test/support/gateway-clock.ts';
import { secondMs } from '../../../../test/support/simulated-clock.ts';
import type { AccessScope } from '../../../kernel/caller.ts';

export type Name = 'buyer' | 'twin' | 'decider' | 'second' | 'overseer' | 'ada' | 'bob';

const spends: readonly AccessScope[] = [
  ...(['domains:spend', 'domains:read', 'domains:write', 'domains:unlock', 'events:read'] as const),
];
const decides = ['approvals:decide', 'events:read'] as const;
const scopes: Record<Name, readonly AccessScope[]> = {
  buyer: spends,
  twin: [...spends, ...decides],
  decider: decides,
  second: [...decides, 'prices:cost'],
  overseer: [...spends, ...decides, 'ops', 'audit:read'],
  ada: [...spends, ...decides],
  bob: spends,
};
const customers = { ada: 'ada-ltd', bob: 'bob-ltd' };

const everything = {
  operations: ['REGISTRATION', 'TRANSFER', 'BULK_CHANGE', 'UNLOCK', 'AUTH_CODE'],
  expiresAfter: '24h',
};

interface ApprovalShopOptions {
  readonly rules?: readonly object[];
  /** Several gateways over one journal. */
  readonly env?: Record<string, string>;
  readonly time?: GatewayClock;
}

/** A gateway whose rules need the approval of another key; by default for everything. */
export async function openApprovalShop({
  rules = [everything],
  env = {},
  time = createGatewayClock(),
}: ApprovalShopOptions = {}) {
  const folder = await newFolder('approvals');
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const file = join(folder, 'approvals.json');
  const setRules = (now: readonly object[]) =>
    writeFile(file, JSON.stringify({ rules: now, samePerson: [['buyer', 'twin']] }));
  await setRules(rules);
  const shop = await openShop({
    time,
    env: {
      API_KEYS: apiKeysOf(scopes, customers),
      APPROVALS_FILE: file,
      ...env,
    },
  });
  onTestFinished(() => shop.close());
  const send = (name: Name, document: string, variables: object = {}) =>
    shop.gateway.query(document, variables, by(name));
  const ask = async (name: Name, document: string, variables: object = {}): Promise<Payload> => {
    const { data, errors } = await send(name, document, variables);
    expect(errors).toBeUndefined();
    return data;
  };
  const decide = async (name: Name, field: 'approve' | 'reject', input: object) => {
    const type = field === 'approve' ? 'IdInput' : 'RejectInput';
    const document = `mutation ($input: ${type}!) { ${field}(input: $input) {
      approval { ${approvalFields} } errors { ${errorFields} } } }`;
    return (await ask(name, document, { input }))[field] as Payload;
  };
  return {
    shop,
    time,
    setRules,
    send,
    ask,
    async register(input: object, name: Name = 'buyer'): Promise<Payload> {
      return (await ask(name, registerDocument, { input: order(input) })).registerDomain;
    },
    async transfer(domain: string): Promise<Payload> {
      const input = { domain, authCode: transferCode };
      return (await ask('buyer', transferDocument, { input })).transferDomain;
    },
    purchase: async (id: string, name: Name = 'buyer'): Promise<Payload> =>
      (
        await ask(name, `query ($id: ID!) { purchase(by: { id: $id }) { ${purchaseFields} } }`, {
          id,
        })
      ).purchase,
    cancel: async (by: object, name: Name = 'buyer'): Promise<Payload> =>
      (
        await ask(
          name,
          `mutation ($by: LookupInput!) { cancelPurchase(input: $by) {
            purchase { ${purchaseFields} } errors { ${errorFields} } } }`,
          { by },
        )
      ).cancelPurchase,
    approvals: async (name: Name, filter: object = {}): Promise<Payload[]> =>
      (
        await ask(
          name,
          `query ($filter: ApprovalFilter) { approvals(first: 20, filter: $filter) {
            totalCount nodes { ${approvalFields} } } }`,
          { filter },
        )
      ).approvals.nodes,
    approve: (id: string, name: Name = 'decider') => decide(name, 'approve', { id }),
    reject: (id: string, reason?: string, name: Name = 'decider') =>
      decide(name, 'reject', { id, ...(reason !== undefined && { reason }) }),
    /** Lets the gateway work on a decision. */
    settle: () => time.pass(2 * secondMs),
    /** Sent by the upstream's own count, since the start. */
    purchases: () => countPurchases(shop),
  };
}

export const approvalFields = /* GraphQL */ `
  id operation state subject { ... on Purchase { domainName } ... on DomainRead { domainName } }
  count price { amount currency } cost { amount currency } rule { position text }
  caller customer reason decidedBy requestedAt expiresAt decidedAt
`;

const purchaseFields = /* GraphQL */ `
  id state key domainName period price { amount currency } customer createdAt submittedAt settledAt
  approval { ${approvalFields} } errors { ${errorFields} }
`;

const payloadFields = /* GraphQL */ `
  purchase { ${purchaseFields} } replayed keyUsed dryRun needsApproval errors { ${errorFields} }
`;

const registerDocument = `mutation ($input: RegisterDomainInput!) {
  registerDomain(input: $input) { ${payloadFields} } }`;
const transferDocument = `mutation ($input: TransferDomainInput!) {
  transferDomain(input: $input) { ${payloadFields} } }`;

export const codesOf = ({ errors }: Payload): readonly string[] =>
  errors.map(({ code }: Payload) => code);

export type { Payload };
