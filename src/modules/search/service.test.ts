import { expect, test } from 'vitest';
import { plainQuotes } from '../../../test/support/plain-quotes.ts';
import { withinTurns } from '../../../test/support/simulated-clock.ts';
import { partOf } from '../../../test/support/with-parts.ts';
import { CallBudget } from '../../kernel/upstream-calls.ts';
import { systemClock } from '../../lib/system.ts';
import { type CheckTogether, IdnRefusals } from '../availability/check.ts';
import { searches } from './service.ts';

/** A stream of results whose one call stays open. */
async function start() {
  const client = new AbortController();
  const sent = Promise.withResolvers<AbortSignal>();
  const checkTogether: CheckTogether = (_names, { signal }) => {
    if (signal) sent.resolve(signal);
    return new Promise((_, reject) =>
      signal?.addEventListener('abort', () => reject(signal.reason), { once: true }),
    );
  };
  const com = { name: 'com', prices: [], minLength: 1, maxLength: 63 };
  const catalogue = async () => ({ tlds: [com], byName: new Map([['com', com]]), complete: true });
  const parts = {
    ...{ tldReads: { catalogue }, idnRefusals: new IdnRefusals(systemClock), checkTogether },
    pricing: plainQuotes,
    searchPace: {
      run: async (_signal: AbortSignal, call: (maxNames: number) => Promise<number>) =>
        void (await call(1)),
      reset: () => undefined,
    },
  };
  const readOptions = () => ({ signal: client.signal, budget: new CallBudget(100) });
  const service = partOf(searches, parts, { clock: systemClock, readOptions });
  const results = await service.stream({ labels: ['example'], tlds: ['com'] });
  const next = results.next();
  return { client, results, next, signal: await withinTurns(sent.promise) };
}

test('a stream that its consumer leaves ends its calls', async () => {
  const { results, signal } = await start();
  expect(signal.aborted).toBe(false);

  void results.return?.();
  await systemClock.wait(0);

  expect(signal.aborted).toBe(true);
});

test('a stream whose client disconnects ends its calls and itself, without an error', async () => {
  const { client, next, signal } = await start();

  client.abort(new Error('gone'));

  expect(signal.aborted).toBe(true);
  expect(await withinTurns(next)).toEqual({ done: true, value: undefined });
});
