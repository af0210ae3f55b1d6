import { isEnd } from '../kernel/purchase-states.ts';
import type { Journal } from '../persistence/journal.ts';
import type { PurchaseRecord } from '../persistence/purchase-record.ts';

interface PurchaseListeners {
  /** A purchase that was recorded as FAILED has happened. */
  readonly onLateSuccess: (purchase: PurchaseRecord) => void;
  /** The move ends after it. */
  readonly onSettled: (purchase: PurchaseRecord) => Promise<void>;
}

/** The journal, which reports settled purchases. */
export const notifyingJournal = (
  journal: Journal,
  { onLateSuccess, onSettled }: PurchaseListeners,
): Journal => ({
  ...journal,
  async move(id, from, transition) {
    const moved = await journal.move(id, from, transition);
    if (moved && from.includes('FAILED')) onLateSuccess(moved);
    if (moved && isEnd(moved.state)) await onSettled(moved);
    return moved;
  },
});
