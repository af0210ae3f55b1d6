import { addAbortListener } from 'node:events';

/** A first-in, first-out queue of callers. */
export class WaitQueue {
  readonly #waiting = new Set<() => void>();

  get size(): number {
    return this.#waiting.size;
  }

  /** Resolves when `wakeNext` reaches this caller; rejects with the signal's reason when it aborts first. */
  async wait(signal: AbortSignal): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#waiting.add(resolve);
    using _listener = addAbortListener(signal, () => {
      this.#waiting.delete(resolve);
      reject(signal.reason);
    });
    await promise;
  }

  /** Removes the oldest caller and resolves its wait; false when the queue is empty. */
  wakeNext(): boolean {
    const [next] = this.#waiting;
    if (!next) return false;
    this.#waiting.delete(next);
    next();
    return true;
  }
}
