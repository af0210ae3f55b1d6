import { LRUCache } from 'lru-cache';

/** A cache of the entries that were used last. With "max" `LRUCache` would allocate memory for all of them at once. */
export const createLru = <Key extends string | number, Value extends NonNullable<unknown>>(
  maxEntries: number,
) => new LRUCache<Key, Value>({ maxSize: maxEntries, sizeCalculation: () => 1 });
