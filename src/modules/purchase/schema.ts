import type { CallCount, Led } from '../../kernel/call-count.ts';
import { Fault } from '../../kernel/faults.ts';
import { parseInstant } from '../../kernel/instant.ts';
import { builder, needs } from '../../schema/builder.ts';
import {
  connectionRef,
  pageArgs,
  readCursor,
  readSpan,
  toConnection,
} from '../../schema/connection.ts';
import { costs, neverLimited, nothing, pageSize } from '../../schema/cost.ts';
import { parseGlobalId, readGlobalId } from '../../schema/global-id.ts';
import { knownBy } from '../../schema/marks.ts';
import { MoneyRef } from '../../schema/money.ts';
import { NodeRef, nodeId, registerNode } from '../../schema/node.ts';
import { UserErrorRef, userError } from '../../schema/user-error.ts';
import { DomainRef } from '../domain/schema.ts';
import type { ListedPurchases, PurchaseRecord, PurchaseState } from './service.ts';

const PurchaseKindRef = builder.enumType('PurchaseKind', {
  description: 'What was bought.',
  values: {
    REGISTER: { description: 'A registration.' },
    TRANSFER: { description: 'A transfer into the account.' },
  },
});

/** What a caller is told of the states that the journal knows: how far an open one has come is nobody's concern. */
const told = {
  CLAIMED: 'PENDING',
  SENDING: 'PENDING',
  PENDING: 'PENDING',
  SUCCEEDED: 'SUCCEEDED',
  FAILED: 'FAILED',
  UNKNOWN: 'UNKNOWN',
} as const satisfies Record<PurchaseState, string>;

type PublicState = (typeof told)[PurchaseState];

const PurchaseStateRef = builder.enumType('PurchaseState', {
  description: 'How a purchase ended, if it has.',
  values: {
    SUCCEEDED: { description: 'The account has the domain, or the transfer is under way.' },
    FAILED: { description: 'It was not bought; nothing was spent.' },
    PENDING: { description: 'Nobody knows yet. Reading the purchase asks the service again.' },
    UNKNOWN: { description: 'It could not be found out; somebody has to look.' },
  } satisfies Record<PublicState, { description: string }>,
});

const nextSteps: Record<PublicState, string> = {
  SUCCEEDED: 'Nothing is left to do.',
  FAILED: 'Mend what the error says, then buy with a new idempotency key.',
  PENDING: 'Do not buy again. Read this purchase until it is settled.',
  UNKNOWN: 'Do not buy again. Look for the domain and the charge in the account at the service.',
};

export const PurchaseRef = builder.objectRef<PurchaseRecord>('Purchase').implement({
  description: 'One purchase and what became of it, kept in the journal over restarts.',
  extensions: knownBy('id'),
  interfaces: [NodeRef],
  fields: (t) => ({
    id: t.id({
      nullable: false,
      description: 'Opaque and stable.',
      resolve: nodeId('Purchase', ({ id }: PurchaseRecord) => id),
    }),
    kind: t.expose('kind', {
      type: PurchaseKindRef,
      nullable: false,
      description: 'What was bought.',
    }),
    state: t.field({
      type: PurchaseStateRef,
      nullable: false,
      description: 'How it ended, if it has.',
      resolve: ({ state }) => told[state],
    }),
    key: t.exposeString('key', {
      nullable: false,
      description: 'The idempotency key of the request, or the one that the gateway made.',
    }),
    domainName: t.expose('domain', {
      type: 'DomainName',
      nullable: false,
      description: 'What was to be bought.',
    }),
    domain: t.field({
      ...needs('domains:read'),
      type: DomainRef,
      nullable: true,
      description:
        'The domain as it is now; null while the account does not have it. Costs one `getdetails`.',
      extensions: costs((count, _args, { purchases }) => {
        if (!purchases) return nothing;
        count.domains(purchases);
        return { domains: purchases };
      }),
      resolve: ({ domain }, _args, { loaders }) => loaders.domains.load(domain),
    }),
    period: t.exposeInt('period', { nullable: false, description: 'Years.' }),
    price: t.field({
      type: MoneyRef,
      nullable: true,
      description:
        'The highest price that it could have when it was sent; spend limits count it. The upstream does not report the debit, which may be lower unless the quote was LISTED.',
      resolve: ({ price }) => price,
    }),
    createdAt: t.field({
      type: 'DateTime',
      nullable: false,
      description: 'When its key was claimed.',
      resolve: ({ claimedAt }) => claimedAt,
    }),
    submittedAt: t.expose('submittedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it was about to be sent; null when nothing was.',
    }),
    settledAt: t.expose('settledAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When its outcome was known; null while it is open.',
    }),
    quietUntil: t.field({
      type: 'DateTime',
      nullable: true,
      description:
        'While it is open and was sent: until then it proves nothing that the service does not have the domain, since a late commit may still land. Null otherwise.',
      resolve: (purchase, _args, { services }) => services.purchases.quietUntil(purchase),
    }),
    error: t.field({
      type: UserErrorRef,
      nullable: true,
      description: 'Why it failed or is still open; null when it succeeded.',
      resolve(purchase, _args, { services }) {
        const fault = services.purchases.faultOf(purchase);
        return fault && userError(fault);
      },
    }),
    nextStep: t.string({
      nullable: false,
      description: 'What to do now, in a sentence for a person.',
      resolve: ({ state }) => nextSteps[told[state]],
    }),
  }),
});

