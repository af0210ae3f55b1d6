import { hash } from 'node:crypto';
import type { BodyReader } from './classify.ts';

/** The last body of an action with what was read from it. */
interface LastBody {
  readonly bytes: Buffer;
  readonly read: Awaited<ReturnType<BodyReader['end']>>;
}

/** A longer body is read each time, which bounds the memory. A list of 1,000 domains has half a megabyte. */
const maxBytes = 1024 * 1024;

/** An auth code, which stays in memory for no longer than its request. */
const authCode = /"AuthCode"\s*:\s*(?!"")[^\s,}n]/i;

/** Bodies of one action. One that equals the last one is not read again, and has its rows. */
export class RepeatedBodies {
  #last: LastBody | null = null;
  #secretDigest = '';

  /** `secret` is redacted from the rows, so that rows are used with the same one only. */
  reader(reader: BodyReader, secret: string): BodyReader {
    const digest = hash('sha256', secret);
    if (digest !== this.#secretDigest) this.#last = null;
    this.#secretDigest = digest;
    return new RepeatedReader(reader, this.#last, (last) => {
      if (digest === this.#secretDigest) this.#last = last;
    });
  }
}

class RepeatedReader implements BodyReader {
  readonly maxBytes: number;
  readonly #reader: BodyReader;
  readonly #last: LastBody | null;
  readonly #store: (last: LastBody) => void;
  /** Bytes that were equal so far; null from the first difference on. */
  #equal: number | null = 0;
  #chunks: Buffer[] = [];
  #length = 0;

  constructor(reader: BodyReader, last: LastBody | null, store: (last: LastBody) => void) {
    this.maxBytes = reader.maxBytes;
    this.#reader = reader;
    this.#last = last;
    this.#store = store;
  }

  take(chunk: Buffer): Promise<void> | void {
    if (this.#equal === null) return this.#takeNew(chunk);
    const begin = this.#last?.bytes.subarray(0, this.#equal);
    const end = this.#equal + chunk.length;
    if (this.#last?.bytes.subarray(this.#equal, end).equals(chunk)) {
      this.#equal = end;
      return undefined;
    }
    this.#equal = null;
    return begin?.length ? this.#takeBoth(begin, chunk) : this.#takeNew(chunk);
  }

  async end(): Promise<LastBody['read']> {
    const last = this.#last;
    if (last && this.#equal === last.bytes.length) return last.read;
    if (last && this.#equal) await this.#takeNew(last.bytes.subarray(0, this.#equal));
    const read = await this.#reader.end();
    if (this.#length > maxBytes) return read;
    const bytes = Buffer.concat(this.#chunks);
    if (!authCode.test(bytes.toString('latin1'))) this.#store({ bytes, read });
    return read;
  }

  async #takeBoth(begin: Buffer, chunk: Buffer): Promise<void> {
    await this.#takeNew(begin);
    await this.#takeNew(chunk);
  }

  #takeNew(chunk: Buffer): Promise<void> | void {
    this.#length += chunk.length;
    if (this.#length <= maxBytes) this.#chunks.push(chunk);
    else this.#chunks = [];
    return this.#reader.take(chunk);
  }
}
