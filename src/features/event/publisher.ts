import { WorkLoop, type WorkLoopOptions } from '../../kernel/work-loop.ts';
import type { EventStore } from './store.ts';

interface PublisherOptions extends WorkLoopOptions {
  readonly store: Pick<EventStore, 'beginReading' | 'publish'>;
  readonly account: string;
  readonly isEnabled: boolean;
}

/** Finds what another process has stored. */
const tickMs = 1_000;

/**
 * Adds the events of the outbox to the list, without a lease and without an upstream call. Each replica does it. An event that
 * another one has added is not stored again.
 */
export class Publisher {
  readonly #options: PublisherOptions;
  readonly #loop: WorkLoop;
  #hasBegun = false;

  constructor(options: PublisherOptions) {
    this.#options = options;
    this.#loop = new WorkLoop(options);
    if (!options.isEnabled) return;
    this.#loop.start(
      () => this.#poll(),
      () => tickMs,
    );
  }

  /** Must be called when a purchase has settled or a state has changed here: its event is stored at once. */
  wake(): void {
    this.#loop.wake();
  }

  close(): Promise<void> {
    return this.#loop.close();
  }

  async #poll(): Promise<number> {
    const { store, account, clock } = this.#options;
    if (!this.#hasBegun) await store.beginReading(account);
    this.#hasBegun = true;
    while (await store.publish(account, clock.now())) await clock.wait(0, this.#loop.signal);
    return tickMs;
  }
}
