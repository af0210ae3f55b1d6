import { maxNamesPerCall } from '../../kernel/upstream-calls.ts';
import { childController } from '../../lib/clock.ts';
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
      return new ResultStream(options.signal, (signal, onResult) =>
        runSearch(planned, withBudget(planned, signal), onResult),
      );
    },
  };
});

type Run = (signal: AbortSignal, onResult: (result: SearchResult) => void) => Promise<void>;

/** The results of a search that its first reader starts. A slow reader loses none. */
class ResultStream implements AsyncIterableIterator<SearchResult, undefined> {
  readonly #run: Run;
  readonly #left: AbortController & Disposable;
  #found: SearchResult[] = [];
  #isEnd = false;
  #failure: unknown;
  #running: Promise<void> | null = null;
  #wake = (): void => undefined;

  constructor(client: AbortSignal, run: Run) {
    this.#run = run;
    this.#left = childController(client);
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<IteratorResult<SearchResult, undefined>> {
    this.#running ??= this.#start();
    while (this.#found.length === 0 && !this.#isEnd) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    const value = this.#found.shift();
    if (value) return { value, done: false };
    const error = this.#failure;
    this.#failure = undefined;
    if (error !== undefined) throw error;
    return end;
  }

  async return(): Promise<IteratorResult<SearchResult, undefined>> {
    this.#found = [];
    this.#left.abort(over);
    this.#end();
    return end;
  }

  async #start(): Promise<void> {
    const { signal } = this.#left;
    try {
      await this.#run(signal, (result) => {
        this.#found.push(result);
        this.#wake();
      });
    } catch (error) {
      if (!signal.aborted) this.#failure = error;
    }
    this.#end();
  }

  #end(): void {
    this.#isEnd = true;
    this.#left[Symbol.dispose]();
    this.#wake();
  }
}

const end = { value: undefined, done: true } as const;
