interface Measurement {
  readonly items: number;
  readonly durationMs: number;
}

/** The estimate follows this number of calls. */
const maxMeasurements = 8;
/** Pairs of calls that differ by this number of items in sum show the time per item. */
const minDifference = 3;

/**
 * Estimates how long a call takes that processes its items one after the other: a fixed time, and a time per item.
 *
 * Two calls of different sizes show the time per item. The estimate is the median over such pairs of the last calls, in which
 * a pair counts as much as its sizes differ. It therefore hardly follows a change of the fixed time.
 */
export class ThroughputEstimate {
  readonly #initialMs: number;
  #msPerItem: number;
  #recent: readonly Measurement[] = [];

  /** `initialMs` is the estimate per item before the first measurement. */
  constructor(initialMs: number) {
    this.#initialMs = initialMs;
    this.#msPerItem = initialMs;
  }

  record(items: number, durationMs: number): void {
    this.#recent = [{ items, durationMs }, ...this.#recent].slice(0, maxMeasurements);
    const slope = medianSlope(this.#recent);
    if (slope !== null) this.#msPerItem = (this.#msPerItem + Math.max(0, slope)) / 2;
    this.#msPerItem = Math.min(this.#msPerItem, durationMs / items);
  }

  /** Discards the measurements, and raises the estimate per item to at least `msPerItem`. */
  reset(msPerItem = this.#initialMs): void {
    this.#recent = [];
    this.#msPerItem = Math.max(this.#msPerItem, msPerItem);
  }

  /** The part of a call's duration that does not depend on its items: the median of the last three calls. */
  get fixedMs(): number {
    const rests = this.#recent
      .slice(0, 3)
      .map(({ items, durationMs }) => durationMs - items * this.#msPerItem)
      .toSorted((one, other) => one - other);
    return Math.max(0, rests[Math.floor(rests.length / 2)] ?? 0);
  }

  /** The expected duration of a call, in milliseconds. */
  expectedMs(items: number): number {
    return this.fixedMs + items * this.#msPerItem;
  }

  /** The number of items that take about `ms` beside the fixed time: at least 1, at most `most`. */
  batchSizeFor(ms: number, most: number): number {
    return Math.max(1, Math.round(ms / Math.max(this.#msPerItem, ms / most)));
  }
}

/** Null without calls of which one has at least twice the items of another. */
function medianSlope(calls: readonly Measurement[]): number | null {
  const pairs = calls
    .flatMap((one) =>
      calls
        .filter(({ items }) => items >= 2 * one.items)
        .map(({ items, durationMs }) => ({
          weight: items - one.items,
          slope: (durationMs - one.durationMs) / (items - one.items),
        })),
    )
    .toSorted((one, other) => one.slope - other.slope);
  const whole = pairs.reduce((sum, { weight }) => sum + weight, 0);
  if (whole < minDifference) return null;
  let left = whole;
  for (const { weight, slope } of pairs) {
    left -= weight;
    if (left <= whole / 2) return slope;
  }
  return null;
}
