import { expect, test } from 'vitest';
import { createSimulatedClock } from '../../../test/support/simulated-clock.ts';
import { ConcurrencyLimit } from '../../upstream/policies/concurrency.ts';
import { createSearchPace } from './pace.ts';

function start() {
  const time = createSimulatedClock();
  const places = new ConcurrencyLimit(() => 1);
  const pace = createSearchPace({ clock: time.clock, places });
  const { signal } = new AbortController();
  /**
   * Sends one call of at most `limit` names; returns the number of names that it may have. `msPerName` is the speed of the
   * registry.
   */
  const call = async (msPerName: number, answered?: number, limit = 100) => {
    let permitted = 0;
    await pace.run(signal, async (maxNames) => {
      permitted = maxNames;
      const sent = Math.min(maxNames, limit);
      time.advance(600 + sent * msPerName);
      return answered ?? sent;
    });
    return permitted;
  };
  const learn = async (msPerName: number) => {
    for (let at = 0; at < 10; at += 1) await call(msPerName, undefined, at % 2 ? 100 : 2);
  };
  return { pace, places, call, learn };
}

test('calls are small until the speed of the registry is known, then their names take half a second', async () => {
  const { call, learn } = start();
  expect(await call(10)).toBe(5);

  await learn(10);

  expect(await call(10)).toBe(50);
});

test('a call has 100 names at most', async () => {
  const { call, learn } = start();
  await learn(0);

  expect(await call(0)).toBe(100);
});

test.each([
  [0.5, true],
  [2, false],
])('at %s ms per name other searches may share a call: %j', async (msPerName, may) => {
  const { pace, learn } = start();
  await learn(msPerName);
  let mayShare: boolean | undefined;
  await pace.run(new AbortController().signal, async (_maxNames, shares) => {
    mayShare = shares;
    return 0;
  });

  expect(mayShare).toBe(may);
});

test('a call without an answer says nothing about the speed', async () => {
  const { call } = start();
  for (let at = 0; at < 10; at += 1) await call(0, 0);

  expect(await call(0)).toBe(5);
});

test('after a reset calls are small again', async () => {
  const { pace, call, learn } = start();
  await learn(10);

  pace.reset();

  expect(await call(10)).toBe(5);
});

test('a call that fails frees its slot', async () => {
  const { pace, call } = start();
  const failed = pace.run(new AbortController().signal, () => Promise.reject(new Error('failed')));
  await expect(failed).rejects.toThrow('failed');

  expect(await call(10)).toBe(5);
});

test('a call waits for a slot until its search ends', async () => {
  const { pace, places } = start();
  const leaving = new AbortController();
  await places.enter(new AbortController().signal);
  const waiting = pace.run(leaving.signal, () => Promise.reject(new Error('sent')));

  leaving.abort(new Error('gone'));

  await expect(waiting).rejects.toThrow('gone');
});

test('the first call of a search waits for no slot and takes none', async () => {
  const { pace, places } = start();
  const { signal } = new AbortController();
  await places.enter(signal);
  let sent = 0;
  const send = async () => (sent += 1);
  await pace.run(signal, send, true);
  expect(sent).toBe(1);

  places.leave();
  await pace.run(signal, send);

  expect(sent).toBe(2);
});
