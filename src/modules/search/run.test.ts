import { expect, test } from 'vitest';
import { plainQuotes } from '../../../test/support/plain-quotes.ts';
import { withinTurns } from '../../../test/support/simulated-clock.ts';
import { parseDomainName } from '../../kernel/domain-name.ts';
import { CallBudget } from '../../kernel/upstream-calls.ts';
import { systemClock } from '../../lib/system.ts';
import type { CheckTogether } from '../availability/check.ts';
import { runSearch } from './run.ts';

const candidates = Array.from({ length: 60 }, (_, at) => ({
  name: parseDomainName(`example-${at}.com`),
  ...{ tld: null, named: true, suggested: false, refusal: null },
}));
const plan = { candidates, filter: {}, first: 60 };

/** A search whose calls stay open and have `maxNames` at most. */
function start(maxNames: number) {
  const client = new AbortController();
  const signals: (AbortSignal | undefined)[] = [];
  const checkTogether: CheckTogether = (_names, { signal }) => {
    signals.push(signal);
    return new Promise((_, reject) =>
      signal?.addEventListener('abort', () => reject(signal.reason), { once: true }),
    );
  };
  const slots: AbortSignal[] = [];
  const pace = {
    async run(signal: AbortSignal, call: (maxNames: number) => Promise<number>) {
      slots.push(signal);
      await call(maxNames);
    },
    reset: () => undefined,
  };
  const options = { signal: client.signal, budget: new CallBudget(100) };
  const clock = { ...systemClock, wait: () => new Promise<void>(() => undefined) };
  const end = runSearch(
    plan,
    { pace, checkTogether, clock, options, quotes: plainQuotes },
    () => undefined,
  );
  return { client, signals, slots, end };
}

test.each([
  ['small calls', 1],
  ['large calls', 20],
])('an aborted search ends with the reason, and so do its %s in flight', async (_what, names) => {
  const { client, signals, slots, end } = start(names);
  const started = signals.length;
  expect(started).toBeGreaterThan(0);

  client.abort(new Error('gone'));

  await expect(withinTurns(end)).rejects.toThrow('gone');
  expect(signals.map((signal) => signal?.reason)).toEqual(Array(started).fill(new Error('gone')));
  expect(new Set(slots.map(({ aborted }) => aborted))).toEqual(new Set([true]));
});

test('an aborted search ends with the reason while it waits for a slot', async () => {
  const client = new AbortController();
  const pace = {
    run: (signal: AbortSignal) =>
      new Promise<void>((_, reject) =>
        signal.addEventListener('abort', () => reject(signal.reason), { once: true }),
      ),
    reset: () => undefined,
  };
  const options = { signal: client.signal, budget: new CallBudget(100) };
  const checkTogether = () => Promise.reject(new Error('unused'));
  const deps = { pace, checkTogether, clock: systemClock, options, quotes: plainQuotes };
  const end = runSearch(plan, deps, () => undefined).catch((error: Error) => error);
  await systemClock.wait(0);

  client.abort(new Error('gone'));
  await systemClock.wait(0);

  expect(await Promise.race([end, Promise.resolve('it still waits')])).toEqual(new Error('gone'));
});

test('a search that fails ends after its calls in flight, so that no result follows its end', async () => {
  const open = Promise.withResolvers<void>();
  const failed = Promise.withResolvers<void>();
  let calls = 0;
  const pace = {
    run(_signal: AbortSignal, _call: (maxNames: number) => Promise<number>) {
      calls += 1;
      return calls === 1 ? failed.promise : open.promise;
    },
    reset: () => undefined,
  };
  const options = { signal: new AbortController().signal, budget: new CallBudget(100) };
  const checkTogether = () => Promise.reject(new Error('unused'));
  let hasEnded = false;
  const end = runSearch(
    plan,
    { pace, checkTogether, clock: systemClock, options, quotes: plainQuotes },
    () => undefined,
  ).finally(() => {
    hasEnded = true;
  });
  end.catch(() => undefined);

  failed.reject(new Error('a bug'));
  await systemClock.wait(0);
  expect(hasEnded).toBe(false);
  open.resolve();

  await expect(withinTurns(end)).rejects.toThrow('a bug');
});
