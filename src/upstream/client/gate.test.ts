import { describe, expect, test } from 'vitest';
import { createSimulatedClock } from '../../../test/support/simulated-clock.ts';
import { Fault } from '../../kernel/faults.ts';
import { Secret } from '../../kernel/secret.ts';
import type { TokenBuckets } from '../../lib/token-bucket.ts';
import {
  Gate,
  type GateOptions,
  gateLimits,
  outageReasonOf,
  type PendingCall,
  type Permit,
} from './gate.ts';

const never = new AbortController().signal;
const gone = new Error('gone');
const limits = {
  breaker: { failures: 2, windowMs: 10_000, firstMs: 400, maxMs: 400 },
  loginPause: { firstMs: 100, maxMs: 400 },
  maxRetryAfterMs: 5_000,
};
const refusedLogin = new Fault('UPSTREAM_AUTH', { executed: 'UNKNOWN' });
const busy = (retryAfterMs: number) => new Fault('RATE_LIMITED', { facts: { retryAfterMs } });

type Outcome = Parameters<Gate['leave']>[1];
const success: Outcome = {
  ...{ fault: null, status: 200, isCutShort: false, durationMs: 0, unavailable: null },
};
const outcomeOf = (fault: Fault | null, status?: number, more: Partial<Outcome> = {}) => ({
  ...{ ...success, fault, status },
  ...more,
});
const failure = outcomeOf(new Fault('UPSTREAM_UNAVAILABLE'));

/** A gate with eight slots, of which one is reserved for urgent attempts. */
function start(options: Partial<GateOptions> = {}) {
  const { clock, pass } = createSimulatedClock();
  const gate = new Gate(
    'domain',
    {
      ...{ clock, randomness: { uuid: () => '', fraction: () => 0.5 } },
      ...{ maxInFlight: 8, queueBudgetMs: 1_000, ratePerSecond: 0, limits, ...options },
    },
    () => ({ username: 'acme', password: new Secret('old') }),
  );
  const entered: string[] = [];
  const permits = new Map<string, Permit>();
  /** Enters as an attempt called `name`, which has 10 seconds; resolves to the code of its fault, or to `sent`. */
  const enter = async (name: string, call: Partial<PendingCall> & { inMs?: number } = {}) => {
    const { inMs = 10_000, ...rest } = call;
    try {
      const permit = await gate.enter({
        ...{ action: 'getdetails', effect: 'read', isUrgent: false, signal: never },
        ...{ endsAtMs: clock.monotonicMs() + inMs, ...rest },
      });
      entered.push(name);
      permits.set(name, permit);
      return 'sent';
    } catch (error) {
      return error instanceof Fault ? error.code : (error as Error).message;
    }
  };
  const leave = (name: string, outcome: Outcome = success) =>
    gate.leave(permits.get(name) as Permit, outcome);
  /** One attempt from begin to end. */
  const run = async (outcome: Outcome, call: Partial<PendingCall> = {}) => {
    expect(await enter('run', call)).toBe('sent');
    leave('run', outcome);
  };
  /** Takes slots for attempts called `r1`, `r2`, … */
  const fill = async (count: number) => {
    for (let at = 1; at <= count; at += 1) await enter(`r${at}`);
    expect(entered).toHaveLength(count);
  };
  /** The fault of an attempt that is refused at once. */
  const refusalOf = async (call: Partial<PendingCall> & { inMs?: number } = {}) => {
    const { inMs = 10_000, ...rest } = call;
    const error: unknown = await gate
      .enter({
        ...{ action: 'getdetails', effect: 'read', isUrgent: false, signal: never },
        ...{ endsAtMs: clock.monotonicMs() + inMs, ...rest },
      })
      .catch((reason) => reason);
    return error;
  };
  return { gate, clock, pass, entered, enter, leave, run, fill, refusalOf };
}

