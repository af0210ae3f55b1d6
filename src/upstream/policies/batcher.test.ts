import { describe, expect, test } from 'vitest';
import { createSimulatedClock, endOfTurn } from '../../../test/support/simulated-clock.ts';
import { Batcher } from './batcher.ts';
import { ConcurrencyLimit } from './concurrency.ts';

interface Call {
  readonly keys: readonly string[];
  readonly facts: { readonly requesters: number; readonly context: string };
  readonly signal: AbortSignal;
  readonly emit: (event: string) => void;
  /** Each key of the call in capitals. */
  readonly succeed: () => void;
  readonly fail: (error: Error) => void;
}

/** A batcher whose calls stay in flight until the test settles them. */
function start({ maxKeys = 100, maxSharedKeys = 100, maxInFlight = 100 } = {}) {
  const { clock, pass, passToNextTimer } = createSimulatedClock();
  const calls: Call[] = [];
  const batcher = new Batcher<string, string, string>({
    ...{
      clock,
      maxKeys,
      maxSharedKeys: () => maxSharedKeys,
      places: new ConcurrencyLimit(() => maxInFlight),
    },
    send: (keys, facts, signal, emit) =>
      new Promise((resolve, fail) => {
        const succeed = () =>
          resolve((key) => (keys.includes(key) ? key.toUpperCase() : 'not in this call'));
        calls.push({ keys, facts, signal, emit, succeed, fail });
      }),
    isCommonFailure: (error) => error instanceof TypeError,
  });
  const request = (...keys: string[]) => batcher.request(keys, {}, 'anyone');
  /** Ends one turn of the event loop. */
  const turn = async () => {
    await endOfTurn();
    passToNextTimer(clock.monotonicMs());
    await endOfTurn();
  };
  return { batcher, calls, pass, turn, request, sent: () => calls.map(({ keys }) => keys) };
}

describe('requests of one turn of the event loop', () => {
  test('share a call, and each receives the results of its keys in their order', async () => {
    const { calls, pass, request, sent } = start();
    const both = [request('a', 'b'), request('c', 'b', 'c')];
    await pass(0);

    calls[0]?.succeed();

    expect(sent()).toEqual([['a', 'b', 'c']]);
    expect(await Promise.all(both)).toEqual([
      ['A', 'B'],
      ['C', 'B', 'C'],
    ]);
  });

  test('share a call that has the number of its requesters and the context of the first', async () => {
    const { batcher, calls, pass } = start();
    void batcher.request(['a'], {}, 'first');
    void batcher.request(['b'], {}, 'second');
    await pass(0);

    expect(calls.map(({ facts }) => facts)).toEqual([{ requesters: 2, context: 'first' }]);
  });

  test('are split into calls of at most `maxKeys`', async () => {
    const { calls, pass, request, sent } = start({ maxKeys: 2 });
    const results = request('a', 'b', 'c');
    await pass(0);

    for (const call of calls) call.succeed();

    expect(sent()).toEqual([['a', 'b'], ['c']]);
    expect(await results).toEqual(['A', 'B', 'C']);
  });

  test('share at most `maxSharedKeys` keys, and the keys of one request stay together', async () => {
    const { pass, request, sent } = start({ maxSharedKeys: 3 });
    void request('a');
    void request('b', 'c');
    void request('d');
    void request('e', 'f', 'g', 'h');
    void request('a', 'i');
    await pass(0);

    expect(sent()).toEqual([['a', 'b', 'c'], ['d'], ['e', 'f', 'g', 'h'], ['i']]);
  });
});

describe('while as many calls are in flight as may be', () => {
  test('requests share the next call, which is sent when one ends', async () => {
    const { calls, pass, request, sent } = start({ maxInFlight: 1 });
    void request('a');
    await pass(0);
    const later = [request('b')];
    await pass(0);
    later.push(request('c', 'd'));
    await pass(0);
    expect(sent()).toEqual([['a']]);

    calls[0]?.succeed();
    await pass(0);
    calls[1]?.succeed();

    expect(sent()).toEqual([['a'], ['b', 'c', 'd']]);
    expect(await Promise.all(later)).toEqual([['B'], ['C', 'D']]);
  });

  test('a full call is followed by another one, in the order of the requests', async () => {
    const { calls, pass, request, sent } = start({ maxInFlight: 1, maxSharedKeys: 2 });
    const all = Promise.allSettled(['a', 'b', 'c', 'd', 'e'].map((key) => request(key)));
    await pass(0);
    calls[0]?.succeed();
    await pass(0);
    calls[1]?.fail(new TypeError('lost'));
    await pass(0);

    calls[2]?.succeed();

    expect(sent()).toEqual([['a', 'b'], ['c', 'd'], ['e']]);
    expect((await all).map(({ status }) => status === 'fulfilled')).toEqual([
      ...[true, true, false, false, true],
    ]);
  });

  test('a request whose client leaves makes no call', async () => {
    const { batcher, calls, pass, request, sent } = start({ maxInFlight: 1 });
    void request('a');
    await pass(0);
    const leaving = new AbortController();
    const left = batcher.request(['b'], { signal: leaving.signal }, 'anyone');
    await pass(0);
    leaving.abort(new Error('gone'));
    await expect(left).rejects.toThrow('gone');

    void request('c');
    await pass(0);
    calls[0]?.succeed();
    await pass(0);

    expect(sent()).toEqual([['a'], ['c']]);
  });
});

