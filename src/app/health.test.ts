import { expect, test } from 'vitest';
import { createSimulatedClock, endOfTurn } from '../../test/support/simulated-clock.ts';
import { JournalFailure, unavailable } from '../persistence/unavailable.ts';
import type { ApiState } from '../upstream/client/gate.ts';
import { createHealth } from './health.ts';

/** The health over a journal whose writes the test ends one by one. */
function openHealth(...accounts: readonly (Partial<ApiState> | null)[]) {
  const time = createSimulatedClock();
  const writes: PromiseWithResolvers<void>[] = [];
  const quiet: ApiState = {
    concurrencyLimit: 8,
    inFlight: 0,
    waiting: 0,
    respondedAt: null,
    unavailable: null,
    pausedForMs: 0,
    loginPausedForMs: 0,
    breakers: {},
  };
  const health = createHealth({
    clock: time.clock,
    journal: {
      checkWritable() {
        const write = Promise.withResolvers<void>();
        writes.push(write);
        return write.promise;
      },
    },
    logins: () => [],
    upstreamStates: () =>
      accounts.map((account) => ({ domain: quiet, account: account && { ...quiet, ...account } })),
  });
  return { health, time, writes };
}

test('a write of the journal is reused for one second, and shows that the gateway is ready', async () => {
  const { health, time, writes } = openHealth();
  const check = async () => {
    const ready = health.readiness();
    writes.at(-1)?.resolve();
    return ready;
  };

  expect([await check(), writes.length]).toEqual([null, 1]);
  time.advance(1_000);
  expect([await check(), writes.length]).toEqual([null, 1]);
  time.advance(1);
  expect([await check(), writes.length]).toEqual([null, 2]);
});

test.each([
  [
    unavailable(new JournalFailure('Another process has locked the file.')),
    'Another process has locked the file.',
  ],
  [unavailable(new Error('secret')), 'The journal cannot be written.'],
])('a failed write shows its reason without details of the driver: %s', async (error, reason) => {
  const { health, writes } = openHealth();
  const ready = health.readiness();

  writes[0]?.reject(error);

  expect(await ready).toBe(reason);
});

test('a write that takes longer than two seconds is the only one until it ends', async () => {
  const { health, time, writes } = openHealth();
  const first = health.readiness();
  await time.pass(1_999);
  expect(await Promise.race([first, endOfTurn()])).toBeUndefined();
  await time.pass(1);
  expect(await first).toBe('The journal does not respond.');
  time.advance(60_000);

  const second = health.readiness();
  expect(writes).toHaveLength(1);
  writes[0]?.resolve();

  expect(await second).toBeNull();
  await endOfTurn();
  time.advance(1_001);
  void health.readiness();
  expect(writes).toHaveLength(2);
});

test('a gateway that is stopping is not ready, and checks nothing', async () => {
  const { health, writes } = openHealth();
  expect(health.isStopping()).toBe(false);

  health.stop();

  expect(health.isStopping()).toBe(true);
  expect(await health.readiness()).toMatch('shutting down');
  expect(writes).toEqual([]);
});

test.each<[string, readonly (Partial<ApiState> | null)[], string]>([
  ['no Account API', [null], 'closed'],
  ['a closed breaker', [{ breakers: { get: 'closed' } }], 'closed'],
  [
    'a half-open breaker',
    [{ breakers: { get: 'closed' } }, { breakers: { get: 'half-open' } }],
    'half-open',
  ],
  ['an open breaker', [{ breakers: { get: 'half-open', set: 'open' } }], 'open'],
  ['a Retry-After pause', [{ breakers: { get: 'open' } }, { pausedForMs: 1 }, {}], 'asked to wait'],
  ['a refused login', [{ pausedForMs: 1 }, { loginPausedForMs: 1 }, {}], 'login refused'],
])('the worst state of any tenant is shown for its API: %s', (_what, accounts, state) => {
  const { health } = openHealth(...accounts);

  expect(health.upstream()).toEqual({ domain: 'closed', account: state });
});

test('the state of an API that is unavailable has its reason until it works', () => {
  const sentence = 'The endpoint refused the connection (ECONNREFUSED).';
  const { health } = openHealth({}, { unavailable: sentence });

  expect(health.upstream()).toEqual({
    ...{ domain: 'closed', account: 'closed', accountReason: sentence },
  });
});
