import type { Plugin } from 'graphql-yoga';

/** The open subscriptions. */
export class OpenStreams {
  readonly #open = new Set<AsyncIterable<unknown>>();

  readonly plugin: Plugin = {
    onSubscribe: () => ({
      onSubscribeResult: ({ result }) => {
        if (!(Symbol.asyncIterator in result)) return undefined;
        this.#open.add(result);
        return { onEnd: () => this.#open.delete(result) };
      },
    }),
  };

  /** Completes all of them before the gateway stops, so that their clients receive the end. */
  async end(): Promise<void> {
    await Promise.all([...this.#open].map((stream) => stream[Symbol.asyncIterator]().return?.()));
  }
}
