import { describe, expect, test } from 'vitest';
import { createSimulatedClock, endOfTurn } from '../../../test/support/simulated-clock.ts';
import { reply } from '../../../test/support/upstream/clients.ts';
import { replyText, requestOf } from '../../../test/support/upstream/fixtures.ts';
import { Fault, type FaultCode } from '../../kernel/faults.ts';
import { Secret } from '../../kernel/secret.ts';
import { CallBudget } from '../../kernel/upstream-calls.ts';
import { createDomainClient } from '../domain-api/client.ts';
import type { WireResponse } from '../wire/classify.ts';
import type { CallerOptions } from './call.ts';
import type { CallOptions, UpstreamCall } from './operation.ts';
import type { WireRequest } from './transport.ts';

const timeoutMs = 900;
const gone = new Error('gone');

interface Attempt {
  readonly request: WireRequest;
  readonly atMs: number;
  readonly succeed: (response: WireResponse) => void;
  readonly fail: (error: unknown) => void;
}

/** A client whose attempts stay in flight until the test or their deadline ends them. */
function start(options: Partial<CallerOptions> = {}) {
  const { clock, pass } = createSimulatedClock();
  const attempts: Attempt[] = [];
  const { actions, gate } = createDomainClient({
    ...{ clock, timeoutMs, randomness: { uuid: () => '', fraction: () => 0.5 } },
    ...{ maxInFlight: 8, queueBudgetMs: 10_000, ratePerSecond: 0 },
    credentials: () => ({ username: 'acme', password: new Secret('hush') }),
    transport: (request) =>
      new Promise((succeed, fail) => {
        const { stop, signal } = request;
        attempts.push({ request, atMs: clock.monotonicMs(), succeed, fail });
        stop.addEventListener('abort', () =>
          fail(signal?.aborted ? signal.reason : new Fault('UPSTREAM_TIMEOUT')),
        );
      }),
    ...options,
  });
  /** Calls an action; resolves to `done`, the code of its fault, or the message of another error. */
  const call = (action: string, callOptions: CallOptions = {}, request = requestOf(action)) => {
    const how = actions as unknown as Record<string, (...args: object[]) => Promise<unknown>>;
    return (how[action]?.(request, callOptions) ?? Promise.reject(new Error('no action'))).then(
      () => 'done',
      (error) => (error instanceof Fault ? error.code : (error as Error).message),
    );
  };
  /** Ends the last attempt. */
  const end = async (response: WireResponse | Error) => {
    await endOfTurn();
    const attempt = attempts.at(-1);
    if (response instanceof Error) attempt?.fail(response);
    else attempt?.succeed(response);
    await endOfTurn();
  };
  /** The attempts so far, each as the milliseconds since the first one. */
  const times = () => attempts.map(({ atMs }) => atMs - (attempts[0]?.atMs ?? 0));
  return { clock, pass, attempts, actions, gate, call, end, times };
}

const details = () => reply(replyText('getdetails'));
const down = () => reply('', 503);
const busy = (seconds: number) => reply('', 429, { 'retry-after': String(seconds) });
const refusedInWords = () =>
  reply(JSON.stringify({ result: 'ERROR', error: { Code: 'INVALID_CREDINENTIALS' } }));

