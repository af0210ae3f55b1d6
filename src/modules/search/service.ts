import { mostNamesPerCall } from '../../kernel/call-count.ts';
import type { IdnRefusals } from '../availability/idn-refusals.ts';
import type { TldReads } from '../tld/loader.ts';
import { type AskDeps, askAll } from './ask.ts';
import { type Plan, readSearch, type Search } from './plan.ts';
import { createPushStream } from './push-stream.ts';
import type { SearchResult } from './result.ts';

export interface SearchDeps extends AskDeps {
  readonly tlds: Pick<TldReads, 'list'>;
  readonly idnRefusals: IdnRefusals;
}

/** Looks for names that can be had, in calls of a size that the registry's speed decides. */
export function createSearchService({ tlds, idnRefusals, ...deps }: SearchDeps) {
  const plan = async (search: Search): Promise<Plan> => {
    const planFor = readSearch(search, idnRefusals);
    return planFor(await tlds.list());
  };

  /** With the share of the calls of its request that this search may use. */
  const withBudget = ({ candidates }: Plan, signal = deps.options.signal): AskDeps => {
    const needed = Math.ceil(candidates.length / mostNamesPerCall);
    const budget = deps.options.budget.ofSearch(needed);
    return { ...deps, options: { ...deps.options, signal, budget } };
  };

  return {
    /** All results at once, in the order of the plan; suggestions at the end. */
    async list(search: Search): Promise<readonly SearchResult[]> {
      const planned = await plan(search);
      const found: SearchResult[] = [];
      await askAll(planned, withBudget(planned), (one) => found.push(one));
      found.sort((one, other) => one.position - other.position);
      const [own, suggested] = [false, true].map((kind) =>
        found.filter((one) => one.suggested === kind),
      );
      return [...(own ?? []).slice(0, planned.first), ...(suggested ?? [])];
    },

    /** The same results one by one, as they are known. */
    async stream(search: Search): Promise<AsyncIterableIterator<SearchResult, undefined>> {
      const planned = await plan(search);
      return createPushStream<SearchResult>(deps.options.signal, async (push, signal) => {
        let missing = planned.first;
        const hear = (found: SearchResult) => {
          if (!found.suggested) missing -= 1;
          if (found.suggested || missing >= 0) push(found);
        };
        await askAll(planned, withBudget(planned, signal), hear);
      });
    },
  };
}
