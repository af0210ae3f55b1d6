import { FixedBuffer, Repeater } from '@repeaterjs/repeater';
import { mostTlds } from '../../kernel/search-size.ts';
import { mostSuggestions } from './filter.ts';

/**
 * The items that `produce` pushes, as an asynchronous iterator. It starts with the first `next`. An error of `produce`
 * follows the items that were pushed before it.
 *
 * The signal that `produce` receives is aborted when `signal` is, and when the consumer leaves the iterator.
 */
export function createResultStream<T>(
  signal: AbortSignal,
  produce: (push: (item: T) => void, signal: AbortSignal) => Promise<void>,
): AsyncIterableIterator<T, undefined> {
  return new Repeater<T, undefined>(
    async (push, stop) => {
      const left = new AbortController();
      void stop.then(() => left.abort());
      const either = AbortSignal.any([signal, left.signal]);
      try {
        await produce((item) => void push(item), either);
      } catch (error) {
        if (!either.aborted) throw error;
      } finally {
        stop();
      }
    },
    // A slow consumer loses no result.
    new FixedBuffer(mostTlds + mostSuggestions + 1),
  );
}
