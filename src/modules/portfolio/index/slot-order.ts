import type { Columns } from './columns.ts';
import type { DomainOrderField } from './portfolio-index.ts';
import type { Slices } from './slices.ts';

type Compare = (one: number, other: number) => number;

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
    const dates = datesOf(columns, field);
    const [date, against] = [dates[one] as number, dates[other] as number];
    if (date === against) return byName(one, other);
    if (Number.isNaN(date)) return Number.isNaN(against) ? byName(one, other) : 1;
    return date < against || Number.isNaN(against) ? -1 : 1;
  };
}

/** The columns replace their arrays when they grow, so that these must be read each time. */
const datesOf = (columns: Columns, field: 'EXPIRES_AT' | 'REGISTERED_AT'): Float64Array =>
  field === 'EXPIRES_AT' ? columns.expires : columns.registered;

/** The slots in ascending order, while single domains are added, changed and removed. */
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

  /** `guess` has all slots in any order; the nearer it is to the result, the faster the sort. */
  static async of(columns: Columns, field: DomainOrderField, slices: Slices, guess: Uint32Array) {
    const sorted = await sortInSlices(guess, comparing(columns, field), slices);
    return new SlotOrder(sorted, columns, field);
  }

  get size(): number {
    return this.#size;
  }

  /** A copy. */
  slots(): Uint32Array {
    return this.#slots.slice(0, this.#size);
  }

  /** Call it while the columns still have the values by which the slot was sorted. */
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
  reader(descending: boolean): (place: number) => number {
    const [slots, size] = [this.#slots, this.#size];
    if (!descending) return (place) => slots[place] as number;
    const dates = this.#field === 'NAME' ? null : datesOf(this.#columns, this.#field);
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

/**
 * The first place below `size` that passes a test; `size` if none does. Every place after one that passes must pass too.
 */
export function firstPlace(size: number, test: (place: number) => boolean): number {
  let [from, to] = [0, size];
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (test(middle)) to = middle;
    else from = middle + 1;
  }
  return from;
}

const shortRun = 64;

/** A merge sort, stable, in slices. Parts that are already in order are only copied. */
async function sortInSlices(
  numbers: Uint32Array,
  compare: Compare,
  slices: Slices,
): Promise<Uint32Array> {
  let [from, to] = [numbers.slice(), new Uint32Array(numbers.length)];
  for (let at = 0; at < from.length; at += shortRun) {
    const run = from.subarray(at, at + shortRun);
    if (!isInOrder(run, compare)) run.sort(compare);
    for (let step = 0; step < shortRun; step += 1) if (slices.isOver()) await slices.next();
  }
  for (let width = shortRun; width < from.length; width *= 2) {
    for (let start = 0; start < from.length; start += 2 * width) {
      const middle = Math.min(start + width, from.length);
      const end = Math.min(start + 2 * width, from.length);
      if (middle >= end || compare(from[middle - 1] as number, from[middle] as number) <= 0) {
        to.set(from.subarray(start, end), start);
        continue;
      }
      let [left, right] = [start, middle];
      for (let at = start; at < end; at += 1) {
        const takesLeft =
          left < middle &&
          (right >= end || compare(from[left] as number, from[right] as number) <= 0);
        to[at] = from[takesLeft ? left : right] as number;
        if (takesLeft) left += 1;
        else right += 1;
        if (slices.isOver()) await slices.next();
      }
    }
    [from, to] = [to, from];
  }
  return from;
}

function isInOrder(run: Uint32Array, compare: Compare): boolean {
  for (let at = 1; at < run.length; at += 1) {
    if (compare(run[at - 1] as number, run[at] as number) > 0) return false;
  }
  return true;
}
