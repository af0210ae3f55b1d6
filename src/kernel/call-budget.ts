import { Fault } from './faults.ts';

/**
 * The upstream calls that one request may still cause. Those that are to be expected are set apart from the spare ones, so
 * that what is done once more is never at their cost.
 */
export class CallBudget {
  #left: number;
  #spare: number;
  #searches = 0;
  readonly #whole: CallBudget | null;
  /** Calls of a search that no spare call may use up. */
  readonly #reserved: number;

  constructor(calls: number, whole: CallBudget | null = null, reserved = 0) {
    this.#left = calls;
    this.#spare = calls;
    this.#whole = whole;
    this.#reserved = reserved;
  }

  get left(): number {
    return this.#left;
  }

  /** How many spare calls are left. */
  get spare(): number {
    return Math.max(0, Math.min(this.#spare, this.#left - this.#reserved));
  }

  /** To be called before the first call: so many are to be expected, and `searches` share what is spare. */
  plan(calls: number, searches: number): void {
    this.#spare = Math.max(0, this.#left - calls);
    this.#searches = searches;
  }

  /** For each call, when it begins; false when none is left. */
  take(): boolean {
    if (this.#left === 0) return false;
    this.#left -= 1;
    this.#whole?.take();
    return true;
  }

  /** Before a call that nobody expected, such as a repetition; false when it would be at the cost of one that was. */
  takeSpare(): boolean {
    if (this.spare === 0) return false;
    this.#spare -= 1;
    return true;
  }

  /** @throws Fault `COST_LIMIT_EXCEEDED` when no call is left. */
  demand(): void {
    if (this.#left > 0) return;
    throw new Fault('COST_LIMIT_EXCEEDED', {
      message:
        'This request has made all the upstream calls that it may make; ask for the rest in another one.',
    });
  }

  /** What one of the searches may use: the calls that it needs at least, and its share of the spare ones. */
  ofSearch(needed: number): CallBudget {
    const more = Math.floor(this.#spare / Math.max(1, this.#searches));
    this.#spare -= more;
    this.#searches -= 1;
    return new CallBudget(Math.min(this.#left, needed + more), this, needed);
  }
}