describe('the slots of a gate', () => {
  test('are as many as its concurrency, and one in eight is for urgent attempts only', async () => {
    const { enter, entered, pass } = start();
    for (let at = 0; at < 9; at += 1) void enter('read');
    await pass(0);
    expect(entered).toHaveLength(7);

    void enter('urgent', { isUrgent: true });
    void enter('late', { isUrgent: true });
    await pass(0);

    expect(entered.slice(7)).toEqual(['urgent']);
  });

  test('are freed in the order of the queue, urgent attempts first', async () => {
    const { enter, leave, entered, fill, pass } = start();
    await fill(7);
    await enter('reserved', { isUrgent: true });
    for (const name of ['first', 'second']) void enter(name);
    void enter('urgent', { isUrgent: true });

    for (const name of ['r1', 'r2', 'r3']) {
      leave(name);
      await pass(0);
    }

    expect(entered.slice(8)).toEqual(['urgent', 'first', 'second']);
  });

  test('are not lost by an attempt that is aborted in the queue', async () => {
    const { enter, leave, fill, pass, entered } = start();
    await fill(7);
    const abort = new AbortController();
    const leaving = enter('leaving', { signal: abort.signal });
    void enter('staying');
    await pass(0);

    abort.abort(gone);
    leave('r1');
    await pass(0);

    expect(await leaving).toBe('gone');
    expect(entered.at(-1)).toBe('staying');
  });

  test('are halved by "too many requests", with as many as are still in flight as the minimum', async () => {
    const { gate, leave, fill } = start();
    await fill(7);
    leave('r1', outcomeOf(new Fault('RATE_LIMITED', { facts: { retryAfterMs: 0 } }), 429));
    expect(gate.state().concurrencyLimit).toBe(6);

    for (const name of ['r2', 'r3']) leave(name);
    leave('r4', outcomeOf(null, 429));

    expect(gate.state().concurrencyLimit).toBe(3);
  });
});

test('a slot that a rejection takes away is not given to the queue', async () => {
  const { enter, leave, fill, entered, pass } = start();
  await fill(7);
  void enter('waiting');
  await pass(0);

  leave('r1', outcomeOf(null, 429));
  await pass(0);
  // 6 slots, of which one is reserved.
  expect(entered).toHaveLength(7);
  for (const name of ['r2', 'r3']) leave(name);
  await pass(0);

  expect(entered.at(-1)).toBe('waiting');
});

describe('a refused login', () => {
  test('pauses every action with the fault that refused it, executed NO', async () => {
    const { gate, run, refusalOf, pass } = start();
    await run(outcomeOf(refusedLogin, 400));

    expect(await refusalOf({ action: 'tldlist', isUrgent: true })).toMatchObject({
      ...{ code: 'UPSTREAM_AUTH', executed: 'NO' },
    });
    expect(gate.state().loginPausedForMs).toBe(100);
    await pass(100);
    await run(success);
  });

  test('is not sent by the attempts that waited in the queue when it was refused', async () => {
    const { enter, leave, fill, entered, pass } = start();
    await fill(7);
    const reads = ['a', 'b', 'c'].map((name) => enter(name));
    const urgent = ['d', 'e'].map((name) => enter(name, { isUrgent: true }));
    await pass(0);
    expect(entered).toHaveLength(8);

    leave('r1', outcomeOf(refusedLogin, 401));

    expect(await Promise.all(reads)).toEqual(Array(3).fill('UPSTREAM_AUTH'));
    expect(await Promise.all(urgent)).toEqual(['sent', 'UPSTREAM_AUTH']);
    expect(entered).toHaveLength(8);
  });

  test('is sent by one trial, of which a success with any answer ends the pause', async () => {
    for (const answer of [
      success,
      outcomeOf(new Fault('NOT_FOUND', { upstream: { code: 'X', message: '' } }), 400),
    ]) {
      const { enter, leave, run, pass } = start();
      await run(outcomeOf(refusedLogin, 401));
      await pass(100);
      await enter('trial');
      expect(await enter('other')).toBe('UPSTREAM_AUTH');

      leave('trial', answer);

      expect(await enter('next')).toBe('sent');
    }
  });

  test.each([
    ['no response', outcomeOf(new Fault('UPSTREAM_TIMEOUT'))],
    ['a response that is not from the upstream', outcomeOf(new Fault('UPSTREAM_PROTOCOL'), 400)],
    [
      'a response of an upstream without its backend',
      outcomeOf(
        new Fault('UPSTREAM_UNAVAILABLE', { upstream: { code: 'RESPONSE', message: '' } }),
        400,
      ),
    ],
  ])('is tried again after a trial with %s', async (_, nothing) => {
    const { enter, leave, run, pass } = start();
    await run(outcomeOf(refusedLogin, 401));
    await pass(100);
    await enter('trial');
    leave('trial', nothing);

    expect(await enter('second trial')).toBe('sent');
    expect(await enter('other')).toBe('UPSTREAM_AUTH');
  });

  test.each([
    ['an API without a login', limits, null],
    [
      'a disabled pause',
      { ...limits, loginPause: null },
      () => ({ username: 'a', password: new Secret('b') }),
    ],
  ])('pauses nothing with %s', async (_, withLimits, login) => {
    const { clock } = createSimulatedClock();
    const gate = new Gate(
      'account',
      {
        ...{ clock, randomness: { uuid: () => '', fraction: () => 0.5 }, limits: withLimits },
        ...{ maxInFlight: 8, queueBudgetMs: 1_000, ratePerSecond: 0 },
      },
      login,
    );
    const call = { action: 'a', effect: 'read', isUrgent: false, signal: never } as const;
    const endsAtMs = clock.monotonicMs() + 1;

    gate.leave(await gate.enter({ ...call, endsAtMs }), outcomeOf(refusedLogin, 401));
    await gate.enter({ ...call, endsAtMs });

    expect(gate.state().loginPausedForMs).toBe(0);
  });
});

