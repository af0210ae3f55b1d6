import { expect, test } from 'vitest';
import { Fault } from '../../../src/kernel/faults.ts';
import type { Claim, PurchaseState, Transition } from '../../../src/persistence/store.ts';
import { account, claimNumber, refused, unlimited } from '../../persistence/claims.ts';
import { minuteMs, secondMs } from '../../support/simulated-clock.ts';
import { createAccount, createSwitch, intervalMs, leaseMs, startWatched } from './account.ts';
import { a } from './rows.ts';

type Account = Awaited<ReturnType<typeof createAccount>>;

/** Claims and moves purchases of an account. */
const shopOf = ({ journal, time }: Pick<Account, 'journal' | 'time'>) => {
  const at = () => time.clock.now();
  const begin = async (number: number, changes: Partial<Claim> = {}) => {
    const claim = claimNumber(number, { caller: 'shop', claimedAt: at(), ...changes });
    await journal.claim(claim, unlimited);
    await journal.move(claim.id, ['CLAIMED'], { to: 'SENDING', at: at() });
    return claim.id;
  };
  const end = (id: string, to: PurchaseState, more: Partial<Transition> = {}) =>
    journal.move(id, ['SENDING'], { to, at: at(), ...more });
  const endTransfer = (id: string, to: PurchaseState, more: Partial<Transition> = {}) =>
    journal.move(id, ['IN_PROGRESS'], { to, at: at(), ...more });
  return { begin, end, endTransfer, at };
};

test.each(['SUCCEEDED', 'FAILED', 'UNKNOWN'] as const)(
  'a purchase that ends as %s is one event with its caller and its purchase',
  async (state) => {
    const watched = await startWatched([a]);
    const { begin, end } = shopOf(watched);
    await end(await begin(1), state);
    await watched.time.pass(3 * intervalMs);

    expect(await watched.events()).toMatchObject([
      {
        ...{ id: `operation-001:${state}`, type: 'PURCHASE_SETTLED', subject: 'name-1.com' },
        ...{ domain: 'name-1.com', purchaseId: 'operation-001', source: 'GATEWAY' },
        ...{ caller: 'shop', before: null, after: state },
      },
    ]);
  },
);

test('a purchase is no event while it is open', async () => {
  const watched = await startWatched([a]);
  const { begin, end } = shopOf(watched);
  await begin(1);
  await end(await begin(2, { kind: 'TRANSFER' }), 'IN_PROGRESS');
  await watched.time.pass(2 * intervalMs);

  expect(await watched.facts()).toEqual([]);
});

test('an outcome that is corrected later is another event', async () => {
  const watched = await startWatched([a]);
  const { begin, end, at } = shopOf(watched);
  const id = await begin(1);
  await end(id, 'FAILED');
  await watched.time.pass(intervalMs);
  await watched.journal.move(id, ['FAILED'], { to: 'UNKNOWN', at: at() });
  await watched.time.pass(2 * intervalMs);

  expect((await watched.facts()).map(([, , , after]) => after)).toEqual(['FAILED', 'UNKNOWN']);
});

test('the end of a transfer is an event in addition, once', async () => {
  const watched = await startWatched([a]);
  const { begin, end, endTransfer } = shopOf(watched);
  const transfer = async (number: number, to: PurchaseState, more: Partial<Transition> = {}) => {
    const id = await begin(number, { kind: 'TRANSFER' });
    await end(id, 'IN_PROGRESS');
    await endTransfer(id, to, more);
    await watched.time.pass(secondMs);
  };
  await transfer(1, 'SUCCEEDED');
  await transfer(2, 'FAILED', { fault: { ...refused, code: 'TRANSFER_REJECTED' } });
  await transfer(3, 'FAILED', { fault: { ...refused, code: 'TRANSFER_CANCELLED' } });
  await transfer(4, 'FAILED', { fault: refused });
  await transfer(5, 'UNKNOWN');
  await watched.time.pass(2 * intervalMs);

  expect(await watched.facts()).toEqual([
    ['PURCHASE_SETTLED', 'name-1.com', null, 'SUCCEEDED'],
    ['TRANSFER_COMPLETED', 'name-1.com', null, 'COMPLETED'],
    ['PURCHASE_SETTLED', 'name-2.com', null, 'FAILED'],
    ['TRANSFER_REJECTED', 'name-2.com', null, 'REJECTED'],
    ['PURCHASE_SETTLED', 'name-3.com', null, 'FAILED'],
    ['TRANSFER_REJECTED', 'name-3.com', null, 'CANCELLED'],
    ['PURCHASE_SETTLED', 'name-4.com', null, 'FAILED'],
    ['PURCHASE_SETTLED', 'name-5.com', null, 'UNKNOWN'],
  ]);
});

