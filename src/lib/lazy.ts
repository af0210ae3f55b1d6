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

/** Computes a value once per object, for as long as the object is in memory. */
export function memoize<Key extends object, Value extends object>(
  compute: (key: Key) => Value,
): (key: Key) => Value {
  const values = new WeakMap<Key, Value>();
  return (key) => {
    const known = values.get(key);
    if (known) return known;
    const value = compute(key);
    values.set(key, value);
    return value;
  };
}
