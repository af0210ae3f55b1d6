import type { Clock } from '../../kernel/clock.ts';
import { Fault } from '../../kernel/faults.ts';
import type { TurnStore } from '../../kernel/turn-store.ts';
import { callNext, type Line, standIn } from './stand-in-line.ts';

/** A bucket of turns for one second, in the memory of the process. */
export function createTurnStore(perSecond: number, clock: Pick<Clock, 'monotonicMs'>): TurnStore {
  let left = perSecond;
  let countedAtMs = clock.monotonicMs();
  return {
    take() {
      const nowMs = clock.monotonicMs();
      left = Math.min(perSecond, left + ((nowMs - countedAtMs) * perSecond) / 1_000) - 1;
      countedAtMs = nowMs;
      return Math.max(0, (-left * 1_000) / perSecond);
    },
  };
}

interface RateOptions {
  readonly clock: Clock;
  readonly perSecond: number;
  readonly store: TurnStore;
}

export type Rate = ReturnType<typeof createRate>;

/** Lets attempts begin as often as the account has turns, what is urgent first. */
export function createRate({ clock, perSecond, store }: RateOptions) {
  const [urgent, others]: [Line, Line] = [new Set(), new Set()];
  let isHandingOut = false;

  /** Whoever is first when the turn is there has it, and not whoever was first when it was asked for. */
  async function handOut(): Promise<void> {
    if (isHandingOut) return;
    isHandingOut = true;
    while (urgent.size + others.size > 0) {
      const waitMs = await store.take();
      if (waitMs > 0) await clock.wait(waitMs);
      if (!callNext(urgent)) callNext(others);
    }
    isHandingOut = false;
  }

  return {
    /** @throws Fault `RATE_LIMITED` when so many wait already that the turn would come after `endsAtMs`. */
    check(isUrgent: boolean, endsAtMs: number): void {
      const ahead = urgent.size + (isUrgent ? 0 : others.size);
      const waitMs = (ahead * 1_000) / perSecond;
      if (clock.monotonicMs() + waitMs < endsAtMs) return;
      throw new Fault('RATE_LIMITED', {
        message: 'This gateway asks the service as often as it may already; try again later.',
        executed: 'NO',
        facts: { retryAfterMs: Math.ceil(waitMs) },
      });
    },
    /** Waits for a turn; rejects with the signal's reason when that is aborted first. */
    async pass(isUrgent: boolean, signal: AbortSignal): Promise<void> {
      signal.throwIfAborted();
      const line = isUrgent ? urgent : others;
      const turn = standIn(line, signal);
      void handOut();
      await turn;
    },
  };
}
