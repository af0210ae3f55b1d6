import { once } from 'node:events';
import { buildSchema } from 'graphql';
import { describe, expect, test } from 'vitest';
import { createRequest, operationOf, refusalOf } from '../../../../test/support/server/request.ts';
import { queueOperation, RequestQueue } from './queue-operation.ts';

const operation = operationOf('{ a }');
const refused = (seconds: string) => ({
  code: 'OVERLOADED',
  status: 503,
  headers: { 'retry-after': seconds },
});

/** A queue on a simulated event loop. */
function startQueue(budgetMs = 1_000) {
  let nowMs = 0;
  let endTurn: (() => void) | null = null;
  const queue = new RequestQueue(
    {
      monotonicMs: () => nowMs,
      wait: () => new Promise<void>((resolve) => (endTurn = resolve)),
    },
    budgetMs,
  );
  const log: string[] = [];
  return {
    queue,
    /** The operations that have started, in their order. */
    log,
    /** Whether the queue waits for the end of a turn. */
    isCounting: () => endTurn !== null,
    /** Ends a turn that took this time. */
    async turn(ms: number) {
      nowMs += ms;
      const end = endTurn;
      endTurn = null;
      end?.();
      for (let microtask = 0; microtask < 10; microtask += 1) await undefined;
    },
    enter(name: string, isPurchase = false) {
      const wait = queue.enter(isPurchase);
      if (wait) void wait.then(() => log.push(name));
      else log.push(name);
    },
  };
}

type Queue = ReturnType<typeof startQueue>;
const fill = ({ enter }: Queue, count: number, name = 'r') => {
  for (let at = 0; at < count; at += 1) enter(`${name}${at}`);
};

test('at first 64 operations start per turn, and the next ones in later turns in their order', async () => {
  const queue = startQueue();
  fill(queue, 130);

  expect(queue.log).toHaveLength(64);
  await queue.turn(1);
  expect(queue.log).toHaveLength(128);
  await queue.turn(1);
  expect(queue.log).toEqual(Array.from({ length: 130 }, (_, at) => `r${at}`));
});

test('purchases start before the operations that wait, and in their own order', async () => {
  const queue = startQueue();
  fill(queue, 66);
  queue.enter('first purchase', true);
  queue.enter('second purchase', true);

  await queue.turn(1);

  expect(queue.log.slice(64)).toEqual(['first purchase', 'second purchase', 'r64', 'r65']);
});

test.each([false, true])(
  'an operation never overtakes one that waits: purchases %s',
  async (isPurchase) => {
    const queue = startQueue();
    // 20 ms each.
    await settle(queue, 100, 5);
    fill(queue, 20);
    queue.enter('waits', isPurchase);
    // The wait of one is below every budget, so the next one may enter.
    queue.enter('late');
    await queue.turn(1);

    expect(queue.log.slice(-2)).toEqual(['waits', 'late']);
  },
);

test('an idle queue counts no turns, and counts them again for the next operation', async () => {
  const { enter, turn, isCounting, log } = startQueue();

  expect(isCounting()).toBe(false);
  enter('a');
  expect(isCounting()).toBe(true);
  await turn(1);
  expect(isCounting()).toBe(true);
  await turn(1);
  expect(isCounting()).toBe(false);
  enter('b');
  expect(isCounting()).toBe(true);
  expect(log).toEqual(['a', 'b']);
});

/** Runs turns of this length with this number of operations each, until the smoothed figures are constant. */
async function settle(queue: Queue, turnMs: number, starts: number): Promise<void> {
  for (let turn = 0; turn < 200; turn += 1) {
    fill(queue, starts);
    await queue.turn(turnMs);
  }
}

test.each([
  // One operation takes 10 ms: five would fit into 50 ms, and twenty is the least.
  [50, 5, 20],
  // One operation takes 2 ms.
  [20, 10, 25],
  // One operation takes 0.5 ms: a hundred would fit, and 64 is the most.
  [5, 10, 64],
])(
  'after turns of %i ms with %i operations each, one turn starts %i',
  async (turnMs, starts, most) => {
    const queue = startQueue(1_000_000);
    await settle(queue, turnMs, starts);
    queue.log.length = 0;

    fill(queue, 200);

    expect(queue.log.length).toBe(most);
    // As long per operation as before.
    await queue.turn((turnMs / starts) * most);
    expect(queue.log.length).toBe(2 * most);
  },
);

test('an operation is refused when its expected wait exceeds nine tenths of the budget', async () => {
  const queue = startQueue();
  // One operation takes 1 ms, and fifty start in a turn.
  await settle(queue, 10, 10);
  fill(queue, 50 + 899);

  expect(queue.queue.overloadMs(false)).toBe(0);
  fill(queue, 2);
  expect(queue.queue.overloadMs(false)).toBeCloseTo(901);
});

