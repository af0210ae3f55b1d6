/** A value that the first call creates, and later calls return until `reset`. */
export interface Lazy<T> {
  (): T;
  /** Whether the value was created. */
  readonly started: () => boolean;
  readonly reset: () => void;
}

export function lazy<T>(create: () => T): Lazy<T> {
  let created: { readonly value: T } | null = null;
  return Object.assign(
    () => {
      created ??= { value: create() };
      return created.value;
    },
    {
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
