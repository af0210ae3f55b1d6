import { describe, expect, test } from 'vitest';
import { account } from '../../../test/persistence/claims.ts';
import {
  a,
  b,
  c,
  locked,
  locking,
  unlocked,
  unlocking,
  unreadable,
} from '../../../test/support/modules/event-rows.ts';
import type { OnCall } from '../../../test/support/modules/fates.ts';
import { dayMs, hourMs, secondMs, withinTurns } from '../../../test/support/simulated-clock.ts';
import { parseDomainName } from '../../kernel/domain-name.ts';
import { Fault } from '../../kernel/faults.ts';
import { createAccount, createSwitch, intervalMs, startWatched } from './test/account.ts';

test('the first comparison stores the states, and each later difference is one event at its time', async () => {
  const { time, change, facts, events, journal } = await startWatched();
  expect(await facts()).toEqual([]);
  expect(await journal.events.hasBaseline(account)).toBe(true);

  change(b, unlocked);
  change(a, { nameServers: ['z'] });
  await time.pass(intervalMs - 2 * secondMs);
  expect(await facts()).toEqual([]);
  await time.pass(2 * secondMs);
  const firstAt = time.clock.now();
  change(b, locked);
  await time.pass(3 * intervalMs);

  expect(await facts()).toEqual([
    ['NAME_SERVERS_CHANGED', a, 'ns1.example.net ns2.example.net', 'z'],
    unlocking(b),
    locking(b),
  ]);
  const [first, second, third] = await events();
  expect(first?.at).toEqual(second?.at);
  expect(firstAt.getTime() - (first?.at.getTime() ?? 0)).toBeLessThan(2 * secondMs);
  expect((third?.at.getTime() ?? 0) - (second?.at.getTime() ?? 0)).toBe(intervalMs);
});

test('a domain that appears is added once', async () => {
  const { time, rows, change, facts } = await startWatched([a]);

  change(b, {});
  await time.pass(2 * intervalMs);

  expect(rows.size).toBe(2);
  expect(await facts()).toEqual([['DOMAIN_ADDED', b, null, 'ACTIVE']]);
});

test('a comparison without a difference writes no state, also after a domain was removed', async () => {
  const { time, remove, facts, journalCalls } = await startWatched();
  const changes = () => journalCalls.calls.filter((method) => method === 'change').length;
  await time.pass(2 * intervalMs);
  expect(changes()).toBe(1);

  await remove(b);
  await time.pass(3 * intervalMs);

  expect(await facts()).toHaveLength(1);
  expect(changes()).toBe(2);
});

test.each(['change', 'setBaseline'])(
  'a first comparison whose %s fails is repeated without events',
  async (method) => {
    const upstream = await createAccount([a, b]);
    const { onCall, fail } = createSwitch();
    fail(method);
    await upstream.startReplica({ onCall });
    await upstream.time.pass(secondMs);
    upstream.change(a, unlocked);
    await upstream.time.pass(intervalMs);
    fail();
    await upstream.time.pass(intervalMs);
    upstream.change(b, unlocked);
    await upstream.time.pass(intervalMs);

    expect(await upstream.facts()).toEqual([unlocking(b)]);
  },
);

test('a round that could not read the list is repeated after 10 s, then at doubled intervals up to that of the rounds', async () => {
  const upstream = await createAccount([a, b]);
  let failing = true;
  upstream.onList(async () => {
    if (failing) throw new Fault('UPSTREAM_TIMEOUT');
  });
  await upstream.startReplica({ everyMs: dayMs });
  const callsAfter = async (ms: number) => {
    await upstream.time.pass(ms);
    return upstream.calls();
  };

  expect(await callsAfter(secondMs)).toBe(1);
  expect(await callsAfter(10 * secondMs)).toBe(2);
  expect(await callsAfter(18 * secondMs)).toBe(2);
  failing = false;
  expect(await callsAfter(3 * secondMs)).toBe(3);
  expect(await upstream.journal.events.hasBaseline(account)).toBe(true);
  expect(await callsAfter(hourMs)).toBe(3);
});

test('time alone makes a domain EXPIRING and EXPIRED', async () => {
  const { time, passSuspended, change, facts, startReplica } = await createAccount([a]);
  await startReplica({ everyMs: hourMs });
  await time.pass(secondMs);
  change(a, { expiresAt: new Date(time.clock.now().getTime() + 8 * dayMs) });
  await time.pass(hourMs);

  await passSuspended(dayMs);
  expect((await facts()).slice(1)).toEqual([
    ['EXPIRING', a, null, '30'],
    ['EXPIRING', a, null, '7'],
  ]);
  await passSuspended(7 * dayMs);
  expect((await facts()).slice(3)).toEqual([['STATE_CHANGED', a, 'ACTIVE', 'EXPIRED']]);
});

