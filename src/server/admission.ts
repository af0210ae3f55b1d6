import type { Clock, LoopMeter } from '../kernel/clock.ts';

export interface AdmissionOptions {
  readonly clock: Pick<Clock, 'wait'>;
  readonly loop: LoopMeter;
  /** Requests under way that are neither held up nor a purchase, however quick they are. */
  readonly most?: number | undefined;
  /** Milliseconds that a turn of the event loop may work, of which each request waits for a few; 0 for as many as come. */
  readonly mostTurnMs: number;
}

/** So many are let in whatever happens. */
const least = 12;
/** Until it is known how quick they are. */
const atFirst = 64;
const defaultMost = 512;
/** Of purchases and questions about them, which are let in when nothing else is. */
const mostUrgent = 1_024;
const lookEveryMs = 20;
/** How much the last look counts beside those before it: one long turn is a hiccup. */
const lastWeighs = 0.3;
/** Too long so often one after the other, it is no burst. */
const longLooks = 2;
/** After so many on end that found little to do there are no more. */
const calmLooks = 5;

/**
 * How much is taken on at a time: as much as is done without everybody waiting for everybody else. The bound is found by
 * looking how long the turns of the event loop are; it shrinks while they are too long and grows while they are not.
 */
export class Admission {
  /** Whether anybody is refused for how much there is to do. */
  readonly isOn: boolean;
  readonly #clock: Pick<Clock, 'wait'>;
  readonly #loop: LoopMeter;
  readonly #most: number;
  readonly #mostTurnMs: number;
  #bound: number;
  #others = 0;
  #urgent = 0;
  #isLooking = false;
  /** Most others under way at once since the last look. */
  #peak = 0;

  constructor({ clock, loop, mostTurnMs, ...options }: AdmissionOptions) {
    this.#clock = clock;
    this.#loop = loop;
    this.isOn = mostTurnMs > 0;
    const { most = this.isOn ? defaultMost : Infinity } = options;
    this.#most = most;
    this.#mostTurnMs = mostTurnMs;
    this.#bound = this.isOn ? Math.min(most, atFirst) : most;
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
    this.#peak = Math.max(this.#peak, this.#others);
    if (this.isOn && this.#others >= least && !this.#isLooking) void this.#look();
  }

  leave(isUrgent: boolean): void {
    if (isUrgent) this.#urgent -= 1;
    else this.#others -= 1;
  }

  /** While there is more than a little to do; a gateway with little to do looks at nothing. */
  async #look(): Promise<void> {
    this.#isLooking = true;
    // What was before is no concern of this.
    this.#loop.turnMs();
    let turnMs = 0;
    let long = 0;
    for (let calm = 0; calm < calmLooks; ) {
      await this.#clock.wait(lookEveryMs);
      const peak = this.#peak;
      this.#peak = this.#others;
      calm = peak < least ? calm + 1 : 0;
      turnMs += (this.#loop.turnMs() - turnMs) * lastWeighs;
      long = turnMs > this.#mostTurnMs ? long + 1 : 0;
      if (long >= longLooks) this.#bound = Math.max(least, Math.min(this.#bound, peak) * 0.9);
      else if (long === 0 && peak > this.#bound * 0.8)
        this.#bound = Math.min(this.#most, this.#bound * 1.05 + 1);
    }
    this.#isLooking = false;
  }
}
