import type { DomainDetails } from '../../upstream/domain-api/shapes.ts';
import { arrange } from './build-index.ts';
import { Columns } from './columns.ts';
import type { DomainIndex } from './domain-index.ts';
import type { Slices } from './slices.ts';
import { type ReadStored, StoredRows } from './stored-rows.ts';

/** An earlier list, as it was sent. */
export interface KnownList {
  readonly index: DomainIndex;
  readonly rows: StoredRows;
}

/** A list that is still arriving. Domains whose rows an earlier list held just so are taken over from it. */
export class Draft {
  readonly #known: KnownList | null;
  readonly #columns: Columns;
  readonly #rows: StoredRows;
  readonly #newSlots: Int32Array;
  #hasSameNames = true;

  constructor(read: ReadStored, known: KnownList | null) {
    const size = known?.rows.size ?? 0;
    this.#known = known;
    this.#columns = new Columns(size);
    this.#rows = new StoredRows(read, known?.rows ?? null);
    this.#newSlots = new Int32Array(size).fill(-1);
  }

  /** `oldSlot` is the domain's own in the earlier list, if that has it. */
  add(row: DomainDetails, stored: unknown, digest: string, oldSlot: number | undefined): void {
    this.#enter(oldSlot);
    this.#rows.add(stored, digest);
    const name = oldSlot === undefined ? row.name : this.#known?.index.columns.names[oldSlot];
    // One text for the name in both lists, as long as both are there.
    this.#columns.set(this.#columns.size, { ...row, name: name || row.name });
  }

  addKnown(oldSlot: number): void {
    const { index, rows } = this.#known as KnownList;
    this.#enter(oldSlot);
    this.#rows.addFrom(rows, oldSlot);
    // What single domains were changed to since is not what the list says.
    if (index.patched.has(oldSlot)) this.#columns.set(this.#columns.size, rows.at(oldSlot));
    else this.#columns.addFrom(index.columns, oldSlot);
  }

  end(slices: Slices): Promise<DomainIndex> {
    const known = this.#known;
    const before = known && {
      index: known.index,
      newSlots: this.#newSlots,
      hasSameNames: this.#hasSameNames && this.#rows.size === known.rows.size,
    };
    return arrange(this.#columns, this.#rows, slices, before);
  }

  #enter(oldSlot: number | undefined): void {
    const slot = this.#rows.size;
    if (oldSlot !== slot) this.#hasSameNames = false;
    if (oldSlot !== undefined) this.#newSlots[oldSlot] = slot;
  }
}
