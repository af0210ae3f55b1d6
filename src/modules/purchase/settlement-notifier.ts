import { Repeater } from '@repeaterjs/repeater';
import { Fault } from '../../kernel/faults.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Journal, PurchaseRecord } from '../../persistence/store.ts';
import { isOpen } from './conclude.ts';

interface SettlementNotifierDeps {
  readonly journal: Pick<Journal, 'byId' | 'byIds'>;
  readonly account: string;
  readonly clock: Pick<Clock, 'wait'>;
}

export type SettlementNotifier = ReturnType<typeof createSettlementNotifier>;

/** A stream that waits for the settlement of one purchase. */
interface Subscription {
  readonly id: string;
  /** Sends the settled purchase, or null for none, and ends the stream. */
  readonly send: (purchase: PurchaseRecord | null) => void;
  /** Ends the stream, with an error if one is given. */
  readonly end: (error?: unknown) => void;
}

const pollMs = 1_000;

/**
 * Notifies subscribers of settled purchases. It reads the journal, so it also notifies of purchases that another replica
 * settled.
 *
 * One read per second serves all subscriptions; without a subscription there is none.
 */
export function createSettlementNotifier({ journal, account, clock }: SettlementNotifierDeps) {
  const closing = new AbortController();
  const subscriptions = new Set<Subscription>();
  let polling: Promise<void> | null = null;

  const notify = (subscription: Subscription, purchase: PurchaseRecord | null) => {
    if (!purchase || !isOpen(purchase)) subscription.send(purchase);
  };

  const read = async (some: readonly Subscription[]): Promise<void> => {
    const ids = new Set(some.map(({ id }) => id));
    const found = await journal.byIds(account, [...ids]);
    const byId = new Map(found.map((purchase) => [purchase.id, purchase]));
    for (const subscription of some) notify(subscription, byId.get(subscription.id) ?? null);
  };

  const poll = async (): Promise<void> => {
    while (subscriptions.size > 0) {
      try {
        await clock.wait(pollMs, closing.signal);
        if (subscriptions.size > 0) await read([...subscriptions]);
      } catch (error) {
        // The journal may become available again; any other error is a bug, which every stream reports.
        if (error instanceof Fault) continue;
        for (const subscription of subscriptions) subscription.end(error);
      }
    }
    polling = null;
  };

  return {
    /**
     * Yields the purchase once it is settled, and ends. Yields null at once for a purchase that does not exist or is not
     * visible. Ends without a value when the gateway closes.
     */
    settled: (id: string, isVisible: (purchase: PurchaseRecord) => boolean) =>
      new Repeater<PurchaseRecord | null>(async (push, stop) => {
        if (closing.signal.aborted) return stop();
        const subscription: Subscription = {
          id,
          send(purchase) {
            void push(purchase);
            subscription.end();
          },
          end(error) {
            subscriptions.delete(subscription);
            stop(error);
          },
        };
        subscriptions.add(subscription);
        void stop.then(() => subscriptions.delete(subscription));
        const purchase = await journal.byId(account, id);
        notify(subscription, purchase && isVisible(purchase) ? purchase : null);
        if (subscriptions.size > 0) polling ??= poll();
      }),
    /** Reads a purchase that is reported as settled, without waiting for the next poll. */
    async check(id: string): Promise<void> {
      const some = [...subscriptions].filter((subscription) => subscription.id === id);
      // The next poll meets the same error.
      if (some.length > 0) await read(some).catch(() => undefined);
    },
    /** Ends all streams. */
    async close(): Promise<void> {
      for (const subscription of subscriptions) subscription.end();
      closing.abort();
      await polling;
    },
  };
}
