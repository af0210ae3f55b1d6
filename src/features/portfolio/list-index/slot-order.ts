import type { Slices } from '../../../lib/slices.ts';
import type { Columns } from './columns.ts';
import type { DomainOrderField } from './types.ts';

type Compare = (one: number, other: number) => number;

const datesOf = (columns: Columns, field: DomainOrderField): readonly number[] | null =>
  ({ NAME: null, EXPIRES_AT: columns.expires.ms, REGISTERED_AT: columns.registered.ms })[field];

/** By name, or by a date with names to break ties; those without the date last. No two slots are equal. */
function comparing(columns: Columns, field: DomainOrderField): Compare {
  const { names } = columns;
  const dates = datesOf(columns, field);
  const byName: Compare = (one, other) => {
    const [name, against] = [names[one] as string, names[other] as string];
    if (name === against) return one - other;
    return name < against ? -1 : 1;
  };
  if (!dates) return byName;
  return (one, other) => {
    const [date, against] = [dates[one] as number, dates[other] as number];
    if (date === against) return byName(one, other);
    if (Number.isNaN(date)) return Number.isNaN(against) ? byName(one, other) : 1;
    return date < against || Number.isNaN(against) ? -1 : 1;
  };
}

export type SlotOrders = Readonly<Record<DomainOrderField, SlotOrder>>;

/** Sorts the slots in each order, without the replaced ones. */
export async function sortSlots(
  columns: Columns,
  replaced: ReadonlySet<number>,
  slices: Slices,
): Promise<SlotOrders> {
  const inOrderOf = async (field: DomainOrderField) => {
    const slots = new Uint32Array(columns.size - replaced.size);
    let at = 0;
    for (let slot = 0; slot < columns.size; slot += 1) if (!replaced.has(slot)) slots[at++] = slot;
    const compare = comparing(columns, field);
    const sorted = await sortInSlices(slots, compare, slices);
    return new SlotOrder(sorted, compare, datesOf(columns, field));
  };
  return {
    NAME: await inOrderOf('NAME'),
    EXPIRES_AT: await inOrderOf('EXPIRES_AT'),
    REGISTERED_AT: await inOrderOf('REGISTERED_AT'),
  };
}

/** The slots in ascending order, while single domains are added, changed and removed. */
class SlotOrder {
  readonly #slots: number[] = [];
  readonly #compare: Compare;
  readonly #dates: readonly number[] | null;

  constructor(slots: Uint32Array, compare: Compare, dates: readonly number[] | null) {
    for (let at = 0; at < slots.length; at += 1) this.#slots.push(slots[at] as number);
    this.#compare = compare;
    this.#dates = dates;
  }

  get size(): number {
    return this.#slots.length;
  }

  /** A copy, in one direction. */
  slots(descending: boolean): Uint32Array {
    const slotAt = this.reader(descending);
    return new Uint32Array(this.size).map((_none, place) => slotAt(place));
  }

  /** Call it while the columns still have the values by which the slot was sorted. */
  remove(slot: number): void {
    this.#slots.splice(this.#placeOf(slot), 1);
  }

  insert(slot: number): void {
    this.#slots.splice(this.#placeOf(slot), 0, slot);
  }

  /** The slot at a place of the order in one direction: those without a date are last in both. */
  reader(descending: boolean): (place: number) => number {
    const [slots, dates, size] = [this.#slots, this.#dates, this.size];
    if (!descending) return (place) => slots[place] as number;
    const dated = dates
      ? firstPlace(size, (place) => Number.isNaN(dates[slots[place] as number]))
      : size;
    return (place) =>
      slots[place < dated ? dated - 1 - place : size - 1 - (place - dated)] as number;
  }

  /** The place that the slot has, or would have. */
  #placeOf(slot: number): number {
    const slots = this.#slots;
    return firstPlace(slots.length, (at) => this.#compare(slots[at] as number, slot) >= 0);
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

/** Steps between two reads of the clock: about 10 µs. */
const stepsPerCheck = 64;

/** A merge sort whose slices leave the event loop to others. */
async function sortInSlices(
  slots: Uint32Array,
  compare: Compare,
  slices: Slices,
): Promise<Uint32Array> {
  if (slots.length <= stepsPerCheck) return slots.sort(compare);
  const middle = slots.length >>> 1;
  const left = await sortInSlices(slots.subarray(0, middle), compare, slices);
  const right = await sortInSlices(slots.subarray(middle), compare, slices);
  const merged = new Uint32Array(slots.length);
  let [leftAt, rightAt] = [0, 0];
  for (let at = 0; at < merged.length; at += 1) {
    const takesLeft =
      rightAt === right.length ||
      (leftAt < left.length && compare(left[leftAt] as number, right[rightAt] as number) < 0);
    merged[at] = (takesLeft ? left[leftAt] : right[rightAt]) as number;
    if (takesLeft) leftAt += 1;
    else rightAt += 1;
    if (at % stepsPerCheck === 0 && slices.isOver()) await slices.next();
  }
  return merged;
}
