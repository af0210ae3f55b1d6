import { describe, expect, test } from 'vitest';
import { plainQuotes } from '../../../test/support/plain-quotes.ts';
import { createSimulatedClock, minuteMs } from '../../../test/support/simulated-clock.ts';
import { parseDomainName } from '../../kernel/domain-name.ts';
import { CallBudget } from '../../kernel/upstream-calls.ts';
import { offersReply } from '../../upstream/domain-api/availability-shapes.ts';
import { ConcurrencyLimit } from '../../upstream/policies/concurrency.ts';
import { availabilityOf, type CheckTogether } from '../availability/check.ts';
import { createSearchPace, maxSearchCalls } from './pace.ts';
import { runSearch } from './run.ts';

const offers = offersReply([{ Status: 'available', Period: 1, IsFee: false }]);
const candidates = Array.from({ length: 100 }, (_, at) => ({
  name: parseDomainName(`maple-${at}.com`),
  ...{ tld: null, named: true, suggested: false, refusal: null },
}));

/** Searches for 100 names at a registry that takes `perNameMs` for each of them, in calls that take `perCallMs` more. */
function start() {
  const time = createSimulatedClock();
  const places = new ConcurrencyLimit(() => maxSearchCalls);
  const pace = createSearchPace({ clock: time.clock, places });
  /** The random part of the durations. */
  let seed = 1;
  const noise = () => {
    seed = (seed * 16_807) % 2_147_483_647;
    return seed / 2_147_483_647;
  };

  async function search(perCallMs: number, perNameMs = 15, noiseMs = 0, count = 100) {
    const sizes: number[] = [];
    const timesMs: number[] = [];
    const startedMs = time.clock.monotonicMs();
    const checkTogether: CheckTogether = async (names, { signal }) => {
      sizes.push(names.length);
      const ms = perCallMs + names.length * perNameMs + noise() * noiseMs;
      await time.clock.wait(Math.round(ms), signal);
      return names.map((name) => availabilityOf(name, offers));
    };
    const options = { signal: new AbortController().signal, budget: new CallBudget(200) };
    const ended = runSearch(
      { candidates: candidates.slice(0, count), filter: {}, first: count },
      { pace, checkTogether, clock: time.clock, options, quotes: plainQuotes },
      () => void timesMs.push(time.clock.monotonicMs() - startedMs),
    );
    await time.pass(5 * minuteMs);
    await ended;
    expect(timesMs).toHaveLength(count);
    return {
      calls: sizes.length,
      names: sizes.reduce((sum, size) => sum + size, 0),
      sizes,
      firstMs: Math.min(...timesMs),
      lastMs: Math.max(...timesMs),
    };
  }
  return { search };
}

const latencies = [50, 150, 400, 600, 1_200, 2_000];

describe('a search for 100 names at 15 ms each', () => {
  test.each(latencies)('needs few calls of %s ms from the first search on', async (perCallMs) => {
    const { search } = start();
    const first = await search(perCallMs);
    const second = await search(perCallMs);

    expect(first.calls).toBeLessThanOrEqual(14);
    // 500 ms are 33 names.
    expect(second).toMatchObject({ calls: 4, names: 100, firstMs: perCallMs + 30 });
    expect(second.lastMs).toBe(perCallMs + 33 * 15);
  });

  test.each(
    latencies.flatMap((from) => latencies.filter((to) => to !== from).map((to) => [from, to])),
  )('needs no more calls when a call of %s ms takes %s', async (from = 0, to = 0) => {
    const { search } = start();
    for (const ms of [from, from]) await search(ms);
    const found = await search(to);

    expect(found).toMatchObject({ calls: 4, names: 100 });
    expect(found.firstMs).toBeLessThan(1.5 * (to + 33 * 15));
  });

  test.each(latencies)('needs few calls of %s ms and a random part', async (perCallMs) => {
    const { search } = start();
    await search(perCallMs, 15, 200);
    for (let nth = 0; nth < 10; nth += 1) {
      expect((await search(perCallMs, 15, 200)).calls).toBeLessThanOrEqual(8);
    }
  });
});

describe('a registry whose names become slow', () => {
  test.each([
    [50, 30],
    [600, 30],
    [50, 100],
    [600, 100],
  ])('at %s ms for each call checks each of %s names twice at most', async (perCallMs, count) => {
    const { search } = start();
    for (const ms of [15, 15]) await search(perCallMs, ms, 0, count);

    const slow = await search(perCallMs, 300, 0, count);
    const next = await search(perCallMs, 300, 0, count);

    expect(slow.names).toBeLessThanOrEqual(2 * count);
    expect(next.names).toBe(count);
  });

  test.each([50, 600])(
    'at %s ms for each call has larger calls after its first ones',
    async (perCallMs) => {
      const { search } = start();
      for (const ms of [300, 300]) await search(perCallMs, ms);

      const { sizes } = await search(perCallMs);

      expect(sizes.slice(0, 8)).toEqual([1, ...Array(7).fill(2)]);
      expect(Math.max(...sizes)).toBeGreaterThan(10);
    },
  );
});
