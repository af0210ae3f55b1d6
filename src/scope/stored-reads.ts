import DataLoader from 'dataloader';
import { Fault } from '../kernel/faults.ts';
import { rowsPerSlice } from '../lib/pages.ts';
import { Turns } from '../lib/slices.ts';

/** Of all filters of a document: some seconds of CPU time, in which other requests run too. */
const maxSlices = 5_000;

/**
 * The reads of stored lists of one request, and the counts and filters of its list of domains. They run one after the other,
 * and other requests run in between: SQLite occupies the thread during a statement.
 */
export class StoredReads extends Turns {
  readonly #known = new Map<string, Promise<unknown>>();
  #slices = 0;

  /** The result of `read`, which runs once for each key. */
  once<T>(key: string, read: () => Promise<T>): Promise<T> {
    const result = (this.#known.get(key) as Promise<T> | undefined) ?? read();
    this.#known.set(key, result);
    return result;
  }

  /** Reads objects by their ids. Those that are requested together are one read of the journal, up to 100 ids. */
  batched<T extends { readonly id: string }>(
    read: (ids: readonly string[]) => Promise<readonly T[]>,
  ): (id: string) => Promise<T | null> {
    const loader = new DataLoader<string, T | null>(
      async (ids) => {
        const found = await this.inTurn(() => read([...new Set(ids)]));
        const byId = new Map(found.map((one) => [one.id, one]));
        return ids.map((id) => byId.get(id) ?? null);
      },
      // A later read returns what the journal has then.
      { cache: false, maxBatchSize: 100 },
    );
    return (id) => loader.load(id);
  }

  /** Counts a slice of a list. @throws Fault `COST_LIMIT_EXCEEDED` */
  readonly countSlice = (): void => {
    this.#slices += 1;
    if (this.#slices <= maxSlices) return;
    const most = (maxSlices * rowsPerSlice).toLocaleString('en');
    throw new Fault('COST_LIMIT_EXCEEDED', {
      message: `The filters of this document need more than ${most} rows of stored lists. Add a narrower filter, such as a domain or a time, or split the document.`,
    });
  };

  /** Later reads return what the journal has then. */
  forget(): void {
    this.#slices = 0;
    this.#known.clear();
  }
}