describe('the deadline of a call', () => {
  /** After how many milliseconds the transport is stopped, and its longest time without data. */
  async function limitsOf(action: string, options: CallOptions = {}, request?: object) {
    const { call, pass, attempts, clock } = start();
    void call(action, options, request);
    await pass(0);
    const [attempt] = attempts;
    const beganMs = clock.monotonicMs();
    let stoppedMs: number | null = null;
    attempt?.request.stop.addEventListener('abort', () => {
      stoppedMs = clock.monotonicMs() - beganMs;
    });
    await pass(60_000);
    return [stoppedMs, attempt?.request.deadlineMs];
  }
  const bulk = { domains: ['a.com', 'b.com'] };

  test.each<[string, string, CallOptions, object | undefined, number, number]>([
    ['a read', 'getdetails', {}, undefined, 900, 900],
    ['a check of two names', 'bulkcheckavailability', {}, bulk, 2_900, 2_900],
    ['a write', 'registerdomain', {}, undefined, 2_700, 2_700],
    ['a read with less time', 'getdetails', { withinMs: 300 }, undefined, 300, 300],
    ['a read with more time', 'getdetails', { withinMs: 5_000 }, undefined, 900, 900],
    ['a write with less time', 'registerdomain', { withinMs: 300 }, undefined, 300, 300],
    ['a read with a long reply', 'getdomainlist', { longReplyMs: 5_000 }, undefined, 5_900, 900],
  ])(
    'of %s ends the attempt, and limits the time without data',
    async (_, action, options, request, stopMs, idleMs) => {
      expect(await limitsOf(action, options, request)).toEqual([stopMs, idleMs]);
    },
  );

  test('covers all attempts and pauses of a read', async () => {
    const { call, pass, end, attempts, clock } = start();
    const read = call('getdetails');
    await pass(500);
    await end(down());
    await pass(100);
    expect(attempts).toHaveLength(2);

    await pass(299);
    expect(attempts[1]?.request.stop.aborted).toBe(false);
    await pass(1);

    expect(attempts[1]?.request.stop.aborted).toBe(true);
    expect(await read).toBe('UPSTREAM_TIMEOUT');
    expect(clock.monotonicMs() - (attempts[0]?.atMs ?? 0)).toBe(900);
  });

  test.each([
    ['is none at it', 800, 1],
    ['is sent before it', 799, 2],
  ])('counts for a retry, which %s', async (_, failsAfterMs, count) => {
    const { call, pass, end, attempts } = start();
    void call('getdetails');
    await pass(failsAfterMs);
    await end(down());
    await pass(100);

    expect(attempts).toHaveLength(count);
  });

  test('has passed for a read in the queue, which was not sent', async () => {
    const { call, pass, attempts } = start({ maxInFlight: 1 });
    void call('registerdomain');
    await pass(0);
    const read = call('getdetails');
    await pass(899);
    expect(await Promise.race([read, 'waits'])).toBe('waits');
    await pass(1);

    expect(await read).toBe('UPSTREAM_TIMEOUT');
    expect(attempts).toHaveLength(1);
  });

  test('refuses a write at once that a pause would leave less than two thirds of it', async () => {
    const { call, pass, end, attempts } = start();
    void call('getdetails', { once: true, withinMs: 10 });
    await end(busy(1));
    await pass(10);

    expect(await call('disabletheftlock')).toBe('RATE_LIMITED');
    expect(attempts).toHaveLength(1);
  });

  test('leaves two thirds of it to a write that leaves the queue', async () => {
    const { actions, call, pass, end, attempts, clock } = start({ maxInFlight: 1 });
    void call('registerdomain');
    const write = call('transferdomain');
    const late = actions.disabletheftlock({ domain: 'a.com' }, {}).catch((error) => error);
    await pass(899);
    await end(reply(replyText('registerdomain')));
    await pass(0);
    expect(attempts).toHaveLength(2);
    const beganMs = clock.monotonicMs() - 899;

    await pass(1);
    expect(await late).toMatchObject({ code: 'UPSTREAM_TIMEOUT', executed: 'NO' });
    await pass(1_799);
    expect(attempts[1]?.request.stop.aborted).toBe(false);
    await pass(1);

    expect(await write).toBe('UPSTREAM_TIMEOUT');
    expect(clock.monotonicMs() - beganMs).toBe(2_700);
  });
});

describe('the retries of a read', () => {
  test('follow pauses of 100 and 200 ms, and end with the third attempt', async () => {
    const { call, pass, end, times } = start();
    const read = call('getdetails');
    for (const pauseMs of [100, 200, 400]) {
      await end(down());
      await pass(pauseMs);
    }

    expect(times()).toEqual([0, 100, 300]);
    expect(await read).toBe('UPSTREAM_UNAVAILABLE');
  });

  test('end with the first success, and are reported with their numbers', async () => {
    const { call, pass, end } = start();
    const reported: UpstreamCall[] = [];
    const read = call('getdetails', { onCall: (one) => reported.push(one) });
    await pass(70);
    await end(down());
    await pass(100);
    await pass(30);
    await end(details());

    expect(await read).toBe('done');
    const about = { api: 'domain', action: 'getdetails' };
    expect(reported).toEqual([
      { ...about, attempt: 1, durationMs: 70, outcome: 'UPSTREAM_UNAVAILABLE' },
      { ...about, attempt: 2, durationMs: 30, outcome: 'OK' },
    ]);
  });

  test.each([
    ['no retry after a failure', down, 1],
    ['a retry after "too many requests"', () => busy(0), 2],
    ['a retry after a login that is refused in words', refusedInWords, 2],
  ])('of a call that is made once: %s', async (_, response, count) => {
    const { call, pass, end, attempts } = start();
    void call('getdetails', { once: true });
    await end(response());
    await pass(200);

    expect(attempts).toHaveLength(count);
  });

  test.each<[what: string, left: number, planned: number, count: number, rest: number]>([
    ['as many as there are spare calls', 2, 1, 2, 0],
    ['none without a spare call', 2, 2, 1, 1],
    ['all with enough', 5, 1, 3, 2],
  ])('take calls of the budget of the request: %s', async (_, left, planned, count, rest) => {
    const { call, pass, end, attempts } = start();
    const budget = new CallBudget(left);
    budget.plan(planned, 0);
    const read = call('getdetails', { budget });
    for (let at = 0; at < 3; at += 1) {
      await end(down());
      await pass(200);
    }

    expect(attempts).toHaveLength(count);
    expect(budget.left).toBe(rest);
    expect(await read).toBe('UPSTREAM_UNAVAILABLE');
  });

  test('are none when the other calls of the request have used the budget', async () => {
    const { call, pass, end, attempts } = start();
    const budget = new CallBudget(1);
    // A search of its own has a spare call, but the request has no call left.
    const read = call('getdetails', {
      budget: Object.assign(new CallBudget(1), {
        takeSpare: () => true,
        take: () => budget.take(),
      }),
    });
    await end(down());
    await pass(100);
    await end(down());

    expect(await read).toBe('UPSTREAM_UNAVAILABLE');
    expect(attempts).toHaveLength(1);
  });
});

