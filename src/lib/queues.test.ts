import { describe, expect, test } from 'vitest';
import { QueueBudget } from './queue-budget.ts';
import { createSlices } from './slices.ts';
import { ThroughputEstimate } from './throughput-estimate.ts';
import { WaitQueue } from './wait-queue.ts';

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
  test('moves halfway with four items, and further with more', () => {
    const estimate = new ThroughputEstimate(10);
    expect(estimate.expectedMs(3)).toBe(30);

    estimate.record(4, 80);
    expect(estimate.expectedMs(1)).toBe(15);
    estimate.record(12, 36);
    expect(estimate.expectedMs(1)).toBe(6);
  });

  test('is raised by a reset, and never lowered', () => {
    const estimate = new ThroughputEstimate(10);
    estimate.record(4, 0);
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
