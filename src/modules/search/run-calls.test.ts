import { describe, expect, test } from 'vitest';
import { plainQuotes } from '../../../test/support/plain-quotes.ts';
import {
  createSimulatedClock,
  minuteMs,
  withinTurns,
} from '../../../test/support/simulated-clock.ts';
import { type DomainName, parseDomainName } from '../../kernel/domain-name.ts';
import { Fault } from '../../kernel/faults.ts';
import { CallBudget } from '../../kernel/upstream-calls.ts';
import { offersReply } from '../../upstream/domain-api/availability-shapes.ts';
import {
  type Availability,
  availabilityOf,
  type CheckTogetherOptions,
} from '../availability/check.ts';
import type { Candidate } from './result.ts';
import { runSearch } from './run.ts';

interface Search {
  readonly candidates: readonly Candidate[];
  readonly filter?: object;
  readonly first?: number;
  /** Names that the pace permits in a call. */
  readonly maxNames?: number;
  /** The call budget. */
  readonly calls?: number;
  readonly msPerName?: number | ((name: DomainName) => number);
  /** The wait for a slot. */
  readonly slotMs?: number;
  /** The result for a name; by default it is available. */
  readonly answer?: (name: DomainName) => Availability;
  /** Runs at the start of each call. */
  readonly onCall?: (options: CheckTogetherOptions) => void;
}

const nameAt = (at: number) => parseDomainName(`maple-${at}.com`);
const candidate = (name: DomainName, changes: Partial<Candidate> = {}): Candidate => ({
  ...{ name, tld: null, named: true, suggested: false, refusal: null },
  ...changes,
});
const names = (count: number, from = 0) =>
  Array.from({ length: count }, (_, at) => candidate(nameAt(from + at)));

const offersOf = (status: string) => offersReply([{ Status: status, Period: 1, IsFee: false }]);
const free = (name: DomainName) => availabilityOf(name, offersOf('available'));
const taken = (name: DomainName) => availabilityOf(name, offersOf('notavailable'));

function start({
  candidates,
  filter = {},
  first = candidates.length,
  maxNames = 10,
  calls = 100,
  msPerName = 10,
  slotMs = 0,
  answer = free,
  onCall = () => undefined,
}: Search) {
  const time = createSimulatedClock();
  const sent: DomainName[][] = [];
  const results: { readonly name: string; readonly position: number }[] = [];
  const answered: number[] = [];
  let resets = 0;
  const budget = new CallBudget(calls);
  const reported: unknown[] = [];
  const pace = {
    async run(signal: AbortSignal, call: (maxNames: number) => Promise<number>) {
      signal.throwIfAborted();
      if (slotMs > 0) await time.clock.wait(slotMs, signal);
      answered.push(await call(maxNames));
    },
    reset() {
      resets += 1;
    },
  };
  const options = {
    ...{ signal: new AbortController().signal, budget },
    onCall: (call: unknown) => void reported.push(call),
  };
  const checkTogether = async (
    requested: readonly DomainName[],
    how: CheckTogetherOptions,
  ): Promise<readonly Availability[]> => {
    budget.take();
    sent.push([...requested]);
    onCall(how);
    const [first] = requested;
    const msEach = typeof msPerName === 'number' ? msPerName : first ? msPerName(first) : 0;
    await time.clock.wait(requested.length * msEach, how.signal);
    return requested.map(answer);
  };
  const ended = runSearch(
    { candidates, filter, first },
    { pace, checkTogether, clock: time.clock, options, quotes: plainQuotes },
    ({ availability: { name }, position }) => void results.push({ name, position }),
  );
  const end = ended.then(
    () => 'ended',
    (error: Error) => error,
  );
  return {
    ...{ time, sent, results, reported, end },
    sizes: () => sent.map(({ length }) => length),
    answered: () => answered.filter((count) => count > 0),
    resets: () => resets,
    whole: async () => {
      await time.pass(5 * minuteMs);
      expect(await withinTurns(end)).toBe('ended');
      expect(time.waits()).toEqual([]);
    },
  };
}

