import DataLoader from 'dataloader';
import { GraphQLError } from 'graphql';

/** What one execution sees and does. */
export interface World {
  readonly seed: number;
  /** Probability of each kind of failure, at each value. */
  readonly failureRate: number;
  readonly loader: DataLoader<number, number>;
  /** Calls of resolvers, of type resolvers and of the loader, in their order. */
  readonly log: string[];
}

export function createWorld(seed: number, failureRate: number): World {
  const log: string[] = [];
  const batch = async (keys: readonly number[]) => {
    log.push(`batch ${keys.join()}`);
    return keys.map((key) => key * 2);
  };
  return { seed, failureRate, log, loader: new DataLoader(batch, { cache: false }) };
}

export type Random = () => number;

export function randomOf({ seed }: World, key: string): Random {
  let state = seed;
  for (const character of key) {
    state = Math.imul(state ^ character.charCodeAt(0), 0x01_00_01_93);
    state ^= state >>> 15;
  }
  return () => {
    state = Math.imul(state ^ (state >>> 16), 0x45_d9_f3_b) + 0x9e_37_79;
    state ^= state >>> 13;
    return (state >>> 0) / 0x1_00_00_00_00;
  };
}

export const pick = <T>(random: Random, values: readonly T[]): T =>
  values[Math.floor(random() * values.length)] as T;

const failureAt = (key: string, random: Random): unknown =>
  pick<() => unknown>(random, [
    () => new Error(`failed at ${key}`),
    () => new Error(`failed at ${key}`),
    () => `text thrown at ${key}`,
    () => new GraphQLError('with extensions', { extensions: { key } }),
    () => new GraphQLError('with a path', { path: ['elsewhere'] }),
  ])();

/** Some turns of the microtask queue later. */
async function later<T>(turns: number, make: () => T): Promise<T> {
  for (let turn = 0; turn < turns; turn += 1) await null;
  return make();
}

/** A value, a failure, or a promise of one. */
export function outcome(
  world: World,
  key: string,
  random: Random,
  value: (random: Random) => unknown,
) {
  const { failureRate } = world;
  const drawn = random();
  const fail = (): never => {
    throw failureAt(key, random);
  };
  if (drawn < failureRate) return fail();
  if (drawn < failureRate * 2) return new Error(`a value at ${key}`);
  const turns = Math.floor(random() * 4);
  if (drawn < failureRate * 3) return later(turns, fail);
  if (drawn < 0.4) return later(turns, () => value(random));
  return value(random);
}

/** Like `outcome`, but an error is a rejection. */
export const item = (
  world: World,
  key: string,
  random: Random,
  value: (random: Random) => unknown,
) => {
  try {
    return outcome(world, key, random, value);
  } catch (error) {
    return Promise.reject(error);
  }
};
