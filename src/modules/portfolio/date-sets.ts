import { type Bits, noBits, setBit } from './bits.ts';
import type { Columns } from './columns.ts';
import { firstPlace, type SlotOrder } from './slot-order.ts';

/** From one mark to the next so many places. */
const step = 4_096;

/**
 * Which domains expire between two dates: those that stand before the one place of their order, without those before the
 * other. What stands before every 4096th place is stored, 12 KB for each, so that few have to be gone through.
 */
export class DateSets {
  readonly #columns: Columns;
  readonly #order: SlotOrder;
  #marks: Bits[] = [];

  constructor(columns: Columns, order: SlotOrder) {
    this.#columns = columns;
    this.#order = order;
  }

  /** To be called when the order is another one. */
  forget(): void {
    this.#marks = [];
  }

  /** From one time on and before the other, in epoch milliseconds; those without a date are in none. */
  between(from: number, to: number): Bits {
    const { expires } = this.#columns;
    const slotAt = this.#order.reader(false);
    const placeOf = (ms: number) =>
      firstPlace(this.#order.size, (place) => !((expires[slotAt(place)] as number) < ms));
    const bits = this.#before(placeOf(to));
    const earlier = this.#before(placeOf(from));
    for (let word = 0; word < bits.length; word += 1) {
      bits[word] = (bits[word] as number) & ~(earlier[word] as number);
    }
    return bits;
  }

  #before(place: number): Bits {
    if (this.#marks.length === 0) this.#marks = this.#mark();
    const mark = Math.floor(place / step);
    const bits = (this.#marks[mark] as Bits).slice();
    this.#add(bits, mark * step, place);
    return bits;
  }

  #mark(): Bits[] {
    const bits = noBits(this.#columns.size);
    const marks = [bits.slice()];
    for (let end = step; end <= this.#order.size; end += step) {
      this.#add(bits, end - step, end);
      marks.push(bits.slice());
    }
    return marks;
  }

  #add(bits: Bits, from: number, to: number): void {
    const slotAt = this.#order.reader(false);
    for (let place = from; place < to; place += 1) setBit(bits, slotAt(place));
  }
}
