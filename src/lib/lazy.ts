/** A value that the first call creates, and later calls return until `reset`. */
export function lazy<T>(create: () => T) {
  let created: { readonly value: T } | null = null;
  return Object.assign(
    () => {
      created ??= { value: create() };
      return created.value;
    },
    {
      /** Whether the value was created. */
      started: () => created !== null,
      reset: () => {
        created = null;
      },
    },
  );
}

/**
 * Computes a value once per object, for as long as the object is in memory. A computation that reaches its own object again
 * gets `inCycle`.
 */
export function memoize<Key extends object, Value>(
  compute: (key: Key) => Value,
  inCycle?: Value,
): (key: Key) => Value {
  const values = new WeakMap<Key, Value>();
  return (key) => {
    const known = values.get(key);
    if (known !== undefined) return known;
    if (inCycle !== undefined) values.set(key, inCycle);
    const value = compute(key);
    values.set(key, value);
    return value;
  };
}

/** Counts the changes of cached data. A value that was built from it is valid while `current` is the same. */
export class CacheRevision {
  #current = 0;

  get current(): number {
    return this.#current;
  }

  increment(): void {
    this.#current += 1;
  }
}
