import { expect, test } from 'vitest';
import { createRequest, operationOf, refusalOf } from '../../../../test/support/server/request.ts';
import type { Caller } from '../../../kernel/caller.ts';
import { createTokenBuckets } from '../../../lib/token-bucket.ts';
import { limitRate } from './limit-rate.ts';

const operation = operationOf('{ a }');
const perSecond = 2;
/** The calls that a caller can request at once. */
const burst = 100;

function startLimit(callsPerMinute = 60 * perSecond) {
  let nowMs = 0;
  const rule = limitRate(createTokenBuckets({ monotonicMs: () => nowMs }), callsPerMinute);
  const shop = { name: 'shop', tenant: 'north' };
  return {
    pass: (ms: number) => (nowMs += ms),
    /** An operation that needs this number of upstream calls; null for one without an estimate. */
    execute(upstreamCalls: number | null, caller: Partial<Caller> = shop, isNeverLimited = false) {
      const request = createRequest(caller);
      if (upstreamCalls !== null)
        request.estimate = { upstreamCalls, searches: 0, storedRows: 0, isNeverLimited };
      return refusalOf(rule.onOperation?.(operation, request));
    },
    readCached: (caller: Partial<Caller> = shop) =>
      refusalOf(rule.onCachedResponse?.(createRequest(caller))),
  };
}

const refused = (seconds: string) => ({
  code: 'RATE_LIMITED',
  status: 429,
  headers: { 'retry-after': seconds },
});

test('Retry-After is the wait in whole seconds, rounded up and at least 1, after which the operation is allowed', async () => {
  const { execute, pass } = startLimit();

  expect(await execute(burst)).toBeNull();
  expect(await execute(4)).toEqual(refused('2'));
  pass(999);
  expect(await execute(4)).toEqual(refused('2'));
  pass(1);
  expect(await execute(4)).toEqual(refused('1'));
  pass(999);
  expect(await execute(4)).toEqual(refused('1'));
  pass(1);
  expect(await execute(4)).toBeNull();
});

test('a caller with a rate above 100 per second can request the calls of one second at once', async () => {
  const { execute } = startLimit(60 * 250);

  expect(await execute(250)).toBeNull();
  expect(await execute(1)).toEqual(refused('1'));
});

test('each caller of each tenant has a rate of its own', async () => {
  const { execute } = startLimit();
  await execute(burst);

  expect(await execute(1)).not.toBeNull();
  expect(await execute(burst, { name: 'shop', tenant: 'south' })).toBeNull();
  expect(await execute(burst, { name: 'office', tenant: 'north' })).toBeNull();
  expect(await execute(1, { name: 'office', tenant: 'north' })).not.toBeNull();
});

test('a caller without a name is not limited', async () => {
  const { execute, readCached } = startLimit();
  const unnamed = { name: null };

  for (let times = 0; times < 3; times += 1) expect(await execute(burst, unnamed)).toBeNull();
  expect(await readCached(unnamed)).toBeNull();
});

test('purchases and questions about them are allowed and take nothing', async () => {
  const { execute } = startLimit();

  for (let times = 0; times < 3; times += 1)
    expect(await execute(burst, undefined, true)).toBeNull();
  expect(await execute(burst)).toBeNull();
  expect(await execute(burst, undefined, true)).toBeNull();
});

test.each<[string, (limit: ReturnType<typeof startLimit>) => Promise<unknown>]>([
  ['without upstream calls', ({ execute }) => execute(0)],
  ['without an estimate', ({ execute }) => execute(null)],
  ['with a cached response', ({ readCached }) => readCached()],
])('a request %s counts as a tenth of a call', async (_what, send) => {
  const limit = startLimit();
  const tenthMs = 50;
  await limit.execute(burst);

  expect(await send(limit)).toEqual(refused('1'));
  limit.pass(tenthMs);
  expect(await send(limit)).toBeNull();
  expect(await send(limit)).toEqual(refused('1'));
});