describe('the circuit breaker of an action', () => {
  test('refuses that action only, and admits urgent reads but no urgent write', async () => {
    const { gate, enter, run } = start();
    await run(failure);
    await run(failure);

    expect(gate.state().breakers).toEqual({ getdetails: 'open' });
    expect(await enter('read')).toBe('UPSTREAM_UNAVAILABLE');
    expect(await enter('other', { action: 'tldlist' })).toBe('sent');
    expect(await enter('urgent write', { isUrgent: true, effect: 'write' })).toBe(
      'UPSTREAM_UNAVAILABLE',
    );
    expect(await enter('urgent read', { isUrgent: true })).toBe('sent');
    expect(gate.state().breakers).toEqual({ getdetails: 'open', tldlist: 'closed' });
  });

  test('refuses the attempts that waited in the queue when it opened, and frees their slots', async () => {
    const { enter, leave, fill, entered, pass } = start();
    await fill(7);
    const waiting = ['a', 'b'].map((name) => enter(name));
    const other = enter('tldlist', { action: 'tldlist' });
    await pass(0);

    leave('r1', outcomeOf(new Fault('NOT_FOUND')));
    await pass(0);
    expect(entered.at(-1)).toBe('a');
    leave('r2', failure);
    leave('r3', failure);
    await pass(0);

    expect(entered.at(-1)).toBe('tldlist');
    expect(await Promise.all(waiting)).toEqual(['sent', 'UPSTREAM_UNAVAILABLE']);
    expect(await other).toBe('sent');
    // 4 of the first 7 attempts, `a` and `tldlist` are in flight.
    expect(await enter('one more', { action: 'tldlist' })).toBe('sent');
  });

  const answer = { upstream: { code: 'X', message: '' } };
  const noBackend = { upstream: { code: 'INVALID_RESPONSE', message: '' } };
  test.each<[what: string, verdict: 'works' | 'fails' | 'nothing', outcome: Outcome]>([
    ['a success', 'works', success],
    ['a success with status 499', 'works', outcomeOf(null, 499)],
    ['a refusal', 'works', outcomeOf(new Fault('NOT_FOUND', answer), 404)],
    ['an error code below 500', 'works', outcomeOf(new Fault('UPSTREAM_UNAVAILABLE', answer), 499)],
    ['an error code with 500', 'fails', outcomeOf(new Fault('UPSTREAM_UNAVAILABLE', answer), 500)],
    [
      'an unreachable backend',
      'fails',
      outcomeOf(new Fault('UPSTREAM_UNAVAILABLE', noBackend), 400),
    ],
    ['an error page below 500', 'fails', outcomeOf(new Fault('UPSTREAM_PROTOCOL'), 400)],
    ['no connection', 'fails', outcomeOf(new Fault('UPSTREAM_UNAVAILABLE'))],
    ['a timeout', 'fails', outcomeOf(new Fault('UPSTREAM_TIMEOUT'))],
    [
      'a timeout that was cut short',
      'nothing',
      outcomeOf(new Fault('UPSTREAM_TIMEOUT'), undefined, { isCutShort: true }),
    ],
    [
      'a failure in a short time',
      'fails',
      outcomeOf(new Fault('UPSTREAM_UNAVAILABLE'), undefined, { isCutShort: true }),
    ],
    ['an abort', 'nothing', outcomeOf(null)],
    ['an error of the gateway before the response', 'nothing', outcomeOf(new Fault('INTERNAL'))],
    ['an error of the gateway after it', 'works', outcomeOf(new Fault('INTERNAL'), 200)],
    ['a 500 that is another fault', 'works', outcomeOf(new Fault('NOT_FOUND', answer), 500)],
  ])('%s: %s', async (_, verdict, outcome) => {
    const { gate, run, enter, pass } = start();
    await run(failure);
    await run(outcome);
    const isOpen = gate.state().breakers.getdetails === 'open';
    if (!isOpen) await run(failure);
    const isOpenLater = gate.state().breakers.getdetails === 'open';
    // A success among three attempts leaves half of them failures.
    expect([isOpen, isOpenLater]).toEqual([verdict === 'fails', true]);

    await pass(400);
    await run(outcome);

    const state = { works: 'closed', fails: 'open', nothing: 'half-open' }[verdict];
    expect(gate.state().breakers.getdetails).toBe(state);
    expect(await enter('next')).toBe(verdict === 'fails' ? 'UPSTREAM_UNAVAILABLE' : 'sent');
  });
});

