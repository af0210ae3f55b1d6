/**
 * Selects the first results of a search by their position, whatever the order in which they become known.
 *
 * The window is the shortest prefix of the positions that holds `size` positions with a result, known or still possible.
 * A result belongs to the first ones for certain when its position is in the window. The window only grows.
 */
export class FirstResults<Result extends object> {
  /** By position: null without a result, undefined while nothing is known. */
  readonly #outcomes: (Result | null | undefined)[];
  #end = 0;
  /** How many further positions the window takes. */
  #free: number;

  /** `counts`: whether a position can have a result that counts. */
  constructor(counts: readonly boolean[], size: number) {
    this.#outcomes = counts.map((one) => (one ? undefined : null));
    this.#free = size;
    this.#grow();
  }

  /** Records the outcome of a position, once; null without a result. Returns the results that are certain since then. */
  settle(position: number, outcome: Result | null): readonly Result[] {
    this.#outcomes[position] = outcome;
    if (position >= this.#end) return [];
    if (outcome) return [outcome];
    this.#free += 1;
    return this.#grow();
  }

  #grow(): readonly Result[] {
    const certain: Result[] = [];
    while (this.#free > 0 && this.#end < this.#outcomes.length) {
      const outcome = this.#outcomes[this.#end];
      this.#end += 1;
      if (outcome === null) continue;
      this.#free -= 1;
      if (outcome) certain.push(outcome);
    }
    return certain;
  }
}
