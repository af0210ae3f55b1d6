import { beforeEach, describe, expect, test } from 'vitest';
import type { DomainName } from '../../../kernel/domain-name.ts';
import type { Journal } from '../../../persistence/journal.ts';
import type { KnownDomain, LedgerStore } from '../ledger-store.ts';
import type { PurchaseState } from '../../../persistence/purchase-record.ts';
import type { DueDomains, UnlistedDomain } from '../unlisted-domains.ts';
import {
  a,
  account,
  b,
  c,
  claimNumber,
  minute,
  moveTo,
  name,
  otherAccount,
  unlimited,
} from '../../../../test/persistence/claims.ts';
import { describeStore } from '../../../../test/persistence/drivers.ts';
import { useStore } from '../../../../test/persistence/journal-store.ts';
import {
  dueAt,
  importedAt,
  knownNamesOf,
  knownOf,
  leaseAt,
  listedOf,
  namesOf,
  rowAt,
  unlistedOf,
} from './known-domains.ts';
import { knownDomainsTable } from '../table.ts';
import { withLedger } from './journal.ts';

/** The contract of every driver about known domains: how they are added, listed and upgraded. */
describeStore('known domains', (createStore) => {
  const { connect } = useStore(createStore);
  let journal: Journal;
  let ledger: LedgerStore;

  beforeEach(async () => {
    const opened = withLedger(await connect([knownDomainsTable]));
    journal = opened;
    ({ ledger } = opened);
  });

  const find = async (domain: DomainName): Promise<UnlistedDomain | undefined> =>
    (await unlistedOf(ledger)).find((one) => one.name === domain);
  const taken = async (at: number, changes: Partial<DueDomains> = {}) =>
    namesOf(await ledger.takeDue(account, dueAt(at, changes)));
  const isDue = (at: number, changes: Partial<DueDomains> = {}) =>
    ledger.hasDue(account, dueAt(at, changes));

  test('the revision changes before a write and after it, so that a read between the two is not current', async () => {
    const revisions = [ledger.revision()];
    const writing = ledger.add(account, [a], importedAt(1));
    revisions.push(ledger.revision());
    await writing;
    revisions.push(ledger.revision());

    expect(new Set(revisions).size).toBe(3);
    await ledger.known(account, null, 1);
    expect(ledger.revision()).toBe(revisions[2]);
  });

  describe('add', () => {
    test('a new domain is stored with its source and time, and has no row', async () => {
      expect(await ledger.add(account, [a], importedAt(1))).toBe(1);

      expect(await unlistedOf(ledger)).toEqual([
        {
          ...{ name: a, source: 'IMPORTED', addedAt: minute(1), dueAt: minute(1) },
          ...{ row: null, rowAt: null, changedAt: null, missingAt: null, takenAt: null },
        },
      ]);
    });

    test.each([
      ['LISTED', true],
      ['IMPORTED', false],
      ['PURCHASED', false],
    ] as const)('the last list has a domain that is added as %s: %s', async (source, listed) => {
      await ledger.add(account, [a], importedAt(1, { source }));

      expect(await listedOf(ledger)).toEqual({ [a]: listed });
    });

    test('a known domain is not counted and remains as it is', async () => {
      await ledger.add(account, [a], importedAt(1, { source: 'PURCHASED', dueAt: minute(30) }));
      await ledger.saveRow(account, a, rowAt(2));
      const before = await unlistedOf(ledger);

      expect(await ledger.add(account, [a, b], importedAt(3))).toBe(1);
      expect(await ledger.add(account, [a], importedAt(4, { source: 'LISTED' }))).toBe(0);

      expect(await find(a)).toEqual(before[0]);
      expect(await taken(5)).toEqual([b]);
    });

    test('a removed domain is new again, without the row that it had', async () => {
      await ledger.add(account, [a, b], importedAt(1, { source: 'LISTED' }));
      await ledger.markListed(account, [a], false);
      await ledger.saveRow(account, a, rowAt(2));
      await ledger.saveMissing(account, a, { at: minute(3), dueAt: minute(3) });
      await ledger.remove(account, a, minute(4));

      expect(await ledger.add(account, [a, b], importedAt(5, { dueAt: minute(7) }))).toBe(1);

      expect(await find(a)).toEqual({
        ...{ name: a, source: 'IMPORTED', addedAt: minute(5), dueAt: minute(7) },
        ...{ row: null, rowAt: null, changedAt: null, missingAt: null, takenAt: null },
      });
      expect([await isDue(6), await isDue(7)]).toEqual([false, true]);
    });

    test('a removed domain of a list is listed again', async () => {
      await ledger.add(account, [a], importedAt(1));
      await ledger.remove(account, a, minute(2));

      expect(await ledger.add(account, [a], importedAt(3, { source: 'LISTED' }))).toBe(1);

      expect(await listedOf(ledger)).toEqual({ [a]: true });
    });

    test('10,000 domains are added at once, and those that are new are counted', async () => {
      const names = Array.from({ length: 10_000 }, (_, at) => name(`name-${at}.com`));
      await ledger.add(account, names.slice(4_000, 4_010), importedAt(1));

      expect(await ledger.add(account, names, importedAt(2))).toBe(9_990);

      expect((await knownNamesOf(ledger)).toSorted()).toEqual(names.toSorted());
      expect(await ledger.add(account, [], importedAt(3))).toBe(0);
    });

    test('of concurrent additions over two connections one counts each domain', async () => {
      const names = Array.from({ length: 50 }, (_, at) => name(`name-${at}.com`));
      const ledgers = [ledger, withLedger(await connect([knownDomainsTable])).ledger];

      const added = await Promise.all(
        Array.from({ length: 6 }, (_, at) => ledgers[at % 2]?.add(account, names, importedAt(1))),
      );

      expect(added.toSorted()).toEqual([0, 0, 0, 0, 0, 50]);
    });
  });

  describe('addPurchased', () => {
    const buy = async (at: number, state: PurchaseState, domain = `name-${at}.com`) => {
      const claim = claimNumber(at, { domain: name(domain) });
      expect(await journal.claim(claim, unlimited)).toMatchObject({ outcome: 'claimed' });
      await moveTo(journal, claim.id, state);
    };
    const add = (at: number) =>
      ledger.addPurchased(account, { at: minute(at), dueAt: minute(at + 30) });

    test('adds the domains of successful purchases of the account alone, each once', async () => {
      const states = ['CLAIMED', 'SENDING', 'PENDING', 'IN_PROGRESS', 'FAILED', 'UNKNOWN'];
      for (const [at, state] of states.entries()) await buy(at, state as PurchaseState);
      await buy(10, 'SUCCEEDED');
      await buy(11, 'SUCCEEDED', 'name-10.com');
      await buy(12, 'SUCCEEDED');
      const foreign = claimNumber(13, { account: otherAccount });
      await journal.claim(foreign, unlimited);
      await moveTo(journal, foreign.id, 'SUCCEEDED');

      await add(60);

      expect(await unlistedOf(ledger, otherAccount)).toEqual([]);
      expect((await unlistedOf(ledger)).toSorted(byName)).toEqual(
        ['name-10.com', 'name-12.com'].map((domain) => ({
          ...{ name: domain, source: 'PURCHASED', addedAt: minute(60), dueAt: minute(90) },
          ...{ row: null, rowAt: null, changedAt: null, missingAt: null, takenAt: null },
        })),
      );
      expect([await isDue(89), await isDue(90)]).toEqual([false, true]);
    });

    test('a known domain remains as it is, also one of another account', async () => {
      await ledger.add(account, [a], importedAt(1));
      await ledger.add(otherAccount, [b], importedAt(1));
      await buy(1, 'SUCCEEDED', a);
      await buy(2, 'SUCCEEDED', b);

      await add(60);

      expect(await find(a)).toMatchObject({ source: 'IMPORTED', addedAt: minute(1) });
      expect(await find(b)).toMatchObject({ source: 'PURCHASED', addedAt: minute(60) });
    });

    test.each([
      ['before', 54, true],
      ['with', 55, false],
      ['after', 56, false],
    ])(
      'a domain that was removed %s its settlement is known afterwards: %s',
      async (_when, removedAt, isKnown) => {
        await ledger.add(account, [a], importedAt(1));
        await ledger.remove(account, a, minute(removedAt));
        // Settled at minute 55.
        await buy(1, 'SUCCEEDED', a);

        await add(60);

        expect((await knownNamesOf(ledger)).toSorted()).toEqual(isKnown ? [a] : []);
      },
    );

    test('a domain that was bought, removed, and bought again is known', async () => {
      await buy(1, 'SUCCEEDED', a);
      await add(60);
      await ledger.remove(account, a, minute(61));
      await add(62);
      expect(await knownNamesOf(ledger)).toEqual([]);
      await journal.claim(claimNumber(63, { domain: a }), unlimited);
      await journal.move('operation-063', ['CLAIMED'], { to: 'SENDING', at: minute(64) });
      await journal.move('operation-063', ['SENDING'], { to: 'SUCCEEDED', at: minute(65) });

      await add(66);

      expect(await find(a)).toMatchObject({ source: 'PURCHASED', addedAt: minute(66) });
    });
  });

  describe('known and names', () => {
    test('have every known domain once, and none that was removed', async () => {
      const names = Array.from({ length: 25 }, (_, at) => name(`name-${at}.com`)).toSorted();
      await ledger.add(account, names, importedAt(1));
      await ledger.add(account, [a], importedAt(1));
      await ledger.remove(account, a, minute(2));

      expect((await knownNamesOf(ledger)).toSorted()).toEqual(names);
      expect(namesOf(await knownOf(ledger))).toEqual(names);
    });

    test('in pages they have every known domain once, with the rows of unlisted ones', async () => {
      const names = ['a-b', 'a', 'a1', 'ab', 'a-1', 'b', '1a'].map((label) => name(`${label}.com`));
      await ledger.add(account, names, importedAt(1, { source: 'LISTED' }));
      await ledger.markListed(account, names.slice(3), false);
      const known: KnownDomain[] = [];
      const alone: DomainName[] = [];
      for (let after: DomainName | null = null, size = 2; size === 2; ) {
        const page: readonly KnownDomain[] = await ledger.known(account, after, 2);
        alone.push(...(await ledger.names(account, after, 2)));
        known.push(...page);
        after = page.at(-1)?.name ?? null;
        size = page.length;
      }

      expect(namesOf(known)).toEqual(names.toSorted());
      expect(alone).toEqual(known.map((one) => one.name));
      expect(namesOf(known.filter(({ unlisted }) => unlisted))).toEqual(names.slice(3).toSorted());
    });

    test('a listed domain has no row, and an unlisted one has its last row', async () => {
      await ledger.add(account, [a], importedAt(1, { source: 'LISTED' }));
      await ledger.add(account, [b], importedAt(1));
      await ledger.saveRow(account, b, rowAt(2));

      const known = new Map(
        (await knownOf(ledger)).map((domain) => [domain.name, domain.unlisted]),
      );

      expect(known.get(a)).toBeNull();
      expect(known.get(b)).toMatchObject({ row: '{"at":2}', rowAt: minute(2) });
    });
  });

  describe('markListed', () => {
    test('a domain that the list leaves out is unlisted, and one that it has is not', async () => {
      await ledger.add(account, [a, b], importedAt(1, { source: 'LISTED' }));

      await ledger.markListed(account, [a, c], false);
      expect(namesOf(await unlistedOf(ledger))).toEqual([a]);
      await ledger.markListed(account, [a, c], true);

      expect(await unlistedOf(ledger)).toEqual([]);
      expect(await listedOf(ledger)).toEqual({ [a]: true, [b]: true });
    });

    test('a listed domain is not missing, and a removed one is known again', async () => {
      await ledger.add(account, [a, b], importedAt(1));
      await ledger.saveMissing(account, a, { at: minute(2), dueAt: minute(3) });
      await ledger.remove(account, b, minute(2));

      await ledger.markListed(account, [a, b], true);
      await ledger.markListed(account, [a, b], false);

      expect(await find(a)).toMatchObject({ missingAt: null });
      expect(await find(b)).toMatchObject({ missingAt: null });
    });

    test('a removed domain that no list has remains removed', async () => {
      await ledger.add(account, [a], importedAt(1));
      await ledger.remove(account, a, minute(2));

      await ledger.markListed(account, [a], false);

      expect(await knownNamesOf(ledger)).toEqual([]);
    });

    test('2,500 domains are marked at once, and none is no error', async () => {
      const names = Array.from({ length: 2_500 }, (_, at) => name(`name-${at}.com`));
      await ledger.add(account, names, importedAt(1, { source: 'LISTED' }));

      await ledger.markListed(account, names, false);
      await ledger.markListed(account, [], true);

      expect(await unlistedOf(ledger)).toHaveLength(2_500);
    });
  });

  test('no method reads or changes the domains of another account', async () => {
    await ledger.add(account, [a], importedAt(1, { dueAt: minute(30) }));
    await ledger.saveRow(account, a, rowAt(2));
    await ledger.add(account, [b], importedAt(1, { source: 'LISTED' }));
    await ledger.add(account, [c], importedAt(1, { dueAt: minute(30) }));
    const before = await knownOf(ledger);

    await ledger.markListed(otherAccount, [a], true);
    await ledger.markListed(otherAccount, [b], false);
    await ledger.makeUnreadDue(otherAccount, minute(3));
    await ledger.saveRow(otherAccount, a, rowAt(3));
    await ledger.saveMissing(otherAccount, a, { at: minute(3), dueAt: minute(3) });
    await ledger.recordWrite(otherAccount, a, minute(3));

    expect(await ledger.remove(otherAccount, a, minute(4))).toBe(false);
    expect(await ledger.takeDue(otherAccount, dueAt(100))).toEqual([]);
    expect(await ledger.hasDue(otherAccount, dueAt(100))).toBe(false);
    expect(await knownOf(ledger)).toEqual(before);
    expect(await isDue(29)).toBe(false);
    expect(await taken(50)).toEqual([c]);
    expect(await ledger.countTaken(otherAccount, { after: minute(0), until: minute(90) })).toBe(0);
    expect([await knownOf(ledger, otherAccount), await knownNamesOf(ledger, otherAccount)]).toEqual(
      [[], []],
    );
    expect(await ledger.add(otherAccount, [a], importedAt(5))).toBe(1);
    expect(await find(a)).toMatchObject({ addedAt: minute(1) });
  });

  test('one domain is changed by its name alone', async () => {
    await ledger.add(account, [a, b], importedAt(1, { dueAt: minute(30) }));
    await ledger.saveRow(account, b, rowAt(2));
    const before = await find(b);

    await ledger.saveRow(account, a, rowAt(3));
    await ledger.saveMissing(account, a, { at: minute(4), dueAt: minute(4) });
    await ledger.recordWrite(account, a, minute(4));
    await ledger.remove(account, a, minute(5));

    expect(await find(b)).toEqual(before);
  });

  test('domains are unchanged after a restart', async () => {
    await ledger.add(account, [a], importedAt(1));
    await ledger.saveRow(account, a, rowAt(2));
    const before = await unlistedOf(ledger);
    await journal.close();

    const reopened = withLedger(await connect([knownDomainsTable])).ledger;

    expect(before).toHaveLength(1);
    expect(await unlistedOf(reopened)).toEqual(before);
  });

  test('a closed journal has no known domains', async () => {
    await journal.close();
    const failed = (use: () => Promise<unknown>) =>
      use().then(
        () => 'succeeded',
        ({ name: type, code, message }) => `${type} ${code}: ${message}`,
      );

    for (const use of [
      () => knownOf(ledger),
      () => knownNamesOf(ledger),
      () => ledger.hasDue(account, dueAt(1)),
      () => ledger.countTaken(account, { after: minute(1), until: minute(2) }),
    ]) {
      expect(await failed(use)).toBe('Fault JOURNAL_UNAVAILABLE: The journal cannot be read.');
    }
    for (const use of [
      () => ledger.add(account, [a], importedAt(1)),
      () => ledger.addPurchased(account, { at: minute(1), dueAt: minute(1) }),
      () => ledger.markListed(account, [a], true),
      () => ledger.makeUnreadDue(account, minute(1)),
      () => ledger.takeDue(account, dueAt(1)),
      () => ledger.saveRow(account, a, rowAt(1)),
      () => ledger.saveMissing(account, a, { at: minute(1), dueAt: minute(1) }),
      () => ledger.remove(account, a, minute(1)),
      () => ledger.recordWrite(account, a, minute(1)),
      () => ledger.lease(account, leaseAt(1, 'one')),
    ]) {
      expect(await failed(use)).toBe('Fault JOURNAL_UNAVAILABLE: The journal cannot be written.');
    }
  });
});

const byName = (one: UnlistedDomain, another: UnlistedDomain) => (one.name < another.name ? -1 : 1);
