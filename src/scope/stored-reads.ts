import DataLoader from 'dataloader';
import { Turns } from '../lib/slices.ts';

/**
 * The reads of stored lists of one request, and the counts and filters of its list of domains. They run one after the other,
 * and other requests run in between: SQLite occupies the thread during a statement.
 */
export class StoredReads extends Turns {
  readonly #known = new Map<string, Promise<unknown>>();

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

  /** Later reads return what the journal has then. */
  forget(): void {
    this.#known.clear();
  }
}
