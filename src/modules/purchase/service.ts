import type { Caller } from '../../kernel/caller.ts';
import type { DomainName } from '../../kernel/domain-name.ts';
import { Fault } from '../../kernel/faults.ts';
import type {
  PurchaseFilter,
  PurchasePage,
  PurchasePosition,
  PurchaseRecord,
} from '../../persistence/store.ts';
import { isOpen, type SettleDeps } from './conclude.ts';
import { faultOf, quietMsOf, settleByReading } from './settle.ts';
import { transferProgressOf } from '../transfer/progress.ts';
import { isVisibleTo, visibleTo } from './visible.ts';
import type { Watcher } from './watcher.ts';

export type { PurchaseRecord, PurchaseState } from '../../persistence/store.ts';

/** A page of the journal, newest first, with what lies on either side of it. */
export interface ListedPurchases {
  readonly purchases: readonly PurchaseRecord[];
  readonly before: boolean;
  readonly after: boolean;
  readonly totalCount: number;
}

export interface PurchaseDeps extends SettleDeps {
  /** Who asks; what this caller may not know of is as if it were not there. */
  readonly caller: Caller;
  readonly watcher: Watcher;
  /** Invalidates cached reads of the domain, which are older than its purchase. */
  readonly touched: (name: DomainName) => void;
}

/** Who asks how a purchase ended is not kept waiting for a service that hangs; the look goes on without them. */
const longestLookMs = 500;

/** Reads of the journal. Asking for one purchase also asks the service whether it came true, when that is still open. */
export function createPurchaseJournalService(deps: PurchaseDeps) {
  const { journal, account, clock, caller } = deps;
  const isVisible = (purchase: PurchaseRecord) => isVisibleTo(caller, purchase);
  const visible = (purchase: PurchaseRecord | null) =>
    purchase && isVisible(purchase) ? purchase : null;

  const settle = async (purchase: PurchaseRecord) => {
    const now = await settleByReading(deps, purchase);
    if (now.state !== purchase.state) deps.touched(purchase.domain);
    return now;
  };
  const settled = async (purchase: PurchaseRecord | null) => {
    if (!purchase || !isOpen(purchase)) return purchase;
    const isTold = new AbortController();
    const asItIs = () => purchase;
    const outOfTime = clock.wait(longestLookMs, isTold.signal).then(asItIs, asItIs);
    try {
      return await Promise.race([settle(purchase), outOfTime]);
    } finally {
      isTold.abort();
    }
  };
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
    ended: (id: string) => deps.watcher.ended(id, isVisible),
    byId: async (id: string) => settled(visible(await journal.byId(account, id))),
    byKey: async (key: string) => settled(visible(await journal.byKey(account, key))),
    async list({ filter: asked = {}, ...page }: PurchasePage): Promise<ListedPurchases> {
      if (asked.caller !== undefined && !caller.scopes.has('ops')) {
        throw new Fault('FORBIDDEN', { message: 'The filter `caller` needs the scope `ops`.' });
      }
      const filter = { ...asked, ...visibleTo(caller) };
      const [purchases, totalCount] = await Promise.all([
        journal.list(account, { ...page, filter }),
        journal.count(account, filter),
      ]);
      const [first, last] = [purchases.at(0), purchases.at(-1)];
      return {
        purchases,
        totalCount,
        before: first ? await isAny(filter, { before: positionOf(first) }) : false,
        // A page of none tells nothing of what follows it.
        after: last
          ? await isAny(filter, { after: positionOf(last) })
          : page.limit === 0 && (await isAny(filter, { ...page, limit: 1 })),
      };
    },
  };
}

const positionOf = ({ claimedAt, id }: PurchaseRecord): PurchasePosition => ({ claimedAt, id });
