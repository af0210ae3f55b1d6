/**
 * What `make` makes of an object, made once. It stands at the object itself: what an old WeakMap holds is kept through each
 * collection of young objects, though its key is gone.
 */
export function onceOf<Key extends object, Made>(make: (key: Key) => Made): (key: Key) => Made {
  const made = Symbol('made');
  return (key: Key & { [made]?: Made }) => {
    key[made] ??= make(key);
    return key[made];
  };
}
