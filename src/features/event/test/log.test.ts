import { beforeEach, describe, expect, test } from 'vitest';
import { account, minute } from '../../../../test/persistence/claims.ts';
import { describeStore } from '../../../../test/persistence/drivers.ts';
import { useStore } from '../../../../test/persistence/journal-store.ts';
import type { EventType } from '../log.ts';
import type { EventStore } from '../store.ts';
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

describeStore('events', (createStore) => {
  const { connect, execute } = useStore(createStore);
  let events: EventStore;

  beforeEach(async () => {
    events = withEvents(await connect(eventTables)).events;
    await events.lease(account, leaseOf('one', 0, 10));
    await events.setBaseline(account, 'one', new Date(0));
  });

  const store = async (changes: Parameters<EventStore['change']>[2]) => {
    expect(await events.change(account, 'one', changes)).toBe(true);
    await publishAll(events);
  };
  const all = () => events.list(account, { limit: 1_000 });

  test('an event has the customer that its domain has when it is stored, unless it names one', async () => {
    const { customers } = await connect(eventTables);
    await customers.assign(account, [domain(1), domain(2)], 'acme', minute(1));
    const ofDomain = { customer: undefined };
    await store([changeNumber(1, ofDomain), changeNumber(2), changeNumber(3, ofDomain)]);
    await customers.assign(account, [domain(1)], 'other', minute(2));
    await events.append(account, eventNumber(4, { ...ofDomain, domain: domain(1) }));
    await events.append('reseller-2', eventNumber(5, { ...ofDomain, domain: domain(1) }));

    const stored = (await all()).map(({ domain: name, customer }) => [name, customer]);
    expect(stored).toEqual([
      [domain(1), 'acme'],
      [domain(2), null],
      [domain(3), null],
      [domain(1), 'other'],
    ]);
    expect(await events.count(account, { customer: 'acme' })).toBe(1);
    expect(await events.list('reseller-2', { limit: 9 })).toMatchObject([{ customer: null }]);
  });

  describe('change and publish', () => {
    test('store a state and its events completely', async () => {
      const [first, second] = [
        eventNumber(1, { before: null, after: `'; drop table events; -- \u{1f600}` }),
        eventNumber(2, {
          ...{ type: 'PRICE_CHANGED', subject: 'com', domain: null, after: null },
          ...{ source: 'GATEWAY', caller: 'shop', purchaseId: 'purchase-1' },
        }),
      ];
      await store([{ ...changeNumber(1), seen: '{"a":"b"}', events: [first, second] }]);

      expect(await all()).toEqual([
        { ...first, position: 1 },
        { ...second, position: 2 },
      ]);
      expect(await events.watched(account, null, 10)).toEqual([
        { subject: domain(1), seen: '{"a":"b"}' },
      ]);
    });

    test('keep events of a state until they are published, and none of a state without events', async () => {
      await store([{ ...changeNumber(1), seen: 'first', events: [] }]);
      const gone = { ...changeNumber(1), before: 'first', seen: 'second' };
      expect(await events.change(account, 'one', [gone])).toBe(true);

      expect(await events.watched(account, null, 10)).toEqual([
        { subject: domain(1), seen: 'second' },
      ]);
      expect(await all()).toEqual([]);
      await publishAll(events);
      await publishAll(events);
      expect(idsOf(await all())).toEqual(['event-001']);
    });

    test('store a second state of a subject before the events of the first are published, and lose none', {
      tags: ['E1'],
    }, async () => {
      await events.change(account, 'one', [changeNumber(1)]);
      const later = eventNumber(5, { domain: domain(1) });
      const before = '{"at":1}';
      await store([{ subject: domain(1), before, seen: 'later', events: [later] }]);

      expect(idsOf(await all())).toEqual(['event-001', 'event-005']);
      expect(await events.watched(account, null, 10)).toEqual([
        { subject: domain(1), seen: 'later' },
      ]);
    });

    test('refuse a state that was compared with another one than the stored one', {
      tags: ['E1'],
    }, async () => {
      const from = (before: string | null) => ({ ...changeNumber(2), before, seen: 'new' });
      const isStored = (before: string | null) => events.change(account, 'one', [from(before)]);
      expect(await isStored('unknown')).toBe(false);
      await store([{ ...changeNumber(2), seen: 'old', events: [] }]);

      expect([await isStored(null), await isStored('older')]).toEqual([false, false]);
      expect(await events.watched(account, null, 9)).toEqual([{ subject: domain(2), seen: 'old' }]);
      expect(await isStored('old')).toBe(true);
      await publishAll(events);

      expect(idsOf(await all())).toEqual(['event-002']);
    });

    test('store the changes beside one that is refused', async () => {
      const stale = { ...changeNumber(2), before: 'unknown' };

      expect(await events.change(account, 'one', [changeNumber(1), stale, changeNumber(3)])).toBe(
        false,
      );
      await publishAll(events);

      expect(idsOf(await all())).toEqual(['event-001', 'event-003']);
    });

    test('store more states than one statement can, in their order', async () => {
      await store([]);
      await store(changesFrom(0, 701));

      const stored = await all();
      expect(idsOf(stored)).toEqual(idsOf(changesFrom(0, 701).flatMap((change) => change.events)));
      expect(stored.map(({ position }) => position)).toEqual(
        Array.from({ length: 701 }, (_, at) => at + 1),
      );
      expect(await events.watched(account, null, 1_000)).toHaveLength(701);
    });

    test('store all events of a subject that has more than one statement takes', async () => {
      const many = Array.from({ length: 450 }, (_, at) => eventNumber(at + 100));
      await events.change(account, 'one', [
        { ...changeNumber(1), events: many },
        ...changesFrom(2, 3),
      ]);
      await publishAll(events);

      expect(idsOf(await all())).toEqual([
        ...idsOf(many),
        ...['event-002', 'event-003', 'event-004'],
      ]);
    });

    test('keep the events of a state that cannot be published', async () => {
      await events.change(account, 'one', [changeNumber(1)]);
      await execute('alter table events rename to hidden');
      await expect(events.publish(account, minute(60))).rejects.toThrow();
      await execute('alter table hidden rename to events');
      await publishAll(events);

      expect(idsOf(await all())).toEqual(['event-001']);
    });

    test('store each event once when the process ended between the two statements of publish', {
      tags: ['E1'],
    }, async () => {
      await events.change(account, 'one', changesFrom(1, 3));
      await publishAll(events);
      // The state before the second statement.
      await execute(
        `update watched_subjects set outbox = '${JSON.stringify([eventNumber(2)])}' where subject = '${domain(2)}'`,
      );
      const reopened = withEvents(await connect(eventTables)).events;
      await reopened.lease(account, leaseOf('two', 10, 20));

      await reopened.publish(account, minute(60));
      await reopened.change(account, 'two', [changeNumber(4)]);
      await reopened.publish(account, minute(60));

      expect(idsOf(await all())).toEqual(['event-001', 'event-002', 'event-003', 'event-004']);
      const positions = (await all()).map(({ position }) => position);
      expect(positions).toEqual(positions.toSorted((a, b) => a - b));
    });
  });

  describe('reading', () => {
    beforeEach(() => store(changesFrom(1, 5)));

    const listed = async (page: Parameters<EventStore['list']>[1]) =>
      (await events.list(account, page)).map(({ position }) => position);

    test('pages of known states have each domain once, in order', async () => {
      const first = await events.watched(account, null, 2);
      const second = await events.watched(account, first[1]?.subject ?? null, 2);
      const third = await events.watched(account, second[1]?.subject ?? null, 2);

      expect([first, second, third].map((page) => page.map((one) => one.subject))).toEqual([
        [domain(1), domain(2)],
        [domain(3), domain(4)],
        [domain(5)],
      ]);
    });

    test('pages of events are oldest first, between two positions, from either end', async () => {
      expect(await listed({ limit: 2 })).toEqual([1, 2]);
      expect(await listed({ limit: 2, after: 2 })).toEqual([3, 4]);
      expect(await listed({ limit: 2, before: 4 })).toEqual([1, 2]);
      expect(await listed({ limit: 9, after: 1, before: 4 })).toEqual([2, 3]);
      expect(await listed({ limit: 2, fromEnd: true })).toEqual([4, 5]);
      expect(await listed({ limit: 2, before: 4, fromEnd: true })).toEqual([2, 3]);
      expect(await listed({ limit: 0 })).toEqual([]);
      expect(await listed({ limit: 9, after: 5 })).toEqual([]);
    });

    test('a filter selects by type, domain and time, and its count is the same', async () => {
      await store([
        { ...changeNumber(6, { type: 'EXPIRING', domain: domain(1) }), before: '{"at":1}' },
      ]);
      const both: readonly EventType[] = ['EXPIRING', 'STATE_CHANGED'];
      const expected = [
        [{}, [1, 2, 3, 4, 5, 6]],
        [{ types: ['EXPIRING'] as const }, [6]],
        [{ types: both }, [1, 2, 3, 4, 5, 6]],
        [{ types: [] }, []],
        [{ domain: domain(1) }, [1, 6]],
        [{ at: { from: minute(4) } }, [4, 5, 6]],
        [{ types: both, domain: domain(1), at: { from: minute(2) } }, [6]],
        [{ domain: domain(9) }, []],
      ] as const;

      for (const [filter, positions] of expected) {
        expect(await listed({ filter, limit: 9 })).toEqual(positions);
        expect(await events.count(account, filter)).toBe(positions.length);
      }
      expect(await listed({ filter: { domain: domain(1) }, after: 1, limit: 9 })).toEqual([6]);
    });

    test('another account has its own states, events, positions and baseline', async () => {
      await events.lease('reseller-2', leaseOf('one', 0, 10));
      await events.change('reseller-2', 'one', [changeNumber(1)]);
      await events.publish('reseller-2', minute(60));

      expect(await events.list('reseller-2', { limit: 9 })).toEqual([
        { ...eventNumber(1), position: 1 },
      ]);
      expect(await events.watched('reseller-2', null, 9)).toHaveLength(1);
      expect([await events.count('reseller-2'), await events.count(account)]).toEqual([1, 5]);
      expect(await events.lastPosition('reseller-2')).toBe(1);
      expect(await events.hasBaseline('reseller-2')).toBe(false);
      expect(await events.deletedUntil('reseller-2')).toBe(0);
      await events.setBaseline('reseller-2', 'one', new Date(0));
      await events.deleteBefore('reseller-2', minute(9));
      expect([await events.count('reseller-2'), await events.count(account)]).toEqual([0, 5]);
      expect(await events.deletedUntil(account)).toBe(0);
    });
  });

  describe('deletion', () => {
    test('removes the events before a time, and their positions are never used again', {
      tags: ['E6'],
    }, async () => {
      expect([await events.lastPosition(account), await events.deletedUntil(account)]).toEqual([
        0, 0,
      ]);
      await store(changesFrom(1, 5));

      await events.deleteBefore(account, minute(1));
      expect(await events.deletedUntil(account)).toBe(0);
      expect(await events.recordedSince(account)).toEqual(new Date(0));
      await events.deleteBefore(account, minute(4));
      expect(await events.recordedSince(account)).toEqual(minute(4));
      expect((await all()).map(({ position }) => position)).toEqual([4, 5]);
      expect([await events.lastPosition(account), await events.deletedUntil(account)]).toEqual([
        5, 3,
      ]);
      await events.deleteBefore(account, minute(2));
      expect(await events.deletedUntil(account)).toBe(3);
      expect(await events.recordedSince(account)).toEqual(minute(4));
      await events.deleteBefore(account, minute(59));

      expect(await all()).toEqual([]);
      expect([await events.lastPosition(account), await events.deletedUntil(account)]).toEqual([
        5, 5,
      ]);
      await store([changeNumber(60)]);
      expect((await all()).map(({ position }) => position)).toEqual([6]);
      expect([await events.lastPosition(account), await events.deletedUntil(account)]).toEqual([
        6, 5,
      ]);
    });

    test('is completed when the process ended between its two statements', async () => {
      await store(changesFrom(1, 3));
      await execute(`update event_logs set deleted_until = 2`);

      await events.deleteBefore(account, minute(3));

      expect((await all()).map(({ position }) => position)).toEqual([3]);
      expect(await events.deletedUntil(account)).toBe(2);
    });

    test('before the baseline is no baseline', async () => {
      await events.append('reseller-2', eventNumber(1));
      await events.deleteBefore('reseller-2', minute(59));

      expect(await events.deletedUntil('reseller-2')).toBe(1);
      expect(await events.recordedSince('reseller-2')).toBeNull();
      expect(await events.hasBaseline('reseller-2')).toBe(false);
    });

    test('before the baseline uses no position again', async () => {
      await events.append('reseller-2', eventNumber(1));
      await events.deleteBefore('reseller-2', minute(59));
      await events.append('reseller-2', eventNumber(2));

      const left = await events.list('reseller-2', { limit: 9 });
      expect(left.map(({ position }) => position)).toEqual([2]);
    });
  });

  test('the baseline is stored once, and setting it again changes nothing else', async () => {
    await store(changesFrom(1, 2));
    await events.deleteBefore(account, minute(2));

    expect(await events.hasBaseline(account)).toBe(true);
    await events.setBaseline(account, 'one', new Date(0));

    expect(await events.hasBaseline(account)).toBe(true);
    expect(await events.recordedSince(account)).toEqual(minute(2));
    expect(await events.deletedUntil(account)).toBe(1);
  });

  test('states and events are unchanged after a restart', async () => {
    await store(changesFrom(1, 3));
    await events.deleteBefore(account, minute(2));
    const before = [await all(), await events.watched(account, null, 9)];

    const reopened = withEvents(await connect(eventTables)).events;

    expect([
      await reopened.list(account, { limit: 9 }),
      await reopened.watched(account, null, 9),
    ]).toEqual(before);
    expect(await reopened.hasBaseline(account)).toBe(true);
    expect(await reopened.deletedUntil(account)).toBe(1);
  });
});