describe('the calls of a search', () => {
  test('have the names in the order of the plan, as many as the pace permits, and few in the first of several', async () => {
    const search = start({ candidates: names(25) });
    await search.whole();

    expect(search.sizes()).toEqual([2, 10, 10, 3]);
    expect(search.sent.flat()).toEqual(names(25).map(({ name }) => name));
    expect(search.results.toSorted((one, other) => one.position - other.position)).toEqual(
      names(25).map(({ name }, position) => ({ name, position })),
    );
    expect(search.answered().toSorted()).toEqual([10, 10, 2, 3]);
  });

  test('are 8 at a time', async () => {
    const search = start({ candidates: names(90) });

    await search.time.pass(19);
    expect(search.sizes()).toEqual([2, ...Array(7).fill(10)]);
    await search.time.pass(1);
    expect(search.sizes()).toEqual([2, ...Array(8).fill(10)]);
  });

  test.each([
    ['16 names for few missing results', 3, [10, 6]],
    ['16 names for eight missing results', 8, [10, 6]],
    ['two names for each missing result', 20, [2, 10, 10, 10, 8]],
  ])('have %s in flight', async (_what, first, sizes) => {
    const search = start({ candidates: names(90), first, filter: { available: true } });

    await search.time.pass(59);
    expect(search.sizes()).toEqual(sizes);
  });

  test('that have waited for a slot have no more names in flight', async () => {
    const search = start({
      ...{ candidates: names(90), first: 3, slotMs: 50, filter: { available: true } },
    });

    await search.time.pass(50);
    expect(search.sizes()).toEqual([10, 6]);
    await search.whole();
    expect(search.sizes()).toEqual([10, 6]);
  });

  test('go on until enough names fit', async () => {
    const search = start({
      ...{ candidates: names(60), first: 3, filter: { available: true } },
      answer: (name) => (Number(/\d+/.exec(name)) < 30 ? taken(name) : free(name)),
    });
    await search.whole();

    expect(search.sent.flat().length).toBeLessThan(50);
    expect(search.results.map(({ position }) => position).toSorted()).toEqual([30, 31, 32]);
  });

  test('end when there are enough results; further results of the calls in flight are dropped', async () => {
    const search = start({ candidates: names(60), first: 3, filter: { available: true } });
    await search.whole();

    expect(search.sizes()).toEqual([10, 6]);
    expect(search.results.map(({ position }) => position).toSorted()).toEqual([0, 1, 2]);
  });
});

describe('a search within few calls', () => {
  test.each([
    ['shares its names evenly among them', 250, 3, [84, 83, 83]],
    ['shares full calls too', 200, 2, [100, 100]],
    [
      'sends the first quarter of them with few names',
      100,
      20,
      [1, 2, 2, 2, 2, 7, ...Array(14).fill(6)],
    ],
    ['sends few names while the others fit into the remaining calls', 300, 4, [1, 100, 100, 99]],
    ['does not send few names when the others would not fit', 301, 4, [76, 75, 75, 75]],
  ])('%s', async (_what, count, calls, sizes) => {
    const search = start({ candidates: names(count), calls, maxNames: 2, msPerName: 0 });
    await search.whole();

    expect(search.sizes()).toEqual(sizes);
    expect(search.results).toHaveLength(count);
  });

  test('has at most 100 names in a call, also when its calls are used up', async () => {
    const search = start({ candidates: names(250), calls: 1, maxNames: 2, msPerName: 0 });
    await search.whole();

    expect(search.sizes()).toEqual([100, 100, 50]);
  });
});

