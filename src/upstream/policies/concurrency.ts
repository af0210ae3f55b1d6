import type { Clock } from '../../lib/clock.ts';
import { WaitQueue } from '../../lib/waits.ts';

/**
 * Slots for attempts in flight, as many as `limit` returns. A share of them can be reserved for urgent attempts, so that slow
 * reads never take them all; urgent attempts also leave the queue first.
 */
export class ConcurrencyLimit {
  readonly #limit: () => number;
  readonly #reservedShare: number;
  readonly #urgent = new WaitQueue();
  readonly #others = new WaitQueue();
  #inUse = 0;
  #usedByOthers = 0;

  constructor(limit: () => number, reservedShare = 0) {
    this.#limit = limit;
    this.#reservedShare = reservedShare;
  }

  /** Slots that are not reserved; at least 1. */
  get unreserved(): number {
    const limit = this.#limit();
    return Math.max(1, limit - Math.ceil(limit * this.#reservedShare));
  }

  /** Waits for a slot, first in, first out; rejects with the signal's reason when it aborts first. */
  async enter(signal: AbortSignal, isUrgent = false): Promise<void> {
    signal.throwIfAborted();
    if (this.isFree(isUrgent)) this.#take(isUrgent);
    else await (isUrgent ? this.#urgent : this.#others).wait(signal);
  }

  /** Frees the slot. Required after every `enter` that resolved. */
  leave(isUrgent = false): void {
    this.#inUse -= 1;
    if (!isUrgent) this.#usedByOthers -= 1;
    while (this.isFree(true) && this.#urgent.wakeNext()) this.#take(true);
    while (this.isFree(false) && this.#others.wakeNext()) this.#take(false);
  }

  /** Whether an attempt can be sent without a wait. */
  isFree(isUrgent: boolean): boolean {
    return this.#inUse < this.#limit() && (isUrgent || this.#usedByOthers < this.unreserved);
  }

  #take(isUrgent: boolean): void {
    this.#inUse += 1;
    if (!isUrgent) this.#usedByOthers += 1;
  }
}

/** How the upstream took an attempt: `rejected` for "too many requests", `failed` for a timeout or a server error. */
export type LoadSignal = 'accepted' | 'rejected' | 'failed';

/** The factors of a decrease: after an explicit rejection, and after one of many failures. */
const afterRejection = 0.5;
const afterFailure = 0.9;
/** One slot for purchases and one for reads. */
const least = 2;
/** Time without an increase after a decrease, so that a strict upstream is probed seldom. */
const pauseMs = 10_000;
/** The share of failed attempts, smoothed over about ten, above which failures count as overload. */
const overloadShare = 0.2;
const lastAttemptWeight = 0.1;

/**
 * How many attempts may be in flight at one upstream: additive increase, multiplicative decrease (AIMD, as in TCP
 * congestion control, RFC 5681, and Netflix's concurrency-limits). The limit starts at `most`, shrinks when the upstream
 * shows overload, and grows by one per round of accepted attempts that used all of it.
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

  /** Records the end of an attempt; `inFlight` counts the attempts that go on. */
  record(signal: LoadSignal, inFlight: number): void {
    this.#failedShare += (Number(signal === 'failed') - this.#failedShare) * lastAttemptWeight;
    if (signal === 'accepted') this.#grow(inFlight);
    // The upstream still processes the attempts in flight, so it takes at least as many.
    else if (signal === 'rejected') this.#shrink(afterRejection, inFlight);
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
