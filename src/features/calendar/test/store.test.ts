import { beforeEach, expect, test } from 'vitest';
import { account, minute } from '../../../../test/persistence/claims.ts';
import { describeStore } from '../../../../test/persistence/drivers.ts';
import { useStore } from '../../../../test/persistence/journal-store.ts';
import { type CalendarStore, createCalendarStore } from '../store.ts';
import { type CalendarFeed, calendarFeedsTable } from '../table.ts';

const feed = (id: string, changes: Partial<CalendarFeed> = {}): CalendarFeed => ({
  ...{ id, customer: null, name: `Feed ${id}`, labels: [], createdAt: minute(1) },
  ...changes,
});

describeStore('calendar feeds', (createStore) => {
  const { connect } = useStore(createStore);
  let store: CalendarStore;

  beforeEach(async () => {
    store = createCalendarStore((await connect([calendarFeedsTable])).database);
  });

  test('a feed is found by its id and by the hash of its secret, in its account', async () => {
    const labels = [
      { name: 'team', value: 'blue' },
      { name: 'plan', value: null },
    ];
    const added = feed('a', { customer: 'acme', labels });
    await store.add(account, added, 'hash-a');

    expect(await store.byIds(account, ['a', 'b'])).toEqual([added]);
    expect(await store.byIds('live:other', ['a'])).toEqual([]);
    expect(await store.bySecret('hash-a')).toEqual({ account, feed: added });
    expect(await store.bySecret('hash-b')).toBeNull();
  });

  test('the feeds of a customer and of the reseller are listed apart, oldest first', async () => {
    const [a, b, c] = [
      feed('a', { createdAt: minute(2) }),
      feed('b'),
      feed('c', { customer: 'acme' }),
    ];
    for (const one of [a, b, c]) await store.add(account, one, `hash-${one.id}`);

    expect(await store.list(account, null)).toEqual([b, a]);
    expect(await store.list(account, 'acme')).toEqual([c]);
    expect(await store.list('live:other', null)).toEqual([]);
  });

  test('two feeds cannot have the same secret', async () => {
    await store.add(account, feed('a'), 'hash');

    await expect(store.add('live:other', feed('b'), 'hash')).rejects.toMatchObject({
      code: 'JOURNAL_UNAVAILABLE',
    });
  });

  test('a deleted feed is not found, and no other account can delete it', async () => {
    await store.add(account, feed('a'), 'hash-a');
    await store.remove('live:other', 'a');
    expect(await store.bySecret('hash-a')).not.toBeNull();

    await store.remove(account, 'a');
    expect(await store.bySecret('hash-a')).toBeNull();
    expect(await store.list(account, null)).toEqual([]);
  });
});
