import { beforeEach, describe, expect, test } from 'vitest';
import type { NewEvent } from '../../src/persistence/event-store.ts';
import type { Journal, PurchaseRecord } from '../../src/persistence/store.ts';
import { account, claimNumber, minute, moveTo, unlimited } from './claims.ts';
import { type JournalStore, useStore } from './journal-store.ts';
import { eventNumber, idsOf, leaseOf } from './new-events.ts';

/** The contract of every driver about the events of settled purchases: one for each outcome. */
export function describeSettledPurchases(
  driver: string,
  createStore: () => Promise<JournalStore>,
): void {
  describe(`events of settled purchases on ${driver}`, () => {
    const { connect } = useStore(createStore);
    let journal: Journal;

    beforeEach(async () => {
      journal = await connect();
      await journal.events.lease(account, leaseOf('one', 0, 10));
      for (let at = 1; at <= 4; at += 1) await journal.claim(claimNumber(at), unlimited);
      await moveTo(journal, 'operation-001', 'SUCCEEDED');
      await moveTo(journal, 'operation-002', 'PENDING');
      await journal.move('operation-003', ['CLAIMED'], { to: 'FAILED', at: minute(54) });
    });

    const unreported = async () => {
      const purchases = await journal.events.unreported(account, 10);
      return purchases.map(({ id, state }) => `${id} ${state}`);
    };
    const eventOf = (purchase: PurchaseRecord): NewEvent =>
      eventNumber(1, { id: `${purchase.id}:${purchase.state}`, purchaseId: purchase.id });
    const all = async () => idsOf(await journal.events.list(account, { limit: 10 }));

    test('settled purchases are unreported, in the order of their settlement', async () => {
      expect(await unreported()).toEqual(['operation-003 FAILED', 'operation-001 SUCCEEDED']);
      expect(idsOf((await journal.events.unreported(account, 1)) as never)).toEqual([
        'operation-003',
      ]);
      expect(await journal.events.unreported('reseller-2', 10)).toEqual([]);
    });

    test('a reported purchase has its event, and is reported once', async () => {
      const purchases = await journal.events.unreported(account, 10);
      const events = purchases.map(eventOf);

      expect(await journal.events.report(account, 'one', events)).toBe(true);
      expect(await journal.events.report(account, 'one', events)).toBe(false);

      expect(await unreported()).toEqual([]);
      expect(await all()).toEqual(['operation-003:FAILED', 'operation-001:SUCCEEDED']);
    });

    test('an outcome that was corrected is reported again, also when that happened before the report', async () => {
      const correct = () =>
        journal.move('operation-003', ['FAILED'], { to: 'UNKNOWN', at: minute(56) });
      const events = (await journal.events.unreported(account, 10)).map(eventOf);
      await correct();

      expect(await journal.events.report(account, 'one', events)).toBe(true);
      expect(await unreported()).toEqual(['operation-003 UNKNOWN']);
      const later = (await journal.events.unreported(account, 10)).map(eventOf);
      await journal.events.report(account, 'one', later);

      expect(await unreported()).toEqual([]);
      expect(await all()).toContain('operation-003:UNKNOWN');
    });

    test('an owner without the lease reports and skips nothing', async () => {
      const events = (await journal.events.unreported(account, 10)).map(eventOf);

      expect(await journal.events.report(account, 'two', events)).toBe(false);
      await journal.events.skipUnreported(account, 'two');

      expect(await all()).toEqual([]);
      expect(await unreported()).toHaveLength(2);
    });

    test('skipped purchases have no event, and later ones do', async () => {
      await journal.events.skipUnreported(account, 'one');
      expect(await unreported()).toEqual([]);
      await moveTo(journal, 'operation-004', 'UNKNOWN');

      expect(await unreported()).toEqual(['operation-004 UNKNOWN']);
    });

    test('of two accounts only the purchases of one are skipped', async () => {
      await journal.events.lease('reseller-2', leaseOf('one', 0, 10));

      await journal.events.skipUnreported('reseller-2', 'one');

      expect(await unreported()).toHaveLength(2);
    });

    test('purchases are found by their domains, in the order of their claims', async () => {
      const found = (domains: readonly string[], of = account) => journal.byDomains(of, domains);

      expect(idsOf((await found(['name-3.com', 'name-1.com', 'x.com'])) as never)).toEqual([
        'operation-001',
        'operation-003',
      ]);
      expect(await found([])).toEqual([]);
      expect(await found(['name-1.com'], 'reseller-2')).toEqual([]);
    });
  });
}
