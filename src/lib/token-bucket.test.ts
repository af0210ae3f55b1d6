import { describe, expect, test } from 'vitest';
import { createSimulatedClock } from '../../test/support/simulated-clock.ts';
import { createTokenBuckets, type Rate, type SharedBuckets } from './token-bucket.ts';

function startBuckets() {
  let nowMs = 0;
  const buckets = createTokenBuckets({ monotonicMs: () => nowMs });
  return { take: buckets.take, pass: (ms: number) => (nowMs += ms) };
}

const rate = { capacity: 5, perSecond: 2 };

test('a bucket is full at first and grants exactly its capacity', async () => {
  const { take } = startBuckets();

  expect(take('a', 2, rate)).toEqual({ granted: true, waitMs: 0, remaining: 3 });
  expect(take('a', 3, rate)).toEqual({ granted: true, waitMs: 0, remaining: 0 });
  expect(take('b', 5, rate)).toMatchObject({ granted: true, remaining: 0 });
  expect(take('a', 0.001, rate)).toMatchObject({ granted: false, remaining: 0 });
});

test('a refused request takes nothing and is granted after its wait, not before', async () => {
  const { take, pass } = startBuckets();
  take('a', 4, rate);

  expect(take('a', 3, rate)).toEqual({ granted: false, waitMs: 1_000, remaining: 1 });
  pass(999);
  expect(take('a', 3, rate)).toMatchObject({ granted: false });
  pass(1);
  expect(take('a', 3, rate)).toMatchObject({ granted: true, waitMs: 0, remaining: 0 });
});

test('a bucket never holds more than its capacity, and a cost above it takes a full bucket', async () => {
  const { take, pass } = startBuckets();
  take('a', 5, rate);
  pass(60_000);

  expect(take('a', 9, rate)).toEqual({ granted: true, waitMs: 0, remaining: 0 });
  expect(take('a', 9, rate)).toEqual({ granted: false, waitMs: 2_500, remaining: 0 });
});

test('a bucket in debt grants each token later than the last', async () => {
  const { take, pass } = startBuckets();
  const small = { capacity: 2, perSecond: 2 };
  const waits = Array.from({ length: 5 }, () => take('a', 1, small, true).waitMs);
  expect(waits).toEqual([0, 0, 500, 1_000, 1_500]);

  pass(500);
  expect(take('a', 1, small, true)).toEqual({ granted: true, waitMs: 1_500, remaining: -3 });
  expect(take('a', 1, small)).toEqual({ granted: false, waitMs: 2_000, remaining: -3 });
});

