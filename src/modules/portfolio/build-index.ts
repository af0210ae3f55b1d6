import type { Clock } from '../../lib/clock.ts';
import type { DomainDetails } from '../../upstream/domain-api/shapes.ts';
import { hasBit, noBits, setBit } from './bits.ts';
import { Columns } from './columns.ts';
import { DomainIndex, type ListRows } from './domain-index.ts';
import { NameSearch } from './name-search.ts';
import type { DomainOrderField } from './order.ts';
import { createSlices, type Slices } from './slices.ts';
import { datesOf, SlotOrder } from './slot-order.ts';

/** An earlier list, most of whose orders may still hold. */
interface Before {
  readonly index: DomainIndex;
  /** For each of its slots that in the new list; -1 for none. */
  readonly newSlots: Int32Array;
  /** Whether each slot of the new list has the name that it had. */
  readonly hasSameNames: boolean;
}

/** Built in slices, so that the event loop serves other requests. */
export async function buildIndex(
  rows: readonly DomainDetails[],
  clock: Pick<Clock, 'monotonicMs' | 'wait'>,
): Promise<DomainIndex> {
  const slices = createSlices(clock);
  const columns = new Columns(rows.length);
  for (const [slot, row] of rows.entries()) {
    columns.set(slot, row);
    if (slices.isOver()) await slices.next();
  }
  const list = { at: (slot: number) => rows[slot] as DomainDetails };
  return arrange(columns, list, slices, null);
}

/** Rows that have not changed are not sorted again. */
export async function arrange(
  columns: Columns,
  rows: ListRows,
  slices: Slices,
  before: Before | null,
): Promise<DomainIndex> {
  const ordered = async (field: DomainOrderField) =>
    SlotOrder.of(columns, field, slices, await guessOrder(columns, field, slices, before));
  const orders = {
    NAME: await ordered('NAME'),
    EXPIRES_AT: await ordered('EXPIRES_AT'),
    REGISTERED_AT: await ordered('REGISTERED_AT'),
  };
  const search = before?.hasSameNames
    ? before.index.search.over(columns)
    : await NameSearch.of(columns, slices);
  return new DomainIndex(columns, rows, orders, search);
}

/** All slots: first those with an unchanged date, in their old order, then the others. */
async function guessOrder(
  columns: Columns,
  field: DomainOrderField,
  slices: Slices,
  before: Before | null,
): Promise<Uint32Array> {
  const { size } = columns;
  const [guess, isPlaced] = [new Uint32Array(size), noBits(size)];
  let count = 0;
  const place = (slot: number) => {
    guess[count] = slot;
    count += 1;
    setBit(isPlaced, slot);
  };
  if (before) {
    const { index, newSlots } = before;
    const [dates, oldDates] = [datesOf(columns, field), datesOf(index.columns, field)];
    for (const old of index.orders[field].slots()) {
      const slot = newSlots[old] ?? -1;
      if (slot >= 0 && Object.is(dates?.[slot], oldDates?.[old])) place(slot);
      if (slices.isOver()) await slices.next();
    }
  }
  for (let slot = 0; slot < size; slot += 1) {
    if (!hasBit(isPlaced, slot)) place(slot);
    if (slices.isOver()) await slices.next();
  }
  return guess;
}