describe('a domain that the list leaves out', () => {
  test('is no event until the ledger removes it, and is added when it is listed again', {
    tags: ['E4'],
  }, async () => {
    const { time, rows, change, remove, facts } = await startWatched([a, b]);

    rows.delete(b);
    await time.pass(4 * intervalMs);
    expect(await facts()).toEqual([]);
    await remove(b);
    await time.pass(2 * intervalMs);
    expect(await facts()).toEqual([['DOMAIN_REMOVED', b, 'ACTIVE', null]]);
    change(b, {});
    await time.pass(2 * intervalMs);

    expect((await facts()).slice(1)).toEqual([['DOMAIN_ADDED', b, null, 'ACTIVE']]);
  });

  test('is no event when the list is empty, and its next difference is one', {
    tags: ['E4'],
  }, async () => {
    const { time, rows, facts, replica } = await startWatched();
    const all = [...rows];

    rows.clear();
    await time.pass(3 * intervalMs);
    expect(await facts()).toEqual([]);
    for (const [name, row] of all) rows.set(name, { ...row, ...(name === c && unlocked) });
    await time.pass(intervalMs);

    expect(await facts()).toEqual([unlocking(c)]);
    await replica.close();
  });

  test('is compared with the row that the background reads found', async () => {
    const { time, rows, replica, facts } = await startWatched([a, b]);
    const row = rows.get(b);
    rows.delete(b);
    await time.pass(intervalMs);

    if (row) await replica.ledger.save(b, { ...row, ...unlocked }, time.clock.now());
    await time.pass(intervalMs);

    expect(await facts()).toEqual([unlocking(b)]);
  });

  test.each(['known', 'markListed'])(
    'has no older row after a list that the ledger could not record: %s',
    { tags: ['E4'] },
    async (method) => {
      const { time, rows, change, facts, replica, ledgerCalls } = await startWatched([a, b]);
      const row = rows.get(b);
      rows.delete(b);
      await time.pass(intervalMs);
      if (row) await replica.ledger.save(b, row, time.clock.now());
      await time.pass(intervalMs);

      ledgerCalls.fail(method);
      change(b, { ...row, ...unlocked });
      await time.pass(intervalMs);
      ledgerCalls.fail();
      rows.delete(b);
      await time.pass(2 * intervalMs);
      expect(await facts()).toEqual([]);
      change(b, { ...row, ...unlocked });
      await time.pass(intervalMs);

      expect(await facts()).toEqual([unlocking(b)]);
    },
  );

  test('is no event while the ledger cannot be read', { tags: ['E4'] }, async () => {
    const { time, rows, remove, facts, ledgerCalls } = await startWatched([a, b]);
    rows.delete(b);
    await time.pass(intervalMs);
    ledgerCalls.fail('names', 'known');
    await time.pass(2 * intervalMs);
    expect(await facts()).toEqual([]);

    ledgerCalls.fail();
    await time.pass(intervalMs);
    expect(await facts()).toEqual([]);
    await remove(b);
    await time.pass(intervalMs);
    expect(await facts()).toEqual([['DOMAIN_REMOVED', b, 'ACTIVE', null]]);
  });

  test('is neither added nor removed when the ledger could not store it', {
    tags: ['E4'],
  }, async () => {
    const { time, rows, change, facts, ledgerCalls } = await startWatched([a]);

    ledgerCalls.fail('add');
    change(b, {});
    await time.pass(intervalMs);
    expect(await facts()).toEqual([]);
    ledgerCalls.fail();
    rows.delete(b);
    await time.pass(intervalMs);
    expect(await facts()).toEqual([]);
    change(b, {});
    await time.pass(intervalMs);

    expect(await facts()).toEqual([['DOMAIN_ADDED', b, null, 'ACTIVE']]);
  });
});

describe('a failure', () => {
  test('of the upstream makes no event, and the next comparison finds the difference', {
    tags: ['E3'],
  }, async () => {
    const { time, change, onList, facts, errors } = await startWatched();

    change(a, unlocked);
    onList(() => Promise.reject(new Fault('UPSTREAM_TIMEOUT')));
    await time.pass(3 * intervalMs);
    expect(await facts()).toEqual([]);
    onList(async () => {});
    await time.pass(intervalMs);

    expect(await facts()).toEqual([unlocking(a)]);
    expect(errors).toEqual([]);
  });

  test.each(['lease', 'publish', 'hasBaseline', 'change', 'deleteBefore'])(
    'of the journal in %s loses no event and repeats none',
    { tags: ['E3'] },
    async (method) => {
      const { time, change, facts, journalCalls, errors } = await startWatched();
      journalCalls.fail(method);
      change(a, unlocked);
      await time.pass(3 * intervalMs);
      journalCalls.fail();
      change(b, unlocked);
      await time.pass(intervalMs);

      expect((await facts()).toSorted()).toEqual([unlocking(a), unlocking(b)]);
      expect(errors).toEqual([]);
    },
  );

  test('of the journal while the known states are read makes no event of known domains', async () => {
    const { time, change, facts, journalCalls, replica, startReplica } = await startWatched();
    await replica.close();
    const { onCall, fail } = createSwitch();
    fail('watched');
    await startReplica({ onCall });
    change(a, unlocked);
    await time.pass(2 * intervalMs);
    expect(await facts()).toEqual([]);
    fail();
    await time.pass(intervalMs);

    expect(await facts()).toEqual([unlocking(a)]);
    expect(journalCalls.calls.filter((method) => method === 'watched')).toHaveLength(1);
  });

  test('that is a bug is reported, and the comparisons continue', async () => {
    const { time, change, onList, facts, errors } = await startWatched();
    const bug = new Error('A bug.');

    onList(() => Promise.reject(bug));
    await time.pass(intervalMs);
    onList(async () => {});
    change(a, unlocked);
    await time.pass(intervalMs);

    expect(errors).toEqual([bug]);
    expect(await facts()).toEqual([unlocking(a)]);
  });
});

