/** One bit for each slot: 12 KB for a hundred thousand. */
export type Bits = Uint32Array;

export const noBits = (size: number): Bits => new Uint32Array((size + 31) >>> 5);

export const hasBit = (bits: Bits, slot: number): boolean =>
  (((bits[slot >>> 5] as number) >>> (slot & 31)) & 1) === 1;

export function setBit(bits: Bits, slot: number): void {
  bits[slot >>> 5] = (bits[slot >>> 5] as number) | (1 << (slot & 31));
}

export function clearBit(bits: Bits, slot: number): void {
  bits[slot >>> 5] = (bits[slot >>> 5] as number) & ~(1 << (slot & 31));
}

/** Those whose code is 1 in `isKept`. */
export function bitsOfCodes(codes: Uint32Array, size: number, isKept: Uint8Array): Bits {
  const bits = noBits(size);
  for (let slot = 0; slot < size; slot += 1) {
    const word = slot >>> 5;
    const bit = isKept[codes[slot] as number] as number;
    bits[word] = (bits[word] as number) | (bit << (slot & 31));
  }
  return bits;
}

/** What all have in common. */
export function allOf([first, ...others]: readonly [Bits, ...Bits[]]): Bits {
  const bits = first.slice();
  for (const other of others) {
    for (let word = 0; word < bits.length; word += 1) {
      bits[word] = (bits[word] as number) & (other[word] as number);
    }
  }
  return bits;
}

/** Those of the one that are not in the other. */
export function without(bits: Bits, others: Bits): Bits {
  return bits.map((word, at) => word & ~(others[at] ?? 0));
}

/** Those of either. */
export function anyOf(bits: Bits, others: Bits): Bits {
  return bits.map((word, at) => word | (others[at] ?? 0));
}

export function countBits(bits: Bits): number {
  let count = 0;
  for (let word = 0; word < bits.length; word += 1) {
    let rest = bits[word] as number;
    rest -= (rest >>> 1) & 0x5555_5555;
    rest = (rest & 0x3333_3333) + ((rest >>> 2) & 0x3333_3333);
    count += Math.imul((rest + (rest >>> 4)) & 0x0f0f_0f0f, 0x0101_0101) >>> 24;
  }
  return count;
}

/** A loop with a callback, since a generator would take ten times as long. */
export function eachSlot(bits: Bits, visit: (slot: number) => void): void {
  for (let word = 0; word < bits.length; word += 1) {
    for (let rest = bits[word] as number; rest !== 0; rest &= rest - 1) {
      visit((word << 5) + 31 - Math.clz32(rest & -rest));
    }
  }
}

export function slotsIn(bits: Bits): Uint32Array {
  const slots: number[] = [];
  eachSlot(bits, (slot) => void slots.push(slot));
  return Uint32Array.from(slots);
}

/** How often each code stands at the slots of the bits. */
export function tally(bits: Bits, codes: Uint32Array, size: number): Uint32Array {
  const counts = new Uint32Array(size);
  // A loop of its own: with `eachSlot`, whose callbacks are many, it would take five times as long.
  for (let word = 0; word < bits.length; word += 1) {
    for (let rest = bits[word] as number; rest !== 0; rest &= rest - 1) {
      const code = codes[(word << 5) + 31 - Math.clz32(rest & -rest)] as number;
      counts[code] = (counts[code] as number) + 1;
    }
  }
  return counts;
}
