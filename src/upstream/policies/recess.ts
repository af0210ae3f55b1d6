import type { Clock, Randomness } from '../../kernel/clock.ts';

export type RecessState = 'closed' | 'open' | 'half-open';

export interface PauseLimits {
  /** Milliseconds of the first pause; each that follows without an end between is twice as long. */
  readonly firstMs: number;
  readonly longestMs: number;
}

interface RecessOptions extends PauseLimits {
  readonly clock: Pick<Clock, 'monotonicMs'>;
  readonly randomness: Pick<Randomness, 'fraction'>;
}

/** A pause is a quarter shorter or longer, so that replicas do not come back together. */
const jitter = 0.25;

/**
 * A time in which nothing is sent. After each pause of it one call at a time tries whether it can end; in the words of
 * breakers it is open then half-open, and closed while there is none.
 */
export function createRecess({ clock, randomness, firstMs, longestMs }: RecessOptions) {
  let isOn = false;
  let isTried = false;
  let untilMs = 0;
  let nextMs = firstMs;

  const leftMs = () => (isOn ? Math.max(0, untilMs - clock.monotonicMs()) : 0);
  return {
    state(): RecessState {
      if (!isOn) return 'closed';
      return leftMs() > 0 ? 'open' : 'half-open';
    },
    /** Milliseconds until a call may try; 0 when one may, or does. */
    leftMs,
    /** Whether a call that comes now has to stay away. */
    keepsOut: (): boolean => isOn && (isTried || leftMs() > 0),
    /** For a call that is not kept out: whether it is the one that tries. */
    enter(): boolean {
      if (isOn) isTried = true;
      return isOn;
    },
    /** Begins, or goes on for a longer pause. */
    begin(): void {
      isOn = true;
      isTried = false;
      untilMs = clock.monotonicMs() + nextMs * (1 - jitter + 2 * jitter * randomness.fraction());
      nextMs = Math.min(2 * nextMs, longestMs);
    },
    end(): void {
      isOn = false;
      isTried = false;
      nextMs = firstMs;
    },
    /** The call that tried has learned nothing, so that the next may try. */
    abandon(): void {
      isTried = false;
    },
  };
}
