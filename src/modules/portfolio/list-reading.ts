import type { Clock } from '../../lib/clock.ts';
import type { RowSink } from '../../upstream/client/operation.ts';
import type { DomainDetails } from '../../upstream/domain-api/shapes.ts';
import type { DomainIndex } from './domain-index.ts';
import { Draft, type KnownList } from './draft.ts';
import { createSlices } from './slices.ts';
import type { ReadStored } from './stored-rows.ts';

const unread: ReadStored = () => undefined;

/**
 * Takes a list as it arrives, against the one before it. While all is as it was there, nothing is built, and a list that
 * is the same to its end is that one. The one before stays as it is in any case.
 */
export function createListReading(
  before: DomainIndex | null,
  clock: Pick<Clock, 'monotonicMs' | 'wait'>,
) {
  const slices = createSlices(clock);
  const known: KnownList | null = before?.stored ? { index: before, rows: before.stored } : null;
  let read = unread;
  let draft: Draft | null = null;
  let count = 0;
  /** The slot before that the next row is likely to be of. */
  let next = 0;

  /** With all that was as before. */
  const startDraft = async () => {
    const started = new Draft(read, known);
    for (let slot = 0; slot < next; slot += 1) {
      started.addKnown(slot);
      if (slices.isOver()) await slices.next();
    }
    return started;
  };

  const add = (to: Draft, row: DomainDetails, stored: unknown, digest: string) => {
    const found = known?.index.slotOf(row.name);
    const oldSlot = found !== undefined && known?.rows.holds(found) ? found : undefined;
    to.add(row, stored, digest, oldSlot);
    if (oldSlot !== undefined) next = oldSlot + 1;
  };

  const sink: RowSink = {
    begin(readKept) {
      [read, draft, count, next] = [readKept, null, 0, 0];
    },
    takeKnown(digest) {
      if (!known?.rows.has(next, digest)) return false;
      draft?.addKnown(next);
      next += 1;
      count += 1;
      return true;
    },
    take(row, stored, digest) {
      count += 1;
      if (draft) return add(draft, row as DomainDetails, stored, digest);
      return startDraft().then((started) => {
        draft = started;
        add(started, row as DomainDetails, stored, digest);
      });
    },
  };

  return {
    sink,
    /** Rows that were taken. */
    count: () => count,
    async end(): Promise<DomainIndex> {
      const isSame = !draft && known && next === known.rows.size && known.index.patched.size === 0;
      return isSame ? known.index : (draft ?? (await startDraft())).end(slices);
    },
  };
}
