import type { Columns } from './columns.ts';
import type { DomainOrderField } from './order.ts';
import { type Slices, sortInSlices } from './slices.ts';

type Compare = (one: number, other: number) => number;

/** The slot at a place. */
export type SlotAt = (place: number) => number;

/** The dates of an order; null for that of names. */
export const datesOf = (columns: Columns, field: DomainOrderField): Float64Array | null =>
  field === 'NAME' ? null : field === 'EXPIRES_AT' ? columns.expires : columns.registered;

/** By name, or by a date with names to break ties; those without the date last. No two slots are equal. */
function comparing(columns: Columns, field: DomainOrderField): Compare {
  const { names } = columns;
  const byName: Compare = (one, other) => {
    const [name, against] = [names[one] as string, names[other] as string];
    if (name === against) return one - other;
    return name < against ? -1 : 1;
  };
  if (field === 'NAME') return byName;
  return (one, other) => {
    const dates = datesOf(columns, field) as Float64Array;
    const [date, against] = [dates[one] as number, dates[other] as number];
    if (date === against) return byName(one, other);
    if (Number.isNaN(date)) return Number.isNaN(against) ? byName(one, other) : 1;
    return date < against || Number.isNaN(against) ? -1 : 1;
  };
}

/** The slots in ascending order, stored so while single domains come, change and go. */
export class SlotOrder {
  #slots: Uint32Array;
  #size: number;
  readonly #columns: Columns;
  readonly #field: DomainOrderField;
  readonly #compare: Compare;

  private constructor(slots: Uint32Array, columns: Columns, field: DomainOrderField) {
    this.#slots = slots;
    this.#size = slots.length;
    this.#columns = columns;
    this.#field = field;
    this.#compare = comparing(columns, field);
  }

  /** `guess` has all slots, in any order: the nearer to the right one, the faster. */
  static async of(columns: Columns, field: DomainOrderField, slices: Slices, guess: Uint32Array) {
    const sorted = await sortInSlices(guess, comparing(columns, field), slices);
    return new SlotOrder(sorted, columns, field);
  }

  get size(): number {
    return this.#size;
  }

  /** As they stand now. */
  slots(): Uint32Array {
    return this.#slots.slice(0, this.#size);
  }

  /** To be called while the columns still hold what the slot was sorted by. */
  remove(slot: number): void {
    const at = this.#firstWhere((other) => this.#compare(other, slot) >= 0);
    this.#slots.copyWithin(at, at + 1, this.#size);
    this.#size -= 1;
  }

  insert(slot: number): void {
    if (this.#size === this.#slots.length) {
      const grown = new Uint32Array(this.#size + 64);
      grown.set(this.#slots);
      this.#slots = grown;
    }
    const at = this.#firstWhere((other) => this.#compare(other, slot) > 0);
    this.#slots.copyWithin(at + 1, at, this.#size);
    this.#slots[at] = slot;
    this.#size += 1;
  }

  /** The slot at a place of the order in one direction: those without a date are last in both. */
  reader(descending: boolean): SlotAt {
    return this.#read(this.#slots, this.#size, descending);
  }

  /** The same for some slots alone, which few are sorted for faster than they are looked for. */
  readerOf(few: Uint32Array, descending: boolean): SlotAt {
    return this.#read(few.toSorted(this.#compare), few.length, descending);
  }

  #read(slots: Uint32Array, size: number, descending: boolean): SlotAt {
    if (!descending) return (place) => slots[place] as number;
    const dates = datesOf(this.#columns, this.#field);
    const dated = dates
      ? firstPlace(size, (place) => Number.isNaN(dates[slots[place] as number]))
      : size;
    return (place) =>
      slots[place < dated ? dated - 1 - place : size - 1 - (place - dated)] as number;
  }

  #firstWhere(test: (slot: number) => boolean): number {
    return firstPlace(this.#size, (place) => test(this.#slots[place] as number));
  }
}

/** The first of so many places that passes a test which all later ones pass too; the number of places if none does. */
export function firstPlace(size: number, test: (place: number) => boolean): number {
  let [from, to] = [0, size];
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (test(middle)) to = middle;
    else from = middle + 1;
  }
  return from;
}
