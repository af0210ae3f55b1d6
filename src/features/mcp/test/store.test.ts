import { beforeEach, expect, test } from 'vitest';
import { account, minute } from '../../../../test/persistence/claims.ts';
import { describeStore } from '../../../../test/persistence/drivers.ts';
import { useStore } from '../../../../test/persistence/journal-store.ts';
import { createHandleStore, type HandleStore, type StoredHandle } from '../store.ts';
import { handlesTable } from '../table.ts';

const handle = (id: string, changes: Partial<StoredHandle> = {}): StoredHandle => ({
  ...{ id, caller: 'shop', tool: 'buy', input: `input of ${id}`, expiresAt: minute(10) },
  ...changes,
});

describeStore('handles', (createStore) => {
  const { connect, execute } = useStore(createStore);
  let store: HandleStore;
  const missing = async (ids: readonly string[], at = minute(0)) => {
    const found = await Promise.all(ids.map((id) => store.find(account, id, at)));
    return ids.filter((_id, position) => found[position] === null);
  };

  beforeEach(async () => {
    store = createHandleStore((await connect([handlesTable])).database);
  });

  test('a handle is found in its account until it expires', { tags: ['M3'] }, async () => {
    await store.add(account, handle('a'), minute(0));

    expect(await store.find(account, 'a', new Date(minute(10).getTime() - 1))).toEqual({
      ...{ tool: 'buy', input: 'input of a' },
    });
    expect(await store.find(account, 'a', minute(10))).toBeNull();
    expect(await store.find(account, 'b', minute(0))).toBeNull();
    expect(await store.find('live:other', 'a', minute(0))).toBeNull();
  });

  test('a new handle deletes those of all callers that have expired', async () => {
    await store.add('live:other', handle('other'), minute(0));
    await store.add(account, handle('a', { caller: null }), minute(0));
    await store.add(account, handle('b', { expiresAt: minute(20) }), minute(10));

    expect(await missing(['a', 'b'])).toEqual(['a']);
    expect(await store.find('live:other', 'other', minute(0))).toBeNull();
  });

  test('a caller has a hundred handles at most, the last ones', async () => {
    const expiresAt = minute(20);
    for (let other = 0; other < 3; other += 1) {
      await store.add(account, handle(`r${other}`, { caller: 'rival', expiresAt }), minute(0));
      await store.add('live:other', handle(`o${other}`, { expiresAt }), minute(0));
    }
    const ids = Array.from({ length: 103 }, (_none, number) => `${1_000 + number}`);
    for (const [number, id] of ids.entries()) {
      const later = new Date(minute(11).getTime() + number);
      await store.add(account, handle(id, { expiresAt: later }), minute(0));
    }

    expect(await missing([...ids, 'r0', 'r1', 'r2'])).toEqual(ids.slice(0, 3));
    for (const id of ['o0', 'o1', 'o2'])
      expect(await store.find('live:other', id, minute(0))).not.toBeNull();
  });

  test('a journal that cannot be used is reported', async () => {
    await execute('drop table handles');
    const unavailable = { code: 'JOURNAL_UNAVAILABLE', executed: 'NO' };

    await expect(store.add(account, handle('a'), minute(0))).rejects.toMatchObject(unavailable);
    await expect(store.find(account, 'a', minute(0))).rejects.toMatchObject(unavailable);
  });
});