test('an operation whose expected wait is exactly nine tenths of the budget may enter', async () => {
  const queue = startQueue();
  fill(queue, 64);
  // 10 ms each, and twenty per turn.
  await queue.turn(640);
  fill(queue, 20 + 90);

  expect(queue.queue.overloadMs(false)).toBe(0);
  fill(queue, 1);
  expect(queue.queue.overloadMs(false)).toBe(910);
});

test('only purchases count as ahead of a purchase', async () => {
  const queue = startQueue();
  await settle(queue, 10, 10);
  fill(queue, 50 + 901);
  for (let at = 0; at < 899; at += 1) queue.enter(`p${at}`, true);

  expect(queue.queue.overloadMs(true)).toBe(0);
  for (let at = 0; at < 2; at += 1) queue.enter(`p${at}`, true);
  expect(queue.queue.overloadMs(true)).toBeCloseTo(901);
  expect(queue.queue.overloadMs(false)).toBeCloseTo(1_802);
});

test('one long turn changes the expected wait by a tenth of the difference', async () => {
  const queue = startQueue();
  await settle(queue, 10, 10);
  fill(queue, 10);
  // 0.9 × 10 ms + 0.1 × 1,000 ms for ten operations: 10.9 ms each.
  await queue.turn(1_000);
  fill(queue, 20 + 82);

  expect(queue.queue.overloadMs(false)).toBe(0);
  fill(queue, 1);
  expect(queue.queue.overloadMs(false)).toBeCloseTo(83 * 10.9);
});

test('a queue whose waits stay long has half of the budget until an operation starts at once', async () => {
  const queue = startQueue();
  await settle(queue, 10, 10);
  fill(queue, 50 + 800);
  // As many operations arrive as start.
  for (let turn = 0; turn < 14; turn += 1) {
    await queue.turn(50);
    fill(queue, 50);
  }

  // The wait has been above a quarter of the budget since the fifth turn.
  expect(queue.queue.overloadMs(false)).toBe(0);
  await queue.turn(50);
  fill(queue, 50);
  expect(queue.queue.overloadMs(false)).toBeCloseTo(800);
  for (let turn = 0; turn < 17; turn += 1) await queue.turn(50);
  fill(queue, 50 + 800);
  expect(queue.queue.overloadMs(false)).toBe(0);
});

const operationSchema = buildSchema('type Query { a: Int, purchase: Int, orders: Int }');
for (const name of ['purchase', 'orders']) {
  const field = operationSchema.getQueryType()?.getFields()[name];
  if (field) field.extensions = { neverLimited: true };
}

function startRule() {
  const upstream = { overloadMs: 0, asked: [] as unknown[] };
  const queue = startQueue();
  const overloadMs = (...asked: unknown[]) => {
    upstream.asked.push(asked);
    return upstream.overloadMs;
  };
  const rule = queueOperation(queue.queue, overloadMs, operationSchema);
  const request = (upstreamCalls = 0, isNeverLimited = false) => {
    const made = createRequest({ tenant: 'north' });
    made.estimate = { upstreamCalls, searches: 0, storedRows: 0, isNeverLimited };
    return made;
  };
  const check = (sent = request()) => rule.onOperation?.(operation, sent) ?? null;
  return { queue, upstream, rule, request, check };
}

test.each([
  [1, '1'],
  [1_000, '1'],
  [1_001, '2'],
])(
  'an upstream wait of %i ms above the budget is refused with Retry-After %s',
  async (overloadMs, seconds) => {
    const { upstream, check, request, queue } = startRule();
    upstream.overloadMs = overloadMs;

    expect(await refusalOf(check(request(1)))).toEqual(refused(seconds));
    expect(upstream.asked).toEqual([['north', false]]);
    // A refused operation takes no place in the queue.
    expect(queue.isCounting()).toBe(false);
  },
);

test('the upstream wait is that of the tenant and of purchases, and does not concern operations without upstream calls', () => {
  const { upstream, check, request } = startRule();
  upstream.overloadMs = 1;

  expect(check(request(0, true))).toBeNull();
  expect(check(createRequest())).toBeNull();
  expect(upstream.asked).toEqual([]);
  expect(check(request(2, true))).not.toBeNull();
  expect(upstream.asked).toEqual([['north', true]]);
});

