import { array, assert, asyncProperty, constantFrom, integer, nat, record } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { tldWith } from '../../../test/support/modules/tlds.ts';
import { plainQuotes } from '../../../test/support/plain-quotes.ts';
import { endOfTurn, withinTurns } from '../../../test/support/simulated-clock.ts';
import { partOf } from '../../../test/support/with-parts.ts';
import type { DomainName } from '../../kernel/domain-name.ts';
import { CallBudget } from '../../kernel/upstream-calls.ts';
import { systemClock } from '../../lib/system.ts';
import { offersReply } from '../../upstream/domain-api/availability-shapes.ts';
import { availabilityOf, type CheckTogether, IdnRefusals } from '../availability/check.ts';
import { searches } from './service.ts';

const offersOf = (status: string) => offersReply([{ Status: status, Period: 1, IsFee: false }]);
const endings = [...'abcdefghijklmnopqrstuvwxyz'].map((one) => `x${one}`);

interface Upstream {
  readonly calls?: number;
  readonly fail?: boolean;
  readonly isTaken?: (name: DomainName) => boolean;
  /** Event loop turns that each call takes; without them the first call ends last. */
  readonly turns?: readonly number[];
}

/** A search in calls of two names, of which the first has one. */
function start({ calls = 100, fail = false, isTaken = () => false, turns }: Upstream = {}) {
  const sent: (readonly DomainName[])[] = [];
  const budgets: number[] = [];
  const open = Promise.withResolvers<void>();
  const checkTogether: CheckTogether = async (names, { budget }) => {
    sent.push(names);
    budgets.push(budget?.left ?? 0);
    budget?.take();
    if (fail) throw new Error('a bug');
    if (turns) {
      for (let left = turns[sent.length % turns.length] ?? 0; left > 0; left -= 1)
        await endOfTurn();
    } else if (sent.length === 1) await open.promise;
    else setImmediate(open.resolve);
    const statusOf = (name: DomainName) => (isTaken(name) ? 'notavailable' : 'available');
    return names.map((name) => availabilityOf(name, offersOf(statusOf(name))));
  };
  const tlds = endings.map((name) => tldWith(name));
  const byName = new Map(tlds.map((one) => [one.name, one]));
  const budget = new CallBudget(calls);
  const parts = {
    ...{ tldReads: { catalogue: async () => ({ tlds, byName, complete: true }) }, checkTogether },
    ...{ idnRefusals: new IdnRefusals(systemClock), pricing: plainQuotes },
    searchPace: {
      run: async (_signal: AbortSignal, call: (maxNames: number) => Promise<number>) =>
        void (await call(2)),
      reset: () => undefined,
    },
  };
  const { signal } = new AbortController();
  const facts = { clock: systemClock, readOptions: () => ({ signal, budget }) };
  return {
    service: partOf(searches, parts, facts),
    sent,
    budgets,
    budget,
  };
}
const under = (count: number) => endings.slice(0, count).map((tld) => `maple.${tld}`);

async function all<T>(results: AsyncIterable<T>): Promise<readonly T[]> {
  const found: T[] = [];
  for await (const one of results) found.push(one);
  return found;
}

describe('a list', () => {
  test('has the results in the order of the plan, suggestions last, whatever the order of the replies', async () => {
    const { service } = start();
    const size = { suggestions: 2 };

    const found = await withinTurns(
      service.list({ labels: ['maple'], tlds: endings.slice(0, 20), ...size }),
    );

    expect(found.map(({ availability }) => availability.name)).toEqual([
      ...under(20),
      'get-maple.xa',
      'maple-hq.xa',
    ]);
  });

  test('has the first results only, and every suggestion', async () => {
    const { service } = start();
    const size = { first: 3, suggestions: 2, filter: { available: true } };

    const found = await withinTurns(service.list({ labels: ['maple'], tlds: endings, ...size }));

    expect(found.map(({ availability }) => availability.name)).toEqual([
      ...under(3),
      'get-maple.xa',
      'maple-hq.xa',
    ]);
  });

  test('fails with a failure of the search', async () => {
    const { service } = start({ fail: true });

    await expect(withinTurns(service.list({ labels: ['maple'], tlds: ['xa'] }))).rejects.toThrow(
      'a bug',
    );
  });
});

describe('a stream', () => {
  test('has the results of the list, also when the first call ends last', async () => {
    const { service } = start();
    const size = { first: 3, suggestions: 2, filter: { available: true } };

    const found = await withinTurns(
      all(await service.stream({ labels: ['maple'], tlds: endings, ...size })),
    );

    // The second and third result are certain at once, the first with the first call, which has one name.
    expect(found.map(({ availability }) => availability.name)).toEqual([
      ...['maple.xb', 'maple.xc', 'get-maple.xa', 'maple-hq.xa', 'maple.xa'],
    ]);
  });

  test('has the results of the list, whatever the order of the replies', async () => {
    const searches = record({
      size: integer({ min: 1, max: endings.length }),
      first: integer({ min: 1, max: 12 }),
      taken: array(constantFrom(...under(endings.length))),
      turns: array(nat(8), { minLength: 1, maxLength: 20 }),
    });
    await assert(
      asyncProperty(searches, async ({ size, first, taken, turns }) => {
        const { service } = start({ isTaken: (name) => taken.includes(name), turns });
        const search = {
          labels: ['maple'],
          tlds: endings.slice(0, size),
          first,
          filter: { available: true },
        };

        const streamed = await all(await service.stream(search));

        expect(streamed.map(({ availability }) => availability.name).toSorted()).toEqual(
          under(size)
            .filter((name) => !taken.includes(name))
            .slice(0, first),
        );
      }),
    );
  });

  test('loses no result for a slow consumer', async () => {
    const { service, sent } = start();
    const results = await service.stream({ labels: ['maple'], tlds: endings });
    const first = await withinTurns(results.next());
    for (let turns = 0; turns < 100 && sent.length < 13; turns += 1) await endOfTurn();

    const others = await withinTurns(all(results));

    expect([first.value, ...others].map((one) => one?.availability.name).toSorted()).toEqual(
      under(26),
    );
  });

  test('fails with a failure of the search', async () => {
    const { service } = start({ fail: true });
    const results = await service.stream({ labels: ['maple'], tlds: ['xa'] });

    await expect(withinTurns(results.next())).rejects.toThrow('a bug');
  });
});

test('a search has the calls that its names need, and its share of the spare ones', async () => {
  const { service, budgets, budget } = start({ calls: 10 });
  budget.plan(4, 2);

  await withinTurns(service.list({ labels: ['maple'], tlds: ['xa', 'xb', 'xc'] }));

  expect(budgets[0]).toBe(1 + 3);
});
