import { LRUCache } from 'lru-cache';
import { notCached } from '../../../kernel/field-result.ts';
import { rawJson } from '../../../lib/raw-json.ts';
import type { DomainDetails } from '../../../upstream/domain-api/shapes.ts';

/** The rows that were decoded last: a page is decoded once. */
const maxDecoded = 1_000;

/** The memory grows in these steps. */
const stepBytes = 1 << 20;
/** Reserved addresses; the rows of the longest accepted reply need less. */
const maxBytes = 1 << 30;
/** Each row: the length of its text, its digest, its text. */
const lengthBytes = 4;
const digestBytes = 20;
const headBytes = lengthBytes + digestBytes;

/** Decodes a row from its stored members. */
export type ReadStored = (stored: unknown) => unknown;

/**
 * The rows of a list as the upstream sent them, each with the digest of its bytes. A row is decoded when it is read.
 *
 * They are bytes outside the JavaScript heap, because 100,000 objects there would prolong each garbage collection.
 */
export class StoredRows {
  readonly #read: ReadStored;
  readonly #decoded = new LRUCache<number, DomainDetails>({ max: maxDecoded });
  readonly #memory = new ArrayBuffer(0, { maxByteLength: maxBytes });
  #bytes = Buffer.from(this.#memory);
  #used = 0;
  #starts: Uint32Array;
  #length = 0;

  constructor(read: ReadStored, expectedLength: number) {
    this.#read = read;
    this.#starts = new Uint32Array(expectedLength);
  }

  get length(): number {
    return this.#length;
  }

  /** `digest` has a character for each of its 20 bytes. */
  add(stored: unknown, digest: string): void {
    const text = jsonOf(stored);
    const length = Buffer.byteLength(text);
    const start = this.#reserve(headBytes + length);
    this.#bytes.writeUInt32LE(length, start);
    this.#bytes.write(digest, start + lengthBytes, digestBytes, 'latin1');
    this.#bytes.write(text, start + headBytes, length, 'utf8');
  }

  /** Copies a row of another list. */
  addFrom(other: StoredRows, slot: number): void {
    const [from, to] = [other.#starts[slot] as number, other.#endAt(slot)];
    const start = this.#reserve(to - from);
    other.#bytes.copy(this.#bytes, start, from, to);
  }

  /** Whether the slot has a row with this digest. */
  matches(slot: number, digest: string): boolean {
    if (slot >= this.#length) return false;
    const start = (this.#starts[slot] as number) + lengthBytes;
    for (let at = 0; at < digestBytes; at += 1) {
      if (this.#bytes[start + at] !== digest.charCodeAt(at)) return false;
    }
    return true;
  }

  at(slot: number): DomainDetails {
    const decoded = this.#decoded.get(slot);
    if (decoded) return decoded;
    const start = (this.#starts[slot] as number) + headBytes;
    const stored = JSON.parse(this.#bytes.toString('utf8', start, this.#endAt(slot)));
    // The stored members exclude the auth code.
    const row = { ...(this.#read(stored) as DomainDetails), authCode: notCached };
    this.#decoded.set(slot, row);
    return row;
  }

  #endAt(slot: number): number {
    const start = this.#starts[slot] as number;
    return start + headBytes + this.#bytes.readUInt32LE(start);
  }

  /** The position of a new row of this size. */
  #reserve(bytes: number): number {
    const start = this.#used;
    if (start + bytes > this.#bytes.length) {
      this.#memory.resize(start + bytes + stepBytes);
      this.#bytes = Buffer.from(this.#memory);
    }
    if (this.#length === this.#starts.length) {
      const grown = new Uint32Array(2 * this.#length + 64);
      grown.set(this.#starts);
      this.#starts = grown;
    }
    this.#starts[this.#length] = start;
    this.#length += 1;
    this.#used += bytes;
    return start;
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