test('the longer of the two waits decides, and a purchase has the wait of purchases', async () => {
  const { queue, upstream, check, request } = startRule();
  await settle(queue, 10, 10);
  fill(queue, 50 + 2_500);

  expect(await refusalOf(check())).toEqual(refused('3'));
  expect(await refusalOf(check(createRequest()))).toEqual(refused('3'));
  upstream.overloadMs = 3_001;
  expect(await refusalOf(check(request(1)))).toEqual(refused('4'));
  expect(await refusalOf(check(request(1, true)))).toEqual(refused('4'));
  upstream.overloadMs = 0;
  expect(check(request(1, true))).toBeInstanceOf(Promise);
});

test.each([
  ['is allowed', async () => undefined, null],
  [
    'is refused when its client has disconnected',
    async ({ response }: ReturnType<typeof createRequest>) => {
      response.socket?.destroy();
      await once(response, 'close');
    },
    refused('1'),
  ],
])('an operation that has waited %s', async (_what, during, expected) => {
  const { queue, check, request } = startRule();
  const sent = request();
  fill(queue, 64);
  const verdict = check(sent);

  await during(sent);
  await queue.turn(1);

  expect(verdict).toBeInstanceOf(Promise);
  expect(await refusalOf(verdict)).toEqual(expected);
});

test('an operation that has waited is refused when the upstream is overloaded by then', async () => {
  const { queue, upstream, check, request } = startRule();
  fill(queue, 64);
  const verdict = check(request(1));

  upstream.overloadMs = 2_500;
  await queue.turn(1);

  expect(await refusalOf(verdict)).toEqual(refused('3'));
});

describe('the body of a request', () => {
  const document = '{ a } # "quoted" \\ ✓';
  const body = (query: string, more = {}) => JSON.stringify({ query, variables: { more } });
  const start = (query: string, upstreamCalls = 1) => {
    const started = startRule();
    const { upstream, rule, request } = started;
    const check = (text: string) => rule.onBody?.(text, request())?.headers?.['retry-after'];
    upstream.overloadMs = 2_500;
    const refuse = (calls = upstreamCalls, operationName?: string) =>
      rule.onOperation?.(operationOf(query, undefined, operationName), request(calls));
    return { ...started, check, refuse };
  };

  test.each([
    ['the document first', body(document, 1)],
    ['blanks as Python writes them', `{"query": ${JSON.stringify(document)}, "variables": {}}`],
    ['the document last', JSON.stringify({ variables: { query: '{ b }' }, query: document })],
  ])('is refused by its document, which was refused before: %s', (_what, text) => {
    const { check, refuse, upstream } = start(document);

    expect(check(text)).toBeUndefined();
    void refuse();
    expect(check(text)).toBe('3');
    upstream.overloadMs = 0;
    expect(check(text)).toBeUndefined();
  });

  test.each([
    ['another document', body('{ a }')],
    ['a longer document', body(`${document} `)],
    [
      'the document as a variable',
      `{"documentId":"b","variables":{"query":${JSON.stringify(document)}}}`,
    ],
    ['the document under another name', `{"text":${JSON.stringify(document)}}`],
    ['the id of a document', '{"documentId":"b"}'],
    ['no end', `{"query":"${document}`],
    ['nothing', ''],
  ])('is not refused with %s', (_what, text) => {
    const { check, refuse } = start(document);
    void refuse();

    expect(check(text)).toBeUndefined();
  });

  test.each([
    ['query A { purchase }'],
    ['query A { a orders }'],
    ['query A { a } query B { purchase }'],
    ['query A { a } # purchase'],
  ])('is never refused when its document has the name of a field about purchases: %s', (query) => {
    const { check, refuse } = start(query);
    void refuse(1, 'A');

    expect(check(body(query))).toBeUndefined();
  });

  test('is refused for the wait of upstream calls only when its document needs them, and for the queue in any case', async () => {
    const { queue, check, refuse, upstream } = start(document, 0);
    upstream.overloadMs = 0;
    await settle(queue, 10, 10);
    fill(queue, 50 + 2_500);
    void refuse();

    expect(check(body(document))).toBe('3');
    for (let turn = 0; turn < 100; turn += 1) await queue.turn(1);
    upstream.overloadMs = 2_500;
    expect(check(body(document))).toBeUndefined();
    void refuse(1);
    expect(check(body(document))).toBe('3');
  });

  test('names the operation of the refused request in logs', () => {
    const { rule, request, upstream } = startRule();
    const facts = { kind: 'query', name: 'A', document: 'abc' } as const;
    upstream.overloadMs = 1;
    const first = request(1);
    first.operation = facts;
    void rule.onOperation?.(operationOf(document), first);

    const next = request();
    rule.onBody?.(body(document), next);

    expect(next.operation).toBe(facts);
    expect([...next.errorCodes]).toEqual(['OVERLOADED']);
  });
});

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
