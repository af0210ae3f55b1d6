import { Fault } from '../../kernel/faults.ts';
import type { Clock, Randomness } from '../../lib/clock.ts';

/** Pauses of the other replicas at the same API. No function throws. */
export interface PauseChannel {
  publish(ms: number): void;
  onPause(listener: (ms: number) => void): void;
}

/** The pause after "too many requests" without a `Retry-After`. */
const defaultPauseMs = 1_000;
/** Waiting calls resume at random times within this span. */
const spreadMs = 250;

interface RetryAfterPauseOptions {
  readonly clock: Clock;
  readonly randomness: Randomness;
  /** A longer `Retry-After` is cut to this. */
  readonly maxMs: number;
  /** Null for a single replica. */
  readonly channel: PauseChannel | null;
}

export type RetryAfterPause = ReturnType<typeof createRetryAfterPause>;

/** Applies a `Retry-After` to all calls of the account, not only to the one that received it. */
export function createRetryAfterPause(options: RetryAfterPauseOptions) {
  const { clock, randomness, maxMs, channel } = options;
  let untilMs = -Infinity;
  /** Pauses for `ms` from now, unless the pause already lasts longer. */
  const extend = (ms: number): void => {
    untilMs = Math.max(untilMs, clock.monotonicMs() + Math.min(ms, maxMs));
  };
  channel?.onPause(extend);
  const pausedForMs = () => Math.max(0, untilMs - clock.monotonicMs());
  const check = (endsAtMs: number): void => {
    const leftMs = pausedForMs();
    if (leftMs === 0 || clock.monotonicMs() + leftMs + spreadMs < endsAtMs) return;
    throw new Fault('RATE_LIMITED', {
      message: 'The registrar requested a pause, so it was not called. Try again later.',
      executed: 'NO',
      facts: { retryAfterMs: Math.ceil(leftMs) },
    });
  };

  return {
    /** Milliseconds until calls may go on; 0 without a pause. */
    leftMs: pausedForMs,
    /** @throws Fault `RATE_LIMITED` when the pause does not end before `endsAtMs`. */
    check,
    /** Waits for the end of the pause, also when it is extended in the meantime. @throws as `check`, and the signal's reason. */
    async wait(endsAtMs: number, signal: AbortSignal): Promise<void> {
      for (let leftMs = pausedForMs(); leftMs > 0; leftMs = pausedForMs()) {
        check(endsAtMs);
        await clock.wait(leftMs + randomness.fraction() * spreadMs, signal);
      }
    },
    /** Extends the pause by the fault of an attempt. */
    record({ code, facts: { retryAfterMs } }: Fault): void {
      if (code !== 'RATE_LIMITED' && retryAfterMs === undefined) return;
      const ms = Math.min(retryAfterMs ?? defaultPauseMs, maxMs);
      extend(ms);
      channel?.publish(ms);
    },
  };
}
