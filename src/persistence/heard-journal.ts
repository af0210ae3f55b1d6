import type { Journal, PurchaseRecord } from './store.ts';
import { isEnd } from './transitions.ts';

/** The journal, and somebody who hears of each purchase that comes to its end through it. */
export const heardJournal = (
  journal: Journal,
  onEnd: (purchase: PurchaseRecord) => void,
): Journal => ({
  ...journal,
  async move(id, from, transition) {
    const moved = await journal.move(id, from, transition);
    if (moved && isEnd(moved.state)) onEnd(moved);
    return moved;
  },
});
