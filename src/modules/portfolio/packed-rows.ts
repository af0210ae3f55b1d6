/** The buffer grows in these steps. */
const stepBytes = 1 << 20;
/** Addresses that are set aside; no reply is so long that its rows need more. */
const mostBytes = 1 << 30;
/** The length of the text, and the digest. */
const lengthBytes = 4;
const digestBytes = 20;
const headBytes = lengthBytes + digestBytes;

/**
 * Texts as bytes outside the heap of JavaScript, each with the digest of what it was made of. They are known by their
 * place. The memory is one piece that grows where it is, so that all of it goes back to the system in the end.
 */
export class PackedRows {
  readonly #memory = new ArrayBuffer(0, { maxByteLength: mostBytes });
  #bytes = Buffer.from(this.#memory);
  #used = 0;
  #starts: Uint32Array;
  #size = 0;

  constructor(size: number) {
    this.#starts = new Uint32Array(size);
  }

  get size(): number {
    return this.#size;
  }

  /** `digest` has a character for each of its 20 bytes. */
  add(digest: string, text: string): void {
    const length = Buffer.byteLength(text);
    const start = this.#reserve(headBytes + length);
    this.#bytes.writeUInt32LE(length, start);
    this.#bytes.write(digest, start + lengthBytes, digestBytes, 'latin1');
    this.#bytes.write(text, start + headBytes, length, 'utf8');
  }

  /** Copies a row of another buffer. */
  addFrom(other: PackedRows, place: number): void {
    const [start, end] = [other.#starts[place] as number, other.#endAt(place)];
    const at = this.#reserve(end - start);
    other.#bytes.copy(this.#bytes, at, start, end);
  }

  has(place: number, digest: string): boolean {
    const start = (this.#starts[place] as number) + lengthBytes;
    for (let at = 0; at < digestBytes; at += 1) {
      if (this.#bytes[start + at] !== digest.charCodeAt(at)) return false;
    }
    return true;
  }

  textAt(place: number): string {
    const start = (this.#starts[place] as number) + headBytes;
    return this.#bytes.toString('utf8', start, this.#endAt(place));
  }

  #endAt(place: number): number {
    const start = this.#starts[place] as number;
    return start + headBytes + this.#bytes.readUInt32LE(start);
  }

  /** The position of a new row of this size. */
  #reserve(bytes: number): number {
    const start = this.#used;
    if (start + bytes > this.#bytes.length) {
      this.#memory.resize(start + bytes + stepBytes);
      this.#bytes = Buffer.from(this.#memory);
    }
    if (this.#size === this.#starts.length) {
      const grown = new Uint32Array(2 * this.#size + 64);
      grown.set(this.#starts);
      this.#starts = grown;
    }
    this.#starts[this.#size] = start;
    this.#size += 1;
    this.#used += bytes;
    return start;
  }
}