test('a purchase that settled before the first comparison is no event', async () => {
  const upstream = await createAccount([a]);
  const { begin, end } = shopOf(upstream);
  await end(await begin(1), 'SUCCEEDED');
  upstream.onList(() => Promise.reject(new Fault('UPSTREAM_TIMEOUT')));
  await upstream.startReplica();
  await upstream.time.pass(intervalMs);
  await end(await begin(2), 'SUCCEEDED');
  await upstream.time.pass(intervalMs);
  upstream.onList(async () => {});
  await upstream.time.pass(intervalMs);
  await end(await begin(3), 'SUCCEEDED');
  await upstream.time.pass(intervalMs);

  expect((await upstream.facts()).map(([, subject]) => subject)).toEqual(['name-3.com']);
});

test('a purchase that settles while no gateway runs is one event after the start', async () => {
  const watched = await startWatched([a]);
  const { begin, end } = shopOf(watched);
  const id = await begin(1);
  await watched.replica.close();
  await end(id, 'SUCCEEDED');
  await watched.time.pass(10 * intervalMs);
  await watched.startReplica();
  await watched.time.pass(intervalMs);
  await watched.startReplica();
  await watched.time.pass(leaseMs);

  expect(await watched.facts()).toEqual([['PURCHASE_SETTLED', 'name-1.com', null, 'SUCCEEDED']]);
});

test('the owner of the lease stores a reported settlement at once, without a call and without another round', async () => {
  const watched = await startWatched([a]);
  const { begin, end } = shopOf(watched);
  const second = await watched.startReplica();
  await watched.time.pass(minuteMs);
  const calls = watched.calls();
  await end(await begin(1), 'SUCCEEDED');
  second.purchaseSettled();
  await watched.time.pass(secondMs);
  expect(await watched.facts()).toEqual([]);

  watched.replica.purchaseSettled();
  await watched.time.pass(secondMs);
  expect(await watched.facts()).toHaveLength(1);
  expect(watched.calls()).toBe(calls);
  await watched.time.pass(intervalMs - minuteMs - 4 * secondMs);
  expect(watched.calls()).toBe(calls);
  await watched.time.pass(2 * secondMs);

  expect(watched.calls()).toBe(calls + 1);
});

test('settlements that never stop do not delay the next round', async () => {
  const watched = await startWatched([a]);
  const calls = watched.calls();
  for (let second = 0; second < intervalMs / secondMs + 2; second += 1) {
    watched.replica.purchaseSettled();
    await watched.time.pass(secondMs);
  }

  expect(watched.calls()).toBe(calls + 1);
});

test('more settled purchases than one write takes are one event each', async () => {
  const watched = await startWatched([a]);
  const { begin, end } = shopOf(watched);
  for (let number = 0; number < 250; number += 1) await end(await begin(number), 'SUCCEEDED');
  await watched.time.pass(intervalMs);

  expect(await watched.journal.events.count(account)).toBe(250);
  expect(await watched.journal.events.unreported(account, 1)).toEqual([]);
});

test.each(['hasBaseline', 'unreported', 'report'])(
  'a failure of the journal in %s loses no event and repeats none',
  async (method) => {
    const upstream = await createAccount([a]);
    const { onCall, fail } = createSwitch();
    await upstream.startReplica({ onCall });
    await upstream.time.pass(secondMs);
    const { begin, end } = shopOf(upstream);
    fail(method);
    await end(await begin(1), 'SUCCEEDED');
    await upstream.time.pass(2 * intervalMs);
    expect(await upstream.facts()).toEqual([]);
    fail();
    await upstream.time.pass(2 * intervalMs);

    expect(await upstream.facts()).toHaveLength(1);
    expect(upstream.errors).toEqual([]);
  },
);