describe('the number of attempts in flight', () => {
  const answer = { upstream: { code: 'X', message: '' } };
  /** The concurrency limit after four attempts with an outcome, one after the other. */
  async function limitAfter(outcome: Outcome) {
    const { gate, run } = start({
      limits: { ...limits, loginPause: null, breaker: { ...limits.breaker, failures: 100 } },
    });
    for (let at = 0; at < 4; at += 1) await run(outcome);
    return gate.state().concurrencyLimit;
  }

  test.each<[what: string, limit: number, outcome: Outcome]>([
    ['successes', 8, success],
    ['refusals', 8, outcomeOf(new Fault('NOT_FOUND', answer), 404)],
    // 0.1, 0.19, 0.271 and 0.3439 of the attempts: two are above a fifth.
    ['failures', 6, failure],
    ['aborts', 8, outcomeOf(null)],
    ['replies with status 429', 2, outcomeOf(new Fault('UPSTREAM_PROTOCOL'), 429)],
    [
      'replies with a Retry-After',
      2,
      outcomeOf(new Fault('UPSTREAM_UNAVAILABLE', { facts: { retryAfterMs: 0 } }), 503),
    ],
    [
      'replies that refuse the rate',
      2,
      outcomeOf(new Fault('RATE_LIMITED', { ...answer, facts: { retryAfterMs: 0 } }), 400),
    ],
  ])('after four %s is %i', async (_, limit, outcome) => {
    expect(await limitAfter(outcome)).toBe(limit);
  });

  test.each([
    ['grows with accepted attempts that use all of it', success, 3],
    ['does not grow with attempts that show nothing', outcomeOf(null), 2],
  ])('%s', async (_, outcome, limit) => {
    const { gate, enter, leave, run, pass } = start({ maxInFlight: 4 });
    await run(outcomeOf(null, 429));
    await pass(10_000);
    await enter('beside', { isUrgent: true });

    for (let at = 0; at < 3; at += 1) {
      await enter('attempt');
      leave('attempt', outcome);
    }

    expect(gate.state().concurrencyLimit).toBe(limit);
  });
});