describe('a bucket that replicas share', () => {
  /** The store: one bucket of each key. It replies after some milliseconds, which differ. */
  function startStore() {
    const time = createSimulatedClock();
    const fullAt = new Map<string, number>();
    const reports: { key: string; atMs: number }[] = [];
    let isAway = false;
    const nowMs = () => time.clock.monotonicMs();
    const shared: SharedBuckets = {
      async report(key, { seconds, untilFull }) {
        reports.push({ key, atMs: nowMs() });
        await time.clock.wait(1 + (reports.length % 5));
        if (isAway) throw new Error('The store is away.');
        const now = nowMs() / 1_000;
        const full = Math.max((fullAt.get(key) ?? 0) + seconds, now + untilFull);
        fullAt.set(key, full);
        await time.clock.wait(1 + (reports.length % 3));
        return full - now;
      },
      wait: (ms) => time.clock.wait(ms),
    };
    return {
      ...time,
      reports,
      cut: () => (isAway = true),
      openReplica: () => createTokenBuckets(time.clock, shared),
    };
  }

  const mostWithin = (times: readonly number[], ms: number): number => {
    let first = 0;
    return times.reduce((most, time, at) => {
      while (time - (times[first] ?? time) >= ms) first += 1;
      return Math.max(most, at - first + 1);
    }, 0);
  };
  const minuteMs = 60_000;
  const ofCaller = (perSecond: number): Rate => ({ capacity: 100, perSecond });
  const ofUpstream = (perSecond: number): Rate => ({ capacity: perSecond, perSecond });

  /** The times of the tokens that replicas grant in a minute. Each requests this many in a second; with `mayBorrow` it waits for them. */
  async function grantsOf(rate: Rate, demands: readonly number[], mayBorrow: boolean) {
    const { clock, pass, openReplica } = startStore();
    const startMs = clock.monotonicMs();
    const times: number[] = [];
    for (const [at, perSecond] of demands.entries()) {
      const { take } = openReplica();
      const use = async () => {
        for (;;) {
          const { granted, waitMs } = take('key', 1, rate, mayBorrow);
          if (mayBorrow && waitMs > 0) await clock.wait(waitMs);
          if (granted) times.push(clock.monotonicMs() - startMs);
          await clock.wait(1_000 / perSecond + at);
        }
      };
      void use();
    }
    await pass(minuteMs);
    return times;
  }

  test.each<[string, Rate, readonly number[], boolean]>([
    ['three equal replicas, calls of a caller', ofCaller(10), [40, 40, 40], false],
    ['unequal replicas, calls of a caller', ofCaller(20), [100, 20, 2], false],
    ['a slow rate', ofCaller(0.5), [5, 5, 5], false],
    ['three equal replicas, calls that wait', ofUpstream(10), [40, 40, 40], true],
    ['unequal replicas, calls that wait', ofUpstream(20), [100, 4, 1], true],
    ['ten replicas, calls that wait', ofUpstream(20), Array(10).fill(1_000), true],
  ])(
    '%s: no ten seconds have more than the limit and one bucket for each further replica, and no token is left',
    async (_what, rate, demands, mayBorrow) => {
      const times = await grantsOf(rate, demands, mayBorrow);

      const { capacity, perSecond } = rate;
      const limit = capacity + 10 * perSecond;
      expect(mostWithin(times, 10_000)).toBeLessThanOrEqual(
        limit + (demands.length - 1) * capacity,
      );
      const late = times.filter((time) => time > minuteMs / 2);
      expect(mostWithin(late, 10_000)).toBeLessThanOrEqual(limit);
      // The excess of the first second is repaid.
      const inMinute = capacity + 60 * perSecond;
      expect(times.length).toBeGreaterThan(0.9 * inMinute);
      expect(times.length).toBeLessThan(1.05 * inMinute);
    },
  );

  test('that another replica uses up has a short wait, also after many refusals', async () => {
    const { pass, openReplica } = startStore();
    const [busy, refused] = [openReplica(), openReplica()];
    const waits: number[] = [];
    for (let at = 0; at < 1_200; at += 1) {
      busy.take('a', 1, ofCaller(10));
      if (at % 20 === 0) waits.push(refused.take('a', 50, ofCaller(10)).waitMs);
      await pass(50);
    }

    expect(waits.length).toBe(60);
    for (const waitMs of waits) expect(waitMs).toBeLessThan(30_000);
  });

  test('that several replicas use a little can be used up by one', async () => {
    const { pass, openReplica } = startStore();
    const replicas = [openReplica(), openReplica(), openReplica()];
    for (let at = 0; at < 40; at += 1) {
      for (const { take } of replicas) take('a', 1, ofCaller(10));
      await pass(500);
    }

    expect(replicas[0]?.take('a', 80, ofCaller(10)).granted).toBe(true);
  });

  test('has the tokens that were granted during a report, and they are in the next one', async () => {
    const { pass, openReplica, reports } = startStore();
    const [one, other] = [openReplica(), openReplica()];
    const slow = { capacity: 5, perSecond: 0.01 };
    one.take('a', 1, slow);
    await pass(101);
    expect(reports).toHaveLength(1);
    one.take('a', 4, slow);
    await pass(2_000);

    other.take('a', 1, slow);
    await pass(200);
    expect(other.take('a', 1, slow).granted).toBe(false);
    one.take('b', 1, slow);
    await pass(101);
    one.take('b', 4, slow);
    await pass(20);
    expect(one.take('b', 1, slow).granted).toBe(false);
  });

  test('that was used by several replicas refills by the whole rate while it is idle', async () => {
    const { pass, openReplica } = startStore();
    const replicas = [openReplica(), openReplica()];
    for (let at = 0; at < 20; at += 1) {
      for (const { take } of replicas) take('a', 1, rate);
      await pass(250);
    }
    await pass(3_500);

    expect(replicas[0]?.take('a', 5, rate).granted).toBe(true);
  });

  test('is granted as its own by a replica that is alone', async () => {
    const { clock, pass, openReplica } = startStore();
    const [alone, local] = [openReplica(), createTokenBuckets(clock)];
    for (let at = 0; at < 200; at += 1) {
      const cost = 1 + (at % 7);
      const [granted, expected] = [alone.take('a', cost, rate), local.take('a', cost, rate)];
      expect(granted.granted).toBe(expected.granted);
      // The time of a report.
      expect(Math.abs(granted.waitMs - expected.waitMs)).toBeLessThan(10);
      await pass(90 + 10 * (at % 20));
    }
  });

  test('is reported once a second while it is used, and not at all afterwards', async () => {
    const { pass, reports, openReplica } = startStore();
    const { take } = openReplica();
    for (let at = 0; at < 500; at += 1) {
      take('a', 0.01, rate);
      await pass(10);
    }
    await pass(60_000);

    const times = reports.map(({ atMs }) => atMs);
    expect(times.length).toBeGreaterThanOrEqual(5);
    expect(times.length).toBeLessThanOrEqual(6);
    expect(mostWithin(times, 1_000)).toBe(1);
  });

  test('that another replica has used up is refused after the first report', async () => {
    const { pass, openReplica } = startStore();
    const [one, other] = [openReplica(), openReplica()];
    one.take('a', 5, rate);
    await pass(200);

    expect(other.take('a', 1, rate).granted).toBe(true);
    await pass(200);

    expect(other.take('a', 1, rate).granted).toBe(false);
    expect(other.take('b', 1, rate).granted).toBe(true);
  });

  test('has the whole rate at each replica while the store is away', async () => {
    const { pass, cut, openReplica } = startStore();
    const replicas = [openReplica(), openReplica()];
    for (const { take } of replicas) take('a', 5, rate);
    await pass(5_000);
    cut();

    for (let second = 0; second < 20; second += 1) {
      for (const { take } of replicas) {
        const { granted } = take('a', 2, rate);
        if (second > 5) expect(granted).toBe(true);
      }
      await pass(1_000);
    }
  });
});
