import { checkCustomer, mayAny, purchaseScopes } from '../../kernel/caller.ts';
import { unicodeName } from '../../kernel/domain-name.ts';
import { Fault } from '../../kernel/faults.ts';
import { keyOfId, shownKey } from '../../kernel/ids.ts';
import { knownBy } from '../../kernel/schema-extensions.ts';
import type { CallCount, CostContext } from '../../kernel/upstream-calls.ts';
import { mayBeForeign } from '../../kernel/visibility.ts';
import { lookupArg, lookupOf } from '../../schema/arguments.ts';
import { builder, enumRef, needs } from '../../schema/builder.ts';
import { costs, costsOwner, neverLimited, noEntities } from '../../schema/cost.ts';
import { givenIn, nullableFields, optionalInputs, requiredFields } from '../../schema/fields.ts';
import { NodeRef, nodeId, registerNode } from '../../schema/node.ts';
import { byTime, listArgs, storedList, storedListRef } from '../../schema/stored-list.ts';
import { UserErrorRef, userErrors } from '../../schema/user-error.ts';
import { MoneyRef, TimeSpanRef } from '../../schema/values.ts';
import { domainNow } from '../domain/schema.ts';
import { holds, noDecision } from '../job/holds.ts';
import { costField } from '../quote/schema.ts';
import {
  type PurchaseFilter,
  type PurchasePage,
  type PurchaseRecord,
  type PurchaseState,
  purchases,
} from './service.ts';
import { TransferProgressRef, TransferStageRef } from './transfer-progress-schema.ts';
import type { PublicState } from './view.ts';

export const PurchaseKindRef = enumRef('PurchaseKind', 'The kind of purchase.', {
  REGISTRATION: 'A registration.',
  TRANSFER: 'A transfer into the account.',
});

const PurchaseStateRef = enumRef<PublicState>('PurchaseState', 'State of a purchase.', {
  SUCCEEDED: 'The account has the domain.',
  FAILED:
    'The account does not have the domain. Nothing was spent, except for a transfer that was not refunded: see `transfer.refunded`.',
  IN_PROGRESS:
    'The registrar accepted the transfer, and it is not complete. The price is spent. The gateway reads the domain every hour, and every six hours from the second day on.',
  HELD: 'The purchase waits for a decision, and nothing is sent before it. Then it becomes `SENDING`. `cancelPurchase` before the decision makes it `FAILED`.',
  SENDING:
    'The purchase is about to be sent, or its call is in flight, for at most the deadline of the call. Do not buy again.',
  PENDING:
    'The reply of the call was lost, and the outcome is not known yet. Do not buy again. Reading the purchase reads the domain.',
  UNKNOWN: 'Reads could not determine the outcome. A person has to check the account.',
});

const nextSteps: Record<Exclude<PublicState, 'HELD'>, string> = {
  SUCCEEDED: 'Nothing is left to do.',
  FAILED: 'Fix what the error says, then buy with a new idempotency key.',
  IN_PROGRESS:
    'Wait: a transfer takes about five days. The owner may have to confirm it by e-mail. Do not buy again.',
  SENDING: 'Do not buy again. Read this purchase again in a few seconds.',
  PENDING: 'Do not buy again. Read this purchase until it is settled.',
  UNKNOWN: 'Do not buy again. Look for the domain and the charge in the account at the registrar.',
};

