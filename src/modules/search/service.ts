import { FixedBuffer, Repeater } from '@repeaterjs/repeater';
import { maxNamesPerCall } from '../../kernel/upstream-calls.ts';
import { perRequest } from '../../scope/scope.ts';
import { idnRefusals } from '../availability/check.ts';
import { checkTogether } from '../availability/loader.ts';
import { pricing } from '../quote/quotes.ts';
import { tldReads } from '../tld/loader.ts';
import type { Search } from './arguments.ts';
import { searchPace } from './pace.ts';
import { planSearch, type SearchPlan } from './plan.ts';
import type { SearchResult } from './result.ts';
import { over, type RunDeps, runSearch } from './run.ts';

/** Searches for available names, in calls whose size follows the measured speed of the registry. */
export const searches = perRequest('searches', ({ clock, use, readOptions }) => {
  const quotes = use(pricing);
  // Not shared: in a batch with other requests the calls would be as slow as theirs.
  const options = readOptions();
  const deps = { clock, quotes, checkTogether: use(checkTogether), pace: use(searchPace) };
  const plan = (search: Search) => planSearch(search, use(tldReads), use(idnRefusals), quotes);
  /** With the part of the request's call budget that this search may use. */
  const withBudget = ({ candidates }: SearchPlan, signal = options.signal): RunDeps => {
    const needed = Math.ceil(candidates.length / maxNamesPerCall);
    const budget = options.budget.ofSearch(needed);
    return { ...deps, options: { ...options, signal, budget } };
  };

  return {
    /** All results in the order of the plan, suggestions last. */
    async list(search: Search): Promise<readonly SearchResult[]> {
      const planned = await plan(search);
      const found: SearchResult[] = [];
      await runSearch(planned, withBudget(planned), (one) => void found.push(one));
      return found.toSorted(
        (one, other) =>
          Number(one.suggested) - Number(other.suggested) || one.position - other.position,
      );
    },

    /** The same results, each as soon as it is certain. The search ends when the consumer leaves the iterator. */
    async stream(search: Search): Promise<AsyncIterableIterator<SearchResult, undefined>> {
      const planned = await plan(search);
      return new Repeater<SearchResult, undefined>(
        async (push, stop) => {
          const left = new AbortController();
          void stop.then(() => left.abort(over));
          const signal = AbortSignal.any([options.signal, left.signal]);
          try {
            await runSearch(planned, withBudget(planned, signal), (found) => void push(found));
          } catch (error) {
            if (!signal.aborted) throw error;
          } finally {
            stop();
          }
        },
        // A slow consumer loses no result.
        new FixedBuffer(planned.candidates.length + 1),
      );
    },
  };
});
