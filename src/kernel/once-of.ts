/**
 * What `make` makes of an object, made once. It stands at the object itself: what an old WeakMap holds is kept through each
 * collection of young objects, though its key is gone. Not for what is copied member by member, such as the nodes of a
 * document: the copy would have it too.
 */
export function onceOf<Key extends object, Made>(make: (key: Key) => Made): (key: Key) => Made {
  const made = Symbol('made');
  return (key: Key & { [made]?: Made }) => {
    key[made] ??= make(key);
    return key[made];
  };
}
