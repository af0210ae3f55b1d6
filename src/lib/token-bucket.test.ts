import { expect, test } from 'vitest';
import { createTokenBuckets } from './token-bucket.ts';

function startBuckets() {
  let nowMs = 0;
  const buckets = createTokenBuckets({ monotonicMs: () => nowMs });
  return { take: buckets.take, pass: (ms: number) => (nowMs += ms) };
}

const rate = { capacity: 5, perSecond: 2 };

test('a bucket is full at first and grants exactly its capacity', async () => {
  const { take } = startBuckets();

  expect(await take('a', 2, rate)).toEqual({ granted: true, waitMs: 0, remaining: 3 });
  expect(await take('a', 3, rate)).toEqual({ granted: true, waitMs: 0, remaining: 0 });
  expect(await take('a', 0.001, rate)).toMatchObject({ granted: false, remaining: 0 });
  expect(await take('b', 5, rate)).toMatchObject({ granted: true, remaining: 0 });
});

test('a refused request takes nothing and is granted after its wait, not before', async () => {
  const { take, pass } = startBuckets();
  await take('a', 4, rate);

  expect(await take('a', 3, rate)).toEqual({ granted: false, waitMs: 1_000, remaining: 1 });
  pass(999);
  expect(await take('a', 3, rate)).toMatchObject({ granted: false });
  pass(1);
  expect(await take('a', 3, rate)).toMatchObject({ granted: true, waitMs: 0, remaining: 0 });
});

test('a bucket never holds more than its capacity, and a cost above it takes a full bucket', async () => {
  const { take, pass } = startBuckets();
  await take('a', 5, rate);
  pass(60_000);

  expect(await take('a', 9, rate)).toEqual({ granted: true, waitMs: 0, remaining: 0 });
  expect(await take('a', 9, rate)).toEqual({ granted: false, waitMs: 2_500, remaining: 0 });
});

test('a bucket in debt grants each token later than the last, up to one bucket of debt', async () => {
  const { take, pass } = startBuckets();
  const small = { capacity: 2, perSecond: 2 };
  const waits: number[] = [];
  for (let at = 0; at < 6; at += 1) {
    const { granted, waitMs } = await take('a', 1, small, true);
    expect(granted).toBe(true);
    waits.push(waitMs);
  }
  expect(waits).toEqual([0, 0, 500, 1_000, 1_500, 1_500]);

  pass(500);
  expect(await take('a', 1, small, true)).toEqual({ granted: true, waitMs: 1_500, remaining: -3 });
});

test('a debt is forgiven by a request that may not borrow', async () => {
  const { take } = startBuckets();
  for (let at = 0; at < 3; at += 1) await take('a', 5, rate, true);

  expect(await take('a', 1, rate)).toEqual({ granted: false, waitMs: 500, remaining: 0 });
});
