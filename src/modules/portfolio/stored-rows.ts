import { LRUCache } from 'lru-cache';
import { notCached } from '../../kernel/field-result.ts';
import { rawJson } from '../../lib/raw-json.ts';
import type { DomainDetails } from '../../upstream/domain-api/shapes.ts';
import { PackedRows } from './packed-rows.ts';
import { RowForms } from './row-forms.ts';

/** The rows that were read last, so that a page is decoded once. */
const maxRecent = 1_000;

/** A domain as it is stored: without the auth code. */
export const withoutSecret = (row: DomainDetails): DomainDetails => ({
  ...row,
  authCode: notCached,
});

/** Decodes a row from its stored members. */
export type ReadStored = (stored: unknown) => unknown;

/** The rows of a list as the upstream sent them, packed. A row is decoded when it is read. */
export class StoredRows {
  readonly #packed: PackedRows;
  readonly #forms: RowForms;
  readonly #read: ReadStored;
  readonly #recent = new LRUCache<number, DomainDetails>({ max: maxRecent });

  /** `known` are the rows of an earlier list; unchanged rows are copied from it. */
  constructor(read: ReadStored, known: StoredRows | null) {
    this.#read = read;
    this.#packed = new PackedRows(known?.size ?? 0);
    this.#forms = known ? known.#forms : new RowForms();
  }

  get size(): number {
    return this.#packed.size;
  }

  add(stored: unknown, digest: string): void {
    this.#packed.add(digest, this.#forms.shorten(jsonOf(stored)));
  }

  addFrom(other: StoredRows, slot: number): void {
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
    const stored = JSON.parse(this.#forms.lengthen(this.#packed.textAt(slot)));
    const row = withoutSecret(this.#read(stored) as DomainDetails);
    this.#recent.set(slot, row);
    return row;
  }
}

/** JSON that parses to the same value, also with a number that is too large for JavaScript. */
function jsonOf(stored: unknown): string {
  const json = JSON.stringify(stored);
  return json.includes('null') ? JSON.stringify(stored, tooLarge) : json;
}

const tooLarge = (_name: string, value: unknown): unknown =>
  typeof value === 'number' && !Number.isFinite(value)
    ? rawJson(value < 0 ? '-1e999' : '1e999')
    : value;
