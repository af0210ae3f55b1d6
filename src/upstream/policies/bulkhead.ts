import { callNext, type Line, standIn } from './stand-in-line.ts';

/** One slot in eight is reserved. */
const reservedOneIn = 8;

/**
 * Slots for attempts in flight, as many as `limit` returns. Some of them are reserved for writes and for reads that a
 * purchase waits for, so that slow reads never take them all; these also leave the queue first.
 */
export class Bulkhead {
  readonly #limit: () => number;
  readonly #urgent: Line = new Set();
  readonly #reads: Line = new Set();
  #inUse = 0;
  #usedByReads = 0;

  constructor(limit: () => number) {
    this.#limit = limit;
  }

  /** Slots that reads may use. */
  get readSlots(): number {
    const limit = this.#limit();
    return Math.max(1, limit - Math.ceil(limit / reservedOneIn));
  }

  /** Waits for a slot, first in, first out; rejects with the signal's reason when that is aborted first. */
  async enter(isUrgent: boolean, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.isFree(isUrgent)) this.#take(isUrgent);
    else await standIn(isUrgent ? this.#urgent : this.#reads, signal);
  }

  /** Every `enter` that resolved needs one. */
  leave(isUrgent: boolean): void {
    this.#inUse -= 1;
    if (!isUrgent) this.#usedByReads -= 1;
    while (this.isFree(true) && callNext(this.#urgent)) this.#take(true);
    while (this.isFree(false) && callNext(this.#reads)) this.#take(false);
  }

  /** Whether an attempt can be sent without a wait. */
  isFree(isUrgent: boolean): boolean {
    return this.#inUse < this.#limit() && (isUrgent || this.#usedByReads < this.readSlots);
  }

  #take(isUrgent: boolean): void {
    this.#inUse += 1;
    if (!isUrgent) this.#usedByReads += 1;
  }
}
