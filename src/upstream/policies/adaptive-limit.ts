import type { Clock } from '../../kernel/clock.ts';

/** How the upstream took an attempt: `rejected` for "too many requests", `failed` for a timeout or a failure of its server. */
export type Load = 'accepted' | 'rejected' | 'failed';

/** The multiplicative decreases: an explicit rejection, and one of many failures. */
const afterRejection = 0.5;
const afterFailure = 0.9;
/** One slot for purchases remains beside one for reads. */
const least = 2;
/** Time without an increase after a decrease, so that a strict upstream is probed seldom. */
const pauseMs = 10_000;
/** The share of failed attempts, smoothed over about ten, above which failures count as overload. */
const overloadShare = 0.2;
const lastAttemptWeight = 0.1;

/**
 * How many attempts may be in flight at one upstream: additive increase, multiplicative decrease (AIMD, as in TCP
 * congestion control, RFC 5681, and Netflix's concurrency-limits). It starts at `most`, shrinks when the upstream shows
 * overload, and grows by one per round of accepted attempts that used all of it.
 */
export class AdaptiveLimit {
  readonly #clock: Pick<Clock, 'monotonicMs'>;
  readonly #most: number;
  #limit: number;
  #failedShare = 0;
  #growsFromMs = -Infinity;

  constructor(clock: Pick<Clock, 'monotonicMs'>, most: number) {
    this.#clock = clock;
    this.#most = most;
    this.#limit = most;
  }

  get current(): number {
    return Math.floor(this.#limit);
  }

  /** Learns from an attempt that ended; `inFlight` counts those that have not. */
  learn(load: Load, inFlight: number): void {
    this.#failedShare += (Number(load === 'failed') - this.#failedShare) * lastAttemptWeight;
    if (load === 'accepted') this.#grow(inFlight);
    // The upstream still processes those in flight, so it takes at least as many.
    else if (load === 'rejected') this.#shrink(afterRejection, inFlight);
    else if (this.#failedShare > overloadShare) this.#shrink(afterFailure, 0);
  }

  #grow(inFlight: number): void {
    if (inFlight + 1 < this.current || this.#clock.monotonicMs() < this.#growsFromMs) return;
    this.#limit = Math.min(this.#most, this.#limit + 1 / this.#limit);
  }

  #shrink(factor: number, floor: number): void {
    const shrunk = Math.max(least, floor, this.#limit * factor);
    this.#limit = Math.min(this.#limit, shrunk);
    this.#growsFromMs = this.#clock.monotonicMs() + pauseMs;
  }
}
