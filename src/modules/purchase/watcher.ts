import type { Clock } from '../../kernel/clock.ts';
import { Fault } from '../../kernel/faults.ts';
import type { Journal, PurchaseRecord } from '../../persistence/store.ts';
import { isOpen } from './conclude.ts';

export interface WatcherDeps {
  readonly journal: Pick<Journal, 'byId' | 'byIds'>;
  readonly account: string;
  readonly clock: Pick<Clock, 'wait'>;
}

export type Watcher = ReturnType<typeof createWatcher>;

/** Somebody who waits for the end of a purchase. */
interface Waiter {
  readonly id: string;
  readonly isVisible: (purchase: PurchaseRecord) => boolean;
  /** The purchase when it has ended; null when there is none; undefined when nobody waits any more. */
  readonly tell: (purchase: PurchaseRecord | null | undefined) => void;
  readonly fail: (error: unknown) => void;
}

const everyMs = 1_000;
const over = { done: true, value: undefined } as const;

/**
 * Tells of purchases that have ended, whichever process of the gateway ended them: the journal is all it goes by.
 *
 * It is read for all who wait together, once a second, and not at all while nobody waits.
 */
export function createWatcher({ journal, account, clock }: WatcherDeps) {
  const stop = new AbortController();
  const waiters = new Set<Waiter>();
  let watching: Promise<void> | null = null;

  const tell = (waiter: Waiter, purchase: PurchaseRecord | null) => {
    if (purchase && isOpen(purchase)) return;
    waiters.delete(waiter);
    waiter.tell(purchase);
  };

  const look = async (asked: readonly Waiter[] = [...waiters]): Promise<void> => {
    const ids = new Set(asked.map(({ id }) => id));
    const found = await journal.byIds(account, [...ids]);
    const byId = new Map(found.map((purchase) => [purchase.id, purchase]));
    for (const waiter of asked) tell(waiter, byId.get(waiter.id) ?? null);
  };

  const watch = async (): Promise<void> => {
    while (waiters.size > 0) {
      try {
        await clock.wait(everyMs, stop.signal);
        if (waiters.size > 0) await look();
      } catch (error) {
        // A journal that is away may come back; anything else is a bug, and all who wait hear of it.
        if (error instanceof Fault) continue;
        for (const waiter of waiters) waiter.fail(error);
        waiters.clear();
      }
    }
    watching = null;
  };

  /** Tells at once what has ended already, and looks again and again at what has not. */
  const begin = async (waiter: Waiter): Promise<void> => {
    waiters.add(waiter);
    try {
      const purchase = await journal.byId(account, waiter.id);
      tell(waiter, purchase && waiter.isVisible(purchase) ? purchase : null);
      if (waiters.size > 0) watching ??= watch();
    } catch (error) {
      waiters.delete(waiter);
      waiter.fail(error);
    }
  };

  return {
    /**
     * The purchase once it has ended, and nothing after it; null for none, and at once for one that is not visible.
     * Ends without it when the gateway closes.
     */
    ended(
      id: string,
      isVisible: Waiter['isVisible'],
    ): AsyncIterableIterator<PurchaseRecord | null, undefined> {
      const { promise, resolve, reject } = Promise.withResolvers<
        PurchaseRecord | null | undefined
      >();
      const waiter: Waiter = { id, isVisible, tell: resolve, fail: reject };
      let isAsked = false;
      return {
        async next() {
          if (isAsked || stop.signal.aborted) return over;
          isAsked = true;
          const [purchase] = await Promise.all([promise, begin(waiter)]);
          return purchase === undefined ? over : { done: false, value: purchase };
        },
        // Not a generator: that would answer to nobody's leaving while it waits.
        async return() {
          isAsked = true;
          waiters.delete(waiter);
          waiter.tell(undefined);
          return over;
        },
        [Symbol.asyncIterator]() {
          return this;
        },
      };
    },
    /** Looks at once at a purchase of which somebody says that it has ended. */
    async hear(id: string): Promise<void> {
      const asked = [...waiters].filter((waiter) => waiter.id === id);
      // What fails here, the look of every second meets as well.
      if (asked.length > 0) await look(asked).catch(() => undefined);
    },
    /** Ends all that is waited for. */
    async close(): Promise<void> {
      for (const waiter of waiters) waiter.tell(undefined);
      waiters.clear();
      stop.abort();
      await watching;
    },
  };
}
