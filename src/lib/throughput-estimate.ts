/** After this many items a new measurement weighs as much as the estimate so far. */
const halfLifeItems = 4;

/**
 * Estimates the time per item of a batch that is processed item by item. A large batch weighs more than a small one, in which
 * the round trip dominates.
 */
export class ThroughputEstimate {
  readonly #initialMs: number;
  #msPerItem: number;

  /** `initialMs` is the estimate per item before the first measurement. */
  constructor(initialMs: number) {
    this.#initialMs = initialMs;
    this.#msPerItem = initialMs;
  }

  record(items: number, durationMs: number): void {
    const weight = items / (items + halfLifeItems);
    this.#msPerItem += weight * (durationMs / items - this.#msPerItem);
  }

  /** Raises the estimate to at least `msPerItem`. */
  reset(msPerItem = this.#initialMs): void {
    this.#msPerItem = Math.max(this.#msPerItem, msPerItem);
  }

  /** The expected duration of a batch, in milliseconds. */
  expectedMs(items: number): number {
    return items * this.#msPerItem;
  }

  /** The size of a batch that takes about `ms`: at least 1, at most `most`. */
  batchSizeFor(ms: number, most: number): number {
    return Math.max(1, Math.round(ms / Math.max(this.#msPerItem, ms / most)));
  }
}
