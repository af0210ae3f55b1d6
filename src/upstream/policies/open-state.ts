import type { Clock, Randomness } from '../../lib/clock.ts';

type CircuitState = 'closed' | 'open' | 'half-open';

export interface PauseLimits {
  /** Milliseconds of the first pause; it doubles with each failed trial. */
  readonly firstMs: number;
  readonly maxMs: number;
}

export interface OpenStateOptions extends PauseLimits {
  readonly clock: Pick<Clock, 'monotonicMs'>;
  readonly randomness: Pick<Randomness, 'fraction'>;
}

/** A pause varies by a quarter in both directions, so that replicas do not resume at the same time. */
const jitter = 0.25;

/**
 * The states of a circuit breaker. An open circuit rejects every call until its pause ends; then it is half-open and admits
 * one trial call at a time.
 */
export function createOpenState({ clock, randomness, firstMs, maxMs }: OpenStateOptions) {
  let phase: 'closed' | 'pause' | 'trial' = 'closed';
  let untilMs = 0;
  let nextMs = firstMs;

  const leftMs = () => (phase === 'closed' ? 0 : Math.max(0, untilMs - clock.monotonicMs()));
  return {
    state(): CircuitState {
      if (phase === 'closed') return 'closed';
      return leftMs() > 0 ? 'open' : 'half-open';
    },
    /** Milliseconds until a trial call is admitted; 0 when it is, or when the circuit is closed. */
    leftMs,
    /** Whether a call is rejected now: during a pause and during a trial. */
    rejects: (): boolean => phase === 'trial' || leftMs() > 0,
    /** Registers a call that was not rejected; returns whether it is the trial. */
    enter(): boolean {
      if (phase === 'closed') return false;
      phase = 'trial';
      return true;
    },
    /** Opens the circuit, or extends the pause after a failed trial. */
    open(): void {
      phase = 'pause';
      untilMs = clock.monotonicMs() + nextMs * (1 - jitter + 2 * jitter * randomness.fraction());
      nextMs = Math.min(2 * nextMs, maxMs);
    },
    close(): void {
      phase = 'closed';
      nextMs = firstMs;
    },
    /** Ends a trial without a result, so that the next call is the trial. */
    abandonTrial(): void {
      phase = 'pause';
    },
  };
}
