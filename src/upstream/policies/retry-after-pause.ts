import { Fault } from '../../kernel/faults.ts';
import type { Clock, Randomness } from '../../lib/clock.ts';

/** The pause that the upstream requested for the calls of an account. Replicas may share one. */
export interface PauseStore {
  /** Milliseconds until calls may go on; 0 without a pause. Synchronous, because it is read before each call. */
  leftMs(): number;
  /** Pauses for `ms` from now, unless the pause already lasts longer. Never throws. */
  extend(ms: number): void;
}

/** A pause in the memory of the process. */
export function createPauseStore(clock: Pick<Clock, 'monotonicMs'>): PauseStore {
  let untilMs = -Infinity;
  return {
    leftMs: () => Math.max(0, untilMs - clock.monotonicMs()),
    extend(ms) {
      untilMs = Math.max(untilMs, clock.monotonicMs() + ms);
    },
  };
}

/** The pause after "too many requests" without a `Retry-After`. */
const defaultPauseMs = 1_000;
/** Waiting calls resume at random times within this span. */
const spreadMs = 250;

interface RetryAfterPauseOptions {
  readonly clock: Clock;
  readonly randomness: Randomness;
  readonly store: PauseStore;
  /** A longer `Retry-After` is cut to this. */
  readonly longestMs: number;
}

export type RetryAfterPause = ReturnType<typeof createRetryAfterPause>;

/** Applies a `Retry-After` to all calls of the account, not only to the one that received it. */
export function createRetryAfterPause(options: RetryAfterPauseOptions) {
  const { clock, randomness, store, longestMs } = options;
  const check = (endsAtMs: number): void => {
    const leftMs = store.leftMs();
    if (leftMs === 0 || clock.monotonicMs() + leftMs + spreadMs < endsAtMs) return;
    throw new Fault('RATE_LIMITED', {
      message: 'The registrar requested a pause, so it was not called. Try again later.',
      executed: 'NO',
      facts: { retryAfterMs: Math.ceil(leftMs) },
    });
  };

  return {
    leftMs: () => store.leftMs(),
    /** @throws Fault `RATE_LIMITED` when the pause does not end before `endsAtMs`. */
    check,
    /** Waits for the end of the pause, also when it is extended in the meantime. @throws as `check`, and the signal's reason. */
    async wait(endsAtMs: number, signal: AbortSignal): Promise<void> {
      for (let leftMs = store.leftMs(); leftMs > 0; leftMs = store.leftMs()) {
        check(endsAtMs);
        await clock.wait(leftMs + randomness.fraction() * spreadMs, signal);
      }
    },
    /** Extends the pause by the fault of an attempt. */
    record({ code, facts: { retryAfterMs } }: Fault): void {
      if (code !== 'RATE_LIMITED' && retryAfterMs === undefined) return;
      store.extend(Math.min(retryAfterMs ?? defaultPauseMs, longestMs));
    },
  };
}
