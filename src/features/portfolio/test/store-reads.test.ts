import { beforeEach, describe, expect, test } from 'vitest';
import type { DomainName } from '../../../kernel/domain-name.ts';
import type { LeaseRequest } from '../../../persistence/leases.ts';
import type { LedgerStore } from '../ledger-store.ts';
import type { DueDomains, UnlistedDomain } from '../unlisted-domains.ts';
import {
  a,
  account,
  b,
  c,
  minute,
  name,
  otherAccount,
} from '../../../../test/persistence/claims.ts';
import { describeStore } from '../../../../test/persistence/drivers.ts';
import { useStore } from '../../../../test/persistence/journal-store.ts';
import {
  dueAt,
  importedAt,
  knownNamesOf,
  leaseAt,
  namesOf,
  rowAt,
  unlistedOf,
} from './known-domains.ts';
import { knownDomainsTable } from '../table.ts';
import { withLedger } from './journal.ts';

/** The contract of every driver about the reads of unlisted domains: which are due, which process reads them, and the rows that it stores. */
describeStore('reads of known domains', (createStore) => {
  const { connect } = useStore(createStore);
  let ledger: LedgerStore;

  beforeEach(async () => {
    ({ ledger } = withLedger(await connect([knownDomainsTable])));
  });

  const find = async (domain: DomainName): Promise<UnlistedDomain | undefined> =>
    (await unlistedOf(ledger)).find((one) => one.name === domain);
  const taken = async (at: number, changes: Partial<DueDomains> = {}) =>
    namesOf(await ledger.takeDue(account, dueAt(at, changes)));
  const isDue = (at: number, changes: Partial<DueDomains> = {}) =>
    ledger.hasDue(account, dueAt(at, changes));

  describe('makeUnreadDue', () => {
    const later = importedAt(1, { dueAt: minute(30) });

    test('unlisted domains that were never read are due, and no others', async () => {
      await ledger.add(account, [a, b, c], later);
      await ledger.add(account, [name('d.com')], { ...later, source: 'LISTED' });
      await taken(30, { limit: 1 });
      await ledger.saveRow(account, a, rowAt(31));
      await ledger.remove(account, c, minute(31));

      await ledger.makeUnreadDue(account, minute(2));
      await ledger.markListed(account, [name('d.com')], false);

      expect(await taken(2, { latest: minute(100) })).toEqual([b]);
    });

    test('a domain that lists have and leave out again is due at once, also soon after a read', async () => {
      await ledger.add(account, [a, b], importedAt(1));
      expect(await taken(2)).toEqual([a, b]);
      await ledger.saveRow(account, a, rowAt(2));

      await ledger.markListed(account, [a], true);
      await ledger.markListed(account, [a], false);
      await ledger.makeUnreadDue(account, minute(4));

      // The read of the other one failed, so it waits for its retry.
      expect([await isDue(4), await taken(4)]).toEqual([true, [a]]);
    });

    test('a domain that is due earlier remains due since then', async () => {
      await ledger.add(account, [b], importedAt(1));
      await ledger.add(account, [a], later);

      await ledger.makeUnreadDue(account, minute(5));

      expect(await taken(6, { limit: 1 })).toEqual([b]);
    });
  });

  describe('takeDue', () => {
    test('takes a domain from its due time on, and again after the time for a retry', async () => {
      await ledger.add(account, [a], importedAt(3));

      expect([await isDue(2), await taken(2)]).toEqual([false, []]);
      expect([await isDue(3), await taken(3)]).toEqual([true, [a]]);
      expect([await isDue(7), await taken(7)]).toEqual([false, []]);
      expect([await isDue(8), await taken(8)]).toEqual([true, [a]]);
    });

    test('returns a domain as it is stored', async () => {
      await ledger.add(account, [a], importedAt(1));
      await ledger.saveRow(account, a, rowAt(2));
      await ledger.saveMissing(account, a, { at: minute(3), dueAt: minute(4) });
      await ledger.recordWrite(account, a, minute(4));

      const taken = await ledger.takeDue(account, dueAt(4));

      expect(await unlistedOf(ledger)).toEqual(taken);
      expect(taken).toEqual([
        {
          ...{ name: a, source: 'IMPORTED', addedAt: minute(1), row: '{"at":2}' },
          ...{ rowAt: minute(2), changedAt: minute(4), missingAt: minute(3) },
          ...{ takenAt: minute(4), dueAt: minute(9) },
        },
      ]);
    });

    test('takes the longest overdue first, up to the limit', async () => {
      await ledger.add(account, [b], importedAt(1, { dueAt: minute(3) }));
      await ledger.add(account, [c], importedAt(1, { dueAt: minute(2) }));
      await ledger.add(account, [a], importedAt(1, { dueAt: minute(4) }));
      await ledger.add(account, [name('0.com')], importedAt(1, { dueAt: minute(4) }));

      const order: (readonly string[])[] = [];
      for (const limit of [1, 2, 2, 1]) order.push(await taken(10, { limit }));

      expect(order).toEqual([[c], ['0.com', b], [a], []]);
    });

    test('takes only unlisted and known domains', async () => {
      await ledger.add(account, [a], importedAt(1, { source: 'LISTED' }));
      await ledger.add(account, [b], importedAt(1));
      await ledger.remove(account, b, minute(2));

      expect([await isDue(5), await taken(5)]).toEqual([false, []]);
    });

    test('takes only domains without a row, and written ones, when only these are requested', async () => {
      await ledger.add(account, [a, b, c], importedAt(1));
      for (const one of [b, c]) {
        await ledger.saveRow(account, one, { ...rowAt(2), dueAt: minute(2) });
      }
      const unread = { which: 'UNREAD' } as const;
      expect(await taken(3, { ...unread, retryAt: minute(50) })).toEqual([a]);
      expect(await isDue(3, unread)).toBe(false);
      await ledger.recordWrite(account, c, minute(3));

      expect([await isDue(3, unread), await isDue(3)]).toEqual([true, true]);
      expect(await taken(3, unread)).toEqual([c]);
      expect(await taken(3)).toEqual([b]);
    });

    test('takes no written and no missing domain when only those that were never read are requested', async () => {
      await ledger.add(account, [a, b, c], importedAt(1));
      await ledger.saveRow(account, a, rowAt(2));
      await ledger.recordWrite(account, a, minute(3));
      await ledger.saveMissing(account, b, { at: minute(2), dueAt: minute(2) });

      expect(await taken(3, { which: 'NEVER_READ' })).toEqual([c]);
      expect(await isDue(3, { which: 'NEVER_READ' })).toBe(false);
      expect(await taken(3, { which: 'UNREAD' })).toEqual([a, b]);
    });

    test('a due time that a wrong clock stored far ahead is due', async () => {
      await ledger.add(account, [a], importedAt(1, { dueAt: minute(70) }));

      expect([await isDue(10), await taken(10)]).toEqual([false, []]);
      expect([await isDue(9), await taken(9)]).toEqual([true, [a]]);
    });

    test('a domain is not taken again while its read counts, however often it is written', async () => {
      const counted = { after: minute(3), until: minute(60) };
      await ledger.add(account, [a], importedAt(1));
      await ledger.takeDue(account, dueAt(4));
      await ledger.saveRow(account, a, rowAt(4));
      await ledger.recordWrite(account, a, minute(4));

      expect([await isDue(4, { counted }), await taken(4, { counted })]).toEqual([false, []]);
      const later = { counted: { ...counted, after: minute(4) } };
      expect([await isDue(5, later), await taken(5, later)]).toEqual([true, [a]]);
    });

    test('a domain that a wrong clock took far ahead is taken', async () => {
      await ledger.add(account, [a], importedAt(1));
      await taken(100);
      await ledger.saveRow(account, a, { ...rowAt(1), dueAt: minute(2) });
      const until = (at: number) => ({ counted: { after: minute(2), until: minute(at) } });

      expect(await taken(3, until(100))).toEqual([]);
      expect(await taken(3, until(99))).toEqual([a]);
    });

    test('of concurrent processes one takes each domain', async () => {
      const names = Array.from({ length: 40 }, (_, at) => name(`name-${at}.com`));
      await ledger.add(account, names, importedAt(1));
      const ledgers = [ledger, withLedger(await connect([knownDomainsTable])).ledger];

      const found = await Promise.all(
        Array.from({ length: 8 }, (_, at) =>
          ledgers[at % 2]?.takeDue(account, dueAt(2, { limit: 4 })),
        ),
      );

      const all = found.flatMap((some) => namesOf(some ?? []));
      expect(new Set(all).size).toBe(all.length);
      expect(Math.max(...found.map((some) => some?.length ?? 0))).toBe(4);
    });
  });

  describe('countTaken', () => {
    test('counts the domains that were taken in the range, also removed ones', async () => {
      await ledger.add(account, [a, b, c], importedAt(1));
      await taken(2, { limit: 1 });
      await taken(3, { limit: 1 });
      await ledger.remove(account, a, minute(4));
      await ledger.markListed(account, [b], true);
      const count = (after: number, until: number) =>
        ledger.countTaken(account, { after: minute(after), until: minute(until) });

      expect(await count(1, 10)).toBe(2);
      expect([await count(2, 10), await count(3, 10)]).toEqual([1, 0]);
      expect([await count(1, 3), await count(1, 2)]).toEqual([2, 1]);
    });
  });

  describe('saveRow', () => {
    beforeEach(() => ledger.add(account, [a], importedAt(1)));

    test('stores the row, its time and when it is due', async () => {
      await ledger.saveRow(account, a, rowAt(2));

      expect(await find(a)).toMatchObject({ row: '{"at":2}', rowAt: minute(2) });
      expect([await isDue(61), await isDue(62)]).toEqual([false, true]);
    });

    test('an older row never replaces a newer one; of two rows of the same time the later one is stored', async () => {
      await ledger.saveRow(account, a, rowAt(5));

      await ledger.saveRow(account, a, rowAt(4));
      await ledger.saveRow(account, a, rowAt(5, '"other"'));
      expect(await find(a)).toMatchObject({ row: '"other"', rowAt: minute(5) });
      await ledger.saveRow(account, a, rowAt(6));

      expect(await find(a)).toMatchObject({ row: '{"at":6}', rowAt: minute(6) });
    });

    test('the upstream has the domain again', async () => {
      await ledger.saveMissing(account, a, { at: minute(2), dueAt: minute(3) });

      await ledger.saveRow(account, a, rowAt(3));

      expect(await find(a)).toMatchObject({ missingAt: null });
    });

    test.each([
      ['before', 4, null],
      ['at', 5, minute(5)],
      ['after', 6, minute(6)],
    ])('shows a write %s the time of its request', async (_when, at, changedAt) => {
      await ledger.saveRow(account, a, rowAt(2));
      await ledger.recordWrite(account, a, minute(at));

      await ledger.saveRow(account, a, rowAt(5));

      expect(await find(a)).toMatchObject({ changedAt, rowAt: minute(5) });
    });

    test('of a listed, removed or unknown domain stores nothing', async () => {
      await ledger.add(account, [b], importedAt(1, { source: 'LISTED' }));
      await ledger.remove(account, a, minute(2));

      for (const one of [a, b, c]) await ledger.saveRow(account, one, rowAt(3));
      await ledger.markListed(account, [b], false);

      expect(await unlistedOf(ledger)).toMatchObject([{ name: b, row: null }]);
    });
  });

  describe('saveMissing', () => {
    const missingAt = (at: number) => ({ at: minute(at), dueAt: minute(at + 60) });

    beforeEach(() => ledger.add(account, [a, b], importedAt(1)));

    test('stores the time of the first read without the domain, and when it is due', async () => {
      await ledger.saveMissing(account, a, missingAt(2));
      await ledger.saveMissing(account, a, missingAt(3));

      expect(await find(a)).toMatchObject({ missingAt: minute(2), row: null, rowAt: null });
      expect(await find(b)).toMatchObject({ missingAt: null });
      await taken(4);
      expect([await isDue(62), await taken(63, { limit: 2 })]).toEqual([true, [a, b].toSorted()]);
    });

    test('an older read does not replace a newer row', async () => {
      await ledger.saveRow(account, a, rowAt(5));

      await ledger.saveMissing(account, a, missingAt(5));
      expect(await find(a)).toMatchObject({ missingAt: null });
      await ledger.saveMissing(account, a, missingAt(6));

      expect(await find(a)).toMatchObject({ missingAt: minute(6), row: '{"at":5}' });
    });
  });

  describe('remove', () => {
    test('a removed domain is not known', async () => {
      await ledger.add(account, [a, b], importedAt(1));

      expect(await ledger.remove(account, a, minute(2))).toBe(true);

      expect((await knownNamesOf(ledger)).toSorted()).toEqual([b]);
      expect(namesOf(await unlistedOf(ledger))).toEqual([b]);
      expect(await ledger.remove(account, a, minute(3))).toBe(false);
    });

    test('a domain with a row of that time or a newer one is not removed', async () => {
      await ledger.add(account, [a], importedAt(1));
      await ledger.saveRow(account, a, rowAt(5));

      expect(await ledger.remove(account, a, minute(4))).toBe(false);
      expect(await ledger.remove(account, a, minute(5))).toBe(false);
      expect(await ledger.remove(account, a, minute(6))).toBe(true);
    });

    test('a listed and an unknown domain are not removed', async () => {
      await ledger.add(account, [a], importedAt(1, { source: 'LISTED' }));

      expect(await ledger.remove(account, a, minute(2))).toBe(false);
      expect(await ledger.remove(account, b, minute(2))).toBe(false);
      expect((await knownNamesOf(ledger)).toSorted()).toEqual([a]);
    });
  });

  describe('recordWrite', () => {
    test('the row of an unlisted domain is due', async () => {
      await ledger.add(account, [a, b], importedAt(1));
      await ledger.saveRow(account, a, rowAt(2));
      await ledger.saveRow(account, b, rowAt(2));

      await ledger.recordWrite(account, a, minute(3));

      expect(await find(a)).toMatchObject({ changedAt: minute(3), row: '{"at":2}' });
      expect(await find(b)).toMatchObject({ changedAt: null });
      expect(await taken(3)).toEqual([a]);
    });

    test('a listed domain is unchanged, and has no row when the list leaves it out', async () => {
      await ledger.add(account, [a], importedAt(1, { dueAt: minute(30) }));
      await ledger.saveRow(account, a, rowAt(2));
      await ledger.markListed(account, [a], true);

      await ledger.recordWrite(account, a, minute(3));
      await ledger.markListed(account, [a], false);

      expect(await find(a)).toMatchObject({ row: null, changedAt: null });
    });

    test('a domain without a row is unchanged', async () => {
      await ledger.add(account, [b], importedAt(1, { dueAt: minute(30) }));

      for (const one of [b, c]) await ledger.recordWrite(account, one, minute(3));

      expect(await find(b)).toMatchObject({ changedAt: null });
      expect(await isDue(3)).toBe(false);
    });
  });

  describe('lease', () => {
    const lease = (at: number, owner: string, changes: Partial<LeaseRequest> = {}) =>
      ledger.lease(account, leaseAt(at, owner, changes));

    test('one owner has it until it expires, and can renew it', async () => {
      expect(await lease(1, 'one')).toBe(true);
      expect(await lease(1, 'two')).toBe(false);
      expect(await lease(1, 'one', { until: minute(5) })).toBe(true);
      expect(await lease(4, 'two')).toBe(false);
      expect(await lease(5, 'two')).toBe(true);
      expect(await lease(5, 'one')).toBe(false);
    });

    test('the end that a wrong clock stored far ahead does not count', async () => {
      await lease(1, 'one', { until: minute(61) });

      expect(await lease(1, 'two', { latest: minute(61) })).toBe(false);
      expect(await lease(1, 'two', { latest: minute(60) })).toBe(true);
      expect(await lease(1, 'one')).toBe(false);
    });

    test('of concurrent processes exactly one gets it', async () => {
      const ledgers = [ledger, withLedger(await connect([knownDomainsTable])).ledger];

      const got = await Promise.all(
        Array.from({ length: 10 }, (_, at) =>
          ledgers[at % 2]?.lease(account, leaseAt(1, `owner-${at}`)),
        ),
      );

      expect(got.filter((one) => one)).toHaveLength(1);
    });

    test('each account has its own', async () => {
      await lease(1, 'one');

      expect(await ledger.lease(otherAccount, leaseAt(1, 'two'))).toBe(true);
      expect(await ledger.lease(otherAccount, leaseAt(1, 'one'))).toBe(false);
    });
  });
});
