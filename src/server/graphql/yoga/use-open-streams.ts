import type { Plugin } from 'graphql-yoga';

/** The open subscriptions, which the gateway completes before it stops. */
export class OpenStreams {
  readonly #open = new Set<AsyncIterable<unknown>>();

  add(stream: AsyncIterable<unknown>): void {
    this.#open.add(stream);
  }

  delete(stream: AsyncIterable<unknown>): void {
    this.#open.delete(stream);
  }

  /** Completes all of them, so that their clients receive the end. */
  async end(): Promise<void> {
    await Promise.all([...this.#open].map((stream) => stream[Symbol.asyncIterator]().return?.()));
  }
}

export const useOpenStreams = (streams: OpenStreams): Plugin => ({
  onSubscribe: () => ({
    onSubscribeResult({ result }) {
      if (!(Symbol.asyncIterator in result)) return undefined;
      streams.add(result);
      return { onEnd: () => streams.delete(result) };
    },
  }),
});
