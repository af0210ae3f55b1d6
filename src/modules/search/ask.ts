import { mostNamesPerCall } from '../../kernel/call-count.ts';
import type { DomainName } from '../../kernel/domain-name.ts';
import { type Availability, invalid, isUnanswered } from '../availability/check.ts';
import { isIdn } from '../availability/idn-refusals.ts';
import { type CheckDeps, checkInTime } from './check-in-time.ts';
import { fits } from './filter.ts';
import { carefulNames, mostSearchCalls, patienceMs, type SearchPace } from './pace.ts';
import type { Plan } from './plan.ts';
import { type Candidate, type SearchResult, toResult } from './result.ts';

export interface AskDeps extends CheckDeps {
  readonly pace: SearchPace;
}

/** Of the calls that a search may make, the first ones are small, so that first results are soon there. */
const smallShare = 1 / 4;

interface Waiting {
  readonly candidate: Candidate;
  readonly at: number;
  /** Whether it was in a call that took too long. It goes into a small one then, which is waited for. */
  readonly again: boolean;
}

/** While results may fall through, so many names may be under way for each result that is missing. */
const namesPerMissing = 2;
const leastUnderWay = 16;

/**
 * Asks about the names of a plan in their order, in calls that run side by side, until enough is found.
 *
 * What has been asked about is always a beginning of the plan, so the first results of the plan do not depend on which
 * call was the fastest. `hear` is told of each result that fits, as it is known, also of those past `first`.
 *
 * @throws the signal's reason when that is aborted first.
 */
export async function askAll(
  { candidates, filter, first }: Plan,
  { pace, options, ...others }: AskDeps,
  hear: (found: SearchResult) => void,
): Promise<void> {
  const named = new Set(candidates.filter((one) => one.named).map(({ name }) => name));
  // A name that is left out anyway is not worth a call of its own.
  const deps = {
    ...others,
    options: { ...options, mayCheckAlone: (name: DomainName) => named.has(name) },
  };
  const waiting = candidates.map((candidate, at): Waiting => ({ candidate, at, again: false }));
  const underWay = new Set<Promise<void>>();
  let missing = first;
  let namesUnderWay = 0;
  const { budget } = deps.options;
  const largeFrom = Math.ceil(budget.left * (1 - smallShare));

  /** Names of a call when these are shared evenly among the calls that are left. */
  const evenShare = (names: number) =>
    Math.min(mostNamesPerCall, Math.ceil(names / Math.max(1, budget.left)));
  /** So many a call has at least, so that all are asked about in the end. */
  const leastNames = () => {
    const mayWait = waiting.length <= mostNamesPerCall * (budget.left - 1);
    return mayWait && budget.left > largeFrom ? 1 : evenShare(waiting.length);
  };

  const tell = (candidate: Candidate, at: number, availability: Availability) => {
    const result = toResult(candidate, at, availability);
    if (isLeftOut(candidate, availability) || !fits(result, filter)) return;
    if (!candidate.suggested) missing -= 1;
    hear(result);
  };
  const room = () => Math.max(namesPerMissing * missing, leastUnderWay) - namesUnderWay;

  /** The next names, `most` of them; what needs no call is told on the way, what is wanted no more is passed over. */
  const take = (most: number) => {
    const taken: Waiting[] = [];
    const mostAgain = Math.max(carefulNames, leastNames());
    while (taken.length < most) {
      const [next] = waiting;
      const { again = next?.again } = taken[0] ?? {};
      if (!next || next.again !== again || (again && taken.length >= mostAgain)) break;
      waiting.shift();
      const { candidate, at } = next;
      if (missing <= 0 && !candidate.suggested && !again) continue;
      if (candidate.refusal) tell(candidate, at, invalid(candidate.name, candidate.refusal));
      else taken.push(next);
    }
    return taken;
  };

  const call = async (mostNames: number): Promise<number> => {
    // Calls that have begun meanwhile may bring enough.
    if (room() <= 0) return 0;
    const taken = take(Math.max(Math.min(mostNames, room()), leastNames()));
    const [{ again } = { again: false }] = taken;
    if (taken.length === 0) return 0;
    namesUnderWay += taken.length;
    const names = taken.map(({ candidate }) => candidate.name);
    // No mistake of the pace, or one that was made before.
    const mayBeLate = again || taken.length <= carefulNames || taken.length > mostNames;
    // Only what becomes much smaller by it is worth another call.
    const mayGiveUp = () => 2 * evenShare(waiting.length + taken.length) <= taken.length;
    const answers = mayBeLate
      ? await deps.checkTogether(names, deps.options)
      : await checkInTime(names, { withinMs: patienceMs, mayGiveUp }, deps);
    namesUnderWay -= taken.length;
    if (!answers) {
      waiting.unshift(...taken.map((one) => ({ ...one, again: true })));
      pace.startOver();
      return 0;
    }
    taken.forEach(({ candidate, at }, nth) => {
      const answer = answers[nth];
      if (answer) tell(candidate, at, answer);
    });
    return answers.some(tellsTime) ? taken.length : 0;
  };

  // Whoever waits for a place when nothing is left to ask waits no longer.
  const over = new AbortController();
  const stop = AbortSignal.any([deps.options.signal, over.signal]);
  const begin = () => {
    // A turn that failed stays where the next race meets it.
    const turn = pace.turn(stop, call).then(() => void underWay.delete(turn));
    underWay.add(turn);
  };
  try {
    while (waiting.length > 0 || namesUnderWay > 0) {
      while (waiting.length > 0 && room() > 0 && underWay.size < mostSearchCalls) begin();
      await Promise.race(underWay);
    }
  } finally {
    over.abort();
    await Promise.allSettled(underWay);
  }
}

/** Whether the TLD was not chosen and does not accept the letters of the name, for which bulk replies omit the name. */
const isLeftOut = ({ named, name }: Candidate, availability: Availability): boolean =>
  !named &&
  (availability.fault?.code === 'IDN_UNSUPPORTED' || (isIdn(name) && isUnanswered(availability)));

/** Not a failure of the way there and back, which says nothing of how long the registry takes. */
const tellsTime = ({ fault }: Availability): boolean =>
  fault === null || fault.code === 'UPSTREAM_TIMEOUT';
