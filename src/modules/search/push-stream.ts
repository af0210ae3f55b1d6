const over = { done: true, value: undefined } as const;

/**
 * What `produce` pushes, item by item, as an iterator; its failure is the iterator's, after all that was pushed before.
 *
 * It begins with the first `next`. `signal`, and whoever leaves the iterator, aborts what `produce` was given.
 */
export function createPushStream<T>(
  signal: AbortSignal,
  produce: (push: (item: T) => void, signal: AbortSignal) => Promise<void>,
): AsyncIterableIterator<T, undefined> {
  const leaving = new AbortController();
  const stop = AbortSignal.any([signal, leaving.signal]);
  const items: T[] = [];
  let isBegun = false;
  let ending: { readonly error?: unknown } | null = null;
  let wake = Promise.withResolvers<void>();

  const push = (item: T) => {
    items.push(item);
    wake.resolve();
  };
  const end = (how: { readonly error?: unknown }) => {
    ending ??= how;
    wake.resolve();
  };
  const begin = () => {
    isBegun = true;
    void produce(push, stop).then(
      () => end({}),
      (error: unknown) => end(stop.aborted ? {} : { error }),
    );
  };
  const next = async (): Promise<IteratorResult<T, undefined>> => {
    if (!isBegun) begin();
    for (;;) {
      const item = items.shift();
      if (item !== undefined) return { done: false, value: item };
      if (ending) {
        const { error } = ending;
        ending = {};
        if (error !== undefined) throw error;
        return over;
      }
      await wake.promise;
      wake = Promise.withResolvers();
    }
  };

  return {
    next,
    // Not a generator: that would answer to nobody's leaving while it waits.
    async return() {
      isBegun = true;
      items.length = 0;
      end({});
      leaving.abort();
      return over;
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
