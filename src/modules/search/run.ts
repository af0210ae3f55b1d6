import { type DomainName, isIdn } from '../../kernel/domain-name.ts';
import { type CallBudget, maxNamesPerCall } from '../../kernel/upstream-calls.ts';
import { type Clock, childController } from '../../lib/clock.ts';
import {
  type Availability,
  type CheckTogether,
  type CheckTogetherOptions,
  invalid,
  isUnanswered,
} from '../availability/check.ts';
import type { Quotes } from '../quote/quotes.ts';
import { fits } from './arguments.ts';
import { maxSearchCalls, type SearchPace, slowCallMs, smallBatch } from './pace.ts';
import type { SearchPlan } from './plan.ts';
import { type Candidate, FirstResults, type SearchResult, toResult } from './result.ts';

export interface RunDeps {
  readonly pace: SearchPace;
  readonly checkTogether: CheckTogether;
  readonly clock: Clock;
  readonly quotes: Quotes;
  /** The signal ends the search: no call starts after it. */
  readonly options: CheckTogetherOptions & {
    readonly signal: AbortSignal;
    readonly budget: CallBudget;
  };
}

/** This share of the calls of a search is sent first with few names each, so that first results arrive soon. */
const smallCallShare = 1 / 4;
/** Names in flight for each missing result, because the filter may drop some. */
const namesPerMissing = 2;
const minNamesInFlight = 16;

/** Why waits of a search are ended. Without a reason each abort creates an error with its stack. */
export const over = new Error('The search goes on without it.');

/** The first of several calls; it has another size than those of `maxNames`, so that the two show the time per name. */
const firstBatchBefore = (maxNames: number): number =>
  maxNames === 1 ? smallBatch : Math.min(smallBatch, Math.floor(maxNames / 2));

type OnResult = (result: SearchResult) => void;

interface QueuedName {
  readonly candidate: Candidate;
  /** Position in the plan. */
  readonly at: number;
  /** Whether it was in a call that was abandoned as too slow. Then it is sent again in a small call, without that limit. */
  readonly isRetried: boolean;
}

/**
 * Checks the names of a plan in their order, in concurrent calls, until enough results are found.
 *
 * `onResult` receives the first results of the label itself in the order of the plan, and every suggestion. It receives each as
 * soon as it is certain, so which results these are does not depend on which call is the fastest.
 *
 * @throws the signal's reason when that is aborted.
 */
export async function runSearch(
  plan: SearchPlan,
  deps: RunDeps,
  onResult: OnResult,
): Promise<void> {
  await new SearchRun(plan, deps, onResult).run();
}

class SearchRun {
  readonly #plan: SearchPlan;
  readonly #deps: RunDeps;
  readonly #onResult: OnResult;
  readonly #queue: QueuedName[];
  /** Above this number of calls left, a call may have fewer names than its even share. */
  readonly #smallCallsUntil: number;
  readonly #first: FirstResults<SearchResult>;
  #missing: number;
  #namesInFlight = 0;
  /** The duration of a small call of this search, once it has ended; null before one was sent. */
  #smallCallMs: Promise<number> | null = null;

