import { LRUCache } from 'lru-cache';
import type { DomainName } from '../../../kernel/domain-name.ts';
import type { DomainDetails } from '../../../upstream/domain-api/shapes.ts';
import { type Bits, hasBit } from './bits.ts';
import type { Columns } from './columns.ts';
import { firstPlace, type SlotOrders } from './slot-order.ts';
import type { StoredRows } from './stored-rows.ts';
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

  /** Number of domains. */
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
