import type { Clock } from '../../lib/clock.ts';
import type { EventStore, EventType, NewEvent } from '../../persistence/event-store.ts';
import type { PurchaseRecord } from '../../persistence/store.ts';
import { publicState } from '../purchase/public-state.ts';
import { transferProgressOf } from '../purchase/transfer-progress.ts';

interface ReportOptions {
  readonly store: EventStore;
  readonly account: string;
  readonly owner: string;
  readonly clock: Clock;
}

const purchasesPerWrite = 100;

/**
 * Stores the events of purchases that have settled. Their ids are derived from the purchase and its state, so that a repeated
 * write stores none twice. Purchases that settled before the first comparison have no events.
 */
export async function reportSettled({
  store,
  account,
  owner,
  clock,
}: ReportOptions): Promise<void> {
  if (!(await store.hasBaseline(account))) return store.skipUnreported(account, owner);
  for (;;) {
    const purchases = await store.unreported(account, purchasesPerWrite);
    if (purchases.length === 0) return;
    const at = clock.now();
    const events = purchases.flatMap((purchase) => eventsOf(purchase, at));
    // Another process has the lease.
    if (!(await store.report(account, owner, events))) return;
    await clock.wait(0);
  }
}

function eventsOf(purchase: PurchaseRecord, at: Date): readonly NewEvent[] {
  const { id, domain, caller, state } = purchase;
  const event = (eventId: string, type: EventType, after: string): NewEvent => ({
    ...{ id: eventId, type, at, subject: domain, domain, purchaseId: id },
    ...{ source: 'GATEWAY', caller, before: null, after },
  });
  const stage = transferProgressOf(purchase)?.stage;
  const settled = event(`${id}:${state}`, 'PURCHASE_SETTLED', publicState(state));
  if (stage === 'COMPLETED') return [settled, event(`${id}:${stage}`, 'TRANSFER_COMPLETED', stage)];
  if (stage === 'REJECTED' || stage === 'CANCELLED') {
    return [settled, event(`${id}:${stage}`, 'TRANSFER_REJECTED', stage)];
  }
  return [settled];
}
