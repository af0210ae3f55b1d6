import { expect, test } from 'vitest';
import { RequestQueue } from './queue-operation.ts';

interface Load {
  readonly requestsPerSecond: number;
  /** One request in `purchaseEvery` is a purchase. */
  readonly purchaseEvery: number;
  readonly seconds: number;
}

const executionMs = 2.5;
/** The time to read a request, or to refuse it. */
const readingMs = 0.1;
/** Requests per second that the event loop can read and execute. */
const capacity = 1_000 / (executionMs + readingMs);

/** Simulates turns of an event loop, each of which reads the arrived requests and executes those that the queue starts. */
async function simulate({ requestsPerSecond, purchaseEvery, seconds }: Load) {
  let nowMs = 0;
  let endTurn = () => {};
  const clock = {
    monotonicMs: () => nowMs,
    wait: () => new Promise<void>((resolve) => (endTurn = resolve)),
  };
  const queue = new RequestQueue(clock, 2_000);
  const waits: number[] = [];
  const purchaseWaits: number[] = [];
  const refused = { reads: 0, purchases: 0 };
  let started = 0;
  let arrived = 0;

  const arrive = () => {
    arrived += 1;
    nowMs += readingMs;
    const isPurchase = arrived % purchaseEvery === 0;
    if (queue.overloadMs(isPurchase) > 0) {
      refused[isPurchase ? 'purchases' : 'reads'] += 1;
      return;
    }
    const atMs = nowMs;
    const begin = () => {
      started += 1;
      (isPurchase ? purchaseWaits : waits).push(nowMs - atMs);
    };
    const turn = queue.enter(isPurchase);
    if (turn) void turn.then(begin);
    else begin();
  };
  let executed = 0;
  while (nowMs < seconds * 1_000) {
    while (arrived < (nowMs * requestsPerSecond) / 1_000) arrive();
    nowMs += Math.max(0.05, (started - executed) * executionMs);
    executed = started;
    endTurn();
    for (let microtask = 0; microtask < 4; microtask += 1) await undefined;
  }
  const p99 = (values: number[]) =>
    values.toSorted((one, other) => one - other)[Math.floor(values.length * 0.99)] ?? 0;
  return {
    p99Ms: p99(waits),
    purchaseP99Ms: p99(purchaseWaits),
    refused,
    perSecond: started / seconds,
  };
}

test('below its capacity the gateway refuses no request and adds little delay', async () => {
  const { refused, p99Ms } = await simulate({
    requestsPerSecond: 0.8 * capacity,
    purchaseEvery: 50,
    seconds: 20,
  });

  expect(refused).toEqual({ reads: 0, purchases: 0 });
  expect(p99Ms).toBeLessThan(50);
});

test('at three times its capacity the gateway serves at least 90 % of the capacity within the budget, refuses no purchase and starts purchases within two turns', {
  tags: ['S5'],
}, async () => {
  const { refused, p99Ms, purchaseP99Ms, perSecond } = await simulate({
    requestsPerSecond: 3 * capacity,
    purchaseEvery: 50,
    seconds: 20,
  });

  expect(perSecond).toBeGreaterThan(0.9 * capacity);
  expect(refused.reads).toBeGreaterThan(0);
  expect(refused.purchases).toBe(0);
  expect(p99Ms).toBeLessThan(2_000);
  expect(purchaseP99Ms).toBeLessThan(100);
});

test('when purchases alone exceed the capacity, other requests are refused first', {
  tags: ['S5'],
}, async () => {
  const { refused, p99Ms } = await simulate({
    requestsPerSecond: 3 * capacity,
    purchaseEvery: 2,
    seconds: 20,
  });

  expect(refused.purchases).toBeGreaterThan(0);
  expect(refused.reads).toBeGreaterThan(refused.purchases);
  expect(p99Ms).toBeLessThan(2_000);
});
