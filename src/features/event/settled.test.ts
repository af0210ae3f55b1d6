import { expect, test } from 'vitest';
import { account, claimNumber, refused, unlimited } from '../../../test/persistence/claims.ts';
import { a } from '../../../test/support/modules/event-rows.ts';
import type { OnCall } from '../../../test/support/modules/fates.ts';
import { secondMs } from '../../../test/support/simulated-clock.ts';
import type { Claim, PurchaseState } from '../../persistence/purchase-record.ts';
import type { Transition } from '../../persistence/purchase-store.ts';
import { createAccount, createSwitch, intervalMs } from './test/account.ts';

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

/** An account whose settled purchases are reported, without a comparison. */
async function startReported(onCall?: OnCall) {
  const upstream = await createAccount([a]);
  const reports = await upstream.startPublisher(onCall);
  await upstream.time.pass(0);
  return { ...upstream, reports };
}

test.each(['SUCCEEDED', 'FAILED', 'UNKNOWN'] as const)(
  'a purchase that ends as %s is one event with its caller and its purchase',
  async (state) => {
    const watched = await startReported();
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
  const watched = await startReported();
  const { begin, end } = shopOf(watched);
  await begin(1);
  await end(await begin(2, { kind: 'TRANSFER' }), 'IN_PROGRESS');
  await watched.time.pass(2 * intervalMs);

  expect(await watched.facts()).toEqual([]);
});

test('an outcome that is corrected later is another event', { tags: ['E10'] }, async () => {
  const watched = await startReported();
  const { begin, end, at } = shopOf(watched);
  const id = await begin(1);
  await end(id, 'FAILED');
  await watched.time.pass(intervalMs);
  await watched.journal.move(id, ['FAILED'], { to: 'UNKNOWN', at: at() });
  await watched.time.pass(2 * intervalMs);

  expect((await watched.facts()).map(([, , , after]) => after)).toEqual(['FAILED', 'UNKNOWN']);
});

test('the end of a transfer is an event in addition, once', async () => {
  const watched = await startReported();
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

test('a purchase that settled before the first start is no event, and later ones are before the first comparison', async () => {
  const upstream = await createAccount([a]);
  const { begin, end } = shopOf(upstream);
  await end(await begin(1), 'SUCCEEDED');
  const reports = await upstream.startPublisher();
  await upstream.time.pass(0);
  await end(await begin(2), 'SUCCEEDED');
  await upstream.time.pass(secondMs);
  await reports.close();
  await end(await begin(3), 'SUCCEEDED');
  await upstream.startPublisher();
  await upstream.time.pass(0);

  expect((await upstream.facts()).map(([, subject]) => subject)).toEqual([
    'name-2.com',
    'name-3.com',
  ]);
});

test('a purchase is an event at once, also while a process that ended has the lease of the comparisons', {
  tags: ['E10'],
}, async () => {
  const { startReplica, startPublisher, time, facts, calls, ...upstream } = await createAccount([
    a,
  ]);
  const { begin, end } = shopOf({ ...upstream, time });
  let isKilled = false;
  const onCall: OnCall = (_method, execute) =>
    isKilled ? new Promise(() => undefined) : execute();
  await startReplica({ onCall });
  await startPublisher(onCall);
  await time.pass(secondMs);
  isKilled = true;
  await end(await begin(1), 'SUCCEEDED');
  await startReplica();
  const reports = await startPublisher();
  await time.pass(0);
  expect(await facts()).toHaveLength(1);

  await end(await begin(2), 'SUCCEEDED');
  reports.wake();
  await time.pass(0);
  expect(await facts()).toHaveLength(2);
  await end(await begin(3), 'SUCCEEDED');
  await time.pass(secondMs);

  expect(await facts()).toHaveLength(3);
  expect(calls()).toBe(1);
});

test('two replicas store one event, also when one ends while it publishes', {
  tags: ['E10'],
}, async () => {
  const upstream = await startReported(async (method, execute) => {
    const done = await execute();
    return method === 'publish' ? new Promise(() => undefined) : done;
  });
  await upstream.startPublisher();
  const { begin, end } = shopOf(upstream);
  await end(await begin(1), 'SUCCEEDED');
  await end(await begin(2), 'FAILED');
  await upstream.time.pass(intervalMs);

  expect((await upstream.events()).map(({ position, subject }) => [position, subject])).toEqual([
    [1, 'name-1.com'],
    [2, 'name-2.com'],
  ]);
});

test('more settled purchases than one write takes are one event each', async () => {
  const watched = await startReported();
  const { begin, end } = shopOf(watched);
  for (let number = 0; number < 250; number += 1) await end(await begin(number), 'SUCCEEDED');
  await watched.time.pass(intervalMs);

  expect(await watched.journal.events.count(account)).toBe(250);
});

test.each(['beginReading', 'publish'])(
  'a failure of the journal in %s loses no event and repeats none',
  { tags: ['E10'] },
  async (method) => {
    const upstream = await startReported();
    await upstream.reports.close();
    const { onCall, fail } = createSwitch();
    fail(method);
    await upstream.startPublisher(onCall);
    const { begin, end } = shopOf(upstream);
    await end(await begin(1), 'SUCCEEDED');
    await upstream.time.pass(intervalMs);
    expect(await upstream.facts()).toEqual([]);
    fail();
    await upstream.time.pass(secondMs);

    expect(await upstream.facts()).toHaveLength(1);
    expect(upstream.errors).toEqual([]);
  },
);