export const PurchaseRef = builder.objectRef<PurchaseRecord>('Purchase').implement({
  description: 'One purchase and its outcome, stored in the journal.',
  extensions: knownBy('id'),
  interfaces: [NodeRef],
  fields: (t) => ({
    id: nodeId(t, 'Purchase', ({ id }: PurchaseRecord) => id),
    ...requiredFields(t, PurchaseKindRef, { kind: 'The kind of purchase.' }),
    key: t.string({
      nullable: false,
      description: 'The idempotency key of the request, or the key that the gateway generated.',
      resolve: ({ key }) => shownKey(key),
    }),
    ...requiredFields(t, 'Int', { period: 'Number of years.' }),
    price: t.field({
      type: MoneyRef,
      description:
        'What the customer pays: the highest price of the quote. It never changes after the purchase.',
      resolve: ({ retail, cost }) => retail?.price ?? cost,
    }),
    cost: costField(
      t,
      MoneyRef,
      'The highest cost of the quote. Spend limits count it. The registrar does not report the amount that it charged, which may be lower.',
      ({ cost }) => cost,
    ),
    submittedAt: t.field({
      type: 'DateTime',
      description:
        'Time immediately before the purchase was sent; null when nothing was sent. For a caller that is bound to a customer also null after `AUTH_CODE_INVALID`.',
      resolve: ({ submittedAt, fault }, _args, { hidesTotals }) =>
        hidesTotals && mayBeForeign(fault) ? null : submittedAt,
    }),
    ...nullableFields(t, 'DateTime', {
      settledAt:
        'Time at which the outcome became known; null until the purchase is `SUCCEEDED`, `FAILED` or `UNKNOWN`.',
    }),
    state: t.field({
      type: PurchaseStateRef,
      nullable: false,
      description: 'State of the purchase.',
      resolve: (purchase, _args, { use }) => use(purchases).viewOf(purchase).state,
    }),
    transfer: t.field({
      type: TransferProgressRef,
      description:
        'Progress of the transfer. Null for a registration, and until the gateway knows that the registrar accepted the transfer.',
      resolve: (purchase, _args, { use }) => use(purchases).transferProgressOf(purchase),
    }),
    caller: t.string({
      description:
        'Name of the API key or token that made the purchase. Null without the scope `ops`, and when the gateway requires no credential.',
      resolve: ({ caller }, _args, scope) => (mayAny(scope.caller, ['ops']) ? caller : null),
    }),
    ...nullableFields(t, 'String', {
      customer: 'The customer for whom it was bought; null for a purchase of the reseller.',
    }),
    domainName: t.expose('domain', {
      type: 'DomainName',
      nullable: false,
      description: 'The domain to buy.',
    }),
    unicodeName: t.string({
      nullable: false,
      description: 'The domain to buy, in Unicode.',
      resolve: ({ domain }) => unicodeName(domain),
    }),
    domain: domainNow(t, 'purchases'),
    createdAt: t.expose('claimedAt', {
      type: 'DateTime',
      nullable: false,
      description:
        'Time at which the purchase was recorded, before it was sent. Of a purchase that waited before it was sent, the time after that wait.',
    }),
    quietUntil: t.field({
      ...needs('ops'),
      type: 'DateTime',
      description:
        'For operators: until this time a missing domain does not prove a failure, because the registrar may still complete the purchase. Null unless the purchase is `SENDING` or `PENDING` and was sent.',
      resolve: (purchase, _args, { use }) => use(purchases).quietUntil(purchase),
    }),
    errors: t.field({
      type: [UserErrorRef],
      nullable: false,
      description:
        'Why the purchase is `FAILED`, `PENDING` or `UNKNOWN`, as in the payload of the mutation; else empty. `path` is in the input of the mutation that made the purchase.',
      resolve: (purchase, _args, scope) =>
        userErrors(scope.use(purchases).viewOf(purchase).errors, scope),
    }),
    nextStep: t.string({
      nullable: false,
      description:
        'The next step for the developer or operator of a client, in a sentence. For a person show the `message` of the errors.',
      resolve(purchase, _args, { use }) {
        const { state } = use(purchases).viewOf(purchase);
        if (state !== 'HELD') return nextSteps[state];
        return use(holds).find(({ nextStep }) => nextStep !== null)?.nextStep ?? noDecision.message;
      },
    }),
  }),
});

export const costsStored = (count: CallCount, what: string): CostContext => ({
  purchases: count.page(what, 1),
  owners: costsOwner(count, what),
});

/** The domain of an open purchase is read, and after a rejected transfer the balance. */
function costOfPurchase(count: CallCount, what: string): CostContext {
  count.refreshed(`getdetails for ${what}`);
  count.once('resellerdetails', true);
  return costsStored(count, what);
}

registerNode('Purchase', {
  needed: purchaseScopes,
  load: ({ use }, key) => use(purchases).byId(key),
  cost: (count, key) => costOfPurchase(count, `purchase ${key}`),
});

export const PurchaseConnectionRef = storedListRef('Purchase', PurchaseRef);

