import type { Clock, Randomness } from '../../kernel/clock.ts';
import { Fault } from '../../kernel/faults.ts';

/** How long the calls of an account have to wait, because the service asked for it. Replicas may share one. */
export interface HoldStore {
  /** Milliseconds; 0 for no wait. It is asked before each call, so it tells what is at hand and waits for nothing. */
  leftMs(): number;
  /** From now on, unless they have to wait longer already. Fails never: a store that is away holds less. */
  extend(ms: number): void;
}

/** In the memory of the process. */
export function createHoldStore(clock: Pick<Clock, 'monotonicMs'>): HoldStore {
  let untilMs = -Infinity;
  return {
    leftMs: () => Math.max(0, untilMs - clock.monotonicMs()),
    extend(ms) {
      untilMs = Math.max(untilMs, clock.monotonicMs() + ms);
    },
  };
}

/** So long nothing is sent when the service says "too often" and not how long to wait. */
const unaskedMs = 1_000;
/** Those that waited begin one after the other within this time. */
const spreadMs = 250;

interface HoldOptions {
  readonly clock: Clock;
  readonly randomness: Randomness;
  readonly store: HoldStore;
  /** Longer is not kept to. */
  readonly longestMs: number;
}

/** `Retry-After` and its like, kept to by all calls of the account and not only by the one that met it. */
export function createHold({ clock, randomness, store, longestMs }: HoldOptions) {
  const check = (endsAtMs: number): void => {
    const leftMs = store.leftMs();
    if (leftMs === 0 || clock.monotonicMs() + leftMs + spreadMs < endsAtMs) return;
    throw new Fault('RATE_LIMITED', {
      message: 'The service has asked this gateway to wait, so it was not asked; try again later.',
      executed: 'NO',
      facts: { retryAfterMs: Math.ceil(leftMs) },
    });
  };

  return {
    leftMs: () => store.leftMs(),
    /** @throws Fault `RATE_LIMITED` when it is not over before `endsAtMs`. */
    check,
    /** Waits until it is over, also when it becomes longer meanwhile. @throws as `check`, and the signal's reason. */
    async pass(endsAtMs: number, signal: AbortSignal): Promise<void> {
      for (let leftMs = store.leftMs(); leftMs > 0; leftMs = store.leftMs()) {
        check(endsAtMs);
        await clock.wait(leftMs + randomness.fraction() * spreadMs, signal);
      }
    },
    /** What the service said to an attempt. */
    learn({ code, facts: { retryAfterMs } }: Fault): void {
      if (code !== 'RATE_LIMITED' && retryAfterMs === undefined) return;
      store.extend(Math.min(retryAfterMs ?? unaskedMs, longestMs));
    },
  };
}
