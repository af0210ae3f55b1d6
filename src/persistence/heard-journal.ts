import type { Journal, PurchaseRecord } from './store.ts';
import { isEnd } from './transitions.ts';

interface JournalListener {
  /** A purchase has ended. */
  onEnd(purchase: PurchaseRecord): void;
  /** A purchase that was recorded as FAILED was made after all. */
  onLateSuccess(purchase: PurchaseRecord): void;
}

/** The journal with a listener for the moves that were made through it. */
export const heardJournal = (
  journal: Journal,
  { onEnd, onLateSuccess }: JournalListener,
): Journal => ({
  ...journal,
  async move(id, from, transition) {
    const moved = await journal.move(id, from, transition);
    if (moved && from.includes('FAILED')) onLateSuccess(moved);
    if (moved && isEnd(moved.state)) onEnd(moved);
    return moved;
  },
});
