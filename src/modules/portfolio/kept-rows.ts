import { notKept } from '../../kernel/leaf.ts';
import { rawJson } from '../../kernel/raw-json.ts';
import { Recent } from '../../kernel/recent.ts';
import type { DomainDetails } from '../../upstream/domain-api/shapes.ts';
import { PackedRows } from './packed-rows.ts';
import { RowForms } from './row-forms.ts';

/** Rows that were asked for last, so that pages which are turned back to cost nothing. */
const mostRecent = 1_000;

/** A domain as it may be kept: without its secret. */
export const keepRow = (row: DomainDetails): DomainDetails => ({ ...row, authCode: notKept });

/** Reads a row again from what was kept of it. */
export type ReadKept = (kept: unknown) => unknown;

/** The rows of a list as the service sent them, packed; one that is asked for is read again. */
export class KeptRows {
  readonly #packed: PackedRows;
  readonly #forms: RowForms;
  readonly #read: ReadKept;
  readonly #recent = new Recent<number, DomainDetails>(mostRecent);

  /** `known` are those of an earlier list, of which some may be added to these. */
  constructor(read: ReadKept, known: KeptRows | null) {
    this.#read = read;
    this.#packed = new PackedRows(known?.size ?? 0);
    this.#forms = known ? known.#forms : new RowForms();
  }

  get size(): number {
    return this.#packed.size;
  }

  add(kept: unknown, digest: string): void {
    this.#packed.add(digest, this.#forms.shorten(jsonOf(kept)));
  }

  addFrom(other: KeptRows, slot: number): void {
    this.#packed.addFrom(other.#packed, slot);
  }

  holds(slot: number): boolean {
    return slot < this.size;
  }

  has(slot: number, digest: string): boolean {
    return this.holds(slot) && this.#packed.has(slot, digest);
  }

  at(slot: number): DomainDetails {
    const known = this.#recent.get(slot);
    if (known) return known;
    const kept = JSON.parse(this.#forms.lengthen(this.#packed.textAt(slot)));
    const row = keepRow(this.#read(kept) as DomainDetails);
    this.#recent.set(slot, row);
    return row;
  }
}

/** JSON that is read as the same value again: a number too large for JavaScript stays one. */
function jsonOf(kept: unknown): string {
  const json = JSON.stringify(kept);
  return json.includes('null') ? JSON.stringify(kept, tooLarge) : json;
}

const tooLarge = (_name: string, value: unknown): unknown =>
  typeof value === 'number' && !Number.isFinite(value)
    ? rawJson(value < 0 ? '-1e999' : '1e999')
    : value;
