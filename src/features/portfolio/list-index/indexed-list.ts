import { LRUCache } from 'lru-cache';
import type { DomainName } from '../../../kernel/domain-name.ts';
import type { Clock } from '../../../lib/clock.ts';
import { createSlices, type Slices } from '../../../lib/slices.ts';
import { isBetter } from '../../../modules/domain/loader.ts';
import type { DomainDetails } from '../../../upstream/domain-api/shapes.ts';
import { type Bits, Columns, hasBit } from './columns.ts';
import { firstPlace, type SlotOrders, sortSlots } from './slot-order.ts';
import { type ReadStored, StoredRows } from './stored-rows.ts';
import type { ListOrder } from './types.ts';

/** Sets of single conditions that are cached, because clients request the pages of one filter in turn. */
const maxSets = 128;

/** The rows of one response, the structures that search and sort them, and later changes of single domains. */
export class IndexedList {
  readonly columns: Columns;
  /** Number of rows in the response, also of those that are replaced; later changes do not count. */
  readonly rowCount: number;
  readonly orders: SlotOrders;
  readonly stored: StoredRows;
  /** Of the rows as the upstream sent them, by slot; none for rows that are not stored. */
  readonly digests: readonly string[];
  /** By slot: the rows that are not stored, or that were changed later. */
  readonly #unstored: Map<number, DomainDetails>;
  #isChanged = false;
  readonly #sets = new LRUCache<string, Bits>({ max: maxSets });

  constructor(
    columns: Columns,
    orders: SlotOrders,
    stored: StoredRows,
    unstored: Map<number, DomainDetails>,
    digests: readonly string[],
  ) {
    this.columns = columns;
    this.rowCount = columns.size;
    this.orders = orders;
    this.stored = stored;
    this.#unstored = unstored;
    this.digests = digests;
  }

  get size(): number {
    return this.orders.NAME.size;
  }

  /** Whether it has changes that were not in the response. */
  get isChanged(): boolean {
    return this.#isChanged;
  }

  rowAt(slot: number): DomainDetails {
    return this.#unstored.get(slot) ?? this.stored.at(slot);
  }

  names(): readonly DomainName[] {
    const { columns, orders, size } = this;
    const slotAt = orders.NAME.reader(false);
    const names: DomainName[] = [];
    // The columns are filled from rows with valid names only.
    for (let at = 0; at < size; at += 1) names.push(columns.names[slotAt(at)] as DomainName);
    return names;
  }

  /** The rows of now in an order. Each is decoded when it is read; later changes do not matter. */
  rows(selected: Bits, { field, descending }: ListOrder): Iterable<DomainDetails> {
    return this.#rowsIn(
      this.orders[field].slots(descending).filter((slot) => hasBit(selected, slot)),
    );
  }

  *#rowsIn(slots: Uint32Array): Generator<DomainDetails> {
    for (const slot of slots) yield this.#unstored.get(slot) ?? this.stored.decode(slot);
  }

  slotOf(name: DomainName): number | undefined {
    const { names } = this.columns;
    const slotAt = this.orders.NAME.reader(false);
    const place = firstPlace(this.size, (at) => (names[slotAt(at)] as string) >= name);
    const slot = place === this.size ? undefined : slotAt(place);
    return slot !== undefined && names[slot] === name ? slot : undefined;
  }

  /** The domains of a condition that does not depend on the time. `key` identifies the condition. */
  setOf(key: string, compute: () => Bits): Bits {
    const cached = this.#sets.get(key);
    if (cached) return cached;
    const bits = compute();
    this.#sets.set(key, bits);
    return bits;
  }

  /** Replaces the row of one domain; null removes it. The old row remains in its slot, for readers of all rows. */
  change(name: DomainName, row: DomainDetails | null): void {
    this.#isChanged = true;
    this.#sets.clear();
    const orders = Object.values(this.orders);
    const old = this.slotOf(name);
    if (old !== undefined) {
      for (const order of orders) order.remove(old);
      this.columns.clear(old);
    }
    if (!row) return;
    const slot = this.columns.size;
    this.columns.set(slot, row);
    this.#unstored.set(slot, row);
    for (const order of orders) order.insert(slot);
  }
}

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

/** Rows between two reads of the clock. */
const rowsPerCheck = 64;

/** The slots of the rows that another row of the same name replaces. */
async function replacedSlots(
  names: readonly string[],
  rowAt: (slot: number) => DomainDetails,
  slices: Slices,
): Promise<ReadonlySet<number>> {
  const slotOf = new Map<string, number>();
  const replaced = new Set<number>();
  for (const [slot, name] of names.entries()) {
    const other = slotOf.get(name);
    const isBest = other === undefined || isBetter(rowAt(slot), rowAt(other));
    if (isBest) slotOf.set(name, slot);
    if (other !== undefined) replaced.add(isBest ? other : slot);
    if (slot % rowsPerCheck === rowsPerCheck - 1 && slices.isOver()) await slices.next();
  }
  return replaced;
}
