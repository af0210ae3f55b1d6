/** A set of slots: one bit for each, 12 KB for 100,000 domains. */
export type Bits = Uint32Array;

export const noBits = (size: number): Bits => new Uint32Array((size + 31) >>> 5);

export const hasBit = (bits: Bits, slot: number): boolean =>
  (((bits[slot >>> 5] as number) >>> (slot & 31)) & 1) === 1;

export function setBit(bits: Bits, slot: number): void {
  bits[slot >>> 5] = (bits[slot >>> 5] as number) | (1 << (slot & 31));
}

/** The intersection. */
export function allOf([first, ...others]: readonly [Bits, ...Bits[]]): Bits {
  const bits = first.slice();
  for (const other of others) {
    for (let word = 0; word < bits.length; word += 1) {
      bits[word] = (bits[word] as number) & (other[word] as number);
    }
  }
  return bits;
}

export const without = (bits: Bits, others: Bits): Bits =>
  bits.map((word, at) => word & ~(others[at] as number));

export const anyOf = (bits: Bits, others: Bits): Bits =>
  bits.map((word, at) => word | (others[at] as number));

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
