import type { Clock } from '../kernel/clock.ts';
import { QueueBudget } from '../kernel/queue-budget.ts';

export interface RequestQueueOptions {
  readonly clock: Pick<Clock, 'monotonicMs' | 'wait'>;
  /** A request is refused when its expected wait is longer. */
  readonly budgetMs: number;
}

interface Waiting {
  readonly sinceMs: number;
  readonly start: () => void;
}

/** Few, so that new requests and upstream replies take turns. */
const startsPerTurn = 4;
/** The weight of the last turn in the smoothed length of a turn. */
const lastTurnWeight = 0.05;

/**
 * The queue in front of execution. It protects the event loop: at most four operations start in one turn of it, so work
 * that exceeds the CPU waits here, where its wait is known, and not in every operation that has begun.
 *
 * The expected wait follows Little's law: queue depth × smoothed length of a turn ÷ starts per turn. Purchases and
 * questions about purchases start first, and only those of their kind count as ahead of them.
 */
export class RequestQueue {
  readonly #clock: RequestQueueOptions['clock'];
  readonly #budget: QueueBudget;
  readonly #purchases: Waiting[] = [];
  readonly #others: Waiting[] = [];
  #turnMs = 0;
  #startedInTurn = 0;
  #isCountingTurns = false;

  constructor({ clock, budgetMs }: RequestQueueOptions) {
    this.#clock = clock;
    this.#budget = new QueueBudget(clock, budgetMs);
  }

  /** The expected wait in milliseconds when it exceeds the budget; 0 when a request may enter. */
  overloadMs(isPurchase: boolean): number {
    const ahead = this.#purchases.length + (isPurchase ? 0 : this.#others.length);
    const waitMs = (ahead * this.#turnMs) / startsPerTurn;
    return waitMs > this.#budget.limitMs() ? waitMs : 0;
  }

  /** Resolves when the operation may start; null when it may at once. */
  enter(isPurchase: boolean): Promise<void> | null {
    if (!this.#isCountingTurns) void this.#countTurns();
    const depth = this.#purchases.length + this.#others.length;
    if (depth === 0 && this.#startedInTurn < startsPerTurn) {
      this.#startedInTurn += 1;
      this.#budget.record(0);
      return null;
    }
    const { promise, resolve } = Promise.withResolvers<void>();
    const queue = isPurchase ? this.#purchases : this.#others;
    queue.push({ sinceMs: this.#clock.monotonicMs(), start: resolve });
    return promise;
  }

  /** Runs until a turn in which nothing started, so an idle gateway counts no turns. */
  async #countTurns(): Promise<void> {
    this.#isCountingTurns = true;
    let beganMs = this.#clock.monotonicMs();
    for (let isBusy = true; isBusy; ) {
      await this.#clock.wait(0);
      const nowMs = this.#clock.monotonicMs();
      this.#turnMs += (nowMs - beganMs - this.#turnMs) * lastTurnWeight;
      beganMs = nowMs;
      isBusy = this.#startedInTurn > 0;
      this.#startedInTurn = 0;
      while (this.#startedInTurn < startsPerTurn && this.#startNext(nowMs)) isBusy = true;
    }
    this.#isCountingTurns = false;
  }

  #startNext(nowMs: number): boolean {
    const next = this.#purchases.shift() ?? this.#others.shift();
    if (!next) return false;
    this.#startedInTurn += 1;
    this.#budget.record(nowMs - next.sinceMs);
    next.start();
    return true;
  }
}
