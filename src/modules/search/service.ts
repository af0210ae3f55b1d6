import { FixedBuffer, Repeater } from '@repeaterjs/repeater';
import { maxNamesPerCall } from '../../kernel/upstream-calls.ts';
import { perRequest } from '../../scope/scope.ts';
import { createCheckTogether, type IdnRefusals, idnRefusals } from '../availability/check.ts';
import { pricing } from '../quote/quotes.ts';
import { type TldReads, tldReads } from '../tld/loader.ts';
import { searchPace } from './pace.ts';
import { planSearch, type Search, type SearchPlan } from './plan.ts';
import type { SearchResult } from './result.ts';
import { type RunDeps, runSearch } from './run.ts';

export interface SearchDeps extends RunDeps {
  readonly tlds: Pick<TldReads, 'catalogue'>;
  readonly idnRefusals: IdnRefusals;
}

/** Searches for available names, in calls whose size follows the measured speed of the registry. */
export function createSearchService({ tlds, idnRefusals, ...deps }: SearchDeps) {
  /** With the part of the request's call budget that this search may use. */
  const withBudget = ({ candidates }: SearchPlan, signal = deps.options.signal): RunDeps => {
    const needed = Math.ceil(candidates.length / maxNamesPerCall);
    const budget = deps.options.budget.ofSearch(needed);
    return { ...deps, options: { ...deps.options, signal, budget } };
  };

  return {
    /** All results in the order of the plan, suggestions last. */
    async list(search: Search): Promise<readonly SearchResult[]> {
      const planned = await planSearch(search, tlds, idnRefusals, deps.quotes);
      const found: SearchResult[] = [];
      await runSearch(planned, withBudget(planned), (one) => void found.push(one));
      return found.toSorted(
        (one, other) =>
          Number(one.suggested) - Number(other.suggested) || one.position - other.position,
      );
    },

    /** The same results, each as soon as it is certain. The search ends when the consumer leaves the iterator. */
    async stream(search: Search): Promise<AsyncIterableIterator<SearchResult, undefined>> {
      const planned = await planSearch(search, tlds, idnRefusals, deps.quotes);
      return new Repeater<SearchResult, undefined>(
        async (push, stop) => {
          const left = new AbortController();
          void stop.then(() => left.abort());
          const signal = AbortSignal.any([deps.options.signal, left.signal]);
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
}

export const searches = perRequest('searches', ({ tenant, use, readOptions }) => {
  const { domainApi: api, clock } = tenant;
  const tlds = use(tldReads);
  const refusals = use(idnRefusals);
  const checkTogether = createCheckTogether({ api, tlds, idnRefusals: refusals });
  // Not shared: in a batch with other requests the calls would be as slow as theirs.
  const options = readOptions();
  return createSearchService({
    tlds,
    checkTogether,
    clock,
    options,
    idnRefusals: refusals,
    pace: use(searchPace),
    quotes: use(pricing),
  });
});
