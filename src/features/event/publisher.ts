import { WorkLoop, type WorkLoopOptions } from '../../kernel/work-loop.ts';
import { transferProgressOf } from '../../modules/purchase/transfer-progress.ts';
import type { PurchaseRecord } from '../../persistence/purchase-record.ts';
import type { EventType, NewEvent } from './log.ts';
import type { EventStore } from './store.ts';

interface PublisherOptions extends WorkLoopOptions {
  readonly store: Pick<EventStore, 'beginReports' | 'unreported' | 'report' | 'publish'>;
  readonly account: string;
  readonly isEnabled: boolean;
}

const purchasesPerWrite = 100;
/** Finds what another process has stored. */
const tickMs = 1_000;

/**
 * Stores the events of changed states and of purchases that have settled, without a lease and without an upstream call. Each
 * replica does it. None is stored twice: the ids of the first are stored with the state, and those of the second are derived from
 * the purchase and its state.
 */
export class Publisher {
  readonly #options: PublisherOptions;
  readonly #loop: WorkLoop;
  #hasBegun = false;

  constructor(options: PublisherOptions) {
    this.#options = options;
    this.#loop = new WorkLoop(options);
    if (!options.isEnabled) return;
    this.#loop.start(
      () => this.#poll(),
      () => tickMs,
    );
  }

  /** Must be called when a purchase has settled or a state has changed here: its event is stored at once. */
  wake(): void {
    this.#loop.wake();
  }

  close(): Promise<void> {
    return this.#loop.close();
  }

  async #poll(): Promise<number> {
    const { store, account, clock } = this.#options;
    if (!this.#hasBegun) await store.beginReports(account);
    this.#hasBegun = true;
    while (await store.publish(account)) await clock.wait(0, this.#loop.signal);
    for (;;) {
      const purchases = await store.unreported(account, purchasesPerWrite);
      if (purchases.length === 0) return tickMs;
      const at = clock.now();
      const events = purchases.flatMap((purchase) => eventsOf(purchase, at));
      // Another replica has stored them, or an outcome was corrected in the meantime.
      if (!(await store.report(account, events))) return tickMs;
      await clock.wait(0, this.#loop.signal);
    }
  }
}

function eventsOf(purchase: PurchaseRecord, at: Date): readonly NewEvent[] {
  const { id, domain, caller, customer, state } = purchase;
  const event = (eventId: string, type: EventType, after: string): NewEvent => ({
    id: eventId,
    type,
    at,
    subject: domain,
    domain,
    purchaseId: id,
    source: 'GATEWAY',
    caller,
    customer,
    before: null,
    after,
  });
  const stage = transferProgressOf(purchase)?.stage;
  const settled = event(`${id}:${state}`, 'PURCHASE_SETTLED', state);
  if (stage === 'COMPLETED') return [settled, event(`${id}:${stage}`, 'TRANSFER_COMPLETED', stage)];
  if (stage === 'REJECTED' || stage === 'CANCELLED') {
    return [settled, event(`${id}:${stage}`, 'TRANSFER_REJECTED', stage)];
  }
  return [settled];
}