describe('a Retry-After', () => {
  test('delays the attempts of all actions until its end, and refuses those with less time', async () => {
    const { gate, enter, run, refusalOf, entered, pass } = start();
    await run(outcomeOf(busy(1_000), 429));
    expect(gate.state().pausedForMs).toBe(1_000);
    void enter('waiting', { action: 'tldlist' });

    expect(await refusalOf({ inMs: 1_250 })).toMatchObject({
      ...{ code: 'RATE_LIMITED', executed: 'NO', facts: { retryAfterMs: 1_000 } },
    });
    await pass(1_124);
    expect(entered).toEqual(['run']);
    await pass(1);
    expect(entered).toEqual(['run', 'waiting']);
  });

  test('that begins during the wait for a slot delays the attempts in the queue', async () => {
    const { enter, leave, fill, entered, pass } = start();
    await fill(7);
    const brief = enter('brief', { inMs: 500 });
    void enter('patient');
    await pass(0);

    leave('r1', outcomeOf(busy(1_000), 429));
    for (const name of ['r2', 'r3', 'r4']) leave(name);
    await pass(1_124);
    expect(await brief).toBe('RATE_LIMITED');
    expect(entered).toHaveLength(7);
    await pass(1);

    expect(entered.slice(7)).toEqual(['patient']);
  });

  test('leaves the slot of an attempt that is aborted during it', async () => {
    const { enter, leave, fill, entered, pass } = start({ maxInFlight: 2 });
    await fill(1);
    const abort = new AbortController();
    const leaving = enter('leaving', { signal: abort.signal });
    await pass(0);
    leave('r1', outcomeOf(busy(1_000), 429));
    await pass(10);

    abort.abort(gone);
    expect(await leaving).toBe('gone');
    void enter('next');
    await pass(1_200);

    expect(entered.at(-1)).toBe('next');
  });

  test('of another replica delays too, and one of this replica is published', async () => {
    const published: number[] = [];
    let receive = (_ms: number) => {};
    const pause = {
      publish: (ms: number) => void published.push(ms),
      onPause: (listener: (ms: number) => void) => {
        receive = listener;
      },
    };
    const { gate } = start({ shared: { pause, buckets: {} as TokenBuckets } });
    receive(700);
    expect(gate.state().pausedForMs).toBe(700);
    receive(0);

    const other = start({ shared: { pause, buckets: {} as TokenBuckets } });
    await other.run(outcomeOf(busy(300), 429));

    expect(published).toEqual([300]);
  });
});

describe('a limit of attempts per second', () => {
  test('delays the attempts above it, and refuses one that would be too late', async () => {
    const { enter, refusalOf, entered, pass } = start({ ratePerSecond: 2 });
    for (const name of ['a', 'b', 'c', 'd']) void enter(name);
    await pass(0);
    expect(entered).toEqual(['a', 'b']);

    expect(await refusalOf({ inMs: 1_000 })).toMatchObject({
      ...{ code: 'RATE_LIMITED', executed: 'NO', facts: { retryAfterMs: 1_000 } },
    });
    await pass(499);
    expect(entered).toHaveLength(2);
    await pass(1);
    expect(entered).toEqual(['a', 'b', 'c']);
  });

  test('takes no token for an attempt that waits for a Retry-After', async () => {
    const { enter, run, entered, pass } = start({ ratePerSecond: 1 });
    await run(outcomeOf(busy(3_000), 429));
    void enter('one');
    await pass(3_124);
    expect(entered).toEqual(['run']);
    await pass(1);
    expect(entered).toEqual(['run', 'one']);

    const late = enter('two');
    await pass(999);
    expect(entered).toHaveLength(2);
    await pass(1);
    expect(await late).toBe('sent');
  });

  test('uses the shared bucket of this account and API', async () => {
    const taken: unknown[] = [];
    const buckets: TokenBuckets = {
      take: (...how) => {
        taken.push(how);
        return { granted: true, waitMs: 0, remaining: 1 };
      },
    };
    const pause = { publish: () => undefined, onPause: () => undefined };
    const { enter } = start({ ratePerSecond: 5, shared: { pause, buckets } });

    await enter('one');

    expect(taken).toEqual([['calls:domain', 1, { capacity: 5, perSecond: 5 }, true]]);
  });

  test('of 0 is none', async () => {
    const { enter } = start({ ratePerSecond: 0 });

    expect(await enter('one')).toBe('sent');
  });
});