describe('a call that takes a second longer than a small one, and 10 ms longer for each name', () => {
  const slow = { candidates: names(20), maxNames: 20, msPerName: 200 };

  test('is abandoned, and its names are sent again in small calls of any duration', async () => {
    const search = start({ ...slow, candidates: names(21), msPerName: 1_000 });

    await search.time.pass(2_199);
    expect(search.sizes()).toEqual([20, 1]);
    await search.time.pass(1);
    expect(search.sizes()).toEqual([20, 1, ...Array(8).fill(2)]);
    expect(search.resets()).toBe(1);
    await search.whole();
    expect(search.sizes()).toEqual([20, 1, ...Array(10).fill(2)]);
    expect(search.resets()).toBe(1);
    expect(
      search.results.map(({ position }) => position).toSorted((one, other) => one - other),
    ).toEqual(names(21).map((_, at) => at));
  });

  test.each([
    ['when the calls that are left are not smaller than half of it', 20, 2, [20]],
    ['but not when they are', 20, 4, [20, 2, 9, 9]],
  ])('is not abandoned %s', async (_what, count, calls, sizes) => {
    const search = start({ ...slow, candidates: names(count), calls });
    await search.whole();

    expect(search.sizes()).toEqual(sizes);
    expect(search.results).toHaveLength(count);
  });

  test('is not abandoned when it has few names', async () => {
    const search = start({ ...slow, candidates: names(2), msPerName: 5_000 });
    await search.whole();

    expect(search.sizes()).toEqual([2]);
  });

  test('is not abandoned when the pace did not choose its size', async () => {
    const search = start({
      ...slow,
      candidates: names(40),
      maxNames: 10,
      calls: 2,
      msPerName: 500,
    });
    await search.whole();

    expect(search.sizes()).toEqual([20, 20]);
  });

  test('is not abandoned after an attempt has failed', async () => {
    const attempt = {
      api: 'domain',
      action: 'a',
      attempt: 1,
      durationMs: 1,
      outcome: 'B',
    } as const;
    const search = start({ ...slow, onCall: ({ onCall }) => onCall?.(attempt) });
    await search.whole();

    expect(search.sizes()).toEqual([20]);
    expect(search.reported).toEqual([attempt]);
  });

  test('is sent again before the names that were not sent, and apart from them', async () => {
    const search = start({ ...slow, candidates: names(45), first: 10, msPerName: 100 });
    await search.whole();

    const [first = [], ...others] = search.sent;
    expect(first).toEqual(names(20).map(({ name }) => name));
    expect(others.slice(0, 10).map(({ length }) => length)).toEqual(Array(10).fill(2));
    // The last two show that small calls are quicker.
    expect(others.slice(0, 10).flat()).toEqual([...first.slice(-2), ...first.slice(0, -2)]);
  });

  test('is sent again also when later names are enough, because its names come first', async () => {
    const search = start({
      ...{ candidates: names(60), first: 8, filter: { available: true } },
      msPerName: (name) => (Number(/\d+/.exec(name)) < 10 ? 200 : 10),
    });
    await search.whole();

    expect(search.sizes()).toEqual([10, 6, 6, ...Array(5).fill(2)]);
    expect(search.results.map(({ position }) => position)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  });
});

test('a call that fails with a bug ends the search with it', async () => {
  const search = start({
    candidates: names(20),
    maxNames: 20,
    answer: () => {
      throw new Error('a bug');
    },
  });
  await search.time.pass(1_000);

  expect(await withinTurns(search.end)).toEqual(new Error('a bug'));
});

describe('the speed of the registry is measured', () => {
  test.each([
    ['by a call with an answer', null, [3]],
    ['by a call that timed out', new Fault('UPSTREAM_TIMEOUT'), [3]],
    ['not by a call that failed', new Fault('UPSTREAM_UNAVAILABLE'), []],
  ])('%s', async (_what, fault, answered) => {
    const search = start({
      candidates: names(3),
      answer: (name) => (fault ? availabilityOf(name, fault) : free(name)),
    });
    await search.whole();

    expect(search.answered()).toEqual(answered);
  });

  test('by one answer among failures', async () => {
    const failed = new Fault('UPSTREAM_UNAVAILABLE');
    const search = start({
      candidates: names(3),
      answer: (name) => (name === nameAt(1) ? free(name) : availabilityOf(name, failed)),
    });
    await search.whole();

    expect(search.answered()).toEqual([3]);
  });
});

test('a refused name is reported in its place without a call', async () => {
  const refusal = new Fault('TLD_UNSUPPORTED');
  const refused = [0, 2].map((at) => candidate(nameAt(at), { refusal }));
  const search = start({
    candidates: [...refused.slice(0, 1), ...names(1, 1), ...refused.slice(1)],
  });
  await search.whole();

  expect(search.sent).toEqual([[nameAt(1)]]);
  expect(search.results.map(({ position }) => position).toSorted()).toEqual([0, 1, 2]);
});

test('a search of refused names only has no call', async () => {
  const refusal = new Fault('TLD_UNSUPPORTED');
  const search = start({ candidates: [candidate(nameAt(0), { refusal })] });
  await search.whole();

  expect([search.sent, search.results.length]).toEqual([[], 1]);
});

test('suggestions are checked beside enough results, and are not counted', async () => {
  const suggested = [50, 51].map((at) => candidate(nameAt(at), { suggested: true, named: false }));
  const search = start({ candidates: [...names(20), ...suggested], first: 1 });
  await search.whole();

  expect(search.sent.flat()).toEqual([...names(16), ...suggested].map(({ name }) => name));
  expect(search.results.map(({ position }) => position).toSorted()).toEqual([0, 20, 21]);
});

describe('a name under a TLD that was not chosen', () => {
  const idn = parseDomainName('bücher.com');
  const refused = (name: DomainName) => availabilityOf(name, new Fault('IDN_UNSUPPORTED'));
  const omitted = (name: DomainName) => availabilityOf(name, undefined);
  const failed = (name: DomainName) => availabilityOf(name, new Fault('UPSTREAM_UNAVAILABLE'));
  const unparsed = (name: DomainName) => availabilityOf(name, new Fault('NOT_SUPPORTED'));

  test.each([
    ['is left out when the TLD refuses its letters', idn, refused, 0],
    ['is left out when a reply omits it for its letters', idn, omitted, 0],
    ['has a result when a reply omits it for no reason', nameAt(0), omitted, 1],
    [
      'is left out when the registrar cannot check names under an internationalised TLD',
      parseDomainName('пример.рф'),
      unparsed,
      0,
    ],
    ['has a result when the registrar cannot check it under another TLD', idn, unparsed, 1],
    ['has a result when the check fails', idn, failed, 1],
    ['has a result when it is available', idn, free, 1],
  ])('%s', async (_what, name, answer, count) => {
    const search = start({ candidates: [candidate(name, { named: false })], first: 1, answer });
    await search.whole();
    const chosen = start({ candidates: [candidate(name)], first: 1, answer });
    await chosen.whole();

    expect(search.results).toHaveLength(count);
    expect(chosen.results).toHaveLength(1);
  });

  test('is never worth a call of its own, and a chosen one is', async () => {
    const allowed: unknown[] = [];
    const other = parseDomainName('größe.com');
    const search = start({
      candidates: [candidate(idn), candidate(other, { named: false })],
      onCall: ({ mayCheckAlone }) => allowed.push(mayCheckAlone?.(idn), mayCheckAlone?.(other)),
    });
    await search.whole();

    expect(allowed).toEqual([true, false]);
  });
});
