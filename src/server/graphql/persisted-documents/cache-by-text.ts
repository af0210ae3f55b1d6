import { LRUCache } from 'lru-cache';

const maxDocuments = 1_000;
/** Longer texts are not cached, which bounds the memory. */
const maxLength = 20_000;

/** A cache of values by the text of their document. */
export function cachedByText<Value extends NonNullable<unknown>>() {
  const values = new LRUCache<string, Value>({ max: maxDocuments });
  return {
    get: (text: string): Value | undefined => values.get(text),
    set(text: string, value: Value): void {
      if (text.length <= maxLength) values.set(text, value);
    },
  };
}
