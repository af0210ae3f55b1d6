import { mostNamesPerCall } from '../../kernel/call-count.ts';
import type { Clock } from '../../kernel/clock.ts';
import { ItemPace } from '../../kernel/item-pace.ts';

/** Calls that all searches of the process have under way at a time; the rest of the client's places is for others. */
export const mostSearchCalls = 8;

/** How long a call should take: long enough to be worth it, short enough for results to trickle in. */
const aimMs = 500;
/** What a name takes before anything is known, which is a careful guess. */
const firstGuessMs = 300;
/** Names of a call that is worth its while even if the registry is slow. */
export const carefulNames = Math.round(aimMs / firstGuessMs);
/** A call of more names than that which is not over by then was a mistake. */
export const patienceMs = 2 * aimMs;

/** Places of a kind; `upstream/policies/concurrency.ts` makes them. */
interface Places {
  enter(signal: AbortSignal): Promise<void>;
  leave(): void;
}

export type SearchPace = ReturnType<typeof createSearchPace>;

/**
 * How fast the process may search: at most so many calls at a time, each of as many names as half a second will do.
 *
 * The service asks the registry name after name, so a call takes as long as its names together.
 */
export function createSearchPace({ clock, places }: { clock: Clock; places: Places }) {
  const names = new ItemPace(firstGuessMs);

  return {
    /**
     * Waits for a place, then lets `call` ask about as many names as it is told; it hands back how many were answered,
     * 0 when nothing can be learned from how long that took.
     *
     * @throws the signal's reason when that is aborted first; whatever `call` throws.
     */
    async turn(signal: AbortSignal, call: (mostNames: number) => Promise<number>): Promise<void> {
      await places.enter(signal);
      try {
        const startedMs = clock.monotonicMs();
        const answered = await call(names.fitting(aimMs, mostNamesPerCall));
        if (answered > 0) names.learn(answered, clock.monotonicMs() - startedMs);
      } finally {
        places.leave();
      }
    },
    /** What was learned does not hold any more: calls are small again until it is known how fast the registry is. */
    startOver: () => names.doubt(),
  };
}
