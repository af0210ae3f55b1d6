import type { Clock } from '../../kernel/clock.ts';
import { Fault } from '../../kernel/faults.ts';
import type { Journal, OperationRecord } from '../../persistence/store.ts';
import { isOpen } from './settle.ts';

export type Settlements = ReturnType<typeof createSettlements>;

const lookEveryMs = 1_000;

/**
 * Tells whoever waits when an operation has ended, whichever process ended it.
 *
 * While anybody waits, the journal is asked once a second for all awaited operations together; the service is not asked.
 */
export function createSettlements({
  journal,
  account,
  clock,
}: {
  readonly journal: Pick<Journal, 'byIds'>;
  readonly account: string;
  readonly clock: Clock;
}) {
  const waiting = new Map<string, Set<(operation: OperationRecord) => void>>();
  const closing = new AbortController();
  let isLooking = false;

  const look = async (): Promise<void> => {
    try {
      for (const operation of await journal.byIds(account, [...waiting.keys()])) {
        if (isOpen(operation)) continue;
        for (const tell of waiting.get(operation.id) ?? []) tell(operation);
      }
    } catch (error) {
      // A journal that is away may come back; whoever waits goes on waiting.
      if (!(error instanceof Fault)) throw error;
    }
  };

  const lookWhileAnybodyWaits = async (): Promise<void> => {
    if (isLooking) return;
    isLooking = true;
    while (waiting.size > 0 && !closing.signal.aborted) {
      await clock.wait(lookEveryMs, closing.signal).catch(() => undefined);
      if (waiting.size > 0 && !closing.signal.aborted) await look();
    }
    isLooking = false;
  };

  return {
    /** The operation once it has ended; null when `signal` or the end of this process comes first. */
    async settled(
      operation: OperationRecord,
      signal: AbortSignal,
    ): Promise<OperationRecord | null> {
      if (!isOpen(operation)) return operation;
      const stop = AbortSignal.any([signal, closing.signal]);
      if (stop.aborted) return null;
      const { promise, resolve } = Promise.withResolvers<OperationRecord | null>();
      const { id } = operation;
      const others = waiting.get(id) ?? new Set();
      waiting.set(id, others.add(resolve));
      const giveUp = () => resolve(null);
      stop.addEventListener('abort', giveUp, { once: true });
      void lookWhileAnybodyWaits();
      try {
        return await promise;
      } finally {
        stop.removeEventListener('abort', giveUp);
        others.delete(resolve);
        if (others.size === 0 && waiting.get(id) === others) waiting.delete(id);
      }
    },
    /** Everybody who waits stops waiting, now and from now on. */
    close: () => closing.abort(),
  };
}
