import { maxNamesPerCall } from '../../kernel/upstream-calls.ts';
import type { Clock } from '../../lib/clock.ts';
import { ThroughputEstimate } from '../../lib/throughput-estimate.ts';
import { perTenant } from '../../scope/tenant.ts';
import { ConcurrencyLimit } from '../../upstream/policies/concurrency.ts';

/**
 * Calls of one search in flight at a time, and of all searches of the process beside the first call of each. The other slots of
 * the client are for other requests.
 */
export const maxSearchCalls = 8;

/**
 * The target duration of the names of a call, beside its fixed time: long enough to be worth a request, short enough for
 * results to arrive in parts.
 */
const targetMs = 500;
/** A registry is quick that checks so many names within this time: then several searches may share a call. */
const quickMs = 100;
/** A careful estimate of the time per name before any measurement. */
const initialMsPerName = 100;
/** Names of a call that is useful even when the registry is slow. */
export const smallBatch = 2;
/** A larger call counts as too slow when it takes this much longer than a small one: the estimate of its names was too low. */
export const slowCallMs = (names: number): number => 2 * targetMs + 10 * names;

export type SearchPace = ReturnType<typeof createSearchPace>;

/**
 * Limits the calls of all searches of the process, and chooses the number of names per call from the measured speed.
 *
 * The upstream queries the registry name after name, so a call takes as long as its names together.
 */
export function createSearchPace(deps: {
  readonly clock: Clock;
  readonly places: Pick<ConcurrencyLimit, 'enter' | 'leave'>;
}) {
  const { clock, places } = deps;
  const estimate = new ThroughputEstimate(initialMsPerName);

  return {
    /**
     * Waits for a slot, then runs `call` with the number of names that it may send, and whether other searches may share it.
     * `call` returns how many names were answered, 0 when its duration says nothing about the speed. The first call of a search
     * needs no slot, so that its first results wait for no other search.
     *
     * @throws the signal's reason when that is aborted before; the error of `call`.
     */
    async run(
      signal: AbortSignal,
      call: (maxNames: number, mayShare?: boolean) => Promise<number>,
      isFirst = false,
    ): Promise<void> {
      if (!isFirst) await places.enter(signal);
      try {
        const startedMs = clock.monotonicMs();
        const isQuick = estimate.batchSizeFor(quickMs, maxNamesPerCall) === maxNamesPerCall;
        const answered = await call(estimate.batchSizeFor(targetMs, maxNamesPerCall), isQuick);
        if (answered > 0) estimate.record(answered, clock.monotonicMs() - startedMs);
      } finally {
        if (!isFirst) places.leave();
      }
    },
    /** Discards the measurements: calls are small again until the speed is known. */
    reset: () => estimate.reset(),
  };
}

/** Limits the upstream calls of all searches of a tenant together. */
export const searchPace = perTenant('searchPace', ({ facts: { clock } }) =>
  createSearchPace({ clock, places: new ConcurrencyLimit(() => maxSearchCalls) }),
);
