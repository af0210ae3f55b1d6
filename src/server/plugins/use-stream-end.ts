import type { Layer } from '../layer.ts';

/** Subscriptions that are open. */
export class OpenStreams {
  readonly #open = new Set<AsyncIterable<unknown>>();

  add(stream: AsyncIterable<unknown>): void {
    this.#open.add(stream);
  }

  delete(stream: AsyncIterable<unknown>): void {
    this.#open.delete(stream);
  }

  /** Completes all of them: their clients are told that nothing more comes. */
  async end(): Promise<void> {
    await Promise.all([...this.#open].map((stream) => stream[Symbol.asyncIterator]().return?.()));
  }
}

/** Knows which subscriptions are open, so that they can be completed before the gateway stops. */
export const useStreamEnd = (streams: OpenStreams): Layer => ({
  full: {
    onSubscribe: () => ({
      onSubscribeResult({ result }) {
        if (!(Symbol.asyncIterator in result)) return undefined;
        streams.add(result);
        return { onEnd: () => streams.delete(result) };
      },
    }),
  },
  plain: { none: 'a subscription goes the full way' },
});
