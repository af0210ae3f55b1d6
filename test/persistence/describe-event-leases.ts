import { beforeEach, describe, expect, test } from 'vitest';
import type { EventStore } from '../../src/persistence/event-store.ts';
import { account } from './claims.ts';
import { type JournalStore, useStore } from './journal-store.ts';
import { changeNumber, changesFrom, idsOf, leaseOf, publisherOf } from './new-events.ts';

/** The contract of every driver about the process that writes events: one at a time. */
export function describeEventLeases(
  driver: string,
  createStore: () => Promise<JournalStore>,
): void {
  describe(`leases of events on ${driver}`, () => {
    const { connect } = useStore(createStore);
    let events: EventStore;
    let other: EventStore;

    beforeEach(async () => {
      events = (await connect()).events;
      other = (await connect()).events;
      await events.lease(account, leaseOf('one', 0, 10));
      await events.setBaseline(account, 'one');
    });

    const publishAll = (owner: string) => publisherOf(events)(owner);
    const all = () => events.list(account, { limit: 1_000 });

    describe('the lease', () => {
      test('is of one owner, who renews it, until it ends', async () => {
        expect(await other.lease(account, leaseOf('two', 9, 20))).toBe(false);
        expect(await events.lease(account, leaseOf('one', 9, 20))).toBe(true);
        expect(await other.lease(account, leaseOf('two', 19, 30))).toBe(false);
        expect(await other.lease(account, leaseOf('two', 20, 30))).toBe(true);
        expect(await events.lease(account, leaseOf('one', 29, 40))).toBe(false);
      });

      test('is not valid when a wrong clock stored its end', async () => {
        await events.lease(account, leaseOf('one', 0, 90));

        expect(await other.lease(account, leaseOf('two', 30, 40))).toBe(false);
        expect(await other.lease(account, leaseOf('two', 29, 40))).toBe(true);
      });

      test('is of one of twenty owners that request it at once over two connections', {
        tags: ['E2'],
      }, async () => {
        const stores = [events, other];
        const taken = await Promise.all(
          Array.from({ length: 20 }, (_, at) =>
            stores[at % 2]?.lease(account, leaseOf(`owner ${at}`, 10, 20)),
          ),
        );

        expect(taken.filter((isTaken) => isTaken)).toHaveLength(1);
      });

      test('is separate for each account and for the background reads', async () => {
        const { ledger } = await connect();

        expect(await other.lease('reseller-2', leaseOf('two', 1, 10))).toBe(true);
        expect(await ledger.lease(account, leaseOf('two', 1, 10))).toBe(true);
        expect(await ledger.lease(account, leaseOf('one', 1, 10))).toBe(false);
        expect(await events.lease(account, leaseOf('one', 1, 10))).toBe(true);
      });
    });

    describe('an owner without the lease', () => {
      test('stores no state, no event and no baseline', async () => {
        await events.change(account, 'one', [changeNumber(1)]);
        await other.lease('reseller-2', leaseOf('one', 0, 10));

        expect(await other.change(account, 'two', [changeNumber(2)])).toBe(false);
        expect(await other.publish(account, 'two')).toBe(false);
        await other.setBaseline('reseller-2', 'two');

        expect(await events.watched(account, null, 10)).toHaveLength(1);
        expect(await all()).toEqual([]);
        expect(await events.hasBaseline('reseller-2')).toBe(false);
        await publishAll('one');
        expect(idsOf(await all())).toEqual(['event-001']);
      });

      test('stores nothing after another owner took the lease, and its unpublished events are published once', async () => {
        await events.change(account, 'one', changesFrom(1, 3));
        await other.lease(account, leaseOf('two', 10, 20));

        expect(await events.change(account, 'one', [changeNumber(9)])).toBe(false);
        expect(await events.publish(account, 'one')).toBe(false);
        expect(await all()).toEqual([]);
        await publishAll('two');
        await publishAll('one');

        expect(idsOf(await all())).toEqual(['event-001', 'event-002', 'event-003']);
      });

      test('stops in the middle of many changes, each of which is stored with its events or not at all', {
        tags: ['E1'],
      }, async () => {
        const changing = events.change(account, 'one', changesFrom(0, 2_000));
        const taken = await other.lease(account, leaseOf('two', 10, 20));
        const isDone = await changing;

        while (await other.publish(account, 'two'));

        const stored = await events.watched(account, null, 3_000);
        expect(taken).toBe(true);
        expect(await events.count(account)).toBe(stored.length);
        expect(isDone).toBe(stored.length === 2_000);
      });

      test('cannot publish while another owner publishes the same events', async () => {
        await events.change(account, 'one', changesFrom(0, 600));

        const publishing = publishAll('one');
        await other.lease(account, leaseOf('two', 10, 20));
        while (await other.publish(account, 'two'));
        await publishing;

        const stored = await all();
        expect(stored).toHaveLength(600);
        expect(new Set(idsOf(stored)).size).toBe(600);
        expect(new Set(stored.map(({ position }) => position)).size).toBe(600);
      });
    });
  });
}
