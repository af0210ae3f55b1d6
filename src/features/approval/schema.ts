import { type AccessScope, checkCustomer, mayKnowCosts } from '../../kernel/caller.ts';
import { type DomainName, unicodeName } from '../../kernel/domain-name.ts';
import { keyOfId } from '../../kernel/ids.ts';
import { knownBy } from '../../kernel/schema-extensions.ts';
import { domainNow } from '../../modules/domain/schema.ts';
import { idInput, mutation, payloadRef } from '../../modules/mutation/schema.ts';
import { PurchaseRef } from '../../modules/purchase/schema.ts';
import { purchases } from '../../modules/purchase/service.ts';
import { costField } from '../../modules/quote/schema.ts';
import { builder, enumRef, needs } from '../../schema/builder.ts';
import { costs, costsEach, costsObject, neverLimited } from '../../schema/cost.ts';
import {
  givenIn,
  nullableFields,
  optionalInputs,
  requiredFields,
  requiredInputs,
} from '../../schema/fields.ts';
import { branded, NodeRef, nodeId, registerNode } from '../../schema/node.ts';
import { byTime, listArgs, storedList, storedListRef } from '../../schema/stored-list.ts';
import { MoneyRef } from '../../schema/values.ts';
import type { Scope } from '../../scope/scope.ts';
import { ruleSentence } from './conditions.ts';
import { approvals } from './parts.ts';
import type { ApprovalOperation, ApprovalRule } from './rules.ts';
import type { Approval, ApprovalPage, ApprovalState } from './service.ts';
import { decideScope, registerSubject, SubjectRef, subjectKinds } from './subject.ts';

const typename = 'Approval';

/** A caller reads its own requests with the scope that the requests need. */
const readScopes: readonly AccessScope[] = [
  decideScope,
  'ops',
  'domains:spend',
  'domains:write',
  'domains:unlock',
  'authcode:read',
];

const OperationRef = enumRef<ApprovalOperation>(
  'ApprovalOperation',
  'An operation that can need the approval of another person.',
  {
    REGISTRATION: 'A registration, or an order with one.',
    TRANSFER: 'A transfer into the account, or an order with one.',
    UNLOCK:
      'Removing the transfer lock. The error has the code `APPROVAL_REQUIRED`; after the approval the same request is sent once.',
    AUTH_CODE:
      'Reading the auth code. The error of `authCode` has the code `APPROVAL_REQUIRED` and `extensions.approvalId`; after the approval one request reads it.',
    BULK_CHANGE: 'A bulk change.',
  },
);

const StateRef = enumRef<ApprovalState>('ApprovalState', 'State of an approval.', {
  REQUESTED: 'It waits for a decision.',
  GRANTED:
    'Another person approved it. A purchase, an order or a bulk change is then sent by the gateway; any other operation is sent again by its caller.',
  REJECTED: 'Another person refused it.',
  EXPIRED: 'It was not decided, or not used, in time.',
  CANCELLED: 'The request was cancelled before the decision.',
  USED: 'The operation was made after the approval. Another one needs a new approval.',
});

const DomainReadRef = builder.objectRef<{ readonly domain: DomainName }>('DomainRead').implement({
  description:
    'A request about one domain that its caller sends again after the approval: an unlock, or a read of auth codes.',
  fields: (t) => ({
    domainName: t.expose('domain', {
      type: 'DomainName',
      nullable: false,
      description: 'The name of the domain.',
    }),
    unicodeName: t.string({
      nullable: false,
      description: 'The name in Unicode.',
      resolve: ({ domain }) => unicodeName(domain),
    }),
    domain: domainNow(t, 'domains'),
  }),
});

registerSubject('PURCHASE', {
  type: PurchaseRef,
  load: ({ id }, { use }) => use(purchases).storedById(id, use(approvals).seesAll),
  selectedByPage: 'domainName unicodeName period purchaseState: state',
  selectedByList: 'domainName unicodeName period',
});

registerSubject(null, {
  type: DomainReadRef,
  load: ({ domain }) => domain && { domain },
  selectedByPage: 'domainName unicodeName',
  selectedByList: 'domainName unicodeName',
});

const RuleRef = builder.objectRef<ApprovalRule>('ApprovalRule').implement({
  description: 'The rule that needs an approval, as it was when the approval was requested.',
  fields: (t) => ({
    ...requiredFields(t, 'Int', { position: '1 for the first rule of `APPROVALS_FILE`.' }),
    text: t.string({
      description:
        'The rule in words. Null without the scope `approvals:decide` or `ops`. Without the scope `prices:cost` it has no amount of a cost.',
      resolve: (rule, _args, { use, caller }) =>
        use(approvals).seesAll ? ruleSentence(rule, mayKnowCosts(caller)) : null,
    }),
  }),
});

