import { createPolledStreams } from '../../kernel/polled-streams.ts';
import { isOpen } from '../../kernel/purchase-states.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Journal } from '../../persistence/journal.ts';
import type { PurchaseRecord } from '../../persistence/purchase-record.ts';

interface SettlementNotifierDeps {
  readonly journal: Pick<Journal, 'byIds'>;
  readonly account: string;
  readonly clock: Pick<Clock, 'wait'>;
}

export type SettlementNotifier = ReturnType<typeof createSettlementNotifier>;

/** Notifies subscribers of settled purchases, whichever replica settles them. */
export function createSettlementNotifier({ journal, account, clock }: SettlementNotifierDeps) {
  const streams = createPolledStreams({
    clock,
    async read(ids) {
      const purchases = await journal.byIds(account, ids);
      return new Map(purchases.map((purchase) => [purchase.id, purchase]));
    },
  });
  return {
    /**
     * Yields the purchase once it is settled, and ends. Yields null at once for a purchase that does not exist or is not
     * visible. Ends without a value when the gateway closes.
     */
    settled: (id: string, isVisible: (purchase: PurchaseRecord) => boolean) =>
      streams.open<PurchaseRecord | null>(id, (found, { send, end }) => {
        const purchase = found && isVisible(found) ? found : null;
        if (purchase && (isOpen(purchase) || purchase.state === 'HELD')) return;
        void send(purchase);
        end();
      }),
    /** Reads a purchase that is reported as settled, without waiting for the next poll. */
    check: streams.check,
    close: streams.close,
  };
}
