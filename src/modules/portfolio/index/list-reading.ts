import type { Clock } from '../../../lib/clock.ts';
import type { RowSink } from '../../../upstream/client/operation.ts';
import type { DomainDetails } from '../../../upstream/domain-api/shapes.ts';
import { hasBit, noBits, setBit } from './bits.ts';
import { Columns } from './columns.ts';
import { IndexedList, type ListRows, type NameText } from './indexed-list.ts';
import type { DomainOrderField } from './portfolio-index.ts';
import { createSlices, type Slices } from './slices.ts';
import { SlotOrder } from './slot-order.ts';
import { type ReadStored, StoredRows } from './stored-rows.ts';

/** The previous list, whose unchanged rows are copied. */
interface Previous {
  readonly list: IndexedList;
  readonly rows: StoredRows;
}

/**
 * Indexes a list while its rows arrive, in slices. As long as the rows equal those of the previous list, nothing is built; if
 * all do, the result is the previous list. The previous list is never changed.
 */
export class ListReading implements RowSink {
  readonly #previous: Previous | null;
  readonly #slices: Slices;
  #read: ReadStored = () => undefined;
  #draft: Draft | null = null;
  /** The slot of the previous list that the next row probably has. */
  #next = 0;

  constructor(previous: IndexedList | null, clock: Pick<Clock, 'monotonicMs' | 'wait'>) {
    const rows = previous?.rows;
    this.#previous = previous && rows instanceof StoredRows ? { list: previous, rows } : null;
    this.#slices = createSlices(clock);
  }

  begin(read: ReadStored): void {
    this.#read = read;
    this.#draft = null;
    this.#next = 0;
  }

  takeKnown(digest: string): boolean {
    if (!this.#previous?.rows.matches(this.#next, digest)) return false;
    this.#draft?.copy(this.#next);
    this.#next += 1;
    return true;
  }

  take(row: unknown, stored: unknown, digest: string): Promise<void> | void {
    const add = (draft: Draft) => {
      const slot = draft.add(row as DomainDetails, stored, digest);
      if (slot !== undefined) this.#next = slot + 1;
    };
    return this.#draft ? add(this.#draft) : this.#startDraft().then(add);
  }

  /** `rows` are those of a response that was not read row by row. */
  async end(rows: readonly DomainDetails[]): Promise<IndexedList> {
    if (rows.length > 0) return indexRows(rows, this.#slices);
    const isSame =
      !this.#draft &&
      this.#next === this.#previous?.rows.length &&
      this.#previous.list.changes.size === 0;
    if (isSame && this.#previous) return this.#previous.list;
    return (this.#draft ?? (await this.#startDraft())).end(this.#slices);
  }

  /** Begins with the rows so far, which equal those of the previous list. */
  async #startDraft(): Promise<Draft> {
    const draft = new Draft(this.#read, this.#previous);
    for (let slot = 0; slot < this.#next; slot += 1) {
      draft.copy(slot);
      if (this.#slices.isOver()) await this.#slices.next();
    }
    this.#draft = draft;
    return draft;
  }
}

/** A new list, until its last row has arrived. */
class Draft {
  readonly #previous: Previous | null;
  readonly #columns: Columns;
  readonly #rows: StoredRows;
  /** By slot of the previous list: its slot here; -1 for a row that is no longer in the list. */
  readonly #newSlots: Int32Array;

  constructor(read: ReadStored, previous: Previous | null) {
    const size = previous?.rows.length ?? 0;
    this.#previous = previous;
    this.#columns = new Columns(size);
    this.#rows = new StoredRows(read, size);
    this.#newSlots = new Int32Array(size).fill(-1);
  }

  /** Returns the slot that the domain has in the previous list. */
  add(row: DomainDetails, stored: unknown, digest: string): number | undefined {
    const slot = this.#rows.length;
    const found = this.#previous?.list.slotOf(row.name);
    const oldSlot = found !== undefined && found < this.#newSlots.length ? found : undefined;
    if (oldSlot !== undefined) this.#newSlots[oldSlot] = slot;
    this.#rows.add(stored, digest);
    // Both lists share the string of the name.
    const name = oldSlot === undefined ? row.name : this.#previous?.list.columns.names[oldSlot];
    this.#columns.set(slot, { ...row, name: name || row.name });
    return oldSlot;
  }

  /** Copies a row of the previous list. */
  copy(oldSlot: number): void {
    const { list, rows } = this.#previous as Previous;
    const slot = this.#rows.length;
    this.#newSlots[oldSlot] = slot;
    this.#rows.addFrom(rows, oldSlot);
    // A later change of the domain is not in the row that the upstream sent.
    if (list.changes.has(oldSlot)) this.#columns.set(slot, rows.at(oldSlot));
    else this.#columns.addFrom(list.columns, oldSlot);
  }

  end(slices: Slices): Promise<IndexedList> {
    const before = this.#previous && { list: this.#previous.list, newSlots: this.#newSlots };
    return buildList(this.#columns, this.#rows, slices, before);
  }
}

async function indexRows(rows: readonly DomainDetails[], slices: Slices): Promise<IndexedList> {
  const columns = new Columns(rows.length);
  for (const [slot, row] of rows.entries()) {
    columns.set(slot, row);
    if (slices.isOver()) await slices.next();
  }
  return buildList(columns, rows, slices, null);
}

/** A previous list, most of whose orders probably still apply. */
interface Before {
  readonly list: IndexedList;
  readonly newSlots: Int32Array;
}

async function buildList(
  columns: Columns,
  rows: ListRows,
  slices: Slices,
  before: Before | null,
): Promise<IndexedList> {
  const ordered = async (field: DomainOrderField) =>
    SlotOrder.of(columns, field, slices, await guessOrder(columns.size, field, slices, before));
  const orders = {
    NAME: await ordered('NAME'),
    EXPIRES_AT: await ordered('EXPIRES_AT'),
    REGISTERED_AT: await ordered('REGISTERED_AT'),
  };
  return new IndexedList({ columns, rows, orders, nameText: await joinNames(columns, slices) });
}

/** All slots: first the previous ones in their order, then the new ones. */
async function guessOrder(
  size: number,
  field: DomainOrderField,
  slices: Slices,
  before: Before | null,
): Promise<Uint32Array> {
  const [guess, isPlaced] = [new Uint32Array(size), noBits(size)];
  let count = 0;
  const place = (slot: number) => {
    guess[count] = slot;
    count += 1;
    setBit(isPlaced, slot);
  };
  for (const old of before?.list.orders[field].slots() ?? []) {
    const slot = before?.newSlots[old] ?? -1;
    if (slot >= 0) place(slot);
    if (slices.isOver()) await slices.next();
  }
  for (let slot = 0; slot < size; slot += 1) {
    if (!hasBit(isPlaced, slot)) place(slot);
    if (slices.isOver()) await slices.next();
  }
  return guess;
}

const namesPerJoin = 1_024;

async function joinNames({ names, size }: Columns, slices: Slices): Promise<NameText> {
  const starts = new Uint32Array(size);
  let length = 0;
  let text = '';
  for (let slot = 0; slot < size; slot += 1) {
    if (slot % namesPerJoin === 0) text += `${names.slice(slot, slot + namesPerJoin).join('\n')}\n`;
    starts[slot] = length;
    length += (names[slot] ?? '').length + 1;
    if (slices.isOver()) await slices.next();
  }
  return { text, starts };
}