const PurchaseFilterRef = builder.inputType('PurchaseFilter', {
  description: 'Conditions for purchases. A purchase must meet all conditions that are set.',
  fields: (t) => ({
    ...optionalInputs(t, [PurchaseStateRef], { states: 'Only purchases in these states.' }),
    ...optionalInputs(t, [PurchaseKindRef], { kinds: 'Only purchases of these kinds.' }),
    ...optionalInputs(t, 'DomainName', { domain: 'Only purchases of this domain.' }),
    ...optionalInputs(t, [TransferStageRef], {
      transferStages: 'Only transfers in these stages.',
    }),
    ...optionalInputs(t, TimeSpanRef, {
      created: 'Only purchases created in this span.',
      settled: 'Only purchases settled in this span.',
    }),
    ...optionalInputs(t, 'String', {
      caller: 'Only purchases of this API key or token. Needs the scope `ops`.',
      customer: 'Only purchases for this customer.',
    }),
  }),
});

const journalStates = (states: readonly PublicState[]) =>
  states.flatMap((state): readonly PurchaseState[] =>
    state === 'SENDING' ? ['CLAIMED', 'SENDING'] : [state],
  );

type FilterInput = typeof PurchaseFilterRef.$inferInput | null | undefined;

function filterOf(input: FilterInput): PurchaseFilter {
  const { states, transferStages: stages, customer, ...filter } = givenIn(input);
  return {
    ...filter,
    ...(states && { states: journalStates(states) }),
    ...(stages && { stages }),
    ...(customer !== undefined && { customer: checkCustomer(customer) }),
  };
}

export const purchaseList = storedList({
  name: 'purchases',
  ...byTime('claimedAt'),
  each: { purchases: 1 },
  list: ({ use }, page: PurchasePage) => use(purchases).list(page),
});

builder.queryFields((t) => ({
  purchase: t.field({
    ...needs(...purchaseScopes),
    type: PurchaseRef,
    description:
      'A purchase of the caller; null when it has no such purchase. With the scope `ops` also a purchase of another caller. Calls: none once the purchase has settled, and one `getdetails` before. The response waits at most half a second for that call. A transfer in progress is read at most once a minute for all clients together.',
    args: lookupArg(t, 'a purchase'),
    extensions: {
      ...neverLimited,
      ...costs((count, { by }) => {
        const found = lookupOf('Purchase', by);
        if (!found) return noEntities;
        return costOfPurchase(count, 'key' in found ? `key ${found.key}` : `purchase ${found.id}`);
      }),
    },
    resolve: (_root, { by }, { use }) => use(purchases).find(lookupOf('Purchase', by)),
  }),
  purchases: t.field({
    ...needs(...purchaseScopes),
    type: PurchaseConnectionRef,
    description:
      'Purchases of the caller, newest first. With the scope `ops` purchases of all callers. Calls: none.',
    args: listArgs(t, PurchaseFilterRef, 'purchases'),
    extensions: { ...neverLimited, ...purchaseList.extensions },
    resolve: (_root, { filter, ...page }, scope) =>
      purchaseList.page(scope, page, filterOf(filter)),
  }),
}));

builder.subscriptionFields((t) => ({
  purchaseSettled: t.field({
    ...needs(...purchaseScopes),
    type: PurchaseRef,
    nullable: false,
    description:
      'Sends a purchase once, when it is `SUCCEEDED`, `FAILED` or `UNKNOWN`. A purchase that has already settled is sent immediately. A transfer takes several days. Calls: none: the gateway reads open purchases in the background.',
    args: { id: t.arg.id({ required: true, description: 'The id of a purchase.' }) },
    extensions: {
      ...neverLimited,
      ...costs((count, { id }) => ({ purchases: count.page(`purchase ${id}`, 1) })),
    },
    subscribe(_root, { id }, { use }) {
      const key = keyOfId('Purchase', id);
      return key ? use(purchases).settled(key) : noPurchase();
    },
    resolve(purchase) {
      if (purchase) return purchase;
      throw new Fault('NOT_FOUND', { message: 'This gateway has no such purchase.' });
    },
  }),
}));

async function* noPurchase(): AsyncGenerator<null> {
  yield null;
}