describe('requests of successive turns', () => {
  test('share a call, which is sent after the first turn without a request', async () => {
    const { turn, request, sent } = start();
    for (const key of ['a', 'b', 'c']) {
      void request(key);
      await turn();
      expect(sent()).toEqual([]);
    }

    await turn();

    expect(sent()).toEqual([['a', 'b', 'c']]);
  });

  test('for the same key do not delay its call', async () => {
    const { turn, request, sent } = start();
    void request('a');
    await turn();
    void request('a');
    await turn();

    expect(sent()).toEqual([['a']]);
  });

  test('do not delay a full call', async () => {
    const { turn, request, sent } = start({ maxSharedKeys: 2 });
    for (const key of ['a', 'b', 'c', 'd']) {
      void request(key);
      await turn();
    }

    expect(sent()).toEqual([['a', 'b']]);
  });
});

describe('a request during a call', () => {
  test('is sent without waiting for the call', async () => {
    const { pass, request, sent } = start();
    for (const key of ['a', 'b']) {
      void request(key);
      await pass(0);
    }

    expect(sent()).toEqual([['a'], ['b']]);
  });

  test('joins it for a key in flight, and sends the others', async () => {
    const { calls, pass, request, sent } = start();
    const first = request('a');
    await pass(0);
    const second = request('b', 'a');
    await pass(0);
    expect(sent()).toEqual([['a'], ['b']]);

    for (const call of calls) call.succeed();

    expect(await Promise.all([first, second])).toEqual([['A'], ['B', 'A']]);
  });

  test('does not join it for a detached key, and is joined by later requests instead', async () => {
    const { batcher, calls, pass, request, sent } = start();
    void request('a', 'b');
    await pass(0);

    batcher.detach('a');
    void request('a', 'b');
    await pass(0);
    expect(sent()).toEqual([['a', 'b'], ['a']]);
    calls[0]?.succeed();
    await endOfTurn();
    void request('a');
    await pass(0);

    expect(sent()).toHaveLength(2);
  });

  test('is sent for a key whose call has settled', async () => {
    const { calls, pass, request, sent } = start();
    void request('a');
    await pass(0);
    calls[0]?.succeed();
    await endOfTurn();

    void request('a');
    await pass(0);

    expect(sent()).toEqual([['a'], ['a']]);
  });
});

test('a detached key that has not been sent is sent once', async () => {
  const { batcher, pass, request, sent } = start();
  void request('a');
  batcher.detach('a');
  batcher.detach('unknown');
  void request('a');
  await pass(0);

  expect(sent()).toEqual([['a']]);
});

test('a detached key of a full batch that has not been sent is sent once', async () => {
  const { batcher, pass, request, sent } = start({ maxKeys: 1 });
  void request('a');
  void request('b');
  batcher.detach('a');
  void request('a');
  await pass(0);

  expect(sent()).toEqual([['a'], ['b']]);
});

describe('a request of several calls', () => {
  test('has the result of each key from its own call, in whatever order they end', async () => {
    for (const order of [
      [0, 1],
      [1, 0],
    ]) {
      const { calls, pass, request } = start({ maxKeys: 2 });
      const result = request('a', 'b', 'c');
      await pass(0);

      for (const at of order) {
        calls[at]?.succeed();
        await endOfTurn();
      }

      expect(await result).toEqual(['A', 'B', 'C']);
    }
  });

  test('sends the keys of a failed one again, and no others', async () => {
    const { calls, pass, request, sent } = start({ maxKeys: 2 });
    const result = request('a', 'b', 'c');
    request('a').catch(() => {});
    await pass(0);
    calls[0]?.fail(new Error('failed'));
    calls[1]?.succeed();
    await endOfTurn();

    expect(sent().slice(2)).toEqual([['a', 'b'], ['a']]);
    calls[2]?.succeed();
    expect(await result).toEqual(['A', 'B', 'C']);
  });

  test('is none for no keys', async () => {
    const { pass, request, sent } = start();

    expect(await request()).toEqual([]);
    await pass(0);
    expect(sent()).toEqual([]);
  });
});

