import type { Clock } from '../kernel/clock.ts';

export interface AdmissionOptions {
  readonly clock: Clock;
  /** Requests under way that are neither held up nor a purchase, however quick they are. */
  readonly most?: number | undefined;
  /** Milliseconds that the event loop may be late; each request waits for a few turns of it. Default 5. */
  readonly mostLagMs?: number | undefined;
}

/** So many are let in whatever happens. */
const least = 16;
/** Until it is known how quick they are. */
const atFirst = 64;
const defaultMost = 512;
/** Of purchases and questions about them, which are let in when nothing else is. */
const mostUrgent = 1_024;
const lookEveryMs = 20;
const defaultMostLagMs = 5;
/** Late so often one after the other, it is no hiccup. */
const lateLooks = 2;

/**
 * How much is taken on at a time: as much as is done without everybody waiting for everybody else. The bound is found by
 * looking how late the event loop is; it shrinks while that is late and grows while it is not.
 */
export class Admission {
  readonly #clock: Clock;
  readonly #most: number;
  readonly #mostLagMs: number;
  #bound: number;
  #others = 0;
  #urgent = 0;
  #isLooking = false;

  constructor({ clock, most = defaultMost, mostLagMs = defaultMostLagMs }: AdmissionOptions) {
    this.#clock = clock;
    this.#most = most;
    this.#mostLagMs = mostLagMs;
    this.#bound = Math.min(most, atFirst);
  }

  /** Whether one more may be let in now. */
  hasRoom(isUrgent: boolean): boolean {
    return isUrgent ? this.#urgent < mostUrgent : this.#others < this.#bound;
  }

  /** For whoever is let in. Each needs its `leave`. */
  enter(isUrgent: boolean): void {
    if (isUrgent) {
      this.#urgent += 1;
      return;
    }
    this.#others += 1;
    if (this.#others > least && !this.#isLooking) void this.#look();
  }

  leave(isUrgent: boolean): void {
    if (isUrgent) this.#urgent -= 1;
    else this.#others -= 1;
  }

  /** While there is more than a little to do; a gateway with little to do looks at nothing. */
  async #look(): Promise<void> {
    this.#isLooking = true;
    let late = 0;
    while (this.#others > least) {
      const startedMs = this.#clock.monotonicMs();
      const before = this.#others;
      await this.#clock.wait(lookEveryMs);
      const lagMs = this.#clock.monotonicMs() - startedMs - lookEveryMs;
      const peak = Math.max(before, this.#others);
      late = lagMs > this.#mostLagMs ? late + 1 : 0;
      if (late >= lateLooks) this.#bound = Math.max(least, Math.min(this.#bound, peak) * 0.8);
      else if (late === 0 && peak > this.#bound * 0.8)
        this.#bound = Math.min(this.#most, this.#bound * 1.05 + 1);
    }
    this.#isLooking = false;
  }
}
