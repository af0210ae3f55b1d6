import type { Deadline } from './deadline.ts';

/** Time as our code knows it. Handed in, so that a test can hold it still or push it on. */
export interface Clock {
  now(): Date;
  /** Milliseconds that never run backwards, for measuring a span. */
  monotonicMs(): number;
  /** Resolves after `ms`, of which 0 is the end of this turn of the loop; rejects with the signal's reason when that is aborted first. */
  wait(ms: number, signal?: AbortSignal): Promise<void>;
  /** Its signal aborts after `ms` with a `TimeoutError`, or with the reason of `abort` when that is aborted first. */
  deadline(ms: number, abort?: AbortSignal): Deadline;
}

/** Tells how busy the event loop was since it was asked last. */
export type LoopMeter = () => LoopLoad;

export interface LoopLoad {
  /** Milliseconds that a turn worked, on average. */
  readonly turnMs: number;
  /** The share of the time in which it worked, and did not wait for anything; 0 to 1. */
  readonly busy: number;
}

/** What nobody can guess, for keys. */
export interface Entropy {
  bytes(length: number): Uint8Array;
}

/** Chance as our code knows it. Handed in for the same reason. */
export interface Randomness {
  uuid(): string;
  /** At least 0, less than 1. */
  fraction(): number;
}
