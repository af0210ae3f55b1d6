import { beforeEach, describe, expect, test } from 'vitest';
import { account, minute } from '../../../../test/persistence/claims.ts';
import { describeStore } from '../../../../test/persistence/drivers.ts';
import { useStore } from '../../../../test/persistence/journal-store.ts';
import { endOfTurn } from '../../../../test/support/simulated-clock.ts';
import type { EventStore, Revision } from '../store.ts';
import { knownDomainsTable } from '../../portfolio/table.ts';
import { eventTables } from '../table.ts';
import { withEvents } from './journal.ts';
import {
  changeNumber,
  changesFrom,
  domain,
  eventNumber,
  idsOf,
  leaseOf,
  publishAll,
} from './new-events.ts';

describeStore('leases of events', (createStore) => {
  const { connect } = useStore(createStore);
  let events: EventStore;
  let other: EventStore;

  beforeEach(async () => {
    events = withEvents(await connect(eventTables)).events;
    other = withEvents(await connect(eventTables)).events;
    await events.lease(account, leaseOf('one', 0, 10));
    await events.setBaseline(account, 'one', new Date(0));
  });

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
      const { ledger } = withEvents(await connect([...eventTables, knownDomainsTable]));

      expect(await other.lease('reseller-2', leaseOf('two', 1, 10))).toBe(true);
      expect(await ledger.lease(account, leaseOf('two', 1, 10))).toBe(true);
      expect(await ledger.lease(account, leaseOf('one', 1, 10))).toBe(false);
      expect(await events.lease(account, leaseOf('one', 1, 10))).toBe(true);
    });
  });

  describe('an owner without the lease', () => {
    test('stores no state and no baseline', async () => {
      await other.lease('reseller-2', leaseOf('one', 0, 10));

      expect(await other.change(account, 'two', [changeNumber(2)])).toBe(false);
      await other.setBaseline('reseller-2', 'two', new Date(0));

      expect(await events.watched(account, null, 10)).toEqual([]);
      expect(await events.hasBaseline('reseller-2')).toBe(false);
    });

    test('stores nothing after another owner took the lease, and any process publishes its events', async () => {
      await events.change(account, 'one', changesFrom(1, 3));
      await other.lease(account, leaseOf('two', 10, 20));

      expect(await events.change(account, 'one', [changeNumber(9)])).toBe(false);
      await publishAll(withEvents(await connect(eventTables)).events);

      expect(idsOf(await all())).toEqual(['event-001', 'event-002', 'event-003']);
    });

    test('stops in the middle of many changes, each of which is stored with its events or not at all', {
      tags: ['E1'],
    }, async () => {
      const changing = events.change(account, 'one', changesFrom(0, 2_000));
      const taken = await other.lease(account, leaseOf('two', 10, 20));
      const isDone = await changing;

      await publishAll(other);

      const stored = await events.watched(account, null, 3_000);
      expect(taken).toBe(true);
      expect(await events.count(account)).toBe(stored.length);
      expect(isDone).toBe(stored.length === 2_000);
    });
  });

  describe('a process without the lease', () => {
    test('publishes the same events as another one at once, each once and without a gap', {
      tags: ['E14'],
    }, async () => {
      await events.change(account, 'one', changesFrom(0, 600));

      await Promise.all([publishAll(events), publishAll(other)]);
      await publishAll(other);

      const stored = await all();
      expect(new Set(idsOf(stored)).size).toBe(600);
      expect(stored.map(({ position }) => position)).toEqual(
        Array.from({ length: 600 }, (_, at) => at + 1),
      );
    });

    test('revises a known state with its event, and none that is unknown or needs no change', async () => {
      await events.change(account, 'one', [changeNumber(1)]);
      const revise = (at: number, next: Revision) => other.revise(account, domain(at), next);
      const second = { seen: 'second', events: [eventNumber(2)] };

      expect(await revise(2, () => second)).toBe(false);
      expect(await revise(1, () => null)).toBe(false);
      expect(await revise(1, (seen) => (seen === '{"at":1}' ? second : null))).toBe(true);
      await publishAll(other);

      expect(idsOf(await all())).toEqual(['event-001', 'event-002']);
      expect(await events.watched(account, null, 9)).toEqual([
        { subject: domain(1), seen: 'second' },
      ]);
    });

    test('revises a state after which the owner stores none that was compared with the old one', async () => {
      await events.change(account, 'one', [{ ...changeNumber(1), events: [] }]);
      await other.revise(account, domain(1), () => ({ seen: 'new', events: [eventNumber(2)] }));
      await publishAll(other);
      const late = { ...changeNumber(1), before: '{"at":1}', seen: 'late' };

      expect(await events.change(account, 'one', [late, changeNumber(3)])).toBe(false);
      await publishAll(events);

      expect(idsOf(await all())).toEqual(['event-002', 'event-003']);
    });

    test('revises a state from the one that another process stored at the same time', async () => {
      await events.change(account, 'one', [{ ...changeNumber(1), seen: '', events: [] }]);
      const twiceAtOnce = (next: Revision) =>
        Promise.all([events, other].map((one) => one.revise(account, domain(1), next)));
      let at = 0;
      const newEvent = () => {
        at += 1;
        return eventNumber(at);
      };

      await twiceAtOnce((seen) => ({ seen: `${seen}+`, events: [] }));
      await twiceAtOnce((seen) => ({ seen, events: [newEvent()] }));
      await publishAll(events);

      expect(await events.watched(account, null, 9)).toEqual([{ subject: domain(1), seen: '++' }]);
      expect(await all()).toHaveLength(2);
    });

    test('revises a state many times while others publish: each event is stored once, in order', {
      tags: ['E14'],
    }, async () => {
      await events.change(account, 'one', [{ ...changeNumber(1), events: [] }]);
      let isRevising = true;
      const publish = async (store: EventStore) => {
        while (isRevising) {
          await store.publish(account, minute(60));
          await endOfTurn();
        }
      };
      const publishing = Promise.all([
        publish(events),
        publish(withEvents(await connect(eventTables)).events),
      ]);
      for (let at = 1; at <= 50; at += 1) {
        const next = { seen: `state ${at}`, events: [eventNumber(at)] };
        expect(await other.revise(account, domain(1), () => next)).toBe(true);
      }
      isRevising = false;
      await publishing;
      await publishAll(events);

      expect(idsOf(await all())).toEqual(
        idsOf(Array.from({ length: 50 }, (_, at) => eventNumber(at + 1))),
      );
    });
  });
});
