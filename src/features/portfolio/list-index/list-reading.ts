import type { Clock } from '../../../lib/clock.ts';
import { createSlices, type Slices } from '../../../lib/slices.ts';
import type { DomainDetails } from '../../../upstream/domain-api/shapes.ts';
import { Columns } from './columns.ts';
import { replacedSlots } from './double-rows.ts';
import { IndexedList } from './indexed-list.ts';
import { sortSlots } from './slot-order.ts';
import { type ReadStored, StoredRows } from './stored-rows.ts';

/**
 * Builds the structures of one list from its rows, in slices.
 *
 * Most lists equal the previous one. The leading rows whose digests equal those of the previous list are only counted; the
 * first other row makes the reading copy them.
 */
export class ListReading {
  readonly #slices: Slices;
  readonly #previous: IndexedList | null;
  #columns = new Columns();
  #stored = new StoredRows(() => undefined);
  /** By slot. */
  #digests: string[] = [];
  #isEqualSoFar = false;

  constructor(clock: Pick<Clock, 'monotonicMs' | 'wait'>, previous: IndexedList | null) {
    this.#slices = createSlices(clock);
    this.#previous = previous;
  }

  /** An attempt begins; the rows of an earlier one are void. */
  begin(read: ReadStored): void {
    this.#columns = new Columns();
    this.#stored = new StoredRows(read);
    this.#digests = [];
    this.#isEqualSoFar = this.#previous !== null;
  }

  /** Whether the next row equals the row at its place in the previous list. Then it is taken. */
  takeKnown(digest: string): boolean {
    const isKnown = this.#isEqualSoFar && this.#previous?.digests[this.#digests.length] === digest;
    if (isKnown) this.#digests.push(digest);
    return isKnown;
  }

  take(row: DomainDetails, members: unknown, digest: string): Promise<void> | void {
    if (this.#isEqualSoFar) return this.#copyKnown().then(() => this.take(row, members, digest));
    this.#columns.set(this.#columns.size, row);
    this.#stored.add(members);
    this.#digests.push(digest);
  }

  /** `rows` has the rows that were not taken: all or none. The previous list when nothing differs from it. */
  async end(rows: readonly DomainDetails[]): Promise<IndexedList> {
    if (rows.length > 0) this.begin(() => undefined);
    else if (this.#isEqualSoFar && this.#previous && this.#isWhole(this.#previous)) {
      return this.#previous;
    }
    await this.#copyKnown();
    for (const [slot, row] of rows.entries()) this.#columns.set(slot, row);
    const unstored = new Map(rows.entries());
    const rowAt = (slot: number) => unstored.get(slot) ?? this.#stored.at(slot);
    const replaced = await replacedSlots(this.#columns.names, rowAt, this.#slices);
    for (const slot of replaced) this.#columns.clear(slot);
    const orders = await sortSlots(this.#columns, replaced, this.#slices);
    return new IndexedList(this.#columns, orders, this.#stored, unstored, this.#digests);
  }

  /** Whether the previous list has the rows that were read, and nothing else. */
  #isWhole({ rowCount, isChanged }: IndexedList): boolean {
    return rowCount === this.#digests.length && !isChanged;
  }

  async #copyKnown(): Promise<void> {
    if (!this.#isEqualSoFar || !this.#previous) return;
    this.#isEqualSoFar = false;
    const { stored } = this.#previous;
    for (const slot of this.#digests.keys()) {
      this.#columns.set(slot, stored.at(slot));
      this.#stored.addFrom(stored, slot);
      if (this.#slices.isOver()) await this.#slices.next();
    }
  }
}
