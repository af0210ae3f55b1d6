import type { Clock } from '../lib/clock.ts';
import { createPause } from '../lib/pause.ts';
import { Fault } from './faults.ts';

export interface WorkLoopOptions {
  readonly clock: Clock;
  readonly onError: (error: unknown) => void;
}

/** Polls for work, at intervals and when it is woken. */
export class WorkLoop {
  readonly #onError: WorkLoopOptions['onError'];
  readonly #closing = new AbortController();
  /** Aborts when the loop closes. */
  readonly signal = this.#closing.signal;
  readonly #pause: ReturnType<typeof createPause>;
  #running: Promise<void> = Promise.resolve();

  constructor({ clock, onError }: WorkLoopOptions) {
    this.#onError = onError;
    this.#pause = createPause(clock, this.signal);
  }

  /** `poll` returns the milliseconds until the next poll, and `retryMs` those after a poll that failed. */
  start(poll: () => Promise<number>, retryMs: () => number): void {
    const run = async () => {
      while (!this.signal.aborted) {
        this.#pause.begin();
        const waitMs = await poll().catch((error: unknown) => {
          if (!this.signal.aborted) this.report(error);
          return retryMs();
        });
        await this.#pause.wait(waitMs);
      }
    };
    this.#running = run().catch(() => undefined);
  }

  /** Polls now. */
  wake(): void {
    this.#pause.wake();
  }

  /** Reports an error of the work. After a fault the journal or the upstream may become available again. */
  report(error: unknown): void {
    if (!(error instanceof Fault)) this.#onError(error);
  }

  /** `endWork` ends the work between two polls. */
  async close(endWork?: () => Promise<void>): Promise<void> {
    this.#closing.abort();
    await this.#running;
    await endWork?.();
  }
}