test('a bug of the store is reported, and the difference is found again', async () => {
  const upstream = await createAccount([a]);
  const bug = new Error('A bug.');
  let isBroken = false;
  await upstream.startReplica({
    async onCall(method, execute) {
      const result = await execute();
      if (isBroken && method === 'change') throw bug;
      return result;
    },
  });
  await upstream.time.pass(secondMs);
  isBroken = true;
  upstream.change(a, unlocked);
  await upstream.time.pass(intervalMs);
  isBroken = false;
  upstream.change(a, locked);
  await upstream.time.pass(intervalMs);

  expect(upstream.errors).toEqual([bug]);
  expect(await upstream.facts()).toEqual([unlocking(a), locking(a)]);
});

test('events are deleted at their age, and not before', async () => {
  const { time, passSuspended, change, facts, startReplica, journal } = await createAccount([a]);
  await startReplica({ retentionMs: dayMs });
  await time.pass(secondMs);
  change(a, unlocked);
  await time.pass(intervalMs);
  expect(await facts()).toHaveLength(1);

  await passSuspended(dayMs - intervalMs);
  expect(await facts()).toHaveLength(1);
  await time.pass(2 * intervalMs);

  expect(await facts()).toEqual([]);
  expect(await journal.events.deletedUntil(account)).toBe(1);
});

test('close ends a comparison that waits for the list, and makes no further call', async () => {
  const { time, change, calls, onList, facts, replica, errors } = await startWatched();
  onList(() => new Promise(() => undefined));
  change(a, unlocked);
  await time.pass(intervalMs);
  const before = calls();

  await withinTurns(replica.close());
  await time.pass(10 * intervalMs);

  expect([before, calls()]).toEqual([2, 2]);
  expect(await facts()).toEqual([]);
  expect(errors).toEqual([]);
});

test('an interval of 0 makes no call and does not use the journal', async () => {
  const upstream = await createAccount([a]);
  const { onCall, calls } = createSwitch();
  const replica = await upstream.startReplica({ onCall, everyMs: 0 });
  await upstream.time.pass(dayMs);
  await replica.close();

  expect([upstream.calls(), calls, upstream.time.waits()]).toEqual([0, [], []]);
});

test('a field that cannot be read is no event, and its next value is compared with the last one', async () => {
  const { time, change, facts } = await startWatched([a]);
  change(a, { transferLocked: unreadable, nameServers: unreadable });
  await time.pass(intervalMs);
  expect(await facts()).toEqual([]);

  change(a, { ...unlocked, nameServers: ['ns1.example.net', 'ns2.example.net'] });
  await time.pass(intervalMs);

  expect(await facts()).toEqual([unlocking(a)]);
});

test('the comparison of many domains is divided into turns of the event loop', {
  tags: ['E7'],
}, async () => {
  const names = Array.from({ length: 2_500 }, (_, at) => parseDomainName(`name-${at}.com`));
  const { time, change, startReplica, journal } = await createAccount(names);
  let [turns, nowMs] = [0, 0];
  /** A clock that advances by 10 µs with each use. */
  const clock = {
    ...time.clock,
    monotonicMs: () => {
      nowMs += 0.01;
      return nowMs;
    },
    async wait(ms: number, signal?: AbortSignal) {
      if (ms > 0) return time.clock.wait(ms, signal);
      turns += 1;
    },
  };
  /** The turn of each call. */
  const turnsOf: Record<string, number[]> = {};
  const onCall: OnCall = (method, execute) => {
    turnsOf[method] = [...(turnsOf[method] ?? []), turns];
    return execute();
  };
  const first = await startReplica({ clock, onCall });
  await time.pass(secondMs);
  const turnsToCompare = (turnsOf.change?.[0] ?? 0) - (turnsOf.hasBaseline?.[0] ?? 0);
  // Half a millisecond at a time.
  expect(turnsToCompare).toBeGreaterThanOrEqual((2_500 * 0.01) / 0.5);
  await first.close();
  for (const name of names) change(name, unlocked);
  await startReplica({ clock, onCall });
  await time.pass(secondMs);

  expect(await journal.events.count(account)).toBe(2_500);
  for (const [method, calls] of Object.entries({ change: 26, watched: 4, publish: 17 })) {
    expect([method, turnsOf[method]?.length]).toEqual([method, calls]);
    expect(new Set(turnsOf[method]).size).toBeGreaterThanOrEqual(calls - 3);
  }
});
