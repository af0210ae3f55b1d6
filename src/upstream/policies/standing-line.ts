import type { Clock } from '../../kernel/clock.ts';

/** A line that is longer than it should be for so long stands: it is no burst any more. */
const standsAfterMs = 250;
/** So long after a line has stood the next long one is taken for the same. */
const remembersMs = 2_000;

/** Tells a burst, which a line is for, from a line that stands because more comes than can be served. */
export class StandingLine {
  readonly #clock: Pick<Clock, 'monotonicMs'>;
  readonly #longest: number;
  #longSinceMs: number | null = null;
  #stoodAtMs = -Infinity;

  /** A line of `longest` is not long. */
  constructor(clock: Pick<Clock, 'monotonicMs'>, longest: number) {
    this.#clock = clock;
    this.#longest = longest;
  }

  /** To be told of each change of its length. */
  became(length: number): void {
    if (length <= this.#longest) this.#longSinceMs = null;
    else this.#longSinceMs ??= this.#clock.monotonicMs();
  }

  stands(): boolean {
    if (this.#longSinceMs === null) return false;
    const nowMs = this.#clock.monotonicMs();
    const isTheSame = nowMs - this.#stoodAtMs < remembersMs;
    if (!isTheSame && nowMs - this.#longSinceMs < standsAfterMs) return false;
    this.#stoodAtMs = nowMs;
    return true;
  }
}

/** How many requests wait. One that waits for many calls at once is one: a long page of a single caller is no crowd. */
export class Parties {
  readonly #waiting = new Map<object | undefined, number>();

  /** To be called for each call that begins to wait; how many requests wait then. */
  enter(party: object | undefined): number {
    this.#waiting.set(party, (this.#waiting.get(party) ?? 0) + 1);
    return this.#waiting.size;
  }

  /** And for each that waits no more. */
  leave(party: object | undefined): number {
    const left = (this.#waiting.get(party) ?? 0) - 1;
    if (left > 0) this.#waiting.set(party, left);
    else this.#waiting.delete(party);
    return this.#waiting.size;
  }
}
