import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { Secret } from '../../src/kernel/secret.ts';
import { systemClock, systemRandomness } from '../../src/lib/system.ts';
import { createTokenBuckets, type TokenBuckets } from '../../src/lib/token-bucket.ts';
import { createLog } from '../../src/observability/log.ts';
import { openSharedState, type SharedState } from '../../src/shared-state/shared-state.ts';
import { startRedis, type TestRedis, whyNoRedis } from '../support/redis.ts';
import { because } from '../support/skipped.ts';

const slow = { capacity: 10, perSecond: 0.001 };

test('an in-memory bucket never grants more than it holds', async () => {
  let nowMs = 0;
  const buckets = createTokenBuckets({ monotonicMs: () => nowMs });
  const rate = { capacity: 5, perSecond: 2 };

  expect(await buckets.take('a', 5, rate)).toEqual({ granted: true, waitMs: 0, remaining: 0 });
  expect(await buckets.take('a', 3, rate)).toEqual({ granted: false, waitMs: 1_500, remaining: 0 });
  expect(await buckets.take('b', 9, rate)).toEqual({ granted: true, waitMs: 0, remaining: 0 });
  nowMs += 1_500;
  expect(await buckets.take('a', 3, rate)).toMatchObject({ granted: true, remaining: 0 });
  nowMs += 60_000;
  expect(await buckets.take('a', 0, rate)).toMatchObject({ granted: true, remaining: 5 });
});

test('an in-memory bucket in debt grants tokens one after the other', async () => {
  const buckets = createTokenBuckets({ monotonicMs: () => 0 });
  const waits: number[] = [];

  for (let at = 0; at < 6; at += 1) {
    const { granted, waitMs } = await buckets.take('a', 1, { capacity: 2, perSecond: 2 }, true);
    expect(granted).toBe(true);
    waits.push(waitMs);
  }

  // The debt is at most one full bucket, and a token on top.
  expect(waits).toEqual([0, 0, 500, 1_000, 1_500, 1_500]);
});

describe.skipIf(whyNoRedis)(`token buckets that replicas share${because(whyNoRedis)}`, () => {
  let redis: TestRedis;
  beforeAll(async () => {
    redis = await startRedis();
  });
  const open: SharedState[] = [];
  afterEach(() => {
    for (const state of open.splice(0)) state.close();
  });
  afterAll(() => redis?.close());

  /** The keys that the replica counted locally. */
  const locally: string[] = [];
  const local: TokenBuckets = {
    async take(key, cost, { capacity }) {
      locally.push(key);
      return { granted: true, waitMs: 0, remaining: capacity - cost };
    },
  };
  const replica = async (account = 'live:shop') => {
    const log = createLog({ level: 'silent' });
    const url = new Secret(redis.url);
    const environment = {
      clock: systemClock,
      randomness: systemRandomness,
      log,
      replyTimeoutMs: 5_000,
    };
    const state = await openSharedState({ url, ...environment });
    open.push(state);
    return state.of(account).buckets(local);
  };

  test('concurrent requests are granted exactly the tokens of the bucket', async () => {
    const replicas = await Promise.all([replica(), replica(), replica()]);

    const taken = await Promise.all(
      Array.from({ length: 60 }, (_, at) => replicas[at % 3]?.take('key:shop', 1, slow)),
    );

    const granted = taken.filter((one) => one?.granted);
    expect(granted).toHaveLength(10);
    expect(Math.min(...granted.map((one) => Math.floor(one?.remaining ?? NaN)))).toBe(0);
    expect(locally).toEqual([]);
  });

  test('a refused request takes no token and returns the wait', async () => {
    const rates = await replica();
    await rates.take('some', 8, slow);

    const refused = await rates.take('some', 3, slow);
    const granted = await rates.take('some', 2, slow);

    expect(refused).toMatchObject({ granted: false });
    expect(refused.waitMs).toBeGreaterThan(900_000);
    expect(refused.waitMs).toBeLessThanOrEqual(1_000_000);
    expect(granted).toMatchObject({ granted: true, waitMs: 0 });
  });

  test('a cost above the capacity takes a full bucket', async () => {
    const rates = await replica();

    expect(await rates.take('costly', 90, slow)).toMatchObject({ granted: true });
    expect(await rates.take('costly', 1, slow)).toMatchObject({ granted: false });
  });

  test('a bucket that may go into debt grants every replica tokens one after the other', async () => {
    const [one, other] = await Promise.all([replica(), replica()]);
    const rate = { capacity: 2, perSecond: 0.1 };
    const waits: number[] = [];

    for (const rates of [one, other, one, other]) {
      const { granted, waitMs } = await rates.take('debt', 1, rate, true);
      expect(granted).toBe(true);
      waits.push(Math.round(waitMs / 10_000));
    }

    expect(waits).toEqual([0, 0, 1, 2]);
  });

  test('a bucket refills with time', async () => {
    const rates = await replica();
    const quick = { capacity: 10, perSecond: 1_000 };
    await rates.take('quick', 10, quick);

    await expect.poll(async () => (await rates.take('quick', 5, quick)).granted).toBe(true);
  });

  test('a used-up bucket is still used up two seconds later, and grants what the time returned', async () => {
    const rates = await replica();
    const minute = { capacity: 60, perSecond: 1 };
    await rates.take('used up', 60, minute);

    await systemClock.wait(2_100);

    expect(await rates.take('used up', 60, minute)).toMatchObject({ granted: false });
    expect(await rates.take('used up', 2, minute)).toMatchObject({ granted: true });
  });

  test('keys and accounts that look alike have buckets of their own', async () => {
    const one = await replica('a');
    const other = await replica('a:rate:b');

    await one.take('b:rate:b', 10, slow);

    expect(await other.take('b:rate:b', 10, slow)).toMatchObject({ granted: true });
    expect(await other.take('b', 10, slow)).toMatchObject({ granted: true });
    expect(await one.take('b:rate', 10, slow)).toMatchObject({ granted: true });
  });

  test('a stored value that is no number counts as a full bucket', async () => {
    const rates = await replica();
    await rates.take('broken', 10, slow);
    for (const garbage of ['nan', 'full', '-inf', '1e999']) {
      for (const each of await redis.client.keys('*')) {
        await redis.client.hset(each, { left: garbage, at: garbage });
      }
      const { remaining } = await rates.take('broken', 1, slow);
      expect(remaining).toBeGreaterThanOrEqual(0);
      expect(remaining).toBeLessThanOrEqual(10);
    }
  });

  test('without the server each replica uses its own buckets, and the shared ones when it is back', async () => {
    const rates = await replica();
    await redis.stop();

    await rates.take('away', 1, slow);
    await rates.take('away', 1, slow);
    expect(locally).toEqual(['away', 'away']);
    await redis.start();

    const counted = async () => {
      await rates.take('away', 1, slow);
      return redis.client.keys('*');
    };
    await expect.poll(counted).toHaveLength(1);
  });
});