describe('a requester that leaves', () => {
  const gone = new Error('gone');

  test('before the call is sent, sends nothing, and a later request for its key is sent', async () => {
    const { batcher, pass, request, sent } = start();
    const abort = new AbortController();
    const result = batcher.request(['a'], { signal: abort.signal }, 'anyone');

    abort.abort(gone);
    await expect(result).rejects.toBe(gone);
    void request('a');
    void request('b');
    await pass(0);

    expect(sent()).toEqual([['a', 'b']]);
  });

  test('as the last one aborts the call, which no later request joins', async () => {
    const { batcher, calls, pass, request, sent } = start();
    const abort = new AbortController();
    const result = batcher.request(['a'], { signal: abort.signal }, 'anyone');
    await pass(0);

    abort.abort(gone);
    await expect(result).rejects.toBe(gone);
    void request('a');
    await pass(0);

    expect(calls.map(({ signal }) => signal.aborted)).toEqual([true, false]);
    expect(sent()).toEqual([['a'], ['a']]);
  });

  test('as one of several leaves the call to the others', async () => {
    const { batcher, calls, pass, request } = start();
    const abort = new AbortController();
    const leaving = batcher.request(['a'], { signal: abort.signal }, 'anyone');
    const staying = request('a');
    await pass(0);

    abort.abort(gone);
    await expect(leaving).rejects.toBe(gone);
    calls[0]?.succeed();

    expect(await staying).toEqual(['A']);
    expect(calls[0]?.signal.aborted).toBe(false);
  });

  test('while the call fails receives its own reason, and no call of its own', async () => {
    const { batcher, calls, pass, request } = start();
    const abort = new AbortController();
    const leaving = batcher.request(['a'], { signal: abort.signal }, 'anyone');
    void request('b').catch(() => {});
    await pass(0);

    calls[0]?.fail(new Error('failed'));
    abort.abort(gone);

    await expect(leaving).rejects.toBe(gone);
    await pass(0);
    expect(calls.slice(1).map(({ keys }) => keys)).toEqual([['b']]);
  });
});

describe('a failed call', () => {
  test('of several requesters is sent again for each of them alone, in its own context', async () => {
    const { batcher, calls, pass, sent } = start();
    const one = batcher.request(['a', 'b'], {}, 'one');
    const other = batcher.request(['b', 'c'], {}, 'other');
    await pass(0);
    calls[0]?.fail(new Error('failed'));
    await endOfTurn();

    calls[1]?.succeed();
    calls[2]?.fail(new Error('again'));

    expect(sent().slice(1)).toEqual([
      ['a', 'b'],
      ['b', 'c'],
    ]);
    expect(calls.slice(1).map(({ facts }) => facts)).toEqual([
      { requesters: 1, context: 'one' },
      { requesters: 1, context: 'other' },
    ]);
    expect(await one).toEqual(['A', 'B']);
    await expect(other).rejects.toThrow('again');
    expect(calls).toHaveLength(3);
  });

  test.each([
    ['of one requester', 1, new Error('failed')],
    ['of several requesters, for a reason that concerns none of the keys', 2, new TypeError()],
  ])('%s is not sent again', async (_, requesters, error) => {
    const { calls, pass, request } = start();
    const results = ['a', 'b'].slice(0, requesters).map((key) => request(key));
    await pass(0);

    calls[0]?.fail(error);

    const outcomes = await Promise.allSettled(results);
    expect(outcomes.map((outcome) => outcome.status === 'rejected' && outcome.reason)).toEqual(
      results.map(() => error),
    );
    expect(calls).toHaveLength(1);
  });
});

test('the events of a call reach every requester, and the first knows that it caused them', async () => {
  const { batcher, calls, pass } = start();
  const events: unknown[] = [];
  const listener = (name: string) => ({
    onEvent: (event: string, isFirst: boolean) => void events.push([name, event, isFirst]),
  });
  void batcher.request(['a'], listener('one'), 'anyone');
  void batcher.request(['a'], listener('other'), 'anyone');
  await pass(0);

  calls[0]?.emit('begun');

  expect(events).toEqual([
    ['one', 'begun', true],
    ['other', 'begun', false],
  ]);
});
