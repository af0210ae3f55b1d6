import { beforeEach, expect, test } from 'vitest';
import { account, minute } from '../../../../test/persistence/claims.ts';
import { describeStore } from '../../../../test/persistence/drivers.ts';
import { useStore } from '../../../../test/persistence/journal-store.ts';
import {
  createProfileStore,
  type NewContactProfile,
  type ProfileStore,
  profileSeal,
} from '../store.ts';
import { contactProfilesTable, purchaseDefaultsTable } from '../table.ts';

const profile = (name: string, changes: Partial<NewContactProfile> = {}): NewContactProfile => ({
  ...{ id: `id-${name}`, customer: null, name, contact: `{"firstName":"${name}"}` },
  ...changes,
});

const none = { profile: null, nameServers: null, privacyProtected: null, transferLocked: null };

describeStore('contact profiles', (createStore) => {
  const { connect } = useStore(createStore);
  let store: ProfileStore;

  beforeEach(async () => {
    const { database } = await connect([contactProfilesTable, purchaseDefaultsTable]);
    store = createProfileStore(database, profileSeal(undefined));
  });

  const save = (...all: readonly NewContactProfile[]) => store.save(account, all, minute(1));
  const names = async (page: Partial<Parameters<ProfileStore['list']>[1]> = {}) =>
    (await store.list(account, { limit: 10, ...page })).map(({ customer, name }) =>
      customer === null ? name : `${customer}:${name}`,
    );

  test('a profile is read as it was saved', async () => {
    const [saved] = await save(profile('office', { customer: 'acme' }));

    expect(await store.byIds(account, ['id-office', 'id-other'])).toEqual([saved]);
    expect(saved).toEqual({
      ...{ id: 'id-office', customer: 'acme', name: 'office' },
      ...{ contact: '{"firstName":"office"}', createdAt: minute(1), updatedAt: minute(1) },
    });
    expect(await store.byIds('live:other', ['id-office'])).toEqual([]);
  });

  test('the same owner and name is the same profile, with the id of the first', async () => {
    await save(profile('office'), profile('office', { id: 'of-acme', customer: 'acme' }));
    const [again] = await store.save(
      account,
      [profile('office', { id: 'new', contact: '{}' })],
      minute(9),
    );

    expect(again).toMatchObject({ id: 'id-office', contact: '{}', createdAt: minute(1) });
    expect(again?.updatedAt).toEqual(minute(9));
    expect(await names()).toEqual(['office', 'acme:office']);
    expect(await store.count(account, {})).toBe(2);
  });

  test('a profile can be renamed, not to the name of another one of its owner', async () => {
    await save(profile('a'), profile('b'), profile('c', { customer: 'acme' }));
    const rename = (name: string, changes: Partial<NewContactProfile> = {}) =>
      store.replace(account, profile(name, { id: 'id-a', ...changes }), minute(2));

    expect(await rename('b')).toBeNull();
    expect(await rename('c', { customer: 'acme' })).toBeNull();
    expect(await rename('c')).toMatchObject({ id: 'id-a', name: 'c', updatedAt: minute(2) });
    expect(await names()).toEqual(['b', 'c', 'acme:c']);
  });

  test('pages are in the order of owner and name', async () => {
    await save(...['d', 'b'].map((name) => profile(name)));
    await save(...['c', 'a'].map((name) => profile(name, { id: name, customer: 'acme' })));
    const after = { customer: null, name: 'd' };

    expect(await names()).toEqual(['b', 'd', 'acme:a', 'acme:c']);
    expect(await names({ after })).toEqual(['acme:a', 'acme:c']);
    expect(await names({ before: after, fromEnd: true, limit: 1 })).toEqual(['b']);
    expect(await names({ fromEnd: true, limit: 3 })).toEqual(['d', 'acme:a', 'acme:c']);
    expect(await names({ filter: { customer: 'acme' } })).toEqual(['acme:a', 'acme:c']);
    expect(await names({ filter: { customer: null } })).toEqual(['b', 'd']);
    expect(await store.count(account, { customer: 'acme' })).toBe(2);
  });

  test('defaults are set one by one, and ended by null', async () => {
    const [saved] = await save(profile('office'));
    const nameServers = ['ns1.host.example'];
    await store.setDefaults(account, null, { profileId: 'id-office', nameServers });
    await store.setDefaults(account, null, { privacyProtected: true, transferLocked: false });
    await store.setDefaults(account, 'acme', { transferLocked: true });

    expect(await store.defaultsOf(account, ['acme', null, 'other'])).toEqual(
      new Map([
        [null, { profile: saved, nameServers, privacyProtected: true, transferLocked: false }],
        ['acme', { ...none, transferLocked: true }],
      ]),
    );
    await store.setDefaults(account, null, { nameServers: null, privacyProtected: null });
    expect((await store.defaultsOf(account, [null])).get(null)).toEqual({
      ...{ ...none, profile: saved, transferLocked: false },
    });
  });

  test('a deleted profile is no default any more', async () => {
    await save(profile('office'), profile('other'));
    await store.setDefaults(account, 'acme', { profileId: 'id-office', transferLocked: true });
    await store.remove(account, 'id-office');

    expect(await names()).toEqual(['other']);
    expect(await store.defaultsOf(account, ['acme'])).toEqual(
      new Map([['acme', { ...none, transferLocked: true }]]),
    );
  });
});