describe('the expected wait', () => {
  /** Seven reads in flight, and a smoothed duration of 100 ms per attempt. */
  async function startBusy(options: Partial<GateOptions> = {}) {
    const started = start(options);
    await started.run({ ...success, durationMs: 1_000 });
    for (let at = 1; at <= 7; at += 1) await started.enter(`r${at}`);
    return started;
  }
  const queue = async ({ enter, pass }: ReturnType<typeof start>, count: number) => {
    for (let at = 0; at < count; at += 1) void enter(`q${at}`);
    await pass(0);
  };

  test('is the queue depth times the smoothed duration of an attempt, by the number of slots', async () => {
    const started = await startBusy({ queueBudgetMs: 10 });
    await queue(started, 14);

    expect(started.gate.overloadMs(false)).toBe(200);
    // One urgent slot is free, so there is no wait.
    expect(started.gate.overloadMs(true)).toBe(0);
    void started.enter('urgent', { isUrgent: true });
    await started.pass(0);
    expect(started.gate.overloadMs(true)).toBe(0);
    for (const name of ['u1', 'u2']) void started.enter(name, { isUrgent: true });
    await started.pass(0);

    // 2 urgent attempts over 8 slots.
    expect(started.gate.overloadMs(true)).toBe(25);
    // 16 attempts over 7 slots.
    expect(started.gate.overloadMs(false)).toBeCloseTo(1_600 / 7);
  });

  test('is smoothed over the attempts, and leaves out those that were cut short', async () => {
    const { gate, enter, run, pass } = start({ queueBudgetMs: 1 });
    await run({ ...success, durationMs: 1_000 });
    await run({ ...success, durationMs: 600 });
    await run({ ...success, durationMs: 9_000, isCutShort: true });
    for (let at = 0; at < 8; at += 1) void enter('read');
    await pass(0);

    // One waits: 150 ms over 7 slots.
    expect(gate.overloadMs(false)).toBeCloseTo(150 / 7);
  });

  test('refuses an attempt that has less time, before it queues', async () => {
    const started = await startBusy();
    await queue(started, 15);

    // 15 attempts of 100 ms over 7 slots: 214.3 ms.
    expect(await started.refusalOf({ inMs: 214 })).toMatchObject({
      ...{ code: 'OVERLOADED', executed: 'NO', facts: { retryAfterMs: 215 } },
    });
    await queue(started, 6);
    expect(await started.refusalOf({ inMs: 300 })).toMatchObject({ code: 'OVERLOADED' });
    const abort = new AbortController();
    const waiting = started.enter('in time', { inMs: 301, signal: abort.signal });
    await started.pass(0);
    abort.abort(gone);
    expect(await waiting).toBe('gone');
  });

  test('above nine tenths of the queue budget is an overload', async () => {
    const started = await startBusy({ queueBudgetMs: 1_000 });
    await queue(started, 63);
    expect(started.gate.overloadMs(false)).toBe(0);

    await queue(started, 1);

    expect(started.gate.overloadMs(false)).toBeCloseTo(6_400 / 7);
  });

  test('is half of the queue budget at most while reads wait for longer than a quarter of it', async () => {
    const started = await startBusy({ queueBudgetMs: 100 });
    const { gate, enter, leave, pass } = started;
    await queue(started, 6);
    void enter('urgent', { isUrgent: true });
    void enter('urgent and waiting', { isUrgent: true });
    await pass(25);
    leave('urgent', { ...success, durationMs: 100 });
    await pass(500);
    // The wait of an urgent attempt does not count: 6 attempts of 100 ms over 7 slots are below 90 ms.
    expect(gate.overloadMs(false)).toBe(0);

    leave('r1', { ...success, durationMs: 100 });
    await pass(499);
    expect(gate.overloadMs(false)).toBe(0);
    await pass(1);

    expect(gate.overloadMs(false)).toBeCloseTo(500 / 7);
  });

  test('counts the calls per second where these are slower', async () => {
    const { gate, enter, pass } = start({ ratePerSecond: 2, queueBudgetMs: 1 });
    for (const name of ['a', 'b', 'c', 'd', 'e']) void enter(name);
    await pass(0);
    void enter('urgent', { isUrgent: true });
    await pass(0);

    expect([gate.overloadMs(false), gate.overloadMs(true)]).toEqual([2_000, 500]);
  });
});

