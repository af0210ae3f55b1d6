import type { Journal, OperationRecord } from './store.ts';
import { isEnd } from './transitions.ts';

/** The journal, and somebody who hears of each operation that comes to its end through it. */
export const heardJournal = (
  journal: Journal,
  onEnd: (operation: OperationRecord) => void,
): Journal => ({
  ...journal,
  async move(id, from, transition) {
    const moved = await journal.move(id, from, transition);
    if (moved && isEnd(moved.state)) onEnd(moved);
    return moved;
  },
});
