import type { DomainName } from '../../kernel/domain-name.ts';
import { expiringStates } from '../../kernel/domain-state.ts';
import type { DomainDetails } from '../../upstream/domain-api/shapes.ts';
import { allOf, type Bits, bitsOfCodes } from './bits.ts';
import type { Columns } from './columns.ts';
import { DateSets } from './date-sets.ts';
import { type Choice, choose, type DomainFilter } from './filter.ts';
import type { NameSearch } from './name-search.ts';
import type { DomainOrderField } from './order.ts';
import { firstPlace, type SlotOrder } from './slot-order.ts';
import { StoredRows } from './stored-rows.ts';

/** Sets that filters are made of are stored, since pages are turned; a hundred thousand domains make 12 KB of one. */
const mostSets = 128;

type Orders = Readonly<Record<DomainOrderField, SlotOrder>>;

/** The domains of a list as it was sent, by slot. */
export interface ListRows {
  at(slot: number): DomainDetails;
}

/** Domains so arranged that a page, a filter or a count costs little more for a hundred thousand than for a thousand. */
export class DomainIndex {
  readonly columns: Columns;
  readonly orders: Orders;
  readonly search: NameSearch;
  readonly #rows: ListRows;
  readonly #patched = new Map<number, DomainDetails | null>();
  readonly #dates: DateSets;
  readonly #sets = new Map<string, Bits>();

  constructor(columns: Columns, rows: ListRows, orders: Orders, search: NameSearch) {
    this.columns = columns;
    this.orders = orders;
    this.search = search;
    this.#dates = new DateSets(columns, orders.EXPIRES_AT);
    this.#rows = rows;
  }

  get size(): number {
    return this.orders.NAME.size;
  }

  /** The rows as the upstream sent them; null when they are not stored. */
  get stored(): StoredRows | null {
    return this.#rows instanceof StoredRows ? this.#rows : null;
  }

  /** The slots whose domain is another than in the list, those behind its end too; null for one that has gone. */
  get patched(): ReadonlyMap<number, DomainDetails | null> {
    return this.#patched;
  }

  rowAt(slot: number): DomainDetails {
    return this.#patched.get(slot) ?? this.#rows.at(slot);
  }

  find(name: DomainName): DomainDetails | null {
    const slot = this.slotOf(name);
    return slot === undefined ? null : this.rowAt(slot);
  }

  /** The last one, where the list has the name several times. */
  slotOf(name: DomainName): number | undefined {
    const { names } = this.columns;
    const slotAt = this.orders.NAME.reader(false);
    const end = firstPlace(this.size, (place) => (names[slotAt(place)] as string) > name);
    const slot = end === 0 ? undefined : slotAt(end - 1);
    return slot !== undefined && names[slot] === name ? slot : undefined;
  }

  /** The domains that match at this time; without a filter all of them. */
  choose(filter: DomainFilter | null | undefined, now: Date): Choice {
    const { columns, search } = this;
    const remembered = (key: string, make: () => Bits) => this.#remember(key, make);
    const field = { columns, search, dates: this.#dates, remembered };
    return choose(field, filter ?? {}, () => this.expiredAt(now));
  }

  /** The domains that are EXPIRED at this time. What their status says does not change with time, so that is cached. */
  expiredAt(now: Date): Bits {
    const { codes, size, states } = this.columns;
    const mayExpire = this.#remember('may expire', () =>
      bitsOfCodes(
        codes.state,
        size,
        states.marked((state) => expiringStates.has(state)),
      ),
    );
    return allOf([mayExpire, this.#dates.between(-Infinity, now.getTime() + 1)]);
  }

  #remember(key: string, make: () => Bits): Bits {
    const known = this.#sets.get(key);
    // Least recently used sets are evicted first.
    if (known) this.#sets.delete(key);
    const bits = known ?? make();
    this.#sets.set(key, bits);
    const [oldest] = this.#sets.size > mostSets ? this.#sets.keys() : [];
    if (oldest !== undefined) this.#sets.delete(oldest);
    return bits;
  }

  /** Replaces the row of one domain; null removes it. */
  patch(name: DomainName, row: DomainDetails | null): void {
    this.#sets.clear();
    this.#dates.forget();
    const slot = this.slotOf(name) ?? this.columns.size;
    for (let at = this.slotOf(name); at !== undefined; at = this.slotOf(name)) this.#remove(at);
    if (!row) return;
    this.columns.set(slot, row);
    this.#patched.set(slot, row);
    for (const order of Object.values(this.orders)) order.insert(slot);
  }

  #remove(slot: number): void {
    for (const order of Object.values(this.orders)) order.remove(slot);
    this.columns.clear(slot);
    this.#patched.set(slot, null);
  }
}
