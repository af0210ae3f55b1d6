import { LRUCache } from 'lru-cache';
import type { DomainName } from '../../../kernel/domain-name.ts';
import type { DomainDetails } from '../../../upstream/domain-api/shapes.ts';
import { type Bits, noBits, setBit } from './bits.ts';
import type { Columns } from './columns.ts';
import type { DomainOrderField } from './portfolio-index.ts';
import { firstPlace, type SlotOrder } from './slot-order.ts';

/** Sets of single conditions that are cached, because clients request the pages of one filter in turn. */
const maxSets = 128;

/** The rows of a response by slot: `StoredRows`, or an array when the response was not read row by row. */
export interface ListRows {
  readonly length: number;
  at(slot: number): DomainDetails | undefined;
}

/** All names as one text, one per line: searching it is three times as fast as searching each name. */
export interface NameText {
  readonly text: string;
  /** By slot: the position of its name in the text. */
  readonly starts: Uint32Array;
}

interface Parts {
  readonly columns: Columns;
  readonly rows: ListRows;
  readonly orders: Readonly<Record<DomainOrderField, SlotOrder>>;
  readonly nameText: NameText;
}

/** The rows of one response, the structures that search and sort them, and later changes of single domains. */
export class IndexedList {
  readonly columns: Columns;
  readonly rows: ListRows;
  readonly orders: Parts['orders'];
  /** The changed slots; those beyond the rows are new domains. Null for a removed domain. */
  readonly changes = new Map<number, DomainDetails | null>();
  readonly #nameText: NameText;
  readonly #sets = new LRUCache<string, Bits>({ max: maxSets });

  constructor({ columns, rows, orders, nameText }: Parts) {
    this.columns = columns;
    this.rows = rows;
    this.orders = orders;
    this.#nameText = nameText;
  }

  get size(): number {
    return this.orders.NAME.size;
  }

  rowAt(slot: number): DomainDetails {
    return this.changes.get(slot) ?? (this.rows.at(slot) as DomainDetails);
  }

  /** The slot of a name; the last one when the list has the name several times. */
  slotOf(name: DomainName): number | undefined {
    const { names } = this.columns;
    const slotAt = this.orders.NAME.reader(false);
    const end = firstPlace(this.size, (place) => (names[slotAt(place)] as string) > name);
    const slot = end === 0 ? undefined : slotAt(end - 1);
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

  /** The domains whose ASCII or Unicode name contains the text. */
  withText(text: string): Bits {
    const { names, size, unicode } = this.columns;
    const { text: all, starts } = this.#nameText;
    const bits = noBits(size);
    // It would match across two lines.
    if (text.includes('\n')) return bits;
    const startOf = (slot: number) => starts[slot] ?? all.length;
    let next = 0;
    for (let at = all.indexOf(text); at !== -1; at = all.indexOf(text, startOf(next))) {
      while (startOf(next) <= at) next += 1;
      setBit(bits, next - 1);
    }
    // Domains that were added later.
    for (let slot = starts.length; slot < size; slot += 1) {
      if (names[slot]?.includes(text)) setBit(bits, slot);
    }
    for (const [slot, name] of unicode) if (name.includes(text)) setBit(bits, slot);
    return bits;
  }

  /** Replaces the row of one domain; null removes it. */
  change(name: DomainName, row: DomainDetails | null): void {
    this.#sets.clear();
    const slot = this.slotOf(name) ?? this.columns.size;
    for (let at = this.slotOf(name); at !== undefined; at = this.slotOf(name)) this.#remove(at);
    if (!row) return;
    this.columns.set(slot, row);
    this.changes.set(slot, row);
    for (const order of Object.values(this.orders)) order.insert(slot);
  }

  #remove(slot: number): void {
    for (const order of Object.values(this.orders)) order.remove(slot);
    this.columns.clear(slot);
    this.changes.set(slot, null);
  }
}
