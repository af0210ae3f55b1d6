import { expect, test } from 'vitest';
import { Batcher } from '../../src/upstream/policies/batcher.ts';

const windowMs = 2;

/** A batcher whose time stands still but for `pass`, and whose calls stay in flight until `settle`. */
function start() {
  let nowMs = 0;
  const waits: { readonly endsAtMs: number; readonly end: () => void }[] = [];
  const calls: { readonly keys: readonly string[]; readonly settle: () => void }[] = [];
  const batcher = new Batcher<string, never, null>({
    clock: {
      monotonicMs: () => nowMs,
      wait: (ms) => new Promise((end) => waits.push({ endsAtMs: nowMs + ms, end })),
    },
    maxKeys: 100,
    maxSharedKeys: () => 100,
    windowMs,
    send: (keys) =>
      new Promise((resolve) => {
        calls.push({ keys, settle: () => resolve((key) => key.toUpperCase()) });
      }),
    isCommonFailure: () => true,
  });
  const pass = async (ms: number) => {
    nowMs += ms;
    for (const { endsAtMs, end } of waits) if (endsAtMs <= nowMs) end();
    await new Promise((turn) => setImmediate(turn));
  };
  return {
    calls,
    pass,
    request: (...keys: string[]) => batcher.request(keys, {}, null),
    sent: () => calls.map(({ keys }) => keys),
  };
}

test('requests of one turn of the event loop share a call', async () => {
  const { calls, pass, request, sent } = start();
  const both = [request('a', 'b'), request('b', 'c')];
  await pass(0);

  calls[0]?.settle();

  expect(sent()).toEqual([['a', 'b', 'c']]);
  expect(await Promise.all(both)).toEqual([
    ['A', 'B'],
    ['B', 'C'],
  ]);
});

test('while a call is in flight, requests that follow within the window share the next call', async () => {
  const { pass, request, sent } = start();
  for (const key of ['a', 'b', 'c', 'd']) {
    void request(key);
    await pass(windowMs / 4);
  }
  await pass(windowMs);

  expect(sent()).toEqual([['a'], ['b', 'c', 'd']]);
});

test('a call that settles ends the wait for more keys', async () => {
  const { calls, pass, request, sent } = start();
  void request('a');
  await pass(0);
  void request('b');
  await pass(0);
  expect(sent()).toEqual([['a']]);

  calls[0]?.settle();
  await pass(0);

  expect(sent()).toEqual([['a'], ['b']]);
});

test('where no other request is expected within the window, a request does not wait for one', async () => {
  const { pass, request, sent } = start();
  for (const key of ['a', 'b', 'c', 'd', 'e', 'f']) {
    void request(key);
    await pass(10 * windowMs);
  }
  const before = sent().length;

  void request('g');
  await pass(0);

  expect(before).toBe(6);
  expect(sent().at(-1)).toEqual(['g']);
});

test('a request for a key in flight joins its call', async () => {
  const { calls, pass, request, sent } = start();
  const first = request('a');
  await pass(0);
  const second = request('a');
  await pass(10 * windowMs);
  expect(sent()).toEqual([['a']]);

  calls[0]?.settle();

  expect(await Promise.all([first, second])).toEqual([['A'], ['A']]);
});
