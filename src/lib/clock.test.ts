import { expect, test } from 'vitest';
import { createDeadline } from './clock.ts';

function timer() {
  const state = { end: () => {}, stopped: 0 };
  return {
    state,
    start: (onEnd: () => void) => {
      state.end = onEnd;
      return () => {
        state.stopped += 1;
      };
    },
  };
}

test('a deadline aborts with a TimeoutError when its timer ends', () => {
  const { state, start } = timer();
  const { signal } = createDeadline(start);

  expect(signal.aborted).toBe(false);
  state.end();

  expect(signal.reason).toMatchObject({
    name: 'TimeoutError',
    message: 'The deadline has passed.',
  });
});

test('a deadline aborts with the reason of its abort signal, also one that aborted before', () => {
  const reason = new Error('gone');
  const abort = new AbortController();
  const before = createDeadline(timer().start, abort.signal);

  expect(before.signal.aborted).toBe(false);
  abort.abort(reason);

  expect(before.signal.reason).toBe(reason);
  expect(createDeadline(timer().start, abort.signal).signal.reason).toBe(reason);
});

test('a deadline that is disposed stops its timer and ignores a later abort', () => {
  const { state, start } = timer();
  const abort = new AbortController();
  const deadline = createDeadline(start, abort.signal);

  deadline[Symbol.dispose]();
  abort.abort(new Error('late'));

  expect(state.stopped).toBe(1);
  expect(deadline.signal.aborted).toBe(false);
});
