import { type Caller, mayAny, purchaseScopes } from '../../kernel/caller.ts';
import { type Lookup, lookupPath, storedKey } from '../../kernel/ids.ts';
import { dayMs, type TimeSpan } from '../../kernel/instant.ts';
import { isOpen } from '../../kernel/purchase-states.ts';
import { isVisibleTo, visibleFilter } from '../../kernel/visibility.ts';
import { memoize } from '../../lib/lazy.ts';
import { itemsOf, readStoredPage } from '../../lib/pages.ts';
import { createSlices } from '../../lib/slices.ts';
import { withTimeout } from '../../lib/waits.ts';
import type {
  Charge,
  ChargeFilter,
  PurchaseFilter,
  PurchasePage,
} from '../../persistence/purchase-queries.ts';
import type { PurchaseRecord } from '../../persistence/purchase-record.ts';
import type { StoredReads } from '../../scope/reads.ts';
import { perRequest } from '../../scope/scope.ts';
import { holds } from '../job/holds.ts';
import { startJobs } from '../job/parts.ts';
import { asPayload } from '../mutation/checks.ts';
import { type CancelDeps, cancelWaiting } from './cancel.ts';
import { settlementNotifier, settling } from './parts.ts';
import { quietMsOf, settleByReading } from './settle.ts';
import type { SettlementNotifier } from './settlement-notifier.ts';
import { transferProgressOf } from './transfer-progress.ts';
import { viewOf } from './view.ts';

export type {
  PurchaseFilter,
  PurchasePage,
  TransferStage,
} from '../../persistence/purchase-queries.ts';
export type { PurchaseRecord, PurchaseState } from '../../persistence/purchase-record.ts';

const weekMs = 7 * dayMs;

/** Longest time that a client waits for the read of an open purchase. The read continues without the client. */
const maxWaitMs = 500;

interface JournalDeps extends CancelDeps {
  readonly settlementNotifier: Pick<SettlementNotifier, 'settled'>;
  readonly stored: Pick<StoredReads, 'batched'>;
}

/**
 * Reads of the journal, and the cancellation of a purchase that waits. Reading one open purchase also reads the upstream to settle
 * it. Purchases that the caller must not see do not exist for it.
 */
export function createPurchaseJournalService(deps: JournalDeps, caller: Caller) {
  const { journal, account, clock } = deps;
  const isVisible = (purchase: PurchaseRecord) => isVisibleTo(caller, purchase);
  const visible = (purchase: PurchaseRecord | null) =>
    purchase && isVisible(purchase) ? purchase : null;

  const stored = deps.stored.batched((ids) => journal.byIds(account, ids));

  const settled = async (purchase: PurchaseRecord | null) =>
    purchase && isOpen(purchase)
      ? withTimeout(clock, maxWaitMs, settleByReading(deps, purchase), purchase)
      : purchase;

  /** As the journal has it, without an upstream call. Null for a lookup that names nothing. */
  const lookUp = async (by: Lookup | null) => {
    if (!by) return null;
    return visible(
      'key' in by
        ? await journal.byKey(account, storedKey(caller, by.key))
        : await journal.byId(account, by.id),
    );
  };

  return {
    /** The state and the errors of one time. */
    viewOf: memoize((purchase: PurchaseRecord) => viewOf(purchase, clock.now())),
    transferProgressOf,
    /** Until then a read that does not find the domain proves nothing; null unless the purchase is open and was sent. */
    quietUntil: (purchase: PurchaseRecord): Date | null =>
      purchase.submittedAt && isOpen(purchase) && purchase.state !== 'IN_PROGRESS'
        ? new Date(purchase.submittedAt.getTime() + quietMsOf(deps, purchase))
        : null,
    lookUp,
    settled: (id: string) => deps.settlementNotifier.settled(id, isVisible),
    byId: async (id: string) => settled(await lookUp({ id })),
    find: async (by: Lookup | null) => settled(await lookUp(by)),
    /** For the record of a mutation. */
    domainOf: async (by: Lookup | null) => (await lookUp(by))?.domain ?? null,
    cancel: (by: Lookup | null) =>
      asPayload(async () => ({
        purchase: await cancelWaiting(deps, await lookUp(by), lookupPath(by)),
      })),
    /**
     * As the journal has it, without an upstream call. Null for an id that is null, and when the caller must not see it. With
     * `ofAll` also that of another caller.
     */
    async storedById(id: string | null | undefined, ofAll = false) {
      if (!id || !(ofAll || mayAny(caller, purchaseScopes))) return null;
      const found = await stored(id);
      return ofAll ? found : visible(found);
    },
    /** All visible purchases, newest first. */
    all(requested: PurchaseFilter = {}) {
      const filter = visibleFilter(caller, requested);
      return itemsOf<PurchaseRecord>(clock, (page) => journal.list(account, { filter, ...page }));
    },
    /** The charges of the visible purchases in a span, week by week. An absent bound is that of the journal. */
    async *charges({ from, until, ...requested }: TimeSpan & Omit<ChargeFilter, keyof TimeSpan>) {
      const filter = visibleFilter(caller, requested);
      const first = await journal.firstCharge(account);
      if (!first) return;
      const start = Math.max(first.getTime(), from?.getTime() ?? 0);
      const end = Math.min(clock.now().getTime() + dayMs, until?.getTime() ?? Number.MAX_VALUE);
      const slices = createSlices(clock);
      // To find the charges of one caller, the database reads all of a span.
      for (let week = start; week < end; week += weekMs) {
        const span = { from: new Date(week), until: new Date(Math.min(week + weekMs, end)) };
        for (const step of ['ACCEPTED', 'REVERSED'] as const) {
          yield* itemsOf<Charge>(clock, (page) =>
            journal.charges(account, step, { ...filter, ...span }, page),
          );
        }
        if (slices.isOver()) await slices.next();
      }
    },
    /** A page of the journal, newest first. */
    list: async ({ filter, ...page }: PurchasePage) =>
      readStoredPage(journal, account, {
        ...page,
        filter: visibleFilter(caller, { ...filter, statesAt: clock.now() }),
      }),
  };
}

export const purchases = perRequest('purchases', ({ use, stored, caller }) =>
  createPurchaseJournalService(
    {
      ...use(settling),
      settlementNotifier: use(settlementNotifier),
      holds: use(holds),
      startJobs: use(startJobs),
      stored,
    },
    caller,
  ),
);
