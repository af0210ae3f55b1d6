import type { Caller } from '../../kernel/caller.ts';
import { Fault } from '../../kernel/faults.ts';
import { withTimeout } from '../../lib/with-timeout.ts';
import type {
  PurchaseFilter,
  PurchasePage,
  PurchasePosition,
  PurchaseRecord,
} from '../../persistence/store.ts';
import type { TenantDeps } from '../deps.ts';
import { isOpen, isVisibleTo, type SettleDeps } from './conclude.ts';
import { faultOf, quietMsOf, settleByReading } from './settle.ts';
import { transferProgressOf } from './transfer-progress.ts';

export type { PurchaseRecord, PurchaseState, TransferStage } from '../../persistence/store.ts';

/** Longest time that a client waits for the read of an open purchase. The read continues without the client. */
const maxWaitMs = 500;

/**
 * Reads of the journal. Reading one open purchase also reads the upstream to settle it. Purchases that the caller must not
 * see do not exist for it.
 */
export function createPurchaseJournalService(
  deps: SettleDeps & Pick<TenantDeps, 'settlementNotifier' | 'snapshot'>,
  caller: Caller,
) {
  const { journal, account, clock } = deps;
  const isVisible = (purchase: PurchaseRecord) => isVisibleTo(caller, purchase);
  const visible = (purchase: PurchaseRecord | null) =>
    purchase && isVisible(purchase) ? purchase : null;

  const settle = async (purchase: PurchaseRecord) => {
    const now = await settleByReading(deps, purchase);
    if (now.state !== purchase.state) deps.snapshot.invalidate(purchase.domain);
    return now;
  };
  const settled = async (purchase: PurchaseRecord | null) =>
    purchase && isOpen(purchase)
      ? withTimeout(clock, maxWaitMs, settle(purchase), purchase)
      : purchase;
  const isAny = async (filter: PurchaseFilter, place: Partial<PurchasePage>) =>
    (await journal.list(account, { filter, limit: 1, ...place })).length > 0;

  return {
    faultOf,
    transferProgressOf,
    /** Until then a read that does not find the domain proves nothing; null unless the purchase is open and was sent. */
    quietUntil: (purchase: PurchaseRecord): Date | null =>
      purchase.submittedAt && isOpen(purchase) && purchase.state !== 'IN_PROGRESS'
        ? new Date(purchase.submittedAt.getTime() + quietMsOf(deps, purchase))
        : null,
    settled: (id: string) => deps.settlementNotifier.settled(id, isVisible),
    byId: async (id: string) => settled(visible(await journal.byId(account, id))),
    byKey: async (key: string) => settled(visible(await journal.byKey(account, key))),
    /** A page of the journal, newest first, and whether other pages precede and follow it. */
    async list({ filter: requested = {}, ...page }: PurchasePage) {
      if (requested.caller !== undefined && !caller.scopes.has('ops')) {
        throw new Fault('FORBIDDEN', { message: 'The filter `caller` needs the scope `ops`.' });
      }
      const filter = { ...requested, ...visibleTo(caller) };
      const [purchases, totalCount] = await Promise.all([
        journal.list(account, { ...page, filter }),
        journal.count(account, filter),
      ]);
      const [first, last] = [purchases.at(0), purchases.at(-1)];
      return {
        purchases,
        totalCount,
        before: first ? await isAny(filter, { before: positionOf(first) }) : false,
        // An empty page has no last item to continue after.
        after: last
          ? await isAny(filter, { after: positionOf(last) })
          : page.limit === 0 && (await isAny(filter, { ...page, limit: 1 })),
      };
    },
  };
}

const positionOf = ({ claimedAt, id }: PurchaseRecord): PurchasePosition => ({ claimedAt, id });

/** The filter of visible purchases. A caller without a name has no purchases of its own. */
const visibleTo = ({ name, scopes }: Caller): Pick<PurchaseFilter, 'caller'> =>
  scopes.has('ops') ? {} : { caller: name ?? '' };
