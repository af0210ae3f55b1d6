/** Random numbers from a seed: equal seeds give equal numbers. */
export interface Random {
  /** At least 0, less than 1. */
  fraction(): number;
  /** At least `from`, less than `to`. */
  between(from: number, to: number): number;
  /** One of 0 … `count` - 1. */
  index(count: number): number;
  chance(probability: number): boolean;
  pick<T>(list: readonly T[]): T;
  /** A name of the table, with a probability by its weight. */
  weighted<Name extends string>(weights: Readonly<Partial<Record<Name, number>>>): Name;
}

/** sfc32, its state spread from the seed by splitmix32. */
export function createRandom(seed: number): Random {
  let [a, b, c, counter] = spread(seed);
  const fraction = () => {
    const sum = (a + b + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = ((c << 21) | (c >>> 11)) + sum;
    return (sum >>> 0) / 4_294_967_296;
  };
  for (let round = 0; round < 12; round += 1) fraction();

  const index = (count: number) => Math.floor(fraction() * count);
  return {
    fraction,
    between: (from, to) => from + fraction() * (to - from),
    index,
    chance: (probability) => fraction() < probability,
    pick<T>(list: readonly T[]) {
      return list[index(list.length)] as T;
    },
    weighted<Name extends string>(weights: Readonly<Partial<Record<Name, number>>>) {
      const entries = Object.entries(weights) as [Name, number][];
      let left = fraction() * entries.reduce((sum, [, weight]) => sum + weight, 0);
      for (const [name, weight] of entries) {
        left -= weight;
        if (left < 0) return name;
      }
      return entries[0]?.[0] as Name;
    },
  };
}

function spread(seed: number): [number, number, number, number] {
  let state = seed | 0;
  const next = () => {
    state = (state + 0x9e3779b9) | 0;
    let mixed = state ^ (state >>> 16);
    mixed = Math.imul(mixed, 0x21f0aaad);
    mixed ^= mixed >>> 15;
    mixed = Math.imul(mixed, 0x735a2d97);
    return mixed ^ (mixed >>> 15);
  };
  return [next(), next(), next(), 1];
}
