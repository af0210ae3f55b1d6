const chunkBytes = 1 << 20;
/** The length of the text, and the digest. */
const lengthBytes = 4;
const digestBytes = 20;
const headBytes = lengthBytes + digestBytes;

/** Texts as bytes outside the heap of JavaScript, each with the digest of what it was made of. They are known by their place. */
export class PackedRows {
  readonly #chunks: Buffer[] = [];
  /** How much of the last chunk is used. */
  #used = chunkBytes;
  /** Where each begins: the number of its chunk, and the place in it. */
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
    const bytes = Buffer.byteLength(text);
    const [chunk, start] = this.#room(headBytes + bytes);
    chunk.writeUInt32LE(bytes, start);
    chunk.write(digest, start + lengthBytes, digestBytes, 'latin1');
    chunk.write(text, start + headBytes, bytes, 'utf8');
  }

  /** Adds what stands in another at a place. */
  addFrom(other: PackedRows, place: number): void {
    const [chunk, start] = other.#find(place);
    const end = start + headBytes + chunk.readUInt32LE(start);
    const [target, at] = this.#room(end - start);
    chunk.copy(target, at, start, end);
  }

  has(place: number, digest: string): boolean {
    const [chunk, start] = this.#find(place);
    for (let at = 0; at < digestBytes; at += 1) {
      if (chunk[start + lengthBytes + at] !== digest.charCodeAt(at)) return false;
    }
    return true;
  }

  textAt(place: number): string {
    const [chunk, start] = this.#find(place);
    const from = start + headBytes;
    return chunk.toString('utf8', from, from + chunk.readUInt32LE(start));
  }

  #find(place: number): readonly [Buffer, number] {
    const start = this.#starts[place] as number;
    return [this.#chunks[Math.floor(start / chunkBytes)] as Buffer, start % chunkBytes];
  }

  /** Room behind the last one. What is longer than a chunk has one of its own. */
  #room(bytes: number): readonly [Buffer, number] {
    if (this.#used + bytes > chunkBytes) {
      this.#chunks.push(Buffer.allocUnsafeSlow(Math.max(bytes, chunkBytes)));
      this.#used = 0;
    }
    if (this.#size === this.#starts.length) {
      const grown = new Uint32Array(2 * this.#size + 64);
      grown.set(this.#starts);
      this.#starts = grown;
    }
    const start = this.#used;
    this.#starts[this.#size] = (this.#chunks.length - 1) * chunkBytes + start;
    this.#size += 1;
    this.#used += bytes;
    return [this.#chunks.at(-1) as Buffer, start];
  }
}
