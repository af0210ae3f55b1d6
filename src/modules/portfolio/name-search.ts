import { type Bits, noBits, setBit } from './bits.ts';
import type { Columns } from './columns.ts';
import type { Slices } from './slices.ts';

const letters = 'abcdefghijklmnopqrstuvwxyz0123456789-.';
const letterCount = letters.length;
const pieceCount = letterCount + letterCount * letterCount;
/** By character code: the number of a letter that a name may hold; -1 for all others. */
const letterOf = Int8Array.from({ length: 128 }, (_, code) =>
  letters.indexOf(String.fromCharCode(code)),
);

/**
 * Which names hold which single letters and which pairs of neighbouring ones: 27 numbers for a name of usual length.
 *
 * A text of one or two letters is answered by that alone; of a longer one its two rarest pairs tell which names to look at.
 */
export class NameSearch {
  readonly #columns: Columns;
  /** Where the slots of each piece begin in `#slots`. */
  readonly #starts: Uint32Array;
  readonly #slots: Uint32Array;
  /** Later slots came in afterwards, and are looked at one by one. */
  readonly #size: number;

  private constructor(columns: Columns, starts: Uint32Array, slots: Uint32Array) {
    this.#columns = columns;
    this.#starts = starts;
    this.#slots = slots;
    this.#size = columns.size;
  }

  /** The same for columns that hold the names which these began with. */
  over(columns: Columns): NameSearch {
    return new NameSearch(columns, this.#starts, this.#slots);
  }

  static async of(columns: Columns, slices: Slices): Promise<NameSearch> {
    /** Calls back for each piece of each name once. */
    const eachPiece = async (visit: (piece: number, slot: number) => void) => {
      const last = new Int32Array(pieceCount).fill(-1);
      for (let slot = 0; slot < columns.size; slot += 1) {
        for (const piece of piecesOf(columns.names[slot] ?? '') ?? []) {
          if (last[piece] === slot) continue;
          last[piece] = slot;
          visit(piece, slot);
          if (slices.isOver()) await slices.next();
        }
      }
    };
    const starts = new Uint32Array(pieceCount + 1);
    await eachPiece((piece) => {
      starts[piece + 1] = (starts[piece + 1] as number) + 1;
    });
    for (let piece = 0; piece < pieceCount; piece += 1) {
      starts[piece + 1] = (starts[piece + 1] as number) + (starts[piece] as number);
    }
    const slots = new Uint32Array(starts[pieceCount] as number);
    const next = starts.slice();
    await eachPiece((piece, slot) => {
      const at = next[piece] as number;
      slots[at] = slot;
      next[piece] = at + 1;
    });
    return new NameSearch(columns, starts, slots);
  }

  /** The names that hold the text, in ASCII or as they are read. */
  find(text: string): Bits {
    const { names, size, unicode } = this.#columns;
    const bits = noBits(size);
    const isHeld = (slot: number) => names[slot]?.includes(text) ?? false;
    const slots = this.#candidates(text);
    const isExact = text.length <= 2;
    for (let at = 0; at < slots.length; at += 1) {
      const slot = slots[at] as number;
      if (isExact || isHeld(slot)) setBit(bits, slot);
    }
    for (let slot = this.#size; slot < size; slot += 1) if (isHeld(slot)) setBit(bits, slot);
    for (const [slot, name] of unicode) if (name.includes(text)) setBit(bits, slot);
    return bits;
  }

  #candidates(text: string): Uint32Array {
    const pieces = piecesOf(text);
    if (pieces === null) return new Uint32Array();
    const single = text.length === 1;
    const [rarest = new Uint32Array(), next] = pieces
      .filter((piece) => single || piece >= letterCount)
      .map((piece) => this.#slots.subarray(this.#starts[piece], this.#starts[piece + 1]))
      .sort((one, other) => one.length - other.length);
    return next ? common(rarest, next) : rarest;
  }
}

/** The intersection of two lists in ascending order. */
function common(one: Uint32Array, other: Uint32Array): Uint32Array {
  const found = new Uint32Array(one.length);
  let count = 0;
  for (let at = 0, against = 0; at < one.length && against < other.length; ) {
    const [slot, rival] = [one[at] as number, other[against] as number];
    if (slot === rival) {
      found[count] = slot;
      count += 1;
    }
    if (slot <= rival) at += 1;
    if (rival <= slot) against += 1;
  }
  return found.subarray(0, count);
}

/** Letters and pairs of a text; null when no name holds one of its characters. */
function piecesOf(text: string): number[] | null {
  const pieces: number[] = [];
  for (let at = 0, before = -1; at < text.length; at += 1) {
    const letter = letterOf[text.charCodeAt(at)] ?? -1;
    if (letter < 0) return null;
    pieces.push(letter);
    if (before >= 0) pieces.push(letterCount + before * letterCount + letter);
    before = letter;
  }
  return pieces;
}