  constructor(plan: SearchPlan, deps: RunDeps, onResult: OnResult) {
    const named = new Set(plan.candidates.filter((one) => one.named).map(({ name }) => name));
    // A name that the search leaves out anyway is not worth a call of its own.
    const mayCheckAlone = (name: DomainName) => named.has(name);
    this.#plan = plan;
    this.#deps = { ...deps, options: { ...deps.options, mayCheckAlone } };
    this.#onResult = onResult;
    this.#queue = plan.candidates.map((candidate, at) => ({ candidate, at, isRetried: false }));
    this.#smallCallsUntil = Math.ceil(this.#callsLeft * (1 - smallCallShare));
    this.#first = new FirstResults(
      plan.candidates.map(({ suggested }) => !suggested),
      plan.first,
    );
    this.#missing = plan.first;
  }

  async run(): Promise<void> {
    const calls = new Set<Promise<void>>();
    // Aborts the calls that still wait for a slot when no name is left.
    using finished = childController(this.#deps.options.signal);
    const { signal } = finished;
    let isFirst = true;
    const startCall = () => {
      // A rejected call stays in the set, so that the next race rejects.
      const call = this.#deps.pace
        .run(signal, (maxNames, mayShare) => this.#callNext(maxNames, mayShare), isFirst)
        .then(() => void calls.delete(call));
      calls.add(call);
      isFirst = false;
    };
    try {
      while (this.#queue.length > 0 || this.#namesInFlight > 0) {
        while (this.#queue.length > 0 && this.#freeNames > 0 && calls.size < maxSearchCalls) {
          startCall();
        }
        await Promise.race(calls);
      }
    } finally {
      finished.abort(over);
      await Promise.allSettled(calls);
    }
  }

  get #callsLeft(): number {
    return this.#deps.options.budget.left;
  }

  /** How many more names may be in flight. */
  get #freeNames(): number {
    return Math.max(namesPerMissing * this.#missing, minNamesInFlight) - this.#namesInFlight;
  }

  /** Names per call when `names` are shared evenly among the calls that are left. */
  #evenShare(names: number, calls = this.#callsLeft): number {
    return Math.min(maxNamesPerCall, Math.ceil(names / Math.max(1, calls)));
  }

  /** A call with fewer names would leave names that no call is left for. */
  get #minNames(): number {
    const names = this.#queue.length;
    const fitsLater = names <= maxNamesPerCall * (this.#callsLeft - 1);
    return fitsLater && this.#callsLeft > this.#smallCallsUntil ? 1 : this.#evenShare(names);
  }

  /** Sends the next names in one call; returns how many were answered, 0 when their time says nothing about the registry. */
  async #callNext(maxNames: number, mayShare = false): Promise<number> {
    // Calls that started in the meantime may be enough.
    if (this.#freeNames <= 0) return 0;
    // A search of three calls or more begins with a small one: its results are first, and it shows the fixed time of a call.
    const needed = Math.min(this.#queue.length, this.#freeNames);
    const isStart = this.#smallCallMs === null && needed > 2 * maxNames;
    const most = isStart ? firstBatchBefore(maxNames) : maxNames;
    const batch = this.#dequeue(Math.max(Math.min(most, this.#freeNames), this.#minNames));
    if (batch.length === 0) return 0;
    this.#namesInFlight += batch.length;
    const check = this.#check(batch, maxNames, mayShare);
    if (batch.length <= smallBatch) this.#smallCallMs ??= this.#durationOf(check);
    const results = await check;
    this.#namesInFlight -= batch.length;
    const abandoned = batch.filter((_, nth) => !results[nth]);
    if (abandoned.length > 0) {
      this.#queue.unshift(...abandoned.map((one) => ({ ...one, isRetried: true })));
      this.#deps.pace.reset();
    }
    for (const [nth, { candidate, at }] of batch.entries()) {
      const result = results[nth];
      if (result) this.#settle(candidate, at, result);
    }
    return abandoned.length === 0 && showsRegistrySpeed(results) ? batch.length : 0;
  }

  /** When `call` has ended in whatever way: how long it took. */
  async #durationOf(call: Promise<unknown>): Promise<number> {
    const { clock } = this.#deps;
    const startedMs = clock.monotonicMs();
    await call.catch(() => undefined);
    return clock.monotonicMs() - startedMs;
  }

  /**
   * Without a result for the names of a call that was abandoned, because the registry is so slow that smaller calls return
   * results sooner. A call that is being retried is not abandoned: more calls do not help an upstream that fails.
   */
  async #check(
    batch: readonly QueuedName[],
    maxNames: number,
    joins: boolean,
  ): Promise<readonly (Availability | undefined)[]> {
    const { checkTogether, clock } = this.#deps;
    const options = { ...this.#deps.options, joins };
    const names = batch.map(({ candidate }) => candidate.name);
    const isSmall = batch.length <= smallBatch;
    // The estimate did not choose this size, or the names were abandoned before.
    if (batch[0]?.isRetried || isSmall || batch.length > maxNames) {
      return checkTogether(names, options);
    }
    using abandon = childController(options.signal);
    let isAbandoned = false;
    const done = new AbortController();
    const startedMs = clock.monotonicMs();
    let isRetried = false;
    let probed: readonly Availability[] = [];
    const isWorthwhile = () => {
      // Worth further calls only when they become much smaller.
      const left = this.#callsLeft - (this.#smallCallMs ? 0 : 1);
      const share = this.#evenShare(this.#queue.length + batch.length, left);
      return !isRetried && 2 * share <= batch.length;
    };
    const abandonWhenSlow = async () => {
      const slowMs = slowCallMs(batch.length);
      await clock.wait(slowMs, done.signal);
      if (!isWorthwhile()) return;
      this.#smallCallMs ??= this.#durationOf(
        this.#probe(names.slice(-smallBatch), done.signal).then((found) => (probed = found)),
      );
      const smallCallMs = await this.#smallCallMs;
      const leftMs = startedMs + slowMs + smallCallMs - clock.monotonicMs();
      await clock.wait(Math.max(0, leftMs), done.signal);
      if (!isWorthwhile()) return;
      isAbandoned = true;
      abandon.abort(over);
    };
    abandonWhenSlow().catch(() => undefined);
    try {
      return await checkTogether(names, {
        ...options,
        signal: abandon.signal,
        // Called at the end of each attempt.
        onCall(call) {
          isRetried = true;
          options.onCall?.(call);
        },
      });
    } catch (error) {
      if (!isAbandoned || options.signal.aborted) throw error;
      return names.map((name) => probed.find((one) => one.name === name));
    } finally {
      done.abort(over);
    }
  }

  /** Checks names of a slow call once more, alone: only when these are quicker do smaller calls help. */
  async #probe(names: readonly DomainName[], ended: AbortSignal): Promise<readonly Availability[]> {
    const { checkTogether, options, pace } = this.#deps;
    using either = childController(options.signal);
    const { signal } = either;
    ended.addEventListener('abort', () => either.abort(over), { once: true });
    let found: readonly Availability[] = [];
    await pace.run(signal, async () => {
      found = await checkTogether(names, { ...options, signal });
      return showsRegistrySpeed(found) ? names.length : 0;
    });
    return found;
  }

  /** The next names for one call. Names that need no call are settled. Those behind enough results are dropped. */
  #dequeue(maxNames: number): readonly QueuedName[] {
    const batch: QueuedName[] = [];
    const maxRetried = Math.max(smallBatch, this.#minNames);
    while (batch.length < maxNames) {
      const [next] = this.#queue;
      const { isRetried = next?.isRetried } = batch[0] ?? {};
      if (!next || next.isRetried !== isRetried) break;
      if (isRetried && batch.length >= maxRetried) break;
      this.#queue.shift();
      const { candidate, at } = next;
      if (this.#missing <= 0 && !candidate.suggested && !isRetried) continue;
      if (candidate.refusal) {
        this.#settle(candidate, at, invalid(candidate.name, candidate.refusal));
      } else batch.push(next);
    }
    return batch;
  }

  #settle(candidate: Candidate, at: number, availability: Availability | undefined): void {
    const result = availability ? this.#resultFor(candidate, at, availability) : null;
    if (candidate.suggested) {
      if (result) this.#onResult(result);
      return;
    }
    if (result) this.#missing -= 1;
    for (const one of this.#first.settle(at, result)) this.#onResult(one);
  }

  /** Null when the name is left out. */
  #resultFor(candidate: Candidate, at: number, availability: Availability): SearchResult | null {
    const result = toResult(candidate, at, availability, this.#deps.quotes);
    return !isLeftOut(candidate, availability) && fits(result, this.#plan.filter) ? result : null;
  }
}

/**
 * Whether the TLD was not chosen and does not accept the letters of the name, for which bulk replies omit the name, or is an
 * internationalised TLD whose names the registrar cannot check.
 */
function isLeftOut({ named, name }: Candidate, availability: Availability): boolean {
  if (named) return false;
  const code = availability.fault?.code;
  if (code === 'NOT_SUPPORTED') return name.includes('.xn--');
  return code === 'IDN_UNSUPPORTED' || (isIdn(name) && isUnanswered(availability));
}

/** A failed connection says nothing about the speed of the registry; a timeout does. */
const showsRegistrySpeed = (results: readonly (Availability | undefined)[]): boolean =>
  results.some((one) => one && (one.fault === null || one.fault.code === 'UPSTREAM_TIMEOUT'));
