import type { Clock } from './clock.ts';

/** Waits above the target for this long make a standing queue. */
const intervalMs = 500;
/** Shares of the budget. The part above `burst` is for execution, and for purchases that arrive later and go first. */
const shares = { target: 0.25, standing: 0.5, burst: 0.9 };

/**
 * How long a request may be expected to wait in a queue.
 *
 * Controlled delay (CoDel, RFC 8289): a burst may use nearly the whole budget. When no wait of an interval was below the
 * target, a quarter of the budget, the queue is a standing one, and half of the budget applies until a wait is below the
 * target again.
 */
export class QueueBudget {
  readonly #clock: Pick<Clock, 'monotonicMs'>;
  readonly #budgetMs: number;
  #aboveTargetSinceMs: number | null = null;

  constructor(clock: Pick<Clock, 'monotonicMs'>, budgetMs: number) {
    this.#clock = clock;
    this.#budgetMs = budgetMs;
  }

  /** Records the wait of a request that leaves the queue. */
  record(waitedMs: number): void {
    if (waitedMs < this.#budgetMs * shares.target) this.#aboveTargetSinceMs = null;
    else this.#aboveTargetSinceMs ??= this.#clock.monotonicMs();
  }

  /** The expected wait, in milliseconds, above which a request is refused now. */
  limitMs(): number {
    const sinceMs = this.#aboveTargetSinceMs;
    const isStanding = sinceMs !== null && this.#clock.monotonicMs() - sinceMs >= intervalMs;
    return this.#budgetMs * (isStanding ? shares.standing : shares.burst);
  }
}
