import { isEnd, type Journal, type PurchaseRecord } from './store.ts';

interface JournalListener {
  /** A purchase has ended. */
  onEnd(purchase: PurchaseRecord): void;
  /** A purchase was recorded as FAILED but happened. */
  onLateSuccess(purchase: PurchaseRecord): void;
}

/** The journal with a listener for the transitions of this process. */
export const observedJournal = (
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
