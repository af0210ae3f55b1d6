import type { DomainName } from '../../kernel/domain-name.ts';
import type { Clock } from '../../lib/clock.ts';
import { createSlices } from '../../lib/slices.ts';
import type { KnownDomain } from './ledger-store.ts';
import type { PortfolioIndex } from './list-index/portfolio-index.ts';
import { fromStoredRow } from './stored-row.ts';

/** The domains that were merged into the index of a list. */
export interface Merged {
  /** The names whose rows are from the ledger, and when each row was requested. */
  readonly rowTimes: ReadonlyMap<DomainName, Date>;
  /** How many of them were known when the list was requested, without those that the last read did not find. */
  readonly knownBefore: number;
  /** Known domains without a row. */
  readonly unread: number;
  /** When the oldest row was requested, of those of the list too. */
  readonly oldestRowAt: Date;
}

type Merge = (
  index: PortfolioIndex,
  known: readonly KnownDomain[],
  listedAt: Date,
) => Promise<Merged>;

/**
 * Adds the rows of the ledger to indexes of lists, in slices, one merge after the other. An index can be merged again, with a
 * later state of the ledger.
 */
export function createMerge(clock: Pick<Clock, 'monotonicMs' | 'wait'>): Merge {
  const merged = new WeakMap<PortfolioIndex, Map<DomainName, Date>>();
  let last: Promise<unknown> = Promise.resolve();

  const mergeNow: Merge = async (index, known, listedAt) => {
    const slices = createSlices(clock);
    const rowTimes = merged.get(index) ?? new Map<DomainName, Date>();
    merged.set(index, rowTimes);
    const withRow = new Set<DomainName>();
    let [knownBefore, unread, oldestRowAt] = [0, 0, listedAt];
    for (const { name, unlisted } of known) {
      if (slices.isOver()) await slices.next();
      // The list, or a read after a write, has a newer row.
      if (!rowTimes.has(name) && index.has(name)) continue;
      if (!unlisted?.row || !unlisted.rowAt) {
        unread += 1;
        continue;
      }
      withRow.add(name);
      const { row, rowAt, addedAt, missingAt } = unlisted;
      if (rowAt < oldestRowAt) oldestRowAt = rowAt;
      if (addedAt <= listedAt && missingAt === null) knownBefore += 1;
      if (rowTimes.get(name)?.getTime() === rowAt.getTime()) continue;
      index.change(name, fromStoredRow(row));
      rowTimes.set(name, rowAt);
    }
    for (const name of rowTimes.keys()) {
      if (slices.isOver()) await slices.next();
      if (withRow.has(name)) continue;
      index.change(name, null);
      rowTimes.delete(name);
    }
    return { rowTimes, knownBefore, unread, oldestRowAt };
  };

  return (...state) => {
    const result = last.then(() => mergeNow(...state));
    last = result.catch(() => undefined);
    return result;
  };
}
