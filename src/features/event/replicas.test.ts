import { expect, test } from 'vitest';
import {
  a,
  b,
  locked,
  locking,
  unlocked,
  unlocking,
} from '../../../test/support/modules/event-rows.ts';
import { minuteMs, secondMs } from '../../../test/support/simulated-clock.ts';
import { createAccount, createSwitch, intervalMs, leaseMs, startWatched } from './test/account.ts';

test('of two replicas one compares, and only its list is requested', { tags: ['E2'] }, async () => {
  const { time, change, facts, calls, startReplica } = await startWatched();
  const { onCall, calls: callsOfSecond } = createSwitch();
  await startReplica({ onCall });
  await time.pass(secondMs);
  expect(calls()).toBe(1);

  change(a, unlocked);
  await time.pass(4 * intervalMs);

  expect(await facts()).toEqual([unlocking(a)]);
  expect(calls()).toBe(5);
  expect(new Set(callsOfSecond)).toEqual(new Set(['lease']));
});

test('a second replica continues when the first is closed', { tags: ['E2'] }, async () => {
  const { time, change, facts, replica, startReplica } = await startWatched();
  await startReplica();
  await time.pass(secondMs);

  await replica.close();
  change(a, unlocked);
  await time.pass(intervalMs);

  expect(await facts()).toEqual([unlocking(a)]);
});

test('a second replica continues within 40 seconds when the first was killed', {
  tags: ['E2'],
}, async () => {
  const { time, change, facts, startReplica } = await createAccount([a]);
  let isKilled = false;
  await startReplica({
    onCall: (_method, execute) => (isKilled ? new Promise(() => undefined) : execute()),
  });
  await time.pass(secondMs);
  await startReplica();
  isKilled = true;

  change(a, unlocked);
  await time.pass(leaseMs - 2 * secondMs);
  expect(await facts()).toEqual([]);
  await time.pass(12 * secondMs);

  expect(await facts()).toEqual([unlocking(a)]);
});

test.each(['change', 'publish'])(
  'a replica that was paused before %s writes nothing afterwards, and compares with the new states later',
  { tags: ['E1'] },
  async (pausedIn) => {
    const { time, change, facts, startReplica } = await createAccount([a, b]);
    const pause = Promise.withResolvers<void>();
    let isPaused = false;
    await startReplica({
      async onCall(method, execute) {
        if (isPaused && [pausedIn, 'lease'].includes(method)) await pause.promise;
        return execute();
      },
    });
    await time.pass(secondMs);
    const second = await startReplica();
    change(a, unlocked);
    await time.pass(intervalMs - 2 * secondMs);
    isPaused = true;
    await time.pass(2 * leaseMs);
    expect(await facts()).toEqual([unlocking(a)]);
    change(a, locked);
    change(b, unlocked);
    await time.pass(intervalMs);
    const before = await facts();
    isPaused = false;
    pause.resolve();
    await time.pass(2 * intervalMs);
    expect(await facts()).toEqual(before);
    await second.close();
    change(b, locked);
    await time.pass(2 * intervalMs);

    expect(await facts()).toEqual([unlocking(a), locking(a), unlocking(b), locking(b)]);
  },
);

test('a replica that was paused between two comparisons does not compare with states of its past', {
  tags: ['E1'],
}, async () => {
  const { time, change, facts, startReplica } = await createAccount([a]);
  const pause = Promise.withResolvers<void>();
  let isPaused = true;
  await startReplica({
    clock: {
      ...time.clock,
      async wait(ms, signal) {
        if (ms > 0 && isPaused) await pause.promise;
        return time.clock.wait(ms, signal);
      },
    },
  });
  await time.pass(secondMs);
  const second = await startReplica();
  change(a, { nameServers: ['second'] });
  await time.pass(leaseMs + intervalMs);
  await second.close();
  change(a, { nameServers: ['third'] });
  isPaused = false;
  pause.resolve();
  await time.pass(2 * intervalMs);

  expect((await facts()).map(([, , ...values]) => values)).toEqual([
    ['ns1.example.net ns2.example.net', 'second'],
    ['second', 'third'],
  ]);
});

test('a replica that lost its lease finds the next difference with its first comparison', async () => {
  const { time, change, facts, startReplica } = await createAccount([a]);
  const pause = Promise.withResolvers<void>();
  let isPaused = false;
  await startReplica({
    async onCall(method, execute) {
      if (isPaused && method === 'lease') await pause.promise;
      return execute();
    },
  });
  await time.pass(secondMs);
  isPaused = true;
  const second = await startReplica();
  change(a, unlocked);
  await time.pass(leaseMs + intervalMs);
  isPaused = false;
  pause.resolve();
  await time.pass(secondMs);
  await second.close();
  change(a, locked);
  await time.pass(intervalMs);

  expect(await facts()).toEqual([unlocking(a), locking(a)]);
});

test('a replica whose list takes longer than its interval is not interrupted by another one', {
  tags: ['E2'],
}, async () => {
  const { time, change, facts, startReplica } = await createAccount([a]);
  const list = Promise.withResolvers<void>();
  let isSlow = false;
  const everyMs = secondMs;
  await startReplica({
    everyMs,
    async onCall(method, execute) {
      if (isSlow && method === 'hasBaseline') await list.promise;
      return execute();
    },
  });
  await time.pass(secondMs);
  await startReplica({ everyMs });
  change(a, unlocked);
  isSlow = true;
  await time.pass(9 * minuteMs);
  expect(await facts()).toEqual([]);
  list.resolve();
  await time.pass(secondMs);

  expect(await facts()).toEqual([unlocking(a)]);
});
