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
