import { describe, expect, test } from 'vitest';
import { QueueBudget } from './queue-budget.ts';
import { createSlices } from './slices.ts';
import { ThroughputEstimate } from './throughput-estimate.ts';
import { WaitQueue } from './waits.ts';

describe('the budget of a queue', () => {
  function startBudget() {
    let nowMs = 10_000;
    const budget = new QueueBudget({ monotonicMs: () => nowMs }, 1_000);
    return { budget, pass: (ms: number) => (nowMs += ms) };
  }

  test('is 90 % for a burst, and 50 % once every wait of 500 ms was a quarter or more', () => {
    const { budget, pass } = startBudget();
    expect(budget.limitMs()).toBe(900);

    budget.record(250);
    pass(499);
    budget.record(300);
    expect(budget.limitMs()).toBe(900);
    pass(1);
    expect(budget.limitMs()).toBe(500);
  });

  test('is 90 % again after one wait below a quarter', () => {
    const { budget, pass } = startBudget();
    budget.record(250);
    pass(500);

    budget.record(249);

    expect(budget.limitMs()).toBe(900);
    pass(10_000);
    expect(budget.limitMs()).toBe(900);
  });
});

test('a slice of work is over after half a millisecond, and the next begins after a turn', async () => {
  let nowMs = 10;
  const waits: number[] = [];
  const slices = createSlices({
    monotonicMs: () => nowMs,
    wait: async (ms) => {
      waits.push(ms);
      nowMs += 3;
    },
  });

  nowMs = 10.49;
  expect(slices.isOver()).toBe(false);
  nowMs = 10.5;
  expect(slices.isOver()).toBe(true);
  await slices.next();

  expect(waits).toEqual([0]);
  expect(slices.isOver()).toBe(false);
  nowMs += 0.5;
  expect(slices.isOver()).toBe(true);
});

describe('the estimate of a throughput', () => {
  /** An estimate after calls of so many items each, which take `fixedMs` and `msPerItem` for each item. */
  function estimateAfter(sizes: readonly number[], fixedMs: number, msPerItem: number) {
    const estimate = new ThroughputEstimate(100);
    for (const items of sizes) estimate.record(items, fixedMs + items * msPerItem);
    return estimate;
  }

  test('is of the fixed time of a call and of the time per item, once calls of different sizes show them', () => {
    const estimate = new ThroughputEstimate(10);
    expect(estimate.expectedMs(3)).toBe(30);

    estimate.record(4, 680);
    expect([estimate.fixedMs, estimate.expectedMs(8)]).toEqual([640, 720]);
    for (const items of [12, 4, 8]) estimate.record(items, 600 + items * 20);

    // 20 ms, to which each call moves it halfway.
    expect(estimate.fixedMs).toBeCloseTo(610, 0);
    expect(estimate.expectedMs(100)).toBeCloseTo(2_485, 0);
  });

  test.each([
    ['without a second size', [5, 5, 5, 5], 100],
    ['with sizes that are nearly equal', [33, 33, 30, 33], 100],
    ['with two sizes', [5, 1, 5, 1, 5, 1, 5], 15],
  ])('of the time per item, %s', (_what, sizes, expected) => {
    const estimate = estimateAfter(sizes, 5_000, 15);
    expect(estimate.expectedMs(2) - estimate.expectedMs(1)).toBeCloseTo(expected, -1);
  });

  test('hardly follows a change of the fixed time alone', () => {
    const estimate = estimateAfter([2, 33, 33, 32, 2, 33, 33, 32], 50, 15);
    for (const items of [2, 33, 33, 32]) estimate.record(items, 2_000 + items * 15);
    expect(estimate.batchSizeFor(500, 100)).toBeGreaterThan(25);
    expect(estimate.batchSizeFor(500, 100)).toBeLessThan(50);
    expect(estimate.fixedMs).toBeGreaterThan(1_900);
  });

  test('is at most the shortest time per item of a whole call', () => {
    expect(estimateAfter([5], 50, 15).batchSizeFor(500, 100)).toBe(20);
  });

  test('is raised by a reset, and never lowered', () => {
    const estimate = new ThroughputEstimate(10);
    estimate.record(4, 20);
    expect(estimate.expectedMs(1)).toBe(5);

    estimate.reset(3);
    expect(estimate.expectedMs(1)).toBe(5);
    estimate.reset();
    expect(estimate.expectedMs(1)).toBe(10);
    estimate.reset(12);
    expect(estimate.expectedMs(1)).toBe(12);
  });

  test('gives batches of at least one item and at most the largest size', () => {
    const estimate = new ThroughputEstimate(10);

    expect(estimate.batchSizeFor(100, 50)).toBe(10);
    expect(estimate.batchSizeFor(100, 10)).toBe(10);
    expect(estimate.batchSizeFor(100, 5)).toBe(5);
    expect(estimate.batchSizeFor(4, 50)).toBe(1);
    expect(estimate.batchSizeFor(26, 50)).toBe(3);
  });
});

describe('a queue of callers', () => {
  const never = new AbortController().signal;

  test('wakes the oldest caller first, one at a time', async () => {
    const queue = new WaitQueue();
    const order: string[] = [];
    const waits = ['a', 'b'].map((name) => queue.wait(never).then(() => order.push(name)));
    expect(queue.size).toBe(2);

    expect(queue.wakeNext()).toBe(true);
    await waits[0];
    expect([order, queue.size]).toEqual([['a'], 1]);
    expect(queue.wakeNext()).toBe(true);
    await waits[1];

    expect(queue.wakeNext()).toBe(false);
    expect([order, queue.size]).toEqual([['a', 'b'], 0]);
  });

  test('rejects an aborted caller with the reason of its signal, and forgets it', async () => {
    const queue = new WaitQueue();
    const abort = new AbortController();
    const reason = new Error('gone');
    const aborted = queue.wait(abort.signal);
    const next = queue.wait(never);

    abort.abort(reason);

    await expect(aborted).rejects.toBe(reason);
    expect(queue.size).toBe(1);
    queue.wakeNext();
    await expect(next).resolves.toBeUndefined();
  });

  test('leaves no listener at the signal of a caller that was woken', async () => {
    const queue = new WaitQueue();
    const abort = new AbortController();
    const { signal } = abort;
    const listeners = new Set<unknown>();
    const { addEventListener, removeEventListener } = signal;
    signal.addEventListener = (...args: Parameters<typeof addEventListener>) => {
      listeners.add(args[1]);
      addEventListener.apply(signal, args);
    };
    signal.removeEventListener = (...args: Parameters<typeof removeEventListener>) => {
      if (args[0] === 'abort') listeners.delete(args[1]);
      removeEventListener.apply(signal, args);
    };
    const waiting = queue.wait(signal);
    expect(listeners.size).toBe(1);

    queue.wakeNext();
    await waiting;

    expect(listeners.size).toBe(0);
  });
});