describe('the budget of a request', () => {
  test('refuses a read above it, and no write and no read that bypasses it', async () => {
    const { call, attempts } = start();
    const budget = new CallBudget(1);
    void call('getdetails', { budget });
    expect(budget.left).toBe(0);

    expect(await call('getdetails', { budget })).toBe('COST_LIMIT_EXCEEDED');
    void call('getdetails', { budget, bypassesBudget: true });
    void call('disabletheftlock', { budget });
    await endOfTurn();

    expect(attempts).toHaveLength(3);
  });

  test('is reduced before a call waits in the queue', async () => {
    const { call } = start({ maxInFlight: 1 });
    const budget = new CallBudget(2);
    for (let at = 0; at < 2; at += 1) void call('getdetails', { budget });

    expect(await call('getdetails', { budget })).toBe('COST_LIMIT_EXCEEDED');
  });

  test('is not reduced by a call whose client is gone', async () => {
    const { call } = start();
    const budget = new CallBudget(1);

    expect(await call('getdetails', { budget, signal: AbortSignal.abort(gone) })).toBe('gone');
    expect(budget.left).toBe(1);
  });
});

describe('the fault of a call', () => {
  test.each<[what: string, code: FaultCode, response: () => WireResponse | Error]>([
    ['an error of the transport', 'INTERNAL', () => new TypeError('broken')],
    ['a fault of the transport', 'UPSTREAM_UNAVAILABLE', () => new Fault('UPSTREAM_UNAVAILABLE')],
    ['a reply without a meaning', 'UPSTREAM_PROTOCOL', () => reply('{"result":"OK","data":[]}')],
    ['an error that equals an abort without one', 'INTERNAL', () => gone],
  ])('%s is %s, executed NO for a read and UNKNOWN for a write', async (_, code, response) => {
    const outcomes = [];
    for (const action of ['getdetails', 'syncfromregistry'] as const) {
      const { actions, end } = start();
      const options = { once: true, signal: new AbortController().signal };
      const failed = actions[action]({ domain: 'a.com' }, options).catch((error: unknown) => error);
      await end(response());
      outcomes.push(await failed);
    }

    expect(outcomes).toMatchObject([
      { code, executed: 'NO' },
      { code, executed: 'UNKNOWN' },
    ]);
  });

  test('has the error that caused it, for the log only', async () => {
    const cause = new TypeError('broken');
    for (const action of ['getdetails', 'syncfromregistry'] as const) {
      const { actions, end } = start();
      const failed = actions[action]({ domain: 'a.com' }, {}).catch((error: unknown) => error);
      await end(cause);

      expect(await failed).toMatchObject({ code: 'INTERNAL', cause });
    }
  });

  test('frees its slot', async () => {
    const { call, pass, end, attempts } = start({ maxInFlight: 1 });
    void call('disabletheftlock');
    const next = call('syncfromregistry');
    await end(new TypeError('broken'));
    await pass(0);
    expect(attempts).toHaveLength(2);
    await end(reply(replyText('syncfromregistry')));

    expect(await next).toBe('done');
  });

  test('in the queue is the one of the policy that refused it', async () => {
    const { call, end } = start();
    void call('disabletheftlock');
    await end(busy(5));

    expect(await call('getdetails')).toBe('RATE_LIMITED');
  });
});