test('the reason of an outage is that of the last attempt, until one works', async () => {
  const { gate, run } = start();
  const away = (sentence: string) =>
    outcomeOf(new Fault('UPSTREAM_UNAVAILABLE'), undefined, {
      unavailable: { label: 'refused', sentence },
    });
  const reasonAfter = async (outcome: Outcome) => {
    await run(outcome, { isUrgent: true });
    return gate.state().unavailable;
  };

  expect(await reasonAfter(away('It refuses connections.'))).toBe('It refuses connections.');
  expect(await reasonAfter(away('It is silent.'))).toBe('It is silent.');
  // An attempt that was given up shows nothing.
  const timeout = new Fault('UPSTREAM_TIMEOUT');
  expect(await reasonAfter(outcomeOf(timeout, undefined, { isCutShort: true }))).toBe(
    'It is silent.',
  );
  expect(await reasonAfter(success)).toBeNull();
});

test('a gate without limits of its own has the usual ones', async () => {
  const { clock } = createSimulatedClock();
  const gate = new Gate(
    'domain',
    {
      ...{ clock, randomness: { uuid: () => '', fraction: () => 0.5 } },
      ...{ maxInFlight: 8, queueBudgetMs: 1_000, ratePerSecond: 0 },
    },
    () => ({ username: 'acme', password: new Secret('x') }),
  );
  const call = { action: 'a', effect: 'read', isUrgent: false, signal: never } as const;
  const permit = await gate.enter({ ...call, endsAtMs: Infinity });

  gate.leave(
    permit,
    outcomeOf(new Fault('UPSTREAM_AUTH', { facts: { retryAfterMs: 90_000 } }), 401),
  );

  expect(gate.state()).toMatchObject({
    pausedForMs: gateLimits.maxRetryAfterMs,
    loginPausedForMs: gateLimits.loginPause?.firstMs,
    breakers: { a: 'closed' },
  });
});

const unavailable = (cause?: unknown) =>
  Object.assign(new Fault('UPSTREAM_UNAVAILABLE'), { cause });

test.each<[string, Fault, number | undefined, string | null, RegExp]>([
  ['a refused connection', unavailable('ECONNREFUSED'), undefined, 'refused', /\(ECONNREFUSED\)/],
  ['a host without an address', unavailable('ENOTFOUND'), undefined, 'host', /has no address/],
  ['an expired certificate', unavailable('CERT_HAS_EXPIRED'), undefined, 'tls', /has expired/],
  ['TLS against plain HTTP', unavailable('EPROTO'), undefined, 'tls', /TLS handshake/],
  ['a closed connection', unavailable('UND_ERR_SOCKET'), undefined, 'closed', /closed/],
  [
    'an unknown cause',
    unavailable(new Error('secret')),
    undefined,
    'other',
    /^The connection failed/,
  ],
  ['a response of a proxy', unavailable(), 502, 'response', /status 502/],
  [
    'a response without its status',
    unavailable(),
    undefined,
    'response',
    /responded that it is not available\.$/,
  ],
  ['a timeout', new Fault('UPSTREAM_TIMEOUT'), undefined, 'timeout', /did not respond in time/],
  ['a refusal', new Fault('UPSTREAM_REJECTED'), 400, null, /^$/],
])('%s has a label and a sentence', (_what, fault, status, label, sentence) => {
  const reason = outageReasonOf(fault, status);

  expect(reason?.label ?? null).toBe(label);
  expect(reason?.sentence ?? '').toMatch(sentence);
});
