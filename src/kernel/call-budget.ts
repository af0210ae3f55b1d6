import { Fault } from './faults.ts';

/**
 * The upstream calls that one request may still cause. Planned calls are reserved: a repetition takes a spare call only.
 */
export class CallBudget {
  #left: number;
  #spare: number;
  #searches = 0;
  readonly #whole: CallBudget | null;
  /** Planned calls of a search, which spare calls must not use. */
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

  /** Spare calls that are left. */
  get spare(): number {
    return Math.max(0, Math.min(this.#spare, this.#left - this.#reserved));
  }

  /** Reserves the planned calls; the searches share the spare ones. Call it before the first upstream call. */
  plan(calls: number, searches: number): void {
    this.#spare = Math.max(0, this.#left - calls);
    this.#searches = searches;
  }

  /** Takes one call when it begins; false when none is left. */
  take(): boolean {
    if (this.#left === 0) return false;
    this.#left -= 1;
    this.#whole?.take();
    return true;
  }

  /** Takes one spare call, such as for a repetition; false when all calls that are left are reserved. */
  takeSpare(): boolean {
    if (this.spare === 0) return false;
    this.#spare -= 1;
    return true;
  }

  /** @throws Fault `COST_LIMIT_EXCEEDED` when no call is left. */
  assertLeft(): void {
    if (this.#left > 0) return;
    throw new Fault('COST_LIMIT_EXCEEDED', {
      message:
        'This request has used its limit of upstream calls; request the remaining data in another request.',
    });
  }

  /** The budget of one search: the calls that it needs, and its share of the spare ones. */
  ofSearch(needed: number): CallBudget {
    const more = Math.floor(this.#spare / Math.max(1, this.#searches));
    this.#spare -= more;
    this.#searches -= 1;
    return new CallBudget(Math.min(this.#left, needed + more), this, needed);
  }
}
