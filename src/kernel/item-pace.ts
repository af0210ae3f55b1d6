/** So many items weigh as much as all that was known before. */
const halfLifeItems = 4;

/**
 * How long one of many takes that are done one after another, learned from how long several took together. Many tell
 * more than few, where the way there and back counts.
 */
export class ItemPace {
  readonly #guessMs: number;
  #msPerItem: number;

  /** `guessMs` is for one, before anything is known. */
  constructor(guessMs: number) {
    this.#guessMs = guessMs;
    this.#msPerItem = guessMs;
  }

  learn(items: number, tookMs: number): void {
    const weight = items / (items + halfLifeItems);
    this.#msPerItem += weight * (tookMs / items - this.#msPerItem);
  }

  /** What was learned does not hold any more: one takes `guessMs` at least until more is known. */
  doubt(guessMs = this.#guessMs): void {
    this.#msPerItem = Math.max(this.#msPerItem, guessMs);
  }

  /** How long so many are expected to take. */
  expectedMs(items: number): number {
    return items * this.#msPerItem;
  }

  /** How many will be done in this time: at least 1, at most `most`. */
  fitting(ms: number, most: number): number {
    return Math.max(1, Math.round(ms / Math.max(this.#msPerItem, ms / most)));
  }
}
