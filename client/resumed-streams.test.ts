import { getEventListeners } from 'node:events';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { observe } from '../test/support/scripted-fetch.ts';
import { ClientError } from './index.ts';
import { resume, wait } from './resume.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] }));
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const lost = new ClientError('', { code: 'NETWORK_ERROR' });

/** Opens the nth stream with the nth list of values, of which an error is thrown. The last list is opened again and again. */
function openings(...lists: readonly (readonly unknown[])[]) {
  const openedMs: number[] = [];
  const startMs = Date.now();
  async function* open() {
    openedMs.push(Date.now() - startMs);
    for (const value of lists[Math.min(openedMs.length, lists.length) - 1] ?? []) {
      if (value instanceof Error) throw value;
      yield value;
    }
  }
  return { open, openedMs };
}

/** When the streams are opened within a time, in milliseconds since the first one. */
async function openedWithin(ms: number, ...lists: readonly (readonly unknown[])[]) {
  const { open, openedMs } = openings(...lists);
  const controller = new AbortController();
  const seen = observe(resume(open, controller.signal));
  await vi.advanceTimersByTimeAsync(ms);
  controller.abort();
  await vi.advanceTimersByTimeAsync(0);
  expect(seen.isEnded).toBe(true);
  return openedMs;
}

describe('a stream is opened again after its end', () => {
  test('with twice the pause of the time before, up to 30 seconds', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(1);

    const seconds = [0.25, 0.5, 1, 2, 4, 8, 16, 30, 30];
    const expected = seconds.map((_second, at) =>
      seconds.slice(0, at).reduce((sum, one) => sum + one * 1_000, 0),
    );

    expect(await openedWithin(91_000, [])).toEqual(expected);
    expect(await openedWithin(91_000, [lost])).toEqual(expected);
  });

  test('with at least half of the pause', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(0);

    expect(await openedWithin(900, [])).toEqual([0, 125, 375, 875]);
  });

  test('with the shortest pause after a value', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(1);

    const openedMs = await openedWithin(2_100, [], [], ['value', lost], [], [lost]);

    expect(openedMs).toEqual([0, 250, 750, 1_000, 1_500]);
  });

  test('not before Retry-After, and not earlier than without it', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(1);
    const overloaded = (retryAfterMs: number) =>
      new ClientError('', {
        ...{ code: 'OVERLOADED', retryAfterMs },
        errors: [{ message: '', extensions: { retryable: true } }],
      });

    expect(await openedWithin(6_000, [overloaded(5_000)], [])).toEqual([0, 5_000, 5_500]);
    expect(await openedWithin(300, [overloaded(10)], [])).toEqual([0, 250]);
  });
});

test('the values of all streams are yielded in order', async () => {
  vi.spyOn(Math, 'random').mockReturnValue(1);
  const { open } = openings([1, 2, lost], [3], [lost], [4]);
  const stream = resume(open, undefined);
  const values: unknown[] = [];
  const read = async () => {
    for await (const value of stream) if (values.push(value) === 4) break;
  };

  const whole = read();
  await vi.advanceTimersByTimeAsync(5_000);
  await whole;

  expect(values).toEqual([1, 2, 3, 4]);
  expect(vi.getTimerCount()).toBe(0);
});

test.each([
  ['an error that is not temporary', new ClientError('', { code: 'FORBIDDEN' })],
  ['any other error', new TypeError('This is a bug.')],
])('%s ends the stream', async (_title, error) => {
  const { open, openedMs } = openings([1, error]);
  const seen = observe(resume(open, undefined));

  await vi.advanceTimersByTimeAsync(1_000);

  expect(seen).toMatchObject({ values: [1], isEnded: true });
  expect(seen.error).toBe(error);
  expect(openedMs).toEqual([0]);
});

describe('a wait', () => {
  const reason = new Error('The user left.');

  test('takes its time, and listens to its signal no longer', async () => {
    const { signal } = new AbortController();
    let isOver = false;
    void wait(1_000, signal).then(() => {
      isOver = true;
    });

    await vi.advanceTimersByTimeAsync(999);
    expect(isOver).toBe(false);
    expect(getEventListeners(signal, 'abort')).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);

    expect(isOver).toBe(true);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  test('needs no signal', async () => {
    const waited = wait(1_000, undefined);

    await vi.advanceTimersByTimeAsync(1_000);

    await waited;
  });

  test('does not start with an aborted signal', async () => {
    await expect(wait(1_000, AbortSignal.abort(reason))).rejects.toBe(reason);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('ends when its signal aborts, without a timer and a listener', async () => {
    const controller = new AbortController();
    const waited = wait(1_000, controller.signal);

    controller.abort(reason);

    await expect(waited).rejects.toBe(reason);
    expect(vi.getTimerCount()).toBe(0);
    expect(getEventListeners(controller.signal, 'abort')).toEqual([]);
  });
});
