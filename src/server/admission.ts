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
/** What share of its time a loop whose turns are too long may work: up to the first more is let in, from the second on less. */
const busyEnough = 0.45;
const tooBusy = 0.6;
/** Too much so often one after the other, it is no burst. */
const longLooks = 2;
/** The bound changes after so many looks at the soonest: before them not enough is known. */
const fewestLooks = 3;
/** After so many it may change again though not all have left who were there when it changed last. */
const patientLooks = 25;
/** After so many on end that found little to do there are no more. */
const calmLooks = 5;

/**
 * How much is taken on at a time: as much as is done without everybody waiting for everybody else. The bound is found by
 * looking at the event loop. It shrinks while turns are too long and little time is left between them, and grows while they
 * are short or much is: one big answer makes a turn long, also where there is nothing else to do.
 */
export class Admission {
  /** Whether anybody is refused for how much there is to do. */
  readonly isOn: boolean;
  readonly #clock: Pick<Clock, 'wait'>;
  readonly #meter: LoopMeter;
  readonly #most: number;
  readonly #mostTurnMs: number;
  #bound: number;
  #others = 0;
  #urgent = 0;
  #isLooking = false;
  /** Most others under way at once since the last look. */
  #peak = 0;
  /** As many as were under way when the bound changed last, less those who have left since. */
  #toLeave = 0;

  constructor({ clock, loop, mostTurnMs, ...options }: AdmissionOptions) {
    this.#clock = clock;
    this.#meter = loop;
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
    else {
      this.#others -= 1;
      this.#toLeave -= 1;
    }
  }

  /** While there is more than a little to do; a gateway with little to do looks at nothing. */
  async #look(): Promise<void> {
    this.#isLooking = true;
    // What was before is no concern of this.
    this.#meter();
    this.#toLeave = 0;
    let turnMs = 0;
    // Neither little to do nor too much until it was seen.
    let busy = tooBusy;
    let long = 0;
    let unchanged = 0;
    for (let calm = 0; calm < calmLooks; ) {
      await this.#clock.wait(lookEveryMs);
      const peak = this.#peak;
      this.#peak = this.#others;
      calm = peak < least ? calm + 1 : 0;
      const last = this.#meter();
      turnMs += (last.turnMs - turnMs) * lastWeighs;
      busy += (last.busy - busy) * lastWeighs;
      const isLong = turnMs > this.#mostTurnMs;
      long = isLong && busy > tooBusy ? long + 1 : 0;
      unchanged += 1;
      // What a change does shows only once those have left who were there before it.
      if (unchanged < (this.#toLeave > 0 ? patientLooks : fewestLooks)) continue;
      const mayGrow = peak > this.#bound * 0.8 && !(isLong && busy > busyEnough);
      if (long >= longLooks) this.#shrink(peak, this.#mostTurnMs / turnMs);
      else if (mayGrow) this.#grow(busyEnough / busy);
      else continue;
      unchanged = 0;
      this.#toLeave = this.#others;
    }
    this.#isLooking = false;
  }

  /** To the share that would do if all were in proportion; by a twentieth at least and three tenths at most. */
  #shrink(peak: number, share: number): void {
    const byNow = Math.min(0.95, Math.max(0.7, share));
    this.#bound = Math.max(least, Math.min(this.#bound, peak) * byNow);
  }

  /** By the factor that would do if all were in proportion; by a twentieth at least and a half at most. */
  #grow(factor: number): void {
    const byNow = Math.min(1.5, Math.max(1.05, factor));
    this.#bound = Math.min(this.#most, this.#bound * byNow + 1);
  }
}
