import type { Clock } from '../../kernel/clock.ts';
import type { DomainName } from '../../kernel/domain-name.ts';
import type { DomainDetails } from '../../upstream/domain-api/shapes.ts';
import type { Bits } from './bits.ts';
import { Columns } from './columns.ts';
import { type Choice, choose, type DomainFilter } from './filter.ts';
import { NameSearch } from './name-search.ts';
import type { DomainOrderField } from './order.ts';
import { createSlices } from './slices.ts';
import { SlotOrder } from './slot-order.ts';

/** Sets that filters are made of are kept, since pages are turned; a hundred thousand domains make 12 KB of one. */
const mostSets = 128;

type Orders = Readonly<Record<DomainOrderField, SlotOrder>>;
type Slots = Map<DomainName, number>;

/** Domains so arranged that a page, a filter or a count costs little more for a hundred thousand than for a thousand. */
export class DomainIndex {
  readonly columns: Columns;
  readonly orders: Orders;
  readonly #search: NameSearch;
  readonly #slots: Slots;
  readonly #sets = new Map<string, Bits>();

  constructor(columns: Columns, slots: Slots, orders: Orders, search: NameSearch) {
    this.columns = columns;
    this.orders = orders;
    this.#slots = slots;
    this.#search = search;
  }

  get size(): number {
    return this.orders.NAME.size;
  }

  find(name: DomainName): DomainDetails | null {
    const slot = this.#slots.get(name);
    return slot === undefined ? null : (this.columns.rows[slot] ?? null);
  }

  /** The domains that match; without a filter all of them. */
  choose(filter: DomainFilter | null | undefined): Choice {
    const { columns } = this;
    const remembered = (key: string, make: () => Bits) => this.#remember(key, make);
    return choose({ columns, search: this.#search, remembered }, filter ?? {});
  }

  #remember(key: string, make: () => Bits): Bits {
    const known = this.#sets.get(key);
    // What is used again is the newest again; the oldest goes first.
    if (known) this.#sets.delete(key);
    const bits = known ?? make();
    this.#sets.set(key, bits);
    const [oldest] = this.#sets.size > mostSets ? this.#sets.keys() : [];
    if (oldest !== undefined) this.#sets.delete(oldest);
    return bits;
  }

  /** Takes in what is known of one domain by now; null when the account does not have it. */
  patch(name: DomainName, row: DomainDetails | null): void {
    const known = this.#slots.get(name);
    const slot = known ?? this.columns.size;
    this.#sets.clear();
    if (known !== undefined) for (const order of Object.values(this.orders)) order.remove(slot);
    if (row) {
      this.columns.set(slot, row);
      this.#slots.set(name, slot);
      for (const order of Object.values(this.orders)) order.insert(slot);
    } else if (known !== undefined) {
      this.columns.clear(slot);
      this.#slots.delete(name);
    }
  }

  /** Whether it holds these very rows, and nothing was patched. */
  isOf(rows: readonly DomainDetails[]): boolean {
    const { columns } = this;
    return columns.size === rows.length && rows.every((row, slot) => columns.rows[slot] === row);
  }
}

/** Built in slices, so that requests are answered meanwhile. */
export async function buildIndex(
  rows: readonly DomainDetails[],
  clock: Pick<Clock, 'monotonicMs' | 'wait'>,
): Promise<DomainIndex> {
  const slices = createSlices(clock);
  const columns = new Columns(rows.length);
  const slots: Slots = new Map();
  for (const [slot, row] of rows.entries()) {
    columns.set(slot, row);
    slots.set(row.name, slot);
    if (slices.isOver()) await slices.next();
  }
  const ordered = (field: DomainOrderField) => SlotOrder.of(columns, field, slices);
  const orders = {
    NAME: await ordered('NAME'),
    EXPIRES_AT: await ordered('EXPIRES_AT'),
    REGISTERED_AT: await ordered('REGISTERED_AT'),
  };
  return new DomainIndex(columns, slots, orders, await NameSearch.of(columns, slices));
}
