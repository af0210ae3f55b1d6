import { Fault, invalidInput } from '../../kernel/faults.ts';
import type { Lookup } from '../../kernel/ids.ts';
import { shownState } from '../../kernel/purchase-states.ts';
import { asPayload, checkWords } from '../../modules/mutation/checks.ts';
import { purchaseFault } from '../../modules/purchase/conclude.ts';
import { type PurchaseRecord, purchases } from '../../modules/purchase/service.ts';
import { perRequest } from '../../scope/scope.ts';
import { resolutionStore } from './resolution-store.ts';
import type { Resolution, ResolvedOutcome } from './resolution-table.ts';

interface ResolveInput {
  /** Null for text that is no id of a purchase. */
  readonly by: Lookup | null;
  readonly outcome: ResolvedOutcome;
  readonly note: string;
}

const stateOf = { BOUGHT: 'SUCCEEDED', NOT_BOUGHT: 'FAILED' } as const;

/** Purchases whose outcome a person found at the registrar, because reads could not determine it. */
export const resolutions = perRequest('resolutions', (scope) => {
  const { tenant, caller, stored, use } = scope;
  const { account, clock, journal } = tenant;
  const store = scope.store(resolutionStore);
  const found = stored.batched(async (ids) => {
    const all = await store.ofPurchases(account, ids);
    const byPurchase = Map.groupBy(all, ({ purchaseId }) => purchaseId);
    return [...byPurchase].map(([id, rows]) => ({ id, rows }));
  });

  /** Null for a purchase that no person resolved. */
  const of = async ({ id, state }: PurchaseRecord): Promise<Resolution | null> =>
    (await found(id))?.rows.find(({ outcome }) => stateOf[outcome] === state) ?? null;

  /** The purchase after this resolution or another one. The move decides between concurrent ones. */
  const end = async (
    purchase: PurchaseRecord,
    { outcome, note }: Omit<ResolveInput, 'by'>,
  ): Promise<PurchaseRecord> => {
    const { id, domain, customer, claimedAt } = purchase;
    const at = clock.now();
    const isBought = outcome === 'BOUGHT';
    if (isBought) await journal.customers.assignPurchased({ account, domain, customer, claimedAt });
    await store.write(account, { purchaseId: id, outcome, note, by: caller.name, at });
    const fault = isBought ? null : purchaseFault(whyFailed(purchase), purchase);
    const moved = await journal.move(id, ['UNKNOWN'], { to: stateOf[outcome], at, fault });
    if (moved) scope.invalidate(domain);
    return moved ?? (await journal.byId(account, id)) ?? purchase;
  };

  /** @throws Fault `INVALID_INPUT` unless a person resolved it with this outcome. */
  const checkResolved = async (purchase: PurchaseRecord, outcome: ResolvedOutcome) => {
    const resolution = await of(purchase);
    if (resolution?.outcome === outcome) return;
    throw resolution
      ? otherOutcome(resolution)
      : notUnknown(shownState(use(purchases).viewOf(purchase).state));
  };

  return {
    of,
    /** The same outcome again changes nothing. */
    resolve: ({ by, outcome, note: given }: ResolveInput) =>
      asPayload(async () => {
        const note = checkWords('note', given);
        if (note === null) throw noNote;
        const before = await use(purchases).lookUp(by);
        if (!before) throw noPurchase;
        const purchase = before.state === 'UNKNOWN' ? await end(before, { outcome, note }) : before;
        await checkResolved(purchase, outcome);
        return { purchase };
      }),
  };
});

/** A transfer that the registrar accepted was carried out, and its price may be spent. */
const whyFailed = ({ acceptedAt }: PurchaseRecord): Fault =>
  acceptedAt === null
    ? new Fault('NOT_BOUGHT')
    : new Fault('TRANSFER_CANCELLED', {
        message:
          'A person found that this transfer ended without the domain; look for its refund in the account.',
      });

const purchasePath = { path: ['input', 'purchase'] };
const noPurchase = new Fault('NOT_FOUND', {
  message: 'There is no such purchase; `purchases` lists them.',
  ...purchasePath,
});
const noNote = invalidInput('"note" must say what you found at the registrar.', {
  path: ['input', 'note'],
});
const notUnknown = (state: string) =>
  invalidInput(
    `This purchase is ${state}, and only one that is UNKNOWN is resolved; read its \`nextStep\`.`,
    purchasePath,
  );
const otherOutcome = ({ outcome }: Resolution) =>
  invalidInput(
    `This purchase is ${stateOf[outcome]}, because a person resolved it as ${outcome}. That is final; ${
      outcome === 'BOUGHT'
        ? 'to buy the domain, make a new purchase.'
        : 'when the account has the domain, set its customer with `setDomainCustomer`.'
    }`,
    { path: ['input', 'outcome'] },
  );
