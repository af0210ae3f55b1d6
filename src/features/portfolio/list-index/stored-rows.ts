import { notCached } from '../../../kernel/faults.ts';
import { createLru } from '../../../lib/lru.ts';
import type { DomainDetails } from '../../../upstream/domain-api/shapes.ts';

/** The rows that were decoded last: a page is decoded once. */
const maxDecoded = 1_000;

/** The memory grows in these steps. */
const stepBytes = 1 << 20;
/** Reserved addresses; the rows of the longest accepted reply need less. */
const maxBytes = 1 << 30;

export type ReadStored = (stored: unknown) => unknown;

/**
 * The rows of a list as JSON, as the upstream sent them. A row is decoded when it is read.
 *
 * They are bytes outside the JavaScript heap, because 100,000 objects there would prolong each garbage collection.
 */
export class StoredRows {
  readonly #read: ReadStored;
  readonly #decoded = createLru<number, DomainDetails>(maxDecoded);
  readonly #memory = new ArrayBuffer(0, { maxByteLength: maxBytes });
  #bytes = Buffer.from(this.#memory);
  /** By slot: where its row begins. The last one is the end of all rows. */
  readonly #starts = [0];

  constructor(read: ReadStored) {
    this.#read = read;
  }

  add(stored: unknown): void {
    this.#append(JSON.stringify(stored));
  }

  addFrom(other: StoredRows, slot: number): void {
    this.#append(other.#textAt(slot));
  }

  #append(text: string): void {
    const start = this.#starts.at(-1) as number;
    const end = start + Buffer.byteLength(text);
    if (end > this.#bytes.length) {
      this.#memory.resize(end + stepBytes);
      this.#bytes = Buffer.from(this.#memory);
    }
    this.#bytes.write(text, start);
    this.#starts.push(end);
  }

  at(slot: number): DomainDetails {
    const decoded = this.#decoded.get(slot);
    if (decoded) return decoded;
    const row = this.decode(slot);
    this.#decoded.set(slot, row);
    return row;
  }

  /** The same without the cache, for a reader of all rows. */
  decode(slot: number): DomainDetails {
    // The stored members exclude the auth code.
    const members: unknown = JSON.parse(this.#textAt(slot));
    return { ...(this.#read(members) as DomainDetails), authCode: notCached };
  }

  #textAt(slot: number): string {
    return this.#bytes.toString('utf8', this.#starts[slot], this.#starts[slot + 1]);
  }
}