/** One's own, or with `ops` everyone's: the service leaves the others out. */
const ownOrAll = ['domains:spend', 'ops'] as const;

/** One that is still open is looked for. */
function costOfPurchase(count: CallCount, what: string): Led {
  count.anew(`getdetails for ${what}`);
  return { purchases: count.page(what, 1) };
}

registerNode('Purchase', {
  needed: ownOrAll,
  load: ({ services }, key) => services.purchases.byId(key),
  cost: (count, key) => costOfPurchase(count, `purchase ${key}`),
});

const PurchaseConnectionRef = connectionRef('Purchase', PurchaseRef);

const PurchaseFilterRef = builder.inputType('PurchaseFilter', {
  description: 'Which purchases to list; all that is given must hold.',
  fields: (t) => ({
    states: t.field({ type: [PurchaseStateRef], description: 'Only those in these states.' }),
    kinds: t.field({ type: [PurchaseKindRef], description: 'Only these kinds.' }),
    domain: t.field({ type: 'DomainName', description: 'Only purchases of this domain.' }),
  }),
});

const journalStates = (states: readonly PublicState[]) =>
  (Object.keys(told) as PurchaseState[]).filter((state) => states.includes(told[state]));

const positionOf = ({ claimedAt, id }: PurchaseRecord) => [claimedAt.toISOString(), id];

function readPosition(argument: 'after' | 'before', cursor: string) {
  const [claimedAt = '', id = ''] = readCursor(argument, cursor, 2);
  return { claimedAt: parseInstant(claimedAt), id };
}

builder.queryFields((t) => ({
  purchase: t.field({
    ...needs(...ownOrAll),
    type: PurchaseRef,
    nullable: true,
    description:
      "A purchase of the caller by its id, with `ops` anyone's; null when there is none. Costs nothing once it is settled; before that one `getdetails`, to look whether it came true, which is waited for half a second at most.",
    args: { id: t.arg.id({ required: true, description: 'From a payload or an error.' }) },
    extensions: {
      ...neverLimited,
      ...costs((count, { id }) => {
        const asked = readGlobalId(id);
        return asked?.typename === 'Purchase'
          ? costOfPurchase(count, `purchase ${asked.key}`)
          : nothing;
      }),
    },
    resolve: async (_root, { id }, { services }) => {
      const { typename, key } = parseGlobalId(id);
      return typename === 'Purchase' ? services.purchases.byId(key) : null;
    },
  }),
  purchaseByKey: t.field({
    ...needs(...ownOrAll),
    type: PurchaseRef,
    nullable: true,
    description:
      'A purchase by its idempotency key, as `purchase` is by its id. Null while none has been claimed with it: a request that is on its way may still do so.',
    args: { key: t.arg.string({ required: true, description: 'The key of the request.' }) },
    extensions: {
      ...neverLimited,
      ...costs((count, { key }) => costOfPurchase(count, `key ${key.trim()}`)),
    },
    resolve: (_root, { key }, { services }) => services.purchases.byKey(key.trim()),
  }),
  purchases: t.field({
    ...needs(...ownOrAll),
    type: PurchaseConnectionRef,
    nullable: false,
    description:
      "Purchases of the caller from the journal, with `ops` everyone's, newest first. Costs no upstream call.",
    args: {
      ...pageArgs(t),
      filter: t.arg({ type: PurchaseFilterRef, description: 'Which ones.' }),
    },
    extensions: {
      ...neverLimited,
      ...costs((count, args) => ({
        purchases: count.page(`purchases ${JSON.stringify(args)}`, pageSize(args)),
      })),
    },
    resolve: async (_root, { filter, ...page }, { services }) => {
      const listed: ListedPurchases = await services.purchases.list({
        ...readSpan(page),
        filter: {
          ...(filter?.states && { states: journalStates(filter.states) }),
          ...(filter?.kinds && { kinds: filter.kinds }),
          ...(filter?.domain && { domain: filter.domain }),
        },
        ...(typeof page.after === 'string' && { after: readPosition('after', page.after) }),
        ...(typeof page.before === 'string' && { before: readPosition('before', page.before) }),
      });
      return toConnection(listed.purchases, positionOf, listed);
    },
  }),
}));

builder.subscriptionFields((t) => ({
  purchaseSettled: t.field({
    ...needs(...ownOrAll),
    type: PurchaseRef,
    nullable: false,
    description:
      'A purchase, once, when it has ended: SUCCEEDED, FAILED or UNKNOWN; at once when it has ended before. Costs no upstream call: the gateway looks after open purchases by itself.',
    args: { id: t.arg.id({ required: true, description: 'From a payload or an error.' }) },
    extensions: {
      ...neverLimited,
      ...costs((count, { id }) => ({ purchases: count.page(`purchase ${id}`, 1) })),
    },
    subscribe(_root, { id }, { services }) {
      const named = readGlobalId(id);
      return named?.typename === 'Purchase' ? services.purchases.ended(named.key) : nobody();
    },
    resolve(purchase) {
      if (purchase) return purchase;
      throw new Fault('NOT_FOUND', { message: 'This gateway has no such purchase.' });
    },
  }),
}));

async function* nobody(): AsyncGenerator<null> {
  yield null;
}