export const ApprovalRef = builder.objectRef<Approval>(typename).implement({
  description:
    'The decision of another person about one request. It is about exactly the input of the request, and made once.',
  interfaces: [NodeRef],
  extensions: knownBy('id'),
  fields: (t) => ({
    id: nodeId(t, typename, ({ id }: Approval) => id),
    ...requiredFields(t, OperationRef, { operation: 'What needs the approval.' }),
    state: t.field({
      type: StateRef,
      nullable: false,
      description: 'State of the approval.',
      resolve: (approval, _args, { use }) => use(approvals).stateOf(approval),
    }),
    subject: t.field({
      type: SubjectRef,
      description: `The purchase, job or domain that the approval is about. Null when the caller may not read it: that of another caller needs the scope \`${decideScope}\` or \`ops\`. Calls: none.`,
      extensions: costs((count, _args, above) => {
        const owners = costsEach(count, above, 'subjects of approvals');
        const each = count.page(owners.key, owners.amount);
        return { domains: each, purchases: each, owners };
      }),
      async resolve(approval, _args, scope) {
        const kind = subjectKinds.get(approval.jobKind);
        return kind ? branded(kind.type.name, await kind.load(approval, scope)) : null;
      },
    }),
    count: t.exposeInt('count', {
      nullable: false,
      description: 'Number of purchases, or of domains, in the request.',
    }),
    ...nullableFields(t, MoneyRef, {
      price:
        'What the customer pays: the highest price of the quote. Null without a price, and for prices in several currencies.',
    }),
    cost: costField(
      t,
      MoneyRef,
      'The highest cost. A purchase that costs more later is not sent. Null as `price`.',
      ({ cost }) => cost,
    ),
    ...requiredFields(t, RuleRef, { rule: 'The rule that needs the approval.' }),
    caller: t.string({
      description:
        'Name of the API key or token of the request. Null for the name of another caller without the scope `approvals:decide` or `ops`, and when the gateway requires no credential.',
      resolve: (approval, _args, { use }) =>
        use(approvals).seesNames(approval) ? approval.caller : null,
    }),
    ...nullableFields(t, 'String', {
      customer: 'The customer for whom it was requested; null for none.',
      reason: 'The reason of a rejection; null without one.',
    }),
    decidedBy: t.string({
      description:
        'Name of the API key or token of the decision. Null without a decision, and without the scope `approvals:decide` or `ops`.',
      resolve: ({ decidedBy }, _args, { use }) => (use(approvals).seesAll ? decidedBy : null),
    }),
    ...requiredFields(t, 'DateTime', {
      requestedAt: 'Time of the request. `createdAt` of a purchase is the time after the approval.',
      expiresAt: 'Until this time it can be decided, and an operation without a job can be made.',
    }),
    ...nullableFields(t, 'DateTime', { decidedAt: 'Time of the decision; null without one.' }),
  }),
});

registerNode(typename, {
  needed: readScopes,
  load: ({ use }, key) => use(approvals).byId(key),
  cost: costsObject('approval'),
});

const ApprovalConnectionRef = storedListRef(typename, ApprovalRef);

const ApprovalFilterRef = builder.inputType('ApprovalFilter', {
  description: 'Conditions for approvals. An approval must meet all conditions that are set.',
  fields: (t) => ({
    ...optionalInputs(t, [StateRef], { states: 'Only approvals in these states.' }),
    ...optionalInputs(t, [OperationRef], { operations: 'Only approvals of these operations.' }),
    ...optionalInputs(t, 'DomainName', { domain: 'Only approvals of this domain.' }),
    ...optionalInputs(t, 'String', {
      caller: 'Only requests of this API key or token.',
      customer: 'Only requests for this customer.',
    }),
  }),
});

const approvalList = storedList({
  name: 'approvals',
  ...byTime('requestedAt'),
  each: { domains: 1 },
  list: ({ use }, page: ApprovalPage) => use(approvals).list(page),
});

builder.queryField('approvals', (t) =>
  t.field({
    ...needs(...readScopes),
    type: ApprovalConnectionRef,
    description:
      'Approvals, newest first: with the scope `approvals:decide` or `ops` those of all callers, otherwise the requests of the caller. Calls: none.',
    args: listArgs(t, ApprovalFilterRef, 'approvals'),
    extensions: { ...neverLimited, ...approvalList.extensions },
    resolve(_root, { filter, ...page }, scope) {
      const { customer, ...given } = givenIn(filter);
      return approvalList.page(scope, page, {
        ...given,
        ...(customer !== undefined && { customer: checkCustomer(customer) }),
      });
    },
  }),
);

const ApprovalPayloadRef = payloadRef<{ approval: Approval }>(
  'ApprovalPayload',
  'Result of a decision.',
  (t) =>
    nullableFields(t, ApprovalRef, {
      approval: 'The approval after the decision; null when it was not made.',
    }),
);

const decision = {
  ...neverLimited,
  recordedDomains: ({ id }: { readonly id: string }, { use }: Scope) =>
    use(approvals).domainOf(keyOfId(typename, id)),
};

const ofOther =
  'Refused for a request of the same key, and of a key that `samePerson` of `APPROVALS_FILE` names with it. A decision is made once, and never changed. Calls: none.';

mutation('approve', {
  needs: decideScope,
  description: `Approves a request of another caller. The gateway then sends a purchase, an order or a bulk change; any other operation is sent again by its caller. ${ofOther}`,
  extensions: decision,
  input: idInput('The approval to grant.'),
  result: ApprovalPayloadRef,
  resolve: ({ id }, { use }) => use(approvals).approve(keyOfId(typename, id)),
});

mutation('reject', {
  needs: decideScope,
  description: `Refuses a request of another caller. Nothing is sent for it. ${ofOther}`,
  extensions: decision,
  input: {
    description: 'The approval to refuse.',
    fields: (t) => ({
      ...requiredInputs(t, 'ID', { id: 'The id of the approval.' }),
      ...optionalInputs(t, 'String', {
        reason: 'Why, for the caller of the request: at most 500 printable characters.',
      }),
    }),
  },
  result: ApprovalPayloadRef,
  resolve: ({ id, reason }, { use }) =>
    use(approvals).reject({ id: keyOfId(typename, id), reason }),
});