describe('an attempt that had less than half of the usual time', () => {
  /** The state of the circuit breaker after ten attempts that had `withinMs`. */
  async function stateAfter(action: string, withinMs: number, response?: Error) {
    const { call, pass, end, gate } = start();
    for (let at = 0; at < 10; at += 1) {
      const ended = call(action, { withinMs, once: true });
      if (response) await end(response);
      await pass(withinMs);
      await ended;
    }
    return gate.state().breakers[action];
  }

  test.each([
    ['a read that times out after half of it', 'open', 'getdetails', 450],
    ['a read that times out a millisecond earlier', 'closed', 'getdetails', 449],
    ['a write that times out after half of it', 'open', 'disabletheftlock', 1_350],
    ['a write that times out a millisecond earlier', 'closed', 'disabletheftlock', 1_349],
  ])('shows nothing to the circuit breaker: %s, %s', async (_, state, action, withinMs) => {
    expect(await stateAfter(action, withinMs)).toBe(state);
  });

  test('shows a failure when it has one', async () => {
    const fault = new Fault('UPSTREAM_UNAVAILABLE');

    expect(await stateAfter('getdetails', 10, fault)).toBe('open');
  });
});

test('urgent reads are sent while the circuit breaker refuses others', async () => {
  const { call, end, attempts } = start();
  for (let at = 0; at < 10; at += 1) {
    void call('getdetails', { once: true });
    await end(down());
  }

  expect(await call('getdetails')).toBe('UPSTREAM_UNAVAILABLE');
  void call('getdetails', { urgent: true });
  await endOfTurn();

  expect(attempts).toHaveLength(11);
});

test('a write has priority in the queue', async () => {
  const { call, end, attempts } = start({ maxInFlight: 1 });
  void call('getdetails');
  void call('getcontacts');
  void call('disabletheftlock');
  await end(details());

  expect(attempts[1]?.request.path).toBe('/?action=disabletheftlock');
});

describe('an observer', () => {
  const observed = () => {
    const seen: unknown[] = [];
    const started = start({
      observer: {
        breakerOpened: (...opened) => void seen.push(opened),
        begin: (call) => {
          seen.push(call);
          return {
            headers: () => ({ traceparent: '00' }),
            end: (...outcome) => void seen.push(outcome),
          };
        },
      },
    });
    return { ...started, seen };
  };

  test.each<[what: string, response: () => WireResponse | Error, end: unknown[]]>([
    ['a success', details, ['OK', 200, undefined, null]],
    [
      'a refusal',
      () => reply(replyText('quirks/getdetails.error-510'), 400),
      ['NOT_FOUND', 400, 'API_510_ERROR', null],
    ],
    [
      'a reply that is not valid',
      () => reply('{"result":"OK"}'),
      ['UPSTREAM_PROTOCOL', 200, undefined, null],
    ],
    [
      'no response',
      () => Object.assign(new Fault('UPSTREAM_UNAVAILABLE'), { cause: 'ECONNREFUSED' }),
      [
        ...['UPSTREAM_UNAVAILABLE', undefined, undefined],
        { label: 'refused', sentence: 'The endpoint refused the connection (ECONNREFUSED).' },
      ],
    ],
    ['an error of the gateway', () => new TypeError(), ['INTERNAL', undefined, undefined, null]],
  ])('receives the end of an attempt with %s', async (_, response, outcome) => {
    const { call, end, attempts, seen } = observed();
    void call('getdetails', { once: true, requestId: 'r', trace: 7 });
    await end(response());

    expect(seen).toEqual([
      {
        ...{ api: 'domain', action: 'getdetails', attempt: 1, effect: 'read' },
        ...{ requestId: 'r', trace: 7 },
      },
      outcome,
    ]);
    expect(attempts[0]?.request.headers).toMatchObject({ traceparent: '00' });
  });

  test('receives ABORTED when the client leaves, which is no fault of the upstream', async () => {
    const { call, seen } = observed();
    const reported: UpstreamCall[] = [];
    for (let at = 0; at < 12; at += 1) {
      const client = new AbortController();
      const read = call('getdetails', {
        signal: client.signal,
        onCall: (one) => reported.push(one),
      });
      await endOfTurn();
      client.abort(gone);
      expect(await read).toBe('gone');
    }

    expect(seen.at(-1)).toEqual(['ABORTED', undefined, undefined, null]);
    expect(reported.at(-1)?.outcome).toBe('ABORTED');
  });
});
