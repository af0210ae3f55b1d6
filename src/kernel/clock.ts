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
