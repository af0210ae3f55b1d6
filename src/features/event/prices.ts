import { Fault } from '../../kernel/faults.ts';
import { dayMs } from '../../kernel/instant.ts';
import type { Clock, Randomness } from '../../lib/clock.ts';
import { createSlices } from '../../lib/slices.ts';
import { createTldReads } from '../../modules/tld/loader.ts';
import type { DomainApi } from '../../upstream/domain-api/domain-api.ts';
import { type Comparison, changeOf, fromUpstream } from './comparison.ts';
import type { NewEvent } from './log.ts';
import { type PriceState, pricesOf, priceText, subjectOfTld, tldOfSubject } from './price-state.ts';
import type { StateChange } from './store.ts';

interface PriceOptions {
  readonly api: DomainApi;
  readonly clock: Clock;
  readonly randomness: Pick<Randomness, 'uuid'>;
}

/** A list that could not be read or compared is read again after this time. */
const retryMs = 60 * 60_000;
/** The time of the last comparison. */
const timeSubject = 'prices:compared';

/** Finds the prices that changed, once a day. The first list has no events, and a list without any price is not compared. */
export function createPriceComparison({ api, clock, randomness }: PriceOptions): Comparison {
  let pausedUntilMs = -Infinity;

  const eventsBetween = (
    tld: string,
    now: Date,
    before: PriceState,
    after: PriceState,
  ): readonly NewEvent[] => {
    const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
    const text = (prices: PriceState, key: string) =>
      prices[key] === undefined ? null : priceText(key, prices[key]);
    return [...keys]
      .filter((key) => before[key] !== after[key])
      .map((key) => ({
        ...fromUpstream,
        id: randomness.uuid(),
        type: 'PRICE_CHANGED',
        at: now,
        subject: tld,
        before: text(before, key),
        after: text(after, key),
      }));
  };

  return {
    async find({ states, signal }) {
      const last = states.get(timeSubject);
      if (last !== undefined && isWithinDay(JSON.parse(last).at, clock.now())) return [];
      if (clock.monotonicMs() < pausedUntilMs) return [];
      pausedUntilMs = clock.monotonicMs() + retryMs;
      const { tlds, hasEveryTld } = await createTldReads(api, { signal }).catalogue();
      const isReadable = tlds.some((tld) =>
        tld.prices.some(({ price }) => !(price instanceof Fault)),
      );
      if (!isReadable) return [];
      const now = clock.now();
      const changes: StateChange[] = [];
      const compare = (tld: string, find: (before: PriceState) => PriceState) => {
        const subject = subjectOfTld(tld);
        const known = states.get(subject);
        const before: PriceState = known === undefined ? {} : JSON.parse(known);
        const after = find(before);
        const events = () => (last === undefined ? [] : eventsBetween(tld, now, before, after));
        changes.push(...changeOf(subject, known, after, events));
      };
      const slices = createSlices(clock);
      for (const tld of tlds) {
        compare(tld.name, (before) => pricesOf(tld, before));
        if (slices.isOver()) await slices.next();
      }
      const listed = new Set(tlds.map(({ name }) => name));
      for (const subject of states.keys()) {
        const tld = tldOfSubject(subject);
        // A page that is full may leave TLDs out.
        if (tld !== null && hasEveryTld && !listed.has(tld)) compare(tld, () => ({}));
      }
      // Last, so that a list that was stored in part is compared again.
      return [...changes, ...changeOf(timeSubject, last, { at: now.toISOString() }, () => [])];
    },
  };
}

/** False also for a time that was stored with a wrong clock. */
function isWithinDay(at: string, now: Date): boolean {
  const ageMs = now.getTime() - Date.parse(at);
  return Math.abs(ageMs) < dayMs;
}
