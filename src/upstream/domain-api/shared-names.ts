import { mostNamesPerCall } from '../../kernel/call-count.ts';
import type { Clock } from '../../kernel/clock.ts';
import { Fault, type FaultCode } from '../../kernel/faults.ts';
import { ItemPace } from '../../kernel/item-pace.ts';
import { type Cause, causeOf } from '../cause.ts';
import type { CallOptions, UpstreamCall } from '../operation.ts';
import type { Waiter } from '../policies/flights.ts';
import { createGatherer } from '../policies/gather.ts';
import type { createKept } from '../policies/kept.ts';
import type { Offers } from './availability-shapes.ts';
import type { DomainApi } from './client.ts';
import { createHalvedChecks, type OffersByName } from './halved-checks.ts';

/** So long a name may wait for others while a call is under way; with nothing under way it waits for nobody. */
const patienceMs = 2;
/** How long a call of several callers should take at most: the service asks the registry name after name. */
const aimMs = 1_000;
/** Longer they are not kept waiting for each other: one of the names hangs, so each is asked about alone. */
const longestSharedMs = 2 * aimMs;
/** What a name takes at a registry that answers at once, and at one that may hang. */
const [quickMs, slowMs] = [10, 300];
/** A call that is refused because of one of its names is halved so often at most. */
const mostSplits = 16;
/** Refusals that may be about one name of several. */
const aboutNames: ReadonlySet<FaultCode> = new Set([
  'INVALID_INPUT',
  'TLD_UNSUPPORTED',
  'IDN_UNSUPPORTED',
  'RESERVED',
]);

/** Failures that asking for each caller alone would only repeat, or make worse. */
const ofEverybody: ReadonlySet<FaultCode> = new Set([
  'RATE_LIMITED',
  'UPSTREAM_AUTH',
  'IP_NOT_ALLOWED',
]);

export interface SharedNamesOptions {
  readonly clock: Clock;
  readonly kept: ReturnType<typeof createKept<Offers>>;
}

/** Whether names are free, asked for many callers in one call; a name that spoils its call costs its neighbours nothing. */
export function createSharedNames(api: DomainApi, { clock, kept }: SharedNamesOptions) {
  /** One call, of which later ones may profit. */
  async function ask(names: readonly string[], options: CallOptions): Promise<OffersByName> {
    const keep = kept.ask();
    const [first] = names;
    const answers: OffersByName =
      names.length === 1 && first !== undefined
        ? new Map([[first, await api.singlecheckavailability({ domain: first }, options)]])
        : await api.bulkcheckavailability({ domains: [...names] }, options);
    for (const [name, offers] of answers) {
      if (offers && !(offers instanceof Fault) && offers.length > 0) keep(name, offers);
    }
    return answers;
  }

  async function askApart(
    names: readonly string[],
    options: CallOptions,
    splits = { left: mostSplits },
  ): Promise<OffersByName> {
    try {
      return await ask(names, options);
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      const isPart = splits.left < mostSplits;
      // The other parts keep their answers.
      if (isPart && error.code === 'COST_LIMIT_EXCEEDED') return same(names, error);
      if (!aboutNames.has(error.code)) throw error;
      if (names.length === 1) return same(names, error);
      if (splits.left === 0) return same(names, refusedTogether(error));
      splits.left -= 1;
      const middle = Math.ceil(names.length / 2);
      const halves = [names.slice(0, middle), names.slice(middle)];
      const answers = await Promise.all(halves.map((half) => askApart(half, options, splits)));
      return new Map(answers.flatMap((each) => [...each]));
    }
  }

  const pace = new ItemPace(quickMs);
  const askHalved = createHalvedChecks({
    pace,
    async check(names, options) {
      const startedMs = clock.monotonicMs();
      const answers = await askApart(names, options);
      pace.learn(names.length, clock.monotonicMs() - startedMs);
      return answers;
    },
  });
  const gatherer = createGatherer<Offers | undefined, UpstreamCall, Cause>({
    clock,
    most: mostNamesPerCall,
    patienceMs,
    mostShared: () => pace.fitting(aimMs, mostNamesPerCall),
    async send(names, { callers, cause }, signal, onCall) {
      const how = { ...cause, signal, onCall };
      const startedMs = clock.monotonicMs();
      try {
        if (callers === 1) {
          const answers = await askHalved(names, how);
          return (name) => answers.get(name);
        }
        const answers = await askApart(names, { ...how, withinMs: longestSharedMs });
        pace.learn(names.length, clock.monotonicMs() - startedMs);
        return (name) => answers.get(name);
      } catch (error) {
        if (error instanceof Fault && error.code === 'UPSTREAM_TIMEOUT') pace.doubt(slowMs);
        throw error;
      }
    },
    isNobodysFault: (error) => error instanceof Fault && ofEverybody.has(error.code),
  });

  return {
    /** In a call of its own; a name that spoils it is checked apart. @throws Fault for which no name is to blame. */
    ask: (names: readonly string[], options: CallOptions) =>
      (options.mayHalve ? askHalved : askApart)(names, options),
    /**
     * Joins the calls in flight, and uses cached answers, of which `onKept` of the options is notified. When the call for
     * the other names fails, the cached answers are returned all the same.
     *
     * @throws Fault when that call fails and no answer is cached.
     */
    async askShared(
      names: readonly string[],
      waiter: Waiter<UpstreamCall>,
      options: CallOptions,
    ): Promise<OffersByName> {
      const known = new Map<string, Offers>();
      for (const name of names) {
        const answer = kept.get(name);
        if (!answer) continue;
        known.set(name, answer.value);
        const { ageMs, leftMs } = answer;
        options.onKept?.({ action: 'bulkcheckavailability', ageMs, leftMs, stale: false });
      }
      const unknown = names.filter((name) => !known.has(name));
      if (unknown.length === 0) return known;
      try {
        const asked = await gatherer.ask(unknown, waiter, causeOf(options));
        return new Map<string, Offers | undefined>([...known, ...asked]);
      } catch (error) {
        if (!(error instanceof Fault) || known.size === 0) throw error;
        return new Map<string, Offers | undefined>([...known, ...same(unknown, error)]);
      }
    },
    clear(name: string): void {
      kept.clear(name);
      gatherer.part(name);
    },
  };
}

const same = (names: readonly string[], fault: Fault): OffersByName =>
  new Map(names.map((name) => [name, fault]));

/** Which of several names the service took offence at, nobody knows. */
const refusedTogether = ({ upstream }: Fault) =>
  new Fault('UPSTREAM_REJECTED', {
    message: 'The service refused the names that were asked about together; ask for each alone.',
    executed: 'NO',
    ...(upstream && { upstream }),
  });
