import { describe, expect, test } from 'vitest';
import { endOfTurn } from '../../test/support/simulated-clock.ts';
import { createSingleFlight } from './single-flight.ts';

const gone = new Error('gone');

interface Call {
  readonly signal: AbortSignal;
  readonly emit: (event: string) => void;
  readonly succeed: (result: string) => void;
  readonly fail: (error: Error) => void;
}

/** A single flight whose calls stay in flight until the test settles them. */
function start() {
  const calls: Call[] = [];
  const singleFlight = createSingleFlight<string, string>();
  const join = (key: string, requester: Parameters<typeof singleFlight.join>[1] = {}) =>
    singleFlight.join(
      key,
      requester,
      (signal, emit) =>
        new Promise((succeed, fail) => {
          calls.push({ signal, emit, succeed, fail });
        }),
    );
  return { ...singleFlight, join, calls };
}

describe('concurrent requests', () => {
  test('for one key share a call, and those for another key do not', async () => {
    const { join, calls } = start();
    const results = [join('a'), join('b'), join('a')];

    calls[0]?.succeed('of a');
    calls[1]?.succeed('of b');

    expect(calls).toHaveLength(2);
    expect(await Promise.all(results)).toEqual(['of a', 'of b', 'of a']);
  });

  test.each(['succeed', 'fail'] as const)('end with their call (%s)', async (how) => {
    const { join, has, calls } = start();
    const results = [join('a'), join('a')];
    expect([has('a'), has('b')]).toEqual([true, false]);

    calls[0]?.[how](gone as Error & string);
    const statuses = (await Promise.allSettled(results)).map(({ status }) => status);
    expect(new Set(statuses).size).toBe(1);
    expect(has('a')).toBe(false);
    void join('a');

    expect(calls).toHaveLength(2);
  });

  test('receive the events of their call, and the first knows that it caused them', () => {
    const { join, calls } = start();
    const events: unknown[] = [];
    for (const name of ['one', 'other']) {
      void join('a', { onEvent: (...event) => void events.push([name, ...event]) });
    }

    calls[0]?.emit('begun');

    expect(events).toEqual([
      ['one', 'begun', true],
      ['other', 'begun', false],
    ]);
  });
});

describe('a requester that leaves', () => {
  test('receives its own reason at once, and the others the result', async () => {
    const { join, has, calls } = start();
    const abort = new AbortController();
    const leaving = join('a', { signal: abort.signal });
    const staying = join('a');

    abort.abort(gone);
    await expect(leaving).rejects.toBe(gone);
    expect([has('a'), calls[0]?.signal.aborted]).toEqual([true, false]);
    calls[0]?.succeed('done');

    expect(await staying).toBe('done');
  });

  test('as the last one aborts the call with its reason, and the next request has a call of its own', async () => {
    const { join, has, calls } = start();
    const [one, other] = [new AbortController(), new AbortController()];
    const first = join('a', { signal: one.signal });
    const last = join('a', { signal: other.signal });

    one.abort(new Error('first'));
    await expect(first).rejects.toThrow('first');
    expect(calls[0]?.signal.aborted).toBe(false);
    other.abort(gone);
    await expect(last).rejects.toBe(gone);

    expect([has('a'), calls[0]?.signal.reason]).toEqual([false, gone]);
    void join('a');
    expect(calls).toHaveLength(2);
    expect(calls[1]?.signal.aborted).toBe(false);
  });

  test('before it joins has no part in the call', async () => {
    const { join, calls } = start();
    void join('a');

    const late = join('a', { signal: AbortSignal.abort(gone) });

    await expect(late).rejects.toBe(gone);
    expect(calls[0]?.signal.aborted).toBe(false);
  });

  test('before it starts a call aborts that call', async () => {
    const { join, calls } = start();

    await expect(join('a', { signal: AbortSignal.abort(gone) })).rejects.toBe(gone);

    expect(calls[0]?.signal.reason).toBe(gone);
  });

  test('leaves an aborted call whose end does not affect the call of a later request', async () => {
    const { join, has, calls } = start();
    const abort = new AbortController();
    const leaving = join('a', { signal: abort.signal });
    abort.abort(gone);
    await expect(leaving).rejects.toBe(gone);
    void join('a');

    calls[0]?.fail(gone);
    await endOfTurn();

    expect(has('a')).toBe(true);
  });
});

describe('a call that has settled', () => {
  test('is not aborted', async () => {
    const { join, calls } = start();
    const result = join('a');

    calls[0]?.succeed('done');
    await result;

    expect(calls[0]?.signal.aborted).toBe(false);
  });

  test('reports no events any more', async () => {
    const { join, calls } = start();
    const events: string[] = [];
    const result = join('a', { onEvent: (event) => void events.push(event) });
    calls[0]?.succeed('done');
    await result;

    calls[0]?.emit('late');

    expect(events).toEqual([]);
  });
});

test('a detached call is not joined by later requests, and its end leaves theirs joinable', async () => {
  const { join, has, detach, calls } = start();
  const first = join('a');

  detach('a');
  expect(has('a')).toBe(false);
  const second = join('a');
  calls[0]?.succeed('old');
  expect(await first).toBe('old');
  expect(has('a')).toBe(true);
  calls[1]?.succeed('new');

  expect(await second).toBe('new');
});
